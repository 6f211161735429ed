"""One memory in full: its words, how Loci knows, what happened to it, and what can be done."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.domain.language.text import clipped, counted
from app.domain.memory import Memory, MemoryDetail, Status, Trust, is_safety
from app.domain.trace import TRUSTS, TYPES, care
from app.gui.inspector.cards import EvidenceCard, HistoryRow, LongLink
from app.gui.inspector.fields import as_text
from app.gui.inspector.history import history_lines
from app.gui.inspector.wording import (
    MINE_TIP,
    SAFETY_CHIP,
    SAFETY_TIP,
    long_date,
    origin_sentence,
    status_tag,
)
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Chip,
    FlowLayout,
    IconButton,
    Label,
    Scroll,
    fill,
    hbox,
    named,
    tip,
    vbox,
)

FIRST_QUOTES, MORE_QUOTES = 3, 20
FIRST_LINES = 8
_MARGIN = 16


class DetailView(QWidget):
    """Shows one MemoryDetail."""

    # something should be done with this memory: ``edit``, ``pin``, ``unpin``, ``mine``,
    # ``forget``, ``restore`` or ``erase``
    wanted = Signal(str)
    undo_requested = Signal(str)  # a change should be undone; the batch
    # a message should be shown; conversation id, message id
    message_opened = Signal(str, str)
    memory_opened = Signal(str)  # another memory should be shown; its id
    closed = Signal()  # it should be put away

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._detail: MemoryDetail | None = None
        self._quotes = self._lines = 0
        named(self, "memory_detail", "The selected memory")
        self.close_button = IconButton(theme, "x", "Close", "memory_detail_close", then=self.closed)
        self.close_button.setParent(self)
        self.close_button.hide()
        self.buttons = {
            "edit": Button(theme, "Edit", "detail_edit"),
            "pin": Button(theme, "Pin", "detail_pin"),
            "unpin": Button(theme, "Unpin", "detail_unpin"),
            "restore": Button(theme, "Restore", "detail_restore"),
            "forget": Button(theme, "Forget", "detail_forget"),
            "erase": Button(theme, "Erase…", "detail_erase", "danger"),
        }
        self._inside: QWidget | None = None
        holder = named(QWidget(), "memory_detail_holder")
        self._holder = vbox(of=holder, margins=0)
        self._area = named(Scroll(holder, "memory_detail_area"), "memory_detail_area", "Detail")
        vbox((self._area, 1), self._foot(), of=self, margins=0, spacing=0)

    def _foot(self) -> QWidget:
        foot = named(QWidget(), "memory_detail_foot")
        row = hbox(of=foot, margins=(_MARGIN, 10, _MARGIN, 16), spacing=6)
        for wish in ("edit", "pin", "unpin", "restore"):
            row.addWidget(self.buttons[wish])
        fill(row, ..., self.buttons["forget"], self.buttons["erase"])
        for wish, button in self.buttons.items():
            button.clicked.connect(lambda _=False, wish=wish: self.wanted.emit(wish))
        return foot

    @property
    def memory(self) -> Memory | None:
        """The memory that is shown."""
        return self._detail.memory if self._detail else None

    @property
    def conversations(self) -> frozenset[str]:
        """The conversations that are quoted or named."""
        if self._detail is None:
            return frozenset()
        quoted = {e.conversation_id for e in self._detail.evidence if e.conversation_id}
        return frozenset(quoted | {found for found, _, _ in self._detail.used_in})

    def clear(self) -> None:
        """Show no memory any more."""
        self._detail = None

    def redraw(self) -> None:
        """Draw again, in the colours of the theme."""
        self._build(self._area.verticalScrollBar().value())

    def show_detail(self, detail: MemoryDetail, now: datetime) -> None:
        """Show a memory; the scroll stays where it was if it is the same one."""
        same = self.memory is not None and self.memory.id == detail.memory.id
        at = self._area.verticalScrollBar().value() if same else 0
        if not same:
            self._quotes, self._lines = FIRST_QUOTES, FIRST_LINES
        self._detail, self._now = detail, now
        self._build(at)

    def _build(self, scroll: int) -> None:
        if self._detail is None:
            return
        detail, memory = self._detail, self._detail.memory
        inside = named(QWidget(), "memory_detail_inside")
        column = vbox(
            self._text(memory),
            4,
            self._chips(detail),
            of=inside,
            margins=(_MARGIN, 16, _MARGIN, 12),
            spacing=6,
        )
        self._add_links(column, detail)
        self._add_evidence(column, detail)
        self._add_history(column, detail)
        column.addStretch(1)
        if self._inside:
            self._inside.hide()
            self._inside.deleteLater()  # not at once: its own button may have brought us here
        self._inside = inside
        self._holder.addWidget(inside)
        self._area.verticalScrollBar().setValue(scroll)
        self.close_button.raise_()
        self._offer(memory)

    def _offer(self, memory: Memory) -> None:
        forgotten = memory.status is Status.FORGOTTEN
        shown = {
            "edit": not forgotten,
            "pin": not forgotten and not memory.pinned,
            "unpin": not forgotten and memory.pinned,
            "restore": forgotten,
            "erase": True,
            "forget": not forgotten,
        }
        for wish, button in self.buttons.items():
            button.setVisible(shown[wish])

    def _text(self, memory: Memory) -> Label:
        label = Label(memory.text, "title", wrap=True, name="detail_text")
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        label.setContentsMargins(0, 0, 28 if not self.close_button.isHidden() else 0, 0)
        return label

    def _chips(self, detail: MemoryDetail) -> QWidget:
        box = named(QWidget(), "detail_chips", "Properties")
        flow = FlowLayout(box)
        for name, text, tone in _chips(detail.memory):
            chip = Chip(text, tone, f"detail_chip_{name}")
            if name == "trust":
                chip.setToolTip(tip(care(detail.memory.trust)))
            elif name == "safety":
                chip.setToolTip(SAFETY_TIP)
            flow.addWidget(chip)
        box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        return box

    def _add_links(self, column: QVBoxLayout, detail: MemoryDetail) -> None:
        links = [("Replaced by", detail.replaced_by)] if detail.replaced_by else []
        links += [("Replaces", other) for other in detail.replaces]
        links += [("Drawn from", other) for other in detail.drawn_from[:MORE_QUOTES]]
        for number, (words, (memory_id, text)) in enumerate(links):
            if number == 0 or words != links[number - 1][0]:
                self._heading(column, words)
            link = LongLink(self._theme, text, f"detail_link_{number}")
            link.setAccessibleName(f"{words}: {text}")
            link.clicked.connect(
                lambda _=False, memory_id=memory_id: self.memory_opened.emit(memory_id)
            )
            column.addWidget(link)

    def _add_evidence(self, column: QVBoxLayout, detail: MemoryDetail) -> None:
        self._heading(column, "How Loci knows")
        for number, evidence in enumerate(detail.evidence[: self._quotes]):
            card = EvidenceCard(
                self._theme, evidence, detail.memory.text, f"detail_evidence_{number}"
            )
            card.clicked.connect(
                lambda _=False, e=evidence: self.message_opened.emit(
                    e.conversation_id or "", e.message_id or ""
                )
            )
            column.addWidget(card)
        self._more(column, "detail_more_evidence", detail.evidence, self._quotes)
        about = [origin_sentence(detail.memory, detail.evidence)]
        if words := care(detail.memory.trust):
            about.append(words)
        if at := detail.memory.occurred_at:
            told = "It is dated" if at > self._now else "It happened on"
            about.append(f"{told} {long_date(at)}.")
        if detail.memory.seen_count > 1:
            about.append(f"Came up {counted(detail.memory.seen_count, 'time')}.")
        if detail.memory.status_reason:
            about.append(detail.memory.status_reason)
        column.addWidget(Label(" ".join(about), "small", wrap=True, name="detail_provenance"))
        if detail.memory.trust is Trust.CLAIMED and detail.memory.status is not Status.FORGOTTEN:
            mine = Button(self._theme, "This is mine", "detail_mine")
            mine.setToolTip(MINE_TIP)
            column.addSpacing(4)
            mine.clicked.connect(lambda: self.wanted.emit("mine"))
            column.addWidget(mine, 0, Qt.AlignmentFlag.AlignLeading)

    def _add_history(self, column: QVBoxLayout, detail: MemoryDetail) -> None:
        self._heading(column, "History")
        lines = history_lines(detail, self._now)
        for number, line in enumerate(lines[: self._lines]):
            row = HistoryRow(self._theme, line, f"detail_history_{number}")
            row.undone.connect(self.undo_requested)
            row.opened.connect(lambda conversation: self.message_opened.emit(conversation, ""))
            column.addWidget(row)
        self._more(column, "detail_more_history", lines, self._lines)

    def _heading(self, column: QVBoxLayout, text: str) -> None:
        fill(column, 10, Label(text, "small", name="detail_heading"))

    def _more(self, column: QVBoxLayout, name: str, things: Sequence[Any], shown: int) -> None:
        if len(things) <= shown:
            return
        button = Button(self._theme, f"and {len(things) - shown:,} more", name, "link")
        button.setProperty("leading", "true")
        button.clicked.connect(self._on_more_clicked)
        column.addWidget(button)

    def _on_more_clicked(self) -> None:
        if self.sender().objectName() == "detail_more_evidence":
            self._quotes += MORE_QUOTES
        else:
            self._lines += MORE_QUOTES
        self._build(self._area.verticalScrollBar().value())

    def show_close(self, on: bool) -> None:
        """Offer to put the view away, while it covers the table."""
        if on is self.close_button.isHidden():
            self.close_button.setVisible(on)
            self._build(self._area.verticalScrollBar().value())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the closing button in its corner."""
        super().resizeEvent(event)
        size = self.close_button.sizeHint()
        left = self.width() - size.width() - 8
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            left = 8
        self.close_button.setGeometry(left, 10, size.width(), size.height())


def _chips(memory: Memory) -> list[tuple[str, str, str]]:
    """Return name, words and tone of each chip."""
    chips = [("type", TYPES[memory.type], "accent")]
    tone = "neutral" if memory.trust.is_own else "warn"
    chips.append(("trust", TRUSTS[memory.trust], tone))
    if tag := status_tag(memory):
        chips.append(("status", tag, "warn"))
    if memory.safety:
        chips.append(("safety", SAFETY_CHIP, "accent"))
    if memory.pinned:
        chips.append(("pinned", "pinned", "neutral"))
    if memory.key:
        value = "" if memory.value is None else f": {as_text(memory.value)}"
        chips.append(("key", clipped(memory.key.replace("_", " ") + value, 36), "neutral"))
    if memory.category:
        chips.append(("category", memory.category, "neutral"))
    tags = (tag for tag in memory.tags if not is_safety([tag]))
    chips += [(f"tag_{tag}", f"#{tag}", "neutral") for tag in tags]
    return chips
