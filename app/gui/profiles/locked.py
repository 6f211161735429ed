"""Stands in for the window while another program has the profile alone, and sees when that ends."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.profile import Profile
from app.gui.bridge import Bridge
from app.gui.theme import Theme
from app.gui.timers import timer
from app.gui.widgets import Button, FullPage, hbox

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService

LOOK_MS = 1_000
TITLE = "{} is closed for now"
SENTENCE = (
    "Another program needs this profile to itself, to erase it or to restore a backup. "
    "It opens here again when that is done."
)


class ProfileLocked(QObject):
    """Shows a page until the profile may be opened again, or is gone.

    Attributes:
        page: What the window shows meanwhile.
    """

    ended = Signal(bool)  # nobody asks for the profile any more: whether it is still there
    quit_requested = Signal()  # the person does not want to wait

    def __init__(
        self,
        profile: Profile,
        profiles: "ProfilesService",
        bridge: Bridge,
        theme: Theme,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._slug, self._profiles, self._bridge = profile.slug, profiles, bridge
        self._timer = timer(self, LOOK_MS, self.begin)
        self.page = FullPage(theme, TITLE.format(profile.name), SENTENCE, "aside_page")
        self._quit = Button(theme, "Quit", "aside_quit", then=self.quit_requested)
        self.page.column.addLayout(hbox(..., self._quit))

    def begin(self) -> None:
        """Look now, and every second from then on."""
        self._bridge.run(self._look, self._on_looked, self._on_failed)

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def focus_first(self) -> None:
        """Put the keyboard on the way out."""
        self._quit.setFocus()

    def _look(self) -> tuple[bool, bool]:
        """Return whether somebody asks, and whether the profile is there; reads files."""
        asked = self._profiles.is_asked_for(self._slug)
        return asked, any(profile.slug == self._slug for profile in self._profiles.list())

    def _on_looked(self, found: tuple[bool, bool]) -> None:
        asked, there = found
        if asked:
            self._timer.start()
        else:
            self.ended.emit(there)

    def _on_failed(self, _error: Exception) -> None:
        self.ended.emit(True)  # opening it says what is wrong
