"""Changes what the open conversation may do with memory, and keeps one that is temporary."""

from functools import partial
from typing import TYPE_CHECKING

from app.domain.conversation import MemoryMode
from app.gui.bridge import Bridge
from app.gui.chat.page import ChatPage

if TYPE_CHECKING:
    from app.services.services import Services

NOT_KEPT = "This conversation could not be kept, and is still temporary."


class ModeChanges:
    """Carries out what the person chooses in the menus of modes."""

    def __init__(self, services: "Services", bridge: Bridge, page: ChatPage) -> None:
        self._services = services
        self._bridge = bridge
        self._page = page
        pane = page.pane
        for chosen in (pane.header.mode_chosen, pane.composer.mode_chosen):
            chosen.connect(self.choose)
        pane.keep_wanted.connect(self.keep)

    def choose(self, mode: MemoryMode) -> None:
        """Give the open conversation another mode; a new one has it with its first message."""
        self._page.set_mode(mode)
        if self._page.id:
            self._bridge.run(partial(self._services.conversations.set_mode, self._page.id, mode))

    def keep(self) -> None:
        """Keep what is temporary; whatever is done next finds it kept already."""
        if here := self._page.id:
            self._page.set_mode(MemoryMode.OFF)
            keep = partial(self._services.conversations.keep, here)
            self._bridge.run(keep, on_error=partial(self._on_not_kept, here))

    def _on_not_kept(self, conversation_id: str, error: Exception) -> None:
        sentence = self._bridge.told(error, NOT_KEPT)
        if conversation_id == self._page.id:
            self._page.set_mode(MemoryMode.TEMPORARY)
            self._page.pane.notice.say(sentence)
