"""What the page about the person's data does: tells of the vault, and changes what opens it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.domain.backup import Backup
from app.domain.changes import Changes
from app.domain.profile import OLDER_COPIES, Profile, SlotKind
from app.gui.bridge import Bridge
from app.gui.profiles.access import PassphraseSheet, RecoveryCodeSheet
from app.gui.settings.data_work import DataWork
from app.gui.settings.pane import SettingsPane
from app.gui.settings.your_data import YourDataPage
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService
    from app.services.services import Services


class YourDataController(QObject):
    """Connects the page about the person's data with the services."""

    def __init__(
        self,
        services: "Services",
        profiles: "ProfilesService",
        bridge: Bridge,
        theme: Theme,
        pane: SettingsPane,
        page: YourDataPage,
        work: DataWork,
    ) -> None:
        super().__init__(page)
        self._services, self._profiles, self._bridge = services, profiles, bridge
        self._theme, self._pane, self._page, self._work = theme, pane, page, work
        page.code_requested.connect(self._on_code_requested)
        page.passphrase_requested.connect(self._on_passphrase_requested)
        page.passphrase_removed.connect(self._on_passphrase_removed)
        page.code_declined.connect(self._on_code_declined)
        page.restriction_requested.connect(self._on_restriction_requested)
        work.backed_up.connect(self._load_backups)

    def apply_changes(self, changes: Changes) -> None:
        """Look again at what the changes concern."""
        if changes.profile or "computer.recovery_declined" in changes.settings:
            self.load()
        if changes.memories or changes.everything:
            self._load_restriction()

    def load(self) -> None:
        """Show how things are."""

        def load() -> tuple[Profile, Sequence[SlotKind], bool]:
            opened = self._services.profile
            fresh = next((p for p in self._profiles.list() if p.slug == opened.slug), opened)
            declined = self._services.preferences.values().computer.recovery_declined
            return fresh, self._services.access.slots(), declined

        self._bridge.run(load, lambda found: self._page.show_profile(*found), newest=self.load)
        self._load_backups()
        self._load_restriction()

    def _load_backups(self) -> None:
        def load() -> tuple[Sequence[Backup], bool]:
            upkeep = self._services.preferences.values().upkeep
            return self._services.backups.list(), upkeep.backups.enabled and not upkeep.paused

        self._bridge.run(
            load, lambda found: self._page.show_backups(*found), newest=self._load_backups
        )

    def _load_restriction(self) -> None:
        restriction, newest = self._services.restriction, self._load_restriction
        self._bridge.run(lambda: restriction.is_on, self._page.show_restricted, newest=newest)

    @Slot(bool)
    def _on_restriction_requested(self, restrict: bool) -> None:
        restriction = self._services.restriction
        self._bridge.run(
            restriction.restrict if restrict else restriction.lift,
            on_error=self._work.fail,
        )

    @Slot()
    def _on_code_declined(self) -> None:
        self._bridge.run(lambda: self._services.preferences.set("computer.recovery_declined", True))

    @Slot()
    def _on_code_requested(self) -> None:
        self._bridge.run(self._services.access.add_recovery_code, self._on_code_made)

    def _on_code_made(self, code: str) -> None:
        sheet = RecoveryCodeSheet(self._theme, self._pane.window(), code, self._bridge)
        sheet.finished.connect(lambda _code: self._bridge.publish(Changes(profile=True)))
        sheet.open()

    @Slot()
    def _on_passphrase_requested(self) -> None:
        def submit(passphrase: str) -> None:
            self._bridge.run(
                lambda: self._services.access.set_passphrase(passphrase), done, sheet.done_with
            )

        def done(_changes: Changes) -> None:
            sheet.done_with()
            self._pane.notice.say(OLDER_COPIES, tone="accent")

        sheet = PassphraseSheet(self._theme, self._pane.window(), submit)
        sheet.open()

    @Slot()
    def _on_passphrase_removed(self) -> None:
        self._bridge.run(self._services.access.remove_passphrase, on_error=self._work.fail)
