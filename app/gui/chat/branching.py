"""Answer again with another model, and carry a conversation on in a new one."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QCursor
from PySide6.QtWidgets import QMenu, QWidget

from app.domain.changes import Changes
from app.domain.model import ModelChoice
from app.gui.bridge import Bridge
from app.gui.widgets import caption, named

if TYPE_CHECKING:
    from app.services.services import Services

NO_OTHER = "There is no other model; get one under Models"


class Branching(QObject):
    """Asks which model, and makes the new conversation."""

    model_chosen = Signal(str, str)  # an answer is to be given again by a model; both ids
    forked = Signal(str)  # there is a new conversation; its id

    def __init__(self, services: "Services", bridge: Bridge, pane: QWidget) -> None:
        super().__init__(pane)
        self._services = services
        self._bridge = bridge
        self._pane = pane

    def ask_for_model(self, answer_id: str, by: str) -> None:
        """Open a menu of the models that could answer, but for the one that did.

        Args:
            answer_id: The answer.
            by: The id of the model that gave it.
        """
        where = QCursor.pos()
        self._bridge.run(
            lambda: self._services.library.chat_choices(),
            lambda found: self._offer(answer_id, [one for one in found if one.id != by], where),
        )

    def _offer(self, answer_id: str, choices: Sequence[ModelChoice], where: QPoint) -> None:
        menu = named(QMenu(self._pane), "other_models")
        for one in choices:
            action = QAction(caption(one.name), menu)
            action.triggered.connect(partial(self.model_chosen.emit, answer_id, one.id))
            menu.addAction(action)
        if not choices:
            menu.addAction(NO_OTHER).setEnabled(False)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(where)

    def fork(self, message_id: str) -> None:
        """Carry the conversation on from a message in a new one, and open that."""

        def opened(changes: Changes) -> None:
            self.forked.emit(next(iter(changes.conversations)))

        self._bridge.run(lambda: self._services.conversations.fork(message_id), opened)
