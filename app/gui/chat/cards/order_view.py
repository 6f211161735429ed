"""What became of an order about memory: the memories it meant, as they are now."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.domain.memory import MemoryType, Status
from app.domain.recall import Hit
from app.domain.reply import MEANT, NOT_MEANT, PERHAPS_MEANT, STAYS
from app.gui.chat.cards.receipt_view import NoteLine, bare
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, Label, fill, hbox, named, vbox
from app.gui.widgets.filling import add, clear

NOTHING_LEFT = "Nothing is left of what this was about."
_ROOMY = 520
_MARGIN = 14


class OrderView(QWidget):
    """A line for each memory that was forgotten, and a card with those that may be meant.

    Everything is read from the memories as they are, so it is right whenever it is looked at.
    """

    forget_clicked = Signal(str)  # a memory is meant; its id
    undo_clicked = Signal(object)  # memories are to be in use again; their ids
    erase_clicked = Signal(object)  # memories are to be erased for good; their ids
    left_out = Signal(str)  # a memory is not meant; its id

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "order", "What became of this")
        self._theme = theme
        self._width = 0
        self._meant: Sequence[Hit] | None = None
        self._lines: list[NoteLine] = []
        self._questions: list[QuestionRow] = []
        self._column = vbox(of=self, margins=0, spacing=8)
        self.hide()

    def show_meant(self, meant: Sequence[Hit] | None) -> None:
        """Show the memories that an order means; None where there was no order."""
        self.setVisible(meant is not None)
        if meant == self._meant:
            return
        focused = any(button.hasFocus() for button in self.findChildren(Button))
        self._meant = meant
        self._lines, self._questions = [], []
        clear(self._column)
        if meant is None:
            return
        gone = [hit for hit in meant if _is_gone(hit)]
        if len(gone) > 1:
            self._add_sum(gone)
        for hit in meant:
            if not _is_open(hit):
                self._add_line(hit)
        if not meant:
            self._put(NoteLine(self._theme, [(NOTHING_LEFT, False)], "order_line", "border"))
        if asked := [hit for hit in meant if _is_open(hit)]:
            add(self._column, self._card(asked, as_well=bool(gone)))
        if self._width:
            self.fit(self._width)
        if focused:
            self._focus()

    def _put(self, line: NoteLine) -> None:
        """Add a line with all its buttons; those that came later would not be counted."""
        self._lines.append(line)
        add(self._column, line)

    def _add_sum(self, gone: Sequence[Hit]) -> None:
        """Add a line for all that was forgotten together."""
        told = [("Forgotten: ", False), (f"{len(gone):,} memories", True), (".", False)]
        line = NoteLine(self._theme, told, "order_sum")
        ids = [hit.id for hit in gone]
        undo = line.offer("Undo all", "order_undo_all")
        undo.clicked.connect(lambda: self.undo_clicked.emit(ids))
        erase = line.offer("Erase all…", "order_erase_all", danger=True)
        erase.clicked.connect(lambda: self.erase_clicked.emit(ids))
        self._put(line)

    def _add_line(self, hit: Hit) -> None:
        """Add a line for a memory of which it is clear whether it was meant."""
        gone, words = _is_gone(hit), bare(hit.text)
        told = [(f"{_state(hit)}: ", False), (words, True), (".", False)]
        bar = "accent" if gone else "border"
        line = NoteLine(self._theme, told, "order_line", bar)
        if gone:
            undo = line.offer("Undo", "order_undo", words)
            undo.clicked.connect(lambda: self.undo_clicked.emit([hit.id]))
            erase = line.offer("Erase…", "order_erase", words, danger=True)
            erase.clicked.connect(lambda: self.erase_clicked.emit([hit.id]))
        elif _is_active(hit) and not hit.dropped:
            forget = line.offer("Forget", "order_forget", words)
            forget.clicked.connect(partial(self.forget_clicked.emit, hit.id))
        self._put(line)

    def _card(self, asked: Sequence[Hit], *, as_well: bool) -> Card:
        card = Card("order_card", margin=_MARGIN)
        these = "one of these" if len(asked) > 1 else "this"
        question = f"Did you mean {these} as well?" if as_well else f"Do you mean {these}?"
        card.body.addWidget(Label(question, "small", wrap=True, name="order_question"))
        for hit in asked:
            row = QuestionRow(self._theme, hit)
            row.forget_button.clicked.connect(partial(self.forget_clicked.emit, hit.id))
            row.erase_button.clicked.connect(partial(self.erase_clicked.emit, [hit.id]))
            row.leave_button.clicked.connect(partial(self.left_out.emit, hit.id))
            self._questions.append(row)
            card.body.addWidget(row)
        return card

    def _focus(self) -> None:
        """Keep the keyboard here: on what can be done next."""
        found = [b for b in self.findChildren(Button) if b.isVisibleTo(self)]
        if found:
            found[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def fit(self, width: int) -> None:
        """Be this wide."""
        self._width = width
        self.setFixedWidth(width)
        for line in self._lines:
            line.fit(width)
        for row in self._questions:
            row.fit(width - 2 * _MARGIN)


class QuestionRow(QWidget):
    """A memory that may be meant, and three buttons: beside it, or below where there is no room."""

    def __init__(self, theme: Theme, hit: Hit) -> None:
        super().__init__()
        named(self, "order_row", hit.text)
        self.forget_button = Button(theme, "Forget", "order_forget")
        self.erase_button = Button(theme, "Erase…", "order_erase", "danger")
        self.leave_button = Button(theme, "Not this one", "order_leave", "ghost")
        buttons = hbox(spacing=6)
        for button in (self.forget_button, self.erase_button, self.leave_button):
            button.setAccessibleName(f"{button.accessibleName()}: {hit.text}")
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 4, 0, 0)
        self._box.setSpacing(8)
        fill(self._box, (Label(hit.text, "row", wrap=True, name="order_text"), 1), buttons)

    def fit(self, width: int) -> None:
        """Be this wide."""
        beside = width >= _ROOMY
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._box.setDirection(across if beside else down)
        self.setFixedWidth(width)


def _is_gone(hit: Hit) -> bool:
    return hit.memory is not None and hit.memory.status is Status.FORGOTTEN


def _is_active(hit: Hit) -> bool:
    return hit.memory is not None and hit.memory.status is Status.ACTIVE


def _is_open(hit: Hit) -> bool:
    """Whether it is still to be said whether a memory is meant."""
    return _is_active(hit) and not hit.dropped and hit.reasons[:1] == (PERHAPS_MEANT,)


def _state(hit: Hit) -> str:
    """Return what became of a memory."""
    if _is_gone(hit):
        return "Ended" if hit.type is MemoryType.PROCEDURAL else "Forgotten"
    if hit.dropped == NOT_MEANT:
        return "Left as it is"
    if _is_active(hit) and hit.reasons[:1] == (STAYS,):
        return "Stays"
    return "In use again" if _is_active(hit) and hit.reasons[:1] == (MEANT,) else "Changed since"
