"""A fold with what was sent to a model for an answer, word for word."""

from PySide6.QtCore import Signal

from app.domain.conversation import Message
from app.domain.reply import NOTEBOOK
from app.gui.sharing.sent_view import SentView, Turns
from app.gui.theme import Theme
from app.gui.trace.fold import DetailsFold

GONE = "It is not kept: the answer is older than this record, or something was erased since."
_HEIGHT = 260


class SentFold(DetailsFold):
    """What was sent, folded at first; it is fetched when it is first wanted."""

    requested = Signal(str)  # what was sent for an answer? Answer with ``show_sent``; its id

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "What was sent", "why_sent")
        self.view = SentView(theme, "why_sent_view", "What was sent for this answer", _HEIGHT)
        self.body.addWidget(self.view)
        self._answer = self._shown = ""
        self.unfolded.connect(self._fetch)
        self.hide()

    def show_answer(self, message: Message | None) -> None:
        """Be about an answer; hidden where no model gave it."""
        by_model = message is not None and message.model not in ("", NOTEBOOK)
        self._answer = message.id if message is not None and by_model else ""
        self.setVisible(by_model)
        if self._answer != self._shown:
            self._shown = ""
            self.view.say("")
        self._fetch()

    def show_sent(self, answer_id: str, turns: Turns) -> None:
        """Show what was sent for an answer, if it is still the one."""
        if answer_id != self._answer:
            return
        self._shown = answer_id
        if turns:
            self.view.show_turns(turns)
        else:
            self.view.say(GONE)

    def forget(self) -> None:
        """Fetch it again, for something may be erased."""
        self._shown = ""
        self._fetch()

    def _fetch(self) -> None:
        if self.open and self._answer and self._answer != self._shown:
            self.requested.emit(self._answer)
