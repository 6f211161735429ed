"""What a profile that does not open asks of the person: a way in, another try, a backup."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app import APP_NAME
from app.domain.backup import Backup
from app.domain.profile import Profile
from app.errors import VaultLocked
from app.gui.bridge import Bridge
from app.gui.profiles.pages import ProblemPage, UnlockPage
from app.gui.profiles.restoring import Restoring
from app.gui.theme import Theme
from app.services.profiles import ProfilesService
from app.settings import computer


class Unopened(QObject):
    """Finds out which profile it is and what there is beside it, and makes the page that asks.

    Attributes:
        wanted: The slug of the profile, once that is known.
        name: Its name; empty where there is none.
    """

    asked = Signal(object)  # a page asks: the page, to be shown in place of the one before
    # the passphrase, or empty; the recovery code, or empty
    unlock_requested = Signal(str, str)
    retry_requested = Signal()  # it should be tried once more
    folder_chosen = Signal(str)  # profiles lie in another folder; its path
    # something failed, for a reason that no page tells: the exception
    failed = Signal(object)

    def __init__(
        self,
        error: Exception,
        wanted: str | None,
        settings: Path,
        profiles: ProfilesService,
        bridge: Bridge,
        theme: Theme,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._error, self._settings, self._profiles = error, settings, profiles
        self._bridge, self._theme = bridge, theme
        self.wanted = wanted
        self.name = ""

    def begin(self) -> None:
        """Look at what there is, and ask."""
        self._bridge.run(
            self._look, lambda found: self._ask(*found), lambda _error: self._ask((), ())
        )

    def _look(self) -> tuple[Sequence[Profile], Sequence[Backup]]:
        known = self._profiles.list()
        self.wanted = self._slug(known) or None
        return known, self._profiles.backups(self.wanted) if self.wanted else ()

    def _slug(self, profiles: Sequence[Profile]) -> str:
        wanted = self.wanted or str(computer.value(self._settings, "computer.last_profile"))
        named = [p.slug for p in profiles if wanted in (p.slug, p.name)]
        return (named or [p.slug for p in profiles] or [""])[0]

    def _ask(self, profiles: Sequence[Profile], backups: Sequence[Backup]) -> None:
        first = next(iter(profiles), None)
        wanted = next((p for p in profiles if self.wanted in (p.slug, p.name)), first)
        others = [p for p in profiles if wanted is None or p.slug != wanted.slug]
        self.name = wanted.name if wanted else ""
        if isinstance(self._error, VaultLocked):
            page = UnlockPage(self._theme, self.name or APP_NAME, str(self._error))
            page.show_others(others)
            page.unlock_requested.connect(self.unlock_requested)
            self.asked.emit(page)
        else:
            self.asked.emit(self._problem(wanted, others, backups))

    def _problem(
        self, wanted: Profile | None, others: Sequence[Profile], backups: Sequence[Backup]
    ) -> ProblemPage:
        page = ProblemPage(self._theme, self._error, others, backups)
        page.retry_requested.connect(self.retry_requested)
        page.folder_chosen.connect(self.folder_chosen)
        if wanted is not None:
            restoring = Restoring(
                page, wanted, others, self._profiles, self._bridge, self._theme, self
            )
            restoring.asked.connect(self.asked)
            restoring.restored.connect(self.unlock_requested)
            restoring.failed.connect(self.failed)
            page.backup_chosen.connect(restoring.begin)
        return page
