"""What takes its time with the person's data: backups, exports, imports and erasing everything."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.backup import Backup
from app.domain.changes import Changes
from app.domain.jobs.operation import Operation, Ticket
from app.domain.jobs.progress import Progress
from app.domain.provenance import Written
from app.errors import AppError, Cancelled
from app.gui.bridge import Bridge, WorkQueue
from app.gui.erasure.dialog import ErasureDialog
from app.gui.files import choose_file, choose_new_file
from app.gui.profiles.backups import BackupsSheet
from app.gui.settings.ownership import OwnershipSheet
from app.gui.settings.pane import SettingsPane
from app.gui.settings.your_data import YourDataPage
from app.gui.theme import Theme

if TYPE_CHECKING:
    from app.services.services import Services

ZIP = "Loci exports (*.zip)"


class DataWork(QObject):
    """Does one of these things at a time, and shows in the foot how far it is."""

    backed_up = Signal()  # there is another backup
    erased_everything = Signal()  # the profile is gone; the services are of no use any more
    # the vault was closed to put a backup in its place; why that failed, or None
    put_away = Signal(object)

    def __init__(
        self,
        services: "Services",
        bridge: Bridge,
        theme: Theme,
        pane: SettingsPane,
        page: YourDataPage,
    ) -> None:
        super().__init__(page)
        self._services, self._bridge, self._theme = services, bridge, theme
        self._pane, self._page = pane, page
        self._running: Ticket | None = None
        pane.foot.stopped.connect(self._on_stop_requested)
        page.backup_requested.connect(self._on_backup_requested)
        page.restore_requested.connect(self._on_restore_requested)
        page.export_requested.connect(self._on_export_requested)
        page.import_requested.connect(self._on_import_requested)
        page.erase_requested.connect(self._on_erase_requested)

    # Backups.

    @Slot()
    def _on_backup_requested(self) -> None:
        self._pane.notice.hide()
        self._page.set_busy(True)
        self._pane.foot.show_progress(Progress("Copying the vault"))
        self._running = self._bridge.submit(
            self._services.backups.make,
            self._pane.foot.show_progress,
            self._on_backed_up,
            self.fail,
            WorkQueue.DESK,
        )

    def _on_backed_up(self, made: Backup) -> None:
        self._end_work()
        told, tone = f"Backed up to {made.path}.", "warn" if made.unchecked else "accent"
        self._pane.notice.say(f"{told} {made.unchecked}".strip(), tone=tone)
        self.backed_up.emit()

    @Slot()
    def _on_restore_requested(self) -> None:
        self._bridge.run(self._services.backups.list, self._show_backups, self.fail)

    def _show_backups(self, backups: Sequence[Backup]) -> None:
        sheet = BackupsSheet(self._theme, self._pane.window(), backups)
        sheet.chosen.connect(self._restore)
        sheet.open()

    @Slot(object)
    def _restore(self, path: Path) -> None:
        self._page.set_busy(True)
        self._pane.foot.show_progress(Progress("Checking the backup", stoppable=False))
        backups = self._services.backups

        def failed(error: Exception) -> None:
            if backups.closed:
                self.put_away.emit(error)
            else:
                self.fail(error)

        self._bridge.run(
            lambda: backups.restore(path), lambda _kept: self.put_away.emit(None), failed
        )

    # Taking data along, and erasing it.

    @Slot()
    def _on_export_requested(self) -> None:
        name = f"Loci {self._services.profile.name}.zip".replace("/", "-")
        choose_new_file(
            self._pane.window(), "Export everything", ZIP, "export_file", name, self._export
        )

    def _export(self, path: Path) -> None:
        self._work(lambda: self._services.transfer.export(path))

    @Slot()
    def _on_import_requested(self) -> None:
        choose_file(self._pane.window(), "Import", ZIP, "import_file_dialog", self._import)

    def _import(self, path: Path) -> None:
        self._bridge.run(
            lambda: self._services.transfer.written(path),
            lambda written: self._on_writer_known(path, written),
            self.fail,
        )

    def _on_writer_known(self, path: Path, written: Written) -> None:
        if written.here:
            self._bring_in(path, own=False)
            return
        sheet = OwnershipSheet(self._theme, self._pane.window(), written.profile)
        sheet.answered.connect(lambda own: self._bring_in(path, own=own))
        sheet.open()

    def _bring_in(self, path: Path, *, own: bool) -> None:
        self._work(lambda: self._services.transfer.import_file(path, own=own))

    def _work(self, start: Callable[[], Operation]) -> None:
        self._pane.notice.hide()
        self._page.set_busy(True)
        self._pane.foot.show_progress(Progress("Starting"))
        self._running = self._bridge.submit(
            lambda _cancelled: start(),
            self._pane.foot.show_progress,
            self._on_transferred,
            self.fail,
            WorkQueue.DESK,
        )

    def _on_transferred(self, report: Any) -> None:
        self._end_work()
        self._pane.notice.say(" ".join(report.sentences()), tone="accent")
        if report.verified is not None:  # an import; an export changes nothing
            self._bridge.publish(
                Changes(
                    memories=frozenset(report.memory_ids),
                    conversations=frozenset(report.conversation_ids),
                    jobs=True,
                )
            )

    def fail(self, error: Exception) -> None:
        """Tell that something did not work, and that nothing is being done any more."""
        self._end_work()
        if isinstance(error, Cancelled):
            self._pane.notice.say("Stopped. Nothing was written.", tone="accent")
        elif isinstance(error, AppError):
            self._pane.notice.say(str(error), tone="danger")
        else:
            self._bridge.failed.emit(error)

    def _end_work(self) -> None:
        self._running = None
        self._pane.foot.finish()
        self._page.set_busy(False)

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
            self._pane.window(),
        )
        done: list[Any] = []
        dialog.erased.connect(done.append)
        dialog.finished.connect(lambda _code: self._on_erasure_closed(bool(done)))
        dialog.open()

    def _on_erasure_closed(self, erased: bool) -> None:
        if erased:
            self.erased_everything.emit()
