"""What the settings screen does: stores values, and looks after the person's data."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.domain.backup import Backup
from app.domain.changes import Changes
from app.domain.jobs.operation import Operation, Ticket
from app.domain.jobs.progress import Progress
from app.domain.profile import OLDER_COPIES, Profile, SlotKind
from app.domain.provenance import Written
from app.errors import AppError, Cancelled
from app.gui.bridge import Bridge, WorkQueue
from app.gui.dialogs import ConfirmSheet
from app.gui.erasure.dialog import ErasureDialog
from app.gui.files import choose_file, choose_new_file
from app.gui.profiles.access import PassphraseSheet, RecoveryCodeSheet
from app.gui.profiles.backups import BackupsSheet
from app.gui.settings import model
from app.gui.settings.ownership import OwnershipSheet
from app.gui.settings.pages import AboutPage
from app.gui.settings.pane import SettingsPane
from app.gui.settings.your_data import YourDataPage
from app.gui.theme import Theme
from app.settings.spec import Settings
from app.settings.upkeep import REFERENCE_DELETES

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService
    from app.services.services import Services

ZIP = "Loci exports (*.zip)"


class SettingsController(QObject):
    """Connects the settings screen with the services.

    Signals:
        erased_everything: The profile is gone; the services are of no use any more.
        put_away: The vault was closed to put a backup in its place; arg 0: why that failed, or None
    """

    erased_everything = Signal()
    put_away = Signal(object)

    def __init__(
        self,
        services: "Services",
        profiles: "ProfilesService",
        bridge: Bridge,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._profiles = profiles
        self._bridge = bridge
        self._theme = theme
        self._running: Ticket | None = None
        self._data: YourDataPage | None = None
        self.pane = SettingsPane(theme)
        self.pane.edited.connect(self._on_edited)
        self.pane.reset_requested.connect(self._on_reset_requested)
        self.pane.preset_requested.connect(self._on_preset_requested)
        self.pane.page_shown.connect(self._on_page_shown)
        self.pane.foot.stopped.connect(self._on_stop_requested)
        self.pane.page_made.connect(self._on_page_made)
        QTimer.singleShot(1, self, self._show_first)
        self._load()

    @Slot()
    def _show_first(self) -> None:
        if not self.pane.shown:
            self.pane.show_page(next(iter(model.page_titles())))

    @Slot(object)
    def _on_page_made(self, page: QWidget) -> None:
        if isinstance(page, AboutPage):
            page.report_copied.connect(self._on_report_copied)
        if isinstance(page, YourDataPage):
            self._data = page
            page.code_requested.connect(self._on_code_requested)
            page.passphrase_requested.connect(self._on_passphrase_requested)
            page.passphrase_removed.connect(self._on_passphrase_removed)
            page.code_declined.connect(self._on_code_declined)
            page.backup_requested.connect(self._on_backup_requested)
            page.restore_requested.connect(self._on_restore_requested)
            page.export_requested.connect(self._on_export_requested)
            page.import_requested.connect(self._on_import_requested)
            page.erase_requested.connect(self._on_erase_requested)
            page.restriction_requested.connect(self._on_restriction_requested)

    # What the main window asks of every screen.

    def apply_changes(self, changes: Changes) -> None:
        """Show settings and ways in that changed."""
        if changes.settings or changes.profile or changes.models:
            self._load()
        if changes.profile or "computer.recovery_declined" in changes.settings:
            self._load_data()
        if changes.memories or changes.everything:
            self._load_restriction()

    def focus_first(self) -> None:
        """Put the keyboard on the search line."""
        self.pane.search.setFocus()

    def escape(self) -> bool:
        """Leave a search."""
        searching = bool(self.pane.search.text())
        self.pane.search.clear()
        return searching

    # Values.

    def _load(self) -> None:
        def load() -> tuple[Settings, model.Learners]:
            learners = self._services.learners
            told = model.Learners(learners.choices(), learners.status().sentence)
            return self._services.preferences.values(), told

        self._bridge.run(load, lambda found: self.pane.show_values(*found), newest=self._load)

    @Slot(str, object)
    def _on_edited(self, key: str, value: Any) -> None:
        self._bridge.run(
            lambda: self._services.preferences.set(key, value),
            on_error=lambda error: self._on_setting_failed(key, error),
        )

    @Slot(str)
    def _on_reset_requested(self, key: str) -> None:
        self._bridge.run(
            lambda: self._services.preferences.reset(key),
            on_error=lambda error: self._on_setting_failed(key, error),
        )

    def _on_setting_failed(self, key: str, error: Exception) -> None:
        self.pane.fail(key, self._bridge.told(error, "It was not saved."))

    @Slot(bool)
    def _on_preset_requested(self, use: bool) -> None:
        preferences = self._services.preferences
        if not use:
            self._bridge.run(preferences.use_defaults)
            return
        sheet = ConfirmSheet(
            self._theme,
            self.pane,
            "Use the reference preset?",
            REFERENCE_DELETES,
            "Use preset",
            "reference",
            "danger",
        )
        sheet.accepted.connect(lambda: self._bridge.run(preferences.use_reference))
        sheet.open()

    # The page about the person's data.

    @Slot(str)
    def _on_page_shown(self, title: str) -> None:
        if title == model.YOUR_DATA:
            self._load_data()
        page = self.pane.page(title)
        if isinstance(page, AboutPage):
            self._bridge.run(
                self._services.doctor.report,
                page.show_report,
                lambda error: page.show_problem(str(error)),
            )

    @Slot(str)
    def _on_report_copied(self, report: str) -> None:
        QGuiApplication.clipboard().setText(report)

    def _load_data(self) -> None:
        if (page := self._data) is None:
            return

        def load() -> tuple[Profile, Sequence[SlotKind], bool]:
            opened = self._services.profile
            fresh = next((p for p in self._profiles.list() if p.slug == opened.slug), opened)
            declined = self._services.preferences.values().computer.recovery_declined
            return fresh, self._services.access.slots(), declined

        self._bridge.run(load, lambda found: page.show_profile(*found), newest=self._load_data)
        self._load_backups()
        self._load_restriction()

    def _load_backups(self) -> None:
        if (page := self._data) is None:
            return

        def load() -> tuple[Sequence[Backup], bool]:
            upkeep = self._services.preferences.values().upkeep
            return self._services.backups.list(), upkeep.backups.enabled and not upkeep.paused

        self._bridge.run(load, lambda found: page.show_backups(*found), newest=self._load_backups)

    def _load_restriction(self) -> None:
        if (page := self._data) is not None:
            restriction, newest = self._services.restriction, self._load_restriction
            self._bridge.run(lambda: restriction.is_on, page.show_restricted, newest=newest)

    @Slot(bool)
    def _on_restriction_requested(self, restrict: bool) -> None:
        restriction = self._services.restriction
        self._bridge.run(
            restriction.restrict if restrict else restriction.lift,
            on_error=self._on_transfer_failed,
        )

    @Slot()
    def _on_code_declined(self) -> None:
        self._bridge.run(lambda: self._services.preferences.set("computer.recovery_declined", True))

    @Slot()
    def _on_code_requested(self) -> None:
        self._bridge.run(self._services.access.add_recovery_code, self._on_code_made)

    def _on_code_made(self, code: str) -> None:
        sheet = RecoveryCodeSheet(self._theme, self.pane.window(), code, self._bridge)
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
            self.pane.notice.say(OLDER_COPIES, tone="accent")

        sheet = PassphraseSheet(self._theme, self.pane.window(), submit)
        sheet.open()

    @Slot()
    def _on_passphrase_removed(self) -> None:
        self._bridge.run(self._services.access.remove_passphrase, on_error=self._on_transfer_failed)

    # Backups.

    @Slot()
    def _on_backup_requested(self) -> None:
        self.pane.notice.hide()
        self._set_busy(True)
        self.pane.foot.show_progress(Progress("Copying the vault"))
        self._running = self._bridge.submit(
            self._services.backups.make,
            self.pane.foot.show_progress,
            self._on_backed_up,
            self._on_transfer_failed,
            WorkQueue.DESK,
        )

    def _on_backed_up(self, made: Backup) -> None:
        self._end_work()
        told, tone = f"Backed up to {made.path}.", "warn" if made.unchecked else "accent"
        self.pane.notice.say(f"{told} {made.unchecked}".strip(), tone=tone)
        self._load_backups()

    @Slot()
    def _on_restore_requested(self) -> None:
        self._bridge.run(self._services.backups.list, self._show_backups, self._on_transfer_failed)

    def _show_backups(self, backups: Sequence[Backup]) -> None:
        sheet = BackupsSheet(self._theme, self.pane.window(), backups)
        sheet.chosen.connect(self._restore)
        sheet.open()

    @Slot(object)
    def _restore(self, path: Path) -> None:
        self._set_busy(True)
        self.pane.foot.show_progress(Progress("Checking the backup", stoppable=False))
        backups = self._services.backups

        def failed(error: Exception) -> None:
            if backups.closed:
                self.put_away.emit(error)
            else:
                self._on_transfer_failed(error)

        self._bridge.run(
            lambda: backups.restore(path), lambda _kept: self.put_away.emit(None), failed
        )

    # Taking data along, and erasing it.

    @Slot()
    def _on_export_requested(self) -> None:
        name = f"Loci {self._services.profile.name}.zip".replace("/", "-")
        choose_new_file(
            self.pane.window(), "Export everything", ZIP, "export_file", name, self._export
        )

    def _export(self, path: Path) -> None:
        self._work(lambda: self._services.transfer.export(path))

    @Slot()
    def _on_import_requested(self) -> None:
        choose_file(self.pane.window(), "Import", ZIP, "import_file_dialog", self._import)

    def _import(self, path: Path) -> None:
        self._bridge.run(
            lambda: self._services.transfer.written(path),
            lambda written: self._on_writer_known(path, written),
            self._on_transfer_failed,
        )

    def _on_writer_known(self, path: Path, written: Written) -> None:
        if written.here:
            self._bring_in(path, own=False)
            return
        sheet = OwnershipSheet(self._theme, self.pane.window(), written.profile)
        sheet.answered.connect(lambda own: self._bring_in(path, own=own))
        sheet.open()

    def _bring_in(self, path: Path, *, own: bool) -> None:
        self._work(lambda: self._services.transfer.import_file(path, own=own))

    def _work(self, start: Any) -> None:
        self.pane.notice.hide()
        self._set_busy(True)
        self.pane.foot.show_progress(Progress("Starting"))
        self._running = self._bridge.submit(
            lambda _cancelled: start(),
            self.pane.foot.show_progress,
            self._on_transferred,
            self._on_transfer_failed,
            WorkQueue.DESK,
        )

    def _on_transferred(self, report: Any) -> None:
        self._end_work()
        self.pane.notice.say(" ".join(report.sentences()), tone="accent")
        if report.verified is not None:  # an import; an export changes nothing
            self._bridge.publish(
                Changes(
                    memories=frozenset(report.memory_ids),
                    conversations=frozenset(report.conversation_ids),
                    jobs=True,
                )
            )

    def _on_transfer_failed(self, error: Exception) -> None:
        self._end_work()
        if isinstance(error, Cancelled):
            self.pane.notice.say("Stopped. Nothing was written.", tone="accent")
        elif isinstance(error, AppError):
            self.pane.notice.say(str(error), tone="danger")
        else:
            self._bridge.failed.emit(error)

    def _end_work(self) -> None:
        self._running = None
        self.pane.foot.finish()
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        if self._data is not None:
            self._data.set_busy(busy)

    @Slot()
    def _on_stop_requested(self) -> None:
        if self._running is not None:
            self._running.cancel()

    @Slot()
    def _on_erase_requested(self) -> None:
        erasure = self._services.erasure

        def erase(_ticked: frozenset[str], typed: str) -> Operation:
            return erasure.erase_everything(typed)

        dialog = ErasureDialog(
            erasure.of_everything,
            erase,
            self._bridge,
            self._theme,
            self._services.profile.name,
            self.pane.window(),
        )
        done: list[Any] = []
        dialog.erased.connect(done.append)
        dialog.finished.connect(lambda _code: self._on_erasure_closed(bool(done)))
        dialog.open()

    def _on_erasure_closed(self, erased: bool) -> None:
        if erased:
            self.erased_everything.emit()
