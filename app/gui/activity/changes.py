"""What one run changed or would change, as a list that reads like a diff.

An observation shows the statements it was drawn from, which are still there. Everything on the page
was changed together, and is undone together.
"""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.domain.consolidation import Fold
from app.domain.history import MemoryChange
from app.domain.jobs.upkeep import Planned
from app.domain.language.text import counted
from app.gui.inspector.markup import diff_html
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Card,
    Chip,
    Header,
    IconButton,
    Label,
    NoticeBar,
    ScrolledColumn,
    fill,
    filling,
    hbox,
    named,
    pile,
    rich,
    vbox,
)

WIDTH, SHOWN = 760, 200


class ChangeCard(Card):
    """One change: a chip that names it, the text, and what it was drawn from."""

    memory_requested = Signal(str)  # the id of a memory to be shown

    def __init__(self, theme: Theme, memory_id: str, word: str, tone: str) -> None:
        super().__init__(f"change_{memory_id}", margin=14)
        self._theme, self._id = theme, memory_id
        self.head = hbox(Chip(word, tone, f"kind_{memory_id}"), ...)
        self.body.addLayout(self.head)

    def add_link(self, text: str) -> None:
        """Offer to show the memory itself."""
        button = Button(self._theme, "Show", f"show_{self._id}", "link", spoken=f"Show: {text}")
        button.clicked.connect(lambda: self.memory_requested.emit(self._id))
        self.head.addWidget(button)

    def add_text(self, before: str, after: str) -> None:
        """Show a text, or what became of it."""
        name = f"text_{self._id}"
        if not before or before == after:
            self.body.addWidget(Label(after, "row", wrap=True, name=name))
            return
        html = diff_html(before, after, self._theme.name("muted"), self._theme.name("accent"))
        label = rich(html, "row", name, f"before: {before}, after: {after}")
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.body.addWidget(label)

    def add_lines(self, title: str, lines: Sequence[str]) -> None:
        """List what stands beside it."""
        if lines and title:
            fill(self.body, 4, Label(title, "section", name=f"section_{self._id}"))
        for number, words in enumerate(lines):
            name = f"line_{self._id}_{number}"
            self.body.addWidget(Label(words, "secondary", wrap=True, name=name))


class ChangesPage(QWidget):
    """What one run changed, or what one would change now."""

    closed = Signal()  # it should be put away
    start_requested = Signal(str)  # what is foreseen should be done; the kind of work
    undo_requested = Signal(str)  # everything on it should be undone; the batch
    memory_requested = Signal(str)  # the id of a memory to be shown

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._batch = self._kind = ""
        named(self, "changes", "What was changed")
        self.back = IconButton(theme, "arrow-left", "Back to the activity", "changes_back")
        self.undo = Button(theme, "Undo all of this", "changes_undo", icon="arrow-u-up-left")
        self.start = Button(theme, "Run now", "changes_start", icon="play")
        self.notice = NoticeBar(theme, "changes_notice")
        self._header = Header("", "changes_header")
        self._sentence = Label("", "muted", wrap=True, name="changes_sentence")
        self._cards = vbox(spacing=10)
        self._lay_out()
        self.back.clicked.connect(self.closed)
        self.start.clicked.connect(lambda: self.start_requested.emit(self._kind))
        self.undo.clicked.connect(lambda: self.undo_requested.emit(self._batch))

    def _lay_out(self) -> None:
        self._header.row.insertWidget(0, self.back)
        fill(self._header.row, self.start, self.undo)
        scrolled = ScrolledColumn("changes", WIDTH, 12)
        fill(scrolled.column, self._sentence, self._cards)
        pile(self, self._header, self.notice, scrolled, growing=scrolled)

    def show_changes(
        self, batch: str, title: str, steps: Sequence[MemoryChange], folds: Sequence[Fold]
    ) -> None:
        """Show what was changed together; observations with what they were drawn from."""
        self._batch, self._kind = batch, ""
        self.start.hide()
        self._header.title.setText(title)
        undone = all(step.entry.undone for step in steps)
        self.undo.setVisible(not undone)
        folded = {fold.observation.id for fold in folds}
        drawn = {memory.id for fold in folds for memory in fold.sources}
        others = [step for step in steps if step.entry.memory_id not in folded | drawn]
        self._sentence.setText(_sentence(len(folds), len(others), undone=undone))
        filling.clear(self._cards)
        for fold in folds:
            self._add(self._folded(fold))
        for step in others[:SHOWN]:
            self._add(self._changed(step))
        self._say_more(len(others))

    def show_planned(self, kind: str, title: str, planned: Sequence[Planned]) -> None:
        """Show what a run would do now."""
        self._batch, self._kind = "", kind
        self._header.title.setText(f"{title}: preview")
        self.undo.hide()
        self.start.setVisible(bool(planned))
        self._sentence.setText(_foreseen(len(planned)))
        filling.clear(self._cards)
        for number, one in enumerate(planned[:SHOWN]):
            self._add(self._to_come(one, number))
        self._say_more(len(planned))

    def _to_come(self, planned: Planned, number: int) -> ChangeCard:
        sources = planned.sources
        single = len(sources) == 1
        about = sources[0].id if single else f"planned_{number}"
        card = ChangeCard(self._theme, about, planned.word, "neutral")
        if single:
            card.add_link(planned.text)
        card.add_text("", planned.text)
        if not single:
            card.add_lines("From", [f"· {memory.text}" for memory in sources[:SHOWN]])
        return card

    def _say_more(self, count: int) -> None:
        if count > SHOWN:
            more = f"and {count - SHOWN:,} more"
            filling.add(self._cards, Label(more, "muted", name="changes_more"))

    def _add(self, card: ChangeCard) -> None:
        card.memory_requested.connect(self.memory_requested)
        filling.add(self._cards, card)

    def _folded(self, fold: Fold) -> ChangeCard:
        word = "New observation" if fold.new else "Renewed observation"
        card = ChangeCard(self._theme, fold.observation.id, word, "accent")
        card.add_link(fold.after)
        card.add_text(fold.before or "", fold.after)
        said = [
            f"{'+' if memory.id in fold.added and not fold.new else '·'} {memory.text}"
            for memory in fold.sources
        ]
        card.add_lines(f"Drawn from {counted(len(fold.sources), 'memory')}:", said)
        return card

    def _changed(self, step: MemoryChange) -> ChangeCard:
        kind, entry = step.kind, step.entry
        card = ChangeCard(self._theme, entry.memory_id, kind.value.capitalize(), "neutral")
        text = str(entry.after.get("text") or step.sentence)
        card.add_link(text)
        card.add_text(str(entry.before.get("text", "")), text)
        other = [d for d in step.differences if d.field != "text"] if entry.before else []
        card.add_lines(
            "", [f"{d.field}: {d.before or 'none'} → {d.after or 'none'}" for d in other]
        )
        if entry.reason:
            card.body.addWidget(
                Label(entry.reason, "small", wrap=True, name=f"reason_{entry.memory_id}")
            )
        return card


def _foreseen(count: int) -> str:
    if not count:
        return "Running it now would change nothing."
    changes = counted(count, "change")
    return f"{changes} would be made now. Nothing has been changed yet."


def _sentence(folds: int, others: int, *, undone: bool) -> str:
    parts = []
    if folds:
        parts.append(counted(folds, "observation"))
    if others:
        other = "other change" if folds else "change"
        parts.append(counted(others, other))
    told = " and ".join(parts) or "Nothing that still exists"
    if undone:
        return f"{told}. All of it was undone."
    return f"{told}, made together." if folds + others > 1 else f"{told}."
