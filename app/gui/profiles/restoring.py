"""A backup in the place of a vault that does not open, asking for a way in where one is needed."""

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.domain.profile import Profile
from app.errors import AppError, VaultLocked
from app.gui.bridge import Bridge
from app.gui.profiles.pages import ProblemPage, UnlockPage
from app.gui.theme import Theme
from app.services.profiles import ProfilesService

ASKED = "The backup opens with what opens {}: {}"


class Restoring(QObject):
    """Restores one backup of a profile that is not open."""

    # a way in is needed: the page that asks for it, to be shown in place of the one before
    asked = Signal(object)
    # the passphrase, or empty; the recovery code, or empty
    restored = Signal(str, str)
    failed = Signal(object)  # it failed, for a reason that no page tells: the exception

    def __init__(
        self,
        page: ProblemPage,
        profile: Profile,
        others: Sequence[Profile],
        profiles: ProfilesService,
        bridge: Bridge,
        theme: Theme,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._page: ProblemPage | UnlockPage = page
        self._profile, self._others, self._profiles = profile, others, profiles
        self._bridge, self._theme = bridge, theme
        self._path = Path()

    def begin(self, path: Path) -> None:
        """Restore a backup, first with what opens the profile by itself."""
        self._path = path
        self._restore(os.environ.get("LOCI_PASSPHRASE", ""), "")

    def _restore(self, passphrase: str, recovery: str) -> None:
        slug, path, profiles = self._profile.slug, self._path, self._profiles
        self._bridge.run(
            lambda: profiles.restore(slug, path, passphrase or None, recovery or None),
            lambda _kept: self.restored.emit(passphrase, recovery),
            self._on_failed,
        )

    def _on_failed(self, error: Exception) -> None:
        if isinstance(error, VaultLocked) and isinstance(self._page, ProblemPage):
            sentence = ASKED.format(self._profile.name, error)
            page = self._page = UnlockPage(self._theme, self._profile.name, sentence)
            page.show_others(self._others)
            page.unlock_requested.connect(self._restore)
            self.asked.emit(page)
        elif isinstance(error, AppError):
            self._page.fail(str(error))
        else:
            self.failed.emit(error)
