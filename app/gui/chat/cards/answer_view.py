"""An answer: its text, what became of it, what it rests on, and what was remembered."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.conversation import MessageState, Part
from app.domain.ids import Clock
from app.domain.language.text import plain
from app.domain.reply import StatementOutcome
from app.gui.chat.cards.memory_chips import MemoryChips
from app.gui.chat.cards.message_view import MessageView
from app.gui.chat.cards.order_view import OrderView
from app.gui.chat.cards.receipt_view import NoteLine, ReceiptView
from app.gui.chat.cards.tools_view import ToolsView
from app.gui.chat.intents import Intents
from app.gui.chat.model import ChatTurn, chips, meant, outcomes
from app.gui.chat.text.body import AnswerBody
from app.gui.chat.text.code import CodeView
from app.gui.theme import Theme
from app.gui.widgets import Label, NoticeLine, fill, hbox, named, vbox
from app.gui.widgets.filling import add, clear, drop

ACTIONS = {
    "copy": ("copy", "Copy"),
    "regenerate": ("arrow-clockwise", "Answer again"),
    "remember": ("bookmark-simple", "Remember this"),
}
STOPPED = "Stopped."
_ACTIONS_WIDTH = 96
_GAP, _AFTER = 10, 18


class AnswerView(MessageView):
    """An answer, whole or in the making."""

    def __init__(self, theme: Theme, intents: Intents, turn: ChatTurn, clock: Clock) -> None:
        super().__init__(theme, intents, turn, ACTIONS)
        self.setObjectName("answer_message")
        self._clock = clock
        self._receipts: list[NoteLine] = []
        self._became: tuple[object, ...] = ()
        self.body = AnswerBody(theme)
        self.order = OrderView(theme)
        self.tools = ToolsView(theme)
        self.waiting = Label("", "muted", wrap=True, name="answer_waiting")
        self.stopped = Label(STOPPED, "small", name="answer_stopped")
        self.failure = NoticeLine(theme, "answer_failure", "danger")
        self.failure.close_button.hide()
        self.chips = MemoryChips(theme)
        self._notices = named(QWidget(), "answer_notices")
        self._notice_lines = vbox(of=self._notices)
        self._said, self._below = QVBoxLayout(), QVBoxLayout()
        self._lay_out()
        self._connect(intents)
        self.show_turn(turn)

    def _lay_out(self) -> None:
        for layout in (self._notice_lines, self._said, self._below):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(4)
        self._notice_lines.setContentsMargins(0, 0, 0, _GAP)
        self._said.setSpacing(8)
        self._below.setSpacing(12)
        foot = hbox(margins=0, spacing=8)
        top = Qt.AlignmentFlag.AlignTop
        fill(foot, (self.chips, 0, top), ..., (self.foot, 0, top))
        fill(self.column, self._notices, self.tools, self.waiting, self.body, self._said)
        self._said.addWidget(self.order)
        self.column.addWidget(self.stopped)
        self.stopped.setContentsMargins(0, 6, 0, 0)
        self._failed = vbox(self.failure)
        self.column.addLayout(self._failed)
        self.column.addSpacing(_GAP)
        fill(self.column, foot, self._below)
        self.column.addSpacing(_AFTER)

    def _connect(self, intents: Intents) -> None:
        self.body.link_clicked.connect(intents.follow_link)
        self.body.citation_clicked.connect(self._on_citation_clicked)
        self.chips.source_clicked.connect(intents.show_source)
        self.chips.more_clicked.connect(lambda: intents.show_found.emit(self.turn.message.id))
        order = self.order
        order.forget_clicked.connect(
            lambda memory: intents.forget_meant.emit(memory, self.turn.message.parent_id or "")
        )
        order.undo_clicked.connect(intents.unforget)
        order.erase_clicked.connect(intents.erase)
        order.left_out.connect(lambda memory: intents.leave_out.emit(self.turn.key, memory))

    def _on_citation_clicked(self, number: int, where: QPoint) -> None:
        self._intents.show_citation.emit(self.turn, number, where)

    def show_turn(self, turn: ChatTurn) -> None:
        """Show another state of the answer."""
        self.turn = turn
        message = turn.message
        citations = len(turn.recall.in_prompt) if turn.recall else 0
        if turn.live:
            if (citations, message.text) != (self.body.citations, self.body.source):
                self.body.begin(citations)
                self.body.append(message.text)
        else:
            self.body.set_text(turn.words, citations)
        self.body.setVisible(turn.live or bool(turn.words))
        self.tools.show_uses(turn.uses, live=turn.live)
        self._show_state(turn)
        self._show_chips(turn)
        self._show_receipts(turn)
        total, number = message.siblings
        self.foot.branches.show_version(number, total)
        self.setAccessibleName(f"Loci: {message.text[:1200]}")
        self._reveal()
        if self._width:
            self._fit_parts()

    def append(self, text: str) -> None:
        """Add a piece to an answer in the making."""
        self.waiting.hide()
        self.body.append(text)

    def say_waiting(self, words: str) -> None:
        """Say what is being done before the first word comes."""
        self.waiting.setText(words)
        self.waiting.setVisible(bool(words))
        self._fit_waiting()

    def _show_state(self, turn: ChatTurn) -> None:
        message = turn.message
        self.say_waiting(turn.doing if turn.live and not message.text else "")
        cut_short = message.state is not MessageState.COMPLETE and not turn.live
        by_person = cut_short and message.error in ("", STOPPED)
        self.stopped.setVisible(by_person)
        if cut_short and not by_person:
            again = lambda: self._intents.regenerate.emit(self.turn.message.id)  # noqa: E731
            self.failure.say(f"{message.error} What had arrived is kept.", "Try again", again)
        else:
            self.failure.hide()
        self._failed.setContentsMargins(0, 0 if self.failure.isHidden() else _GAP, 0, 0)
        clear(self._notice_lines)
        for sentence in turn.notices:
            add(self._notice_lines, Label(sentence, "small", wrap=True, name="answer_notice"))
        self._notices.setVisible(bool(turn.notices))

    def _show_chips(self, turn: ChatTurn) -> None:
        shown, more = ([], 0) if turn.live or meant(turn) is not None else chips(turn)
        self.chips.show_sources(shown, more, self._clock(), considered=turn.by_model)

    def _show_receipts(self, turn: ChatTurn) -> None:
        """Show what became of the message: at once where the answer tells it, else below."""
        self.order.show_meant(meant(turn))
        told = outcomes(turn)
        if (*turn.receipts, *told, turn.by_model) == self._became:
            return
        self._became = (*turn.receipts, *told, turn.by_model)
        for old in self._receipts:
            for layout in (self._said, self._below):
                layout.removeWidget(old)
            drop(old)
        lines = [ReceiptView(self._theme, receipt) for receipt in turn.receipts]
        for view in lines:
            view.undo_clicked.connect(self._intents.undo_receipt)
            view.edit_clicked.connect(self._intents.edit_memory)
        self._receipts = [*lines, *(self._outcome(part) for part in told)]
        for line in self._receipts:
            add(self._below if turn.by_model else self._said, line)
        below = bool(self._receipts) and turn.by_model
        self._below.setContentsMargins(0, _AFTER - 2 if below else 0, 0, 0)

    def _outcome(self, part: Part) -> NoteLine:
        line = NoteLine(self._theme, [(plain(part.text.strip()), False)], "outcome", "border")
        if part.name == StatementOutcome.ONLY_HERE:
            keep = line.offer("Remember this", "outcome_remember")
            keep.clicked.connect(
                lambda: self._intents.remember.emit(self.turn.message.parent_id or "", "")
            )
        return line

    def fit(self, width: int) -> None:
        """Be this wide."""
        if width and width != self._width:
            self._width = width
            self.setFixedWidth(width)
            self._fit_parts()

    def _fit_waiting(self) -> None:
        if self._width:
            self.waiting.setFixedHeight(self.waiting.heightForWidth(self._width))

    def _fit_parts(self) -> None:
        self.body.fit(self._width)
        self._fit_waiting()
        self.tools.fit(self._width)
        self.failure.fit(self._width)
        for notice in self._notices.findChildren(Label):
            notice.setFixedHeight(notice.heightForWidth(self._width))
        self.chips.fit(self._width - self._theme.px(_ACTIONS_WIDTH))
        self.order.fit(self._width)
        for view in self._receipts:
            view.fit(self._width)
        shown = bool(self._receipts and not self.turn.by_model) or not self.order.isHidden()
        self._said.setContentsMargins(0, _GAP if shown and self.turn.words else 0, 0, 0)

    def selected_text(self) -> str:
        """Return what is selected in it."""
        return self.body.selection.text()

    def plain_text(self) -> str:
        """Return its words without marks."""
        if self.turn.words != self.turn.message.text.strip():
            return plain(self.turn.message.text)
        return "\n\n".join(view.toPlainText() for view in self.body.text_views())

    @property
    def weight(self) -> int:
        """About how many pieces it is made of."""
        return 1 + len(self.body.text_views())

    def code_views(self) -> list[CodeView]:
        """Return its pieces of code."""
        return self.body.code_views()

    def menu_lines(self) -> list[tuple[str, str]]:
        """Return name and title of every line of its menu."""
        lines = [
            *super().menu_lines(),
            ("regenerate", "Answer again"),
            ("regenerate_with", "Answer again with…"),
        ]
        return [*lines, ("why", "Why this answer")] if self.turn.recall else lines
