"""The cards of what waits: a memory that was learnt, and two that contradict each other."""

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.domain.contradiction import Clash, Contradiction, Settlement
from app.domain.memory import Memory, Status
from app.domain.text import clipped
from app.gui.inspector.wording import origin_sentence, short_date
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, Label, line, named
from app.store.waiting import Proposal

QUOTE, LINES = 240, 3
_KINDS = {
    Clash.KEY: "Both say what it is, and not the same.",
    Clash.SLOT: "There is probably one of these, and they name two.",
    Clash.CLOSING: "One says so, the other that it is not so any more.",
}


class TextBox(QPlainTextEdit):
    """A few lines to write in.

    Signals:
        left: The person does not want to write after all.
        done: The person is done writing.
    """

    left = Signal()
    done = Signal()

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
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
    """A box to write in, with two buttons; put away until it is asked for.

    Signals:
        written: arg 0: the text
        closed: It was put away.
    """

    written = Signal(str)
    closed = Signal()

    def __init__(self, theme: Theme, name: str, title: str, action: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.box = TextBox(f"{name}_text", title)
        self.save = Button(theme, action, f"{name}_save", "primary")
        self.cancel = Button(theme, "Cancel", f"{name}_cancel", "ghost")
        self.save.setAccessibleName(f"{action}: {title}")
        self.cancel.setAccessibleName(f"Cancel: {title}")
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.box)
        column.addLayout(buttons)
        self.save.clicked.connect(self._on_saved)
        self.box.done.connect(self._on_saved)
        self.cancel.clicked.connect(self._on_cancelled)
        self.box.left.connect(self._on_cancelled)
        self.box.textChanged.connect(self._on_changed)
        self.hide()

    def begin(self, text: str) -> None:
        """Let the person write, from a text."""
        self.box.setPlainText(text)
        self.box.selectAll()
        self.show()
        self.box.setFocus()

    def _on_changed(self) -> None:
        self.save.setEnabled(bool(self.box.toPlainText().strip()))

    def _on_saved(self) -> None:
        if text := self.box.toPlainText().strip():
            self.written.emit(text)

    def _on_cancelled(self) -> None:
        self.hide()
        self.closed.emit()


class ProposalCard(Card):
    """A memory that waits.

    Signals:
        accepted: arg 0: its id; arg 1: another text, or empty
        rejected: arg 0: its id
        place_requested: Where it was said. arg 0: the conversation's id; arg 1: the message's id
    """

    accepted = Signal(str, str)
    rejected = Signal(str)
    place_requested = Signal(str, str)

    def __init__(self, theme: Theme, proposal: Proposal, now: datetime) -> None:
        memory = proposal.memory
        self._suspicious = memory.status is Status.QUARANTINED
        tone = "warn" if self._suspicious else "plain"
        super().__init__(f"proposal_{memory.id}", tone, margin=14)
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
        self.body.addWidget(self._writing)
        self.body.addWidget(self._buttons)

    def _lay_out_buttons(self, theme: Theme, proposal: Proposal) -> None:
        memory, evidence = proposal.memory, proposal.evidence
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 4, 0, 0)
        if evidence is not None and evidence.conversation_id:
            place = evidence.conversation_id, evidence.message_id or ""
            button = Button(theme, "Where it was said", f"place_{memory.id}", "link")
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


class ContradictionCard(Card):
    """Two memories side by side, and what can be done about them.

    Signals:
        settled: arg 0: the Contradiction; arg 1: the Settlement; arg 2: a text, or empty
        memory_requested: arg 0: the id of a memory to be shown
    """

    settled = Signal(object, object, str)
    memory_requested = Signal(str)

    def __init__(self, theme: Theme, pair: Contradiction, merge: str, now: datetime) -> None:
        super().__init__(f"contradiction_{pair.id}", margin=14)
        self.pair = pair
        self._theme = theme
        self.body.addWidget(Label(_KINDS[pair.kind], "small", wrap=True, name=f"kind_{pair.id}"))
        sides = QHBoxLayout()
        sides.setSpacing(16)
        self.body.setSpacing(10)
        for memory, word, how in (
            (pair.older, "Earlier", Settlement.KEEP_OLDER),
            (pair.newer, "Later", Settlement.KEEP_NEWER),
        ):
            sides.addLayout(self._side(memory, word, how, now), 1)
        self.body.addLayout(sides)
        self.body.addWidget(line(f"line_{pair.id}"))
        title = f"Merge: {pair.newer.text}"
        self._writing = Writing(theme, f"merge_{pair.id}", title, "Keep this instead")
        self._buttons = named(QWidget(), f"buttons_{pair.id}")
        self._writing.closed.connect(self._buttons.show)
        self._writing.written.connect(lambda text: self._settle(Settlement.MERGE, text))
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        for word, name, act in (
            ("Merge…", "write", lambda: self._write(merge)),
            ("Keep both", "both", lambda: self._settle(Settlement.KEEP_BOTH)),
        ):
            button = Button(theme, word, f"{name}_{pair.id}")
            button.setAccessibleName(f"{word.rstrip('…')}: {pair.newer.text}")
            button.clicked.connect(act)
            row.addWidget(button)
        self.body.addWidget(self._writing)
        self.body.addWidget(self._buttons)

    def _side(self, memory: Memory, word: str, how: Settlement, now: datetime) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        when = f"{word} · {short_date(memory.occurred_at or memory.created_at, now)}"
        pinned = " · pinned" if memory.pinned else ""
        waits = " · waits for you" if memory.status is Status.PROPOSED else ""
        column.addWidget(Label(when + pinned + waits, "section", name=f"when_{memory.id}"))
        column.addWidget(Label(memory.text, "row", wrap=True, name=f"says_{memory.id}"))
        column.addWidget(Label(origin_sentence(memory), "small", wrap=True, name="origin"))
        column.addStretch(1)
        row = QHBoxLayout()
        keep = Button(self._theme, "Keep this", f"keep_{memory.id}")
        keep.setAccessibleName(f"Keep this: {memory.text}")
        keep.clicked.connect(lambda: self._settle(how))
        show = Button(self._theme, "Show", f"show_{memory.id}", "link")
        show.setAccessibleName(f"Show: {memory.text}")
        show.clicked.connect(lambda: self.memory_requested.emit(memory.id))
        row.addWidget(keep)
        row.addWidget(show)
        row.addStretch(1)
        column.addLayout(row)
        return column

    def _write(self, text: str) -> None:
        self._buttons.hide()
        self._writing.begin(text)

    def _settle(self, how: Settlement, text: str = "") -> None:
        self.settled.emit(self.pair, how, text)


def _about(proposal: Proposal, now: datetime) -> list[str]:
    """Return what is known of a proposal: its words, why it waits, and what it would replace."""
    memory, evidence = proposal.memory, proposal.evidence
    words = []
    if evidence is not None and evidence.quote:
        words.append(f"“{clipped(evidence.quote, QUOTE)}” · {short_date(evidence.created_at, now)}")
    if memory.status_reason:
        words.append(memory.status_reason)
    if proposal.replaces:
        words.append(f"It would take the place of: {proposal.replaces}")
    return words
