"""The cards of what waits: a memory that was learnt, and two that contradict each other."""

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.domain.contradiction import Contradiction, Settlement
from app.domain.language.text import clipped, normalise
from app.domain.memory import Memory, Proposal, Status
from app.gui.attention.wording import KINDS
from app.gui.inspector.wording import origin_sentence, short_date
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, Label, fill, hbox, line, named, vbox

QUOTE, LINES = 240, 3


class TextBox(QPlainTextEdit):
    """A few lines to write in."""

    left = Signal()  # the person does not want to write after all
    done = Signal()  # the person is done writing

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        named(self, name, title)
        self.setTabChangesFocus(True)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * LINES + 18)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves; Control and Return are done."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier
        ):
            self.done.emit()
        else:
            super().keyPressEvent(event)


class Writing(QWidget):
    """A box to write in, with two buttons; put away until it is asked for."""

    written = Signal(str)  # the text
    closed = Signal()  # it was put away

    def __init__(self, theme: Theme, name: str, title: str, action: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.is_saved = False
        self.box = TextBox(f"{name}_text", title)
        self.save = Button(theme, action, f"{name}_save", "primary", spoken=f"{action}: {title}")
        self.cancel = Button(theme, "Cancel", f"{name}_cancel", "ghost", spoken=f"Cancel: {title}")
        vbox(self.box, hbox(..., self.cancel, self.save), of=self, margins=(0, 4, 0, 0))
        self.save.clicked.connect(self._on_saved)
        self.box.done.connect(self._on_saved)
        self.cancel.clicked.connect(self._on_cancelled)
        self.box.left.connect(self._on_cancelled)
        self.box.textChanged.connect(self._on_changed)
        self.hide()

    @property
    def typed(self) -> str:
        """What stands in the box and is not saved; empty where it is put away."""
        return "" if self.isHidden() or self.is_saved else self.box.toPlainText().strip()

    def begin(self, text: str) -> None:
        """Let the person write, from a text."""
        self.box.setPlainText(text)
        self.box.selectAll()
        self.show()
        self.box.setFocus()

    def _on_changed(self) -> None:
        self.is_saved = False
        self.save.setEnabled(bool(self.box.toPlainText().strip()))

    def _on_saved(self) -> None:
        if text := self.box.toPlainText().strip():
            self.is_saved = True
            self.written.emit(text)

    def _on_cancelled(self) -> None:
        self.hide()
        self.closed.emit()


class WaitingCard(Card):
    """A card on which something can be decided, and written.

    Attributes:
        shown: What it was made for; the same again needs no other card.
    """

    def __init__(self, name: str, shown: object, tone: str = "plain") -> None:
        super().__init__(name, tone, margin=14)
        self.shown = shown

    @property
    def writings(self) -> list[Writing]:
        """Where something can be written."""
        return self.findChildren(Writing)

    @property
    def typed(self) -> str:
        """What the person is writing here; empty where nothing is open."""
        return next((writing.typed for writing in self.writings if writing.typed), "")


class ProposalCard(WaitingCard):
    """A memory that waits."""

    accepted = Signal(str, str)  # its id; another text, or empty
    rejected = Signal(str)  # its id
    # where it was said; the conversation's id; the message's id
    place_requested = Signal(str, str)

    def __init__(self, theme: Theme, proposal: Proposal, now: datetime) -> None:
        memory = proposal.memory
        self._suspicious = memory.status is Status.QUARANTINED
        tone = "warn" if self._suspicious else "plain"
        super().__init__(f"proposal_{memory.id}", (proposal, now.date()), tone)
        self.memory_id = memory.id
        self.body.addWidget(Label(memory.text, "row", wrap=True, name=f"text_{memory.id}"))
        for number, words in enumerate(_about(proposal, now)):
            label = Label(words, "small", wrap=True, name=f"about_{memory.id}_{number}")
            self.body.addWidget(label)
        self._writing = Writing(theme, f"edit_{memory.id}", f"Edit: {memory.text}", "Accept")
        self._writing.written.connect(lambda text: self.accepted.emit(self.memory_id, text))
        self._buttons = named(QWidget(), f"buttons_{memory.id}")
        self._writing.closed.connect(self._buttons.show)
        self._lay_out_buttons(theme, proposal)
        fill(self.body, self._writing, self._buttons)

    def _lay_out_buttons(self, theme: Theme, proposal: Proposal) -> None:
        memory, evidence = proposal.memory, proposal.evidence
        row = hbox(of=self._buttons, margins=(0, 6, 0, 0))
        if evidence is not None and evidence.conversation_id:
            place = evidence.conversation_id, evidence.message_id or ""
            button = Button(theme, "Where it was said", f"place_{memory.id}", "link")
            button.setProperty("leading", "true")
            button.setAccessibleName(f"Where it was said: {memory.text}")
            button.clicked.connect(lambda: self.place_requested.emit(*place))
            row.addWidget(button)
        row.addStretch(1)
        for word, kind, act in (
            ("Reject", "ghost", lambda: self.rejected.emit(self.memory_id)),
            ("Edit", "plain", lambda: self._edit(memory.text)),
            (
                "Accept",
                "plain" if self._suspicious else "primary",
                lambda: self.accepted.emit(self.memory_id, ""),
            ),
        ):
            button = Button(theme, word, f"{word.lower()}_{memory.id}", kind)
            button.setAccessibleName(f"{word}: {memory.text}")
            button.clicked.connect(act)
            row.addWidget(button)

    def _edit(self, text: str) -> None:
        self._buttons.hide()
        self._writing.begin(text)


class ContradictionCard(WaitingCard):
    """Two memories side by side, and what can be done about them."""

    # the Contradiction; the Settlement; a text, or empty; the id of the
    # memory that is edited, or empty
    settled = Signal(object, object, str, str)
    memory_requested = Signal(str)  # the id of a memory to be shown

    def __init__(self, theme: Theme, pair: Contradiction, merge: str, now: datetime) -> None:
        super().__init__(f"contradiction_{pair.id}", (pair, merge, now.date()))
        self.pair = pair
        self._theme = theme
        self.body.addWidget(Label(KINDS[pair.kind], "small", wrap=True, name=f"kind_{pair.id}"))
        self.body.setSpacing(10)
        self._lay_out_sides(now)
        self.body.addWidget(line(f"line_{pair.id}"))
        title = f"Merge: {pair.newer.text}"
        self._writing = Writing(theme, f"merge_{pair.id}", title, "Keep this instead")
        self._buttons = named(QWidget(), f"buttons_{pair.id}")
        self._writing.closed.connect(self._buttons.show)
        self._writing.written.connect(lambda text: self._settle(Settlement.MERGE, text))
        fill(self.body, self._writing, self._buttons)
        self._lay_out_buttons(merge)

    def _lay_out_sides(self, now: datetime) -> None:
        sides = hbox(spacing=16)
        for memory, word, how in (
            (self.pair.older, "Earlier", Settlement.KEEP_OLDER),
            (self.pair.newer, "Later", Settlement.KEEP_NEWER),
        ):
            side = ContradictionSide(self._theme, memory, word, now)
            side.kept.connect(lambda how=how: self._settle(how))
            side.edited.connect(lambda text, of=memory.id: self._settle(Settlement.EDIT, text, of))
            side.memory_requested.connect(self.memory_requested)
            sides.addWidget(side, 1)
        self.body.addLayout(sides)

    def _lay_out_buttons(self, merge: str) -> None:
        row = hbox(..., of=self._buttons, margins=0)
        for word, name, act in (
            ("Merge…", "write", lambda: self._write(merge)),
            ("Keep both", "both", lambda: self._settle(Settlement.KEEP_BOTH)),
        ):
            button = Button(self._theme, word, f"{name}_{self.pair.id}")
            button.setAccessibleName(f"{word.rstrip('…')}: {self.pair.newer.text}")
            button.clicked.connect(act)
            row.addWidget(button)

    def _write(self, text: str) -> None:
        self._buttons.hide()
        self._writing.begin(text)

    def _settle(self, how: Settlement, text: str = "", memory_id: str = "") -> None:
        self.settled.emit(self.pair, how, text, memory_id)


class ContradictionSide(QWidget):
    """One of two memories that contradict each other, to be kept or put right in its place."""

    kept = Signal()  # this one is to be kept
    edited = Signal(str)  # another text for it
    memory_requested = Signal(str)  # its id

    def __init__(self, theme: Theme, memory: Memory, word: str, now: datetime) -> None:
        super().__init__()
        self.setObjectName(f"side_{memory.id}")
        self._memory = memory
        column = vbox(of=self, margins=0, spacing=4)
        when = f"{word} · {short_date(memory.occurred_at or memory.created_at, now)}"
        pinned = " · pinned" if memory.pinned else ""
        waits = " · to review" if memory.status is Status.PROPOSED else ""
        self._says = Label(memory.text, "row", wrap=True, name=f"says_{memory.id}")
        self._origin = Label(origin_sentence(memory), "small", wrap=True, name="origin")
        title = f"Edit: {memory.text}"
        self._writing = Writing(theme, f"rewrite_{memory.id}", title, "Save")
        self._buttons = named(QWidget(), f"choose_{memory.id}")
        column.addWidget(Label(when + pinned + waits, "section", name=f"when_{memory.id}"))
        column.addWidget(self._says)
        column.addWidget(self._writing)
        column.addWidget(self._origin)
        column.addSpacing(6)
        column.addStretch(1)
        column.addWidget(self._buttons)
        self._lay_out_buttons(theme)
        self._writing.written.connect(self.edited)
        self._writing.closed.connect(lambda: self._show_others(True))

    def _lay_out_buttons(self, theme: Theme) -> None:
        row = hbox(of=self._buttons, margins=0)
        text, memory_id = self._memory.text, self._memory.id
        for word, name, kind, act in (
            ("Keep this", "keep", "plain", self.kept.emit),
            ("Edit", "edit", "plain", self._edit),
            ("Show", "show", "link", lambda: self.memory_requested.emit(memory_id)),
        ):
            button = Button(theme, word, f"{name}_{memory_id}", kind, spoken=f"{word}: {text}")
            button.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(button)
        row.addStretch(1)

    def _edit(self) -> None:
        self._show_others(False)
        self._writing.begin(self._memory.text)

    def _show_others(self, shown: bool) -> None:
        for part in (self._says, self._origin, self._buttons):
            part.setVisible(shown)


def _about(proposal: Proposal, now: datetime) -> list[str]:
    """Return what is known of a proposal: its words, why it waits, and what it would replace."""
    memory, evidence = proposal.memory, proposal.evidence
    words = []
    if evidence is not None and evidence.quote:
        same = normalise(evidence.quote) == normalise(memory.text)
        quote = "In these words" if same else f"“{clipped(evidence.quote, QUOTE)}”"
        words.append(f"{quote} · {short_date(evidence.created_at, now)}")
    if memory.status_reason:
        words.append(memory.status_reason)
    if proposal.replaces:
        words.append(f"It would replace: {proposal.replaces}")
    if proposal.later:
        words.append(f"It would be kept as history, because later you said: {proposal.later}")
    return words
