"""The running window: opens a profile, shows what fits it, and puts everything away at the end."""

import logging
import os
import sys
from collections.abc import Callable
from contextlib import closing, nullcontext
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QDialog

from app import APP_ID, APP_NAME, __version__, garbage
from app.assets import resource
from app.domain.changes import Changes
from app.domain.jobs.operation import Operation
from app.domain.jobs.progress import Progress
from app.errors import SettingsError, VaultClosed, VaultLocked
from app.gui.bridge import CLOSE_SECONDS, Bridge, WorkQueue
from app.gui.erasure.dialog import ErasureDialog
from app.gui.exception_hook import expected, watch_for_exceptions
from app.gui.main_window import MainWindow
from app.gui.profiles.locked import ProfileLocked
from app.gui.profiles.pages import ProblemPage, UnlockPage
from app.gui.profiles.unopened import Unopened
from app.gui.program import OpenProfile, WindowProgram
from app.gui.screens import import_first
from app.gui.single_instance import SingleInstance, channel, hand_over
from app.gui.theme import USUAL_TEXT_SIZE, Theme
from app.gui.watching import Watching
from app.gui.workspace import FIRST_PICTURE_MS, Workspace
from app.paths import Paths
from app.settings import computer
from app.settings.spec import Settings
from app.settings.table import replace

_log = logging.getLogger(__name__)
SWITCH_SECONDS = 0.0001  # how long a worker keeps the window waiting; Python's own 5 ms are felt


class Application(QObject):
    """Decides what the window shows."""

    # a page is shown on which the person can do something: workspace, first_run, unlock,
    # problem or aside
    ready = Signal(str)
    finished = Signal()  # everything is put away

    def __init__(
        self,
        program: WindowProgram,
        paths: Paths,
        settings: Settings,
        theme: Theme,
        bridge: Bridge,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._program, self._paths = program, paths
        self._theme, self._bridge = theme, bridge
        self._wanted: str | None = None
        self._opened: OpenProfile | None = None
        self._lookout: Watching | ProfileLocked | None = None
        self._page: QObject | None = None
        self.window = MainWindow(theme)
        self.window.arrange(settings.computer.window)
        self.window.arranged.connect(self._on_window_arranged)
        self.window.closing.connect(self.quit)
        self._doorbell = SingleInstance(self)
        self._doorbell.rung.connect(self.window.come_forward)
        self._deadline = QTimer(self)
        self._deadline.setSingleShot(True)
        self._deadline.timeout.connect(self._on_put_away)
        bridge.failed.connect(self.tell)
        bridge.changed.connect(self._on_changed)
        self.ready.connect(garbage.settle)

    def start(self, profile: str | None) -> None:
        """Show the window and open a profile: the one named, else the last one."""
        garbage.put_off()
        self.window.show()
        self._wanted = profile
        self._open(os.environ.get("LOCI_PASSPHRASE"))

    # Opening.

    def _open(self, passphrase: str | None = None, recovery: str | None = None) -> None:
        def work(_cancelled: Event) -> Operation:
            import_first()
            steps = self._program.unlocking(self._paths, self._wanted, passphrase, recovery)
            opened = yield from steps
            preferences = opened.services.preferences
            preferences.set("computer.last_profile", opened.services.profile.slug)
            return opened, preferences.values()

        self._bridge.submit(work, self._on_opening, self._on_opened, self._on_open_failed)

    def _on_opening(self, progress: Progress) -> None:
        self._page = self.window.show_opening(progress)

    def _on_opened(self, result: tuple[OpenProfile, Settings]) -> None:
        self._opened, settings = result
        profile = self._opened.services.profile
        self._wanted = profile.slug
        self._doorbell.listen(channel(self._paths.root, profile.slug))
        self.window.name_profile(profile.name)
        self._apply_look(settings)
        if settings.computer.welcomed:
            self._show_workspace()
        else:
            self._show_first_run()
        watching = Watching(self._opened.services, self._bridge, self)
        watching.asked_to_close.connect(self._on_asked_to_close)
        self._post(watching)
        watching.start()
        QTimer.singleShot(FIRST_PICTURE_MS, self, self._watch_models)

    @Slot()
    def _watch_models(self) -> None:
        if self._opened is not None:
            library, changed = self._opened.services.library, self._bridge.changed
            # emitted by the watching thread, received on this one
            self._bridge.run(lambda: library.watch(lambda: changed.emit(Changes(models=True))))

    def _show_first_run(self) -> None:
        if self._opened is None:
            return
        from app.gui.first_run.controller import FirstRunController

        page = FirstRunController(self._opened.services, self._bridge, self._theme, self.window)
        page.begun.connect(lambda: self.ready.emit("first_run"))
        page.finished.connect(self._show_workspace)
        self._page = page
        self.window.show_page(page.pane)
        page.begin()

    @Slot()
    def _show_workspace(self) -> None:
        if self._opened is None:
            return
        profiles = self._program.profiles(self._paths.root)
        page = Workspace(self._opened.services, profiles, self._bridge, self._theme)
        page.switch_requested.connect(self._on_switch_requested)
        page.erased_everything.connect(self._on_everything_erased)
        page.put_away.connect(self._on_restored)
        page.quit_requested.connect(self.quit)
        self._page = page
        self.window.show_page(page)
        page.start(self._opened.noticed)
        self.ready.emit("workspace")

    # Not opening.

    def _on_open_failed(self, error: Exception) -> None:
        failure = expected(error)
        if isinstance(failure, VaultLocked) and isinstance(self._page, UnlockPage):
            self._page.fail(str(failure))
            return

        profiles = self._program.profiles(self._paths.root)
        unopened = Unopened(
            failure,
            self._wanted,
            self._paths.settings,
            profiles,
            self._bridge,
            self._theme,
            self,
        )
        unopened.asked.connect(lambda page: self._show_unopened(unopened, page))
        unopened.unlock_requested.connect(self._on_unlock_requested)
        unopened.retry_requested.connect(self._open)
        unopened.folder_chosen.connect(self._on_folder_chosen)
        unopened.failed.connect(self.tell)
        unopened.begin()

    def _show_unopened(self, unopened: Unopened, page: UnlockPage | ProblemPage) -> None:
        self._wanted = unopened.wanted
        self.window.name_profile(unopened.name)
        page.profile_chosen.connect(self._on_switch_requested)
        page.quit_requested.connect(self.quit)
        self._page = page
        self.window.show_page(page)
        page.focus_first()
        self.ready.emit("unlock" if isinstance(page, UnlockPage) else "problem")

    @Slot(str, str)
    def _on_unlock_requested(self, passphrase: str, recovery: str) -> None:
        self._open(passphrase or None, recovery or None)

    @Slot(str)
    def _on_folder_chosen(self, folder: str) -> None:
        self._paths, self._wanted = Paths(Path(folder)), None
        self._open()

    # Another profile, or none.

    @Slot(str)
    def _on_switch_requested(self, slug: str) -> None:
        self._wanted = slug
        self._put_away(self._open)

    @Slot()
    def _on_everything_erased(self) -> None:
        self._wanted = None
        self._put_away(self._open)

    @Slot(object)
    def _on_restored(self, error: Exception | None) -> None:
        self._put_away(self._open)
        if error is not None:
            self.tell(error)

    @Slot()
    def _on_asked_to_close(self) -> None:
        if self._opened is None:
            return
        profiles = self._program.profiles(self._paths.root)
        profile = self._opened.services.profile
        aside = ProfileLocked(profile, profiles, self._bridge, self._theme, self)
        aside.ended.connect(self._on_aside_ended)
        aside.quit_requested.connect(self.quit)
        self._put_away(aside.begin)
        self._post(aside)
        for dialog in self.window.findChildren(QDialog):
            dialog.deleteLater()
        self._page = aside.page
        self.window.show_page(aside.page)
        aside.focus_first()
        self.ready.emit("aside")

    @Slot(bool)
    def _on_aside_ended(self, there: bool) -> None:
        self._wanted = self._wanted if there else None
        self._open()

    def _post(self, lookout: Watching | ProfileLocked | None) -> None:
        """Let one object look out for other programs, in place of the one before."""
        if self._lookout is not None:
            self._lookout.stop()
            self._lookout.deleteLater()
        self._lookout = lookout

    def _put_away(self, then: Callable[[], None]) -> None:
        """Stop what runs, close the profile, and go on."""
        self._post(None)
        opened, self._opened = self._opened, None
        keep = self._page.unsaved() if opened and isinstance(self._page, Workspace) else None

        def put_away() -> None:
            with closing(opened) if opened else nullcontext():
                if keep is not None:
                    keep()

        def over(error: Exception | None) -> None:
            if error is not None:
                _log.info("the end of a profile was not clean: %s", type(error).__name__)
            then()

        def close() -> None:
            self._bridge.run(put_away, over, over, WorkQueue.INTERACTIVE)

        self._bridge.drain(close)

    @Slot()
    def quit(self) -> None:
        """Hide the window at once, put everything away, and end."""
        self.window.hide()
        self._doorbell.close()
        self._deadline.start(CLOSE_SECONDS * 1000)
        self._put_away(self._on_put_away)

    @Slot()
    def _on_put_away(self) -> None:
        self._deadline.stop()
        self.window.leave()
        self.finished.emit()

    # What happens while it is open.

    @Slot(object)
    def _on_changed(self, changes: Changes) -> None:
        if self._opened is None:
            return
        if any(key.startswith("appearance.") for key in changes.settings):
            values = self._opened.services.preferences.values
            self._bridge.run(values, self._apply_look, newest=self._apply_look)

    def _apply_look(self, settings: Settings) -> None:
        look = settings.appearance
        self._theme.apply(look.theme, look.text_size)

    @Slot(str)
    def _on_window_arranged(self, arrangement: str) -> None:
        if self._opened is not None:
            preferences = self._opened.services.preferences
            self._bridge.run(lambda: preferences.set("computer.window", arrangement))

    @Slot(object)
    def tell(self, error: Exception) -> None:
        """Say what went wrong: the sentence of an expected failure, else a friendly one."""
        if isinstance(error, VaultClosed) and self.window.findChild(ErasureDialog):
            _log.info("something looked into a vault that was being erased")
            return
        sentence = str(expected(error))
        if isinstance(self._page, Workspace):
            self._page.notice.say(sentence)


def computer_settings(paths: Paths) -> Settings:
    """Return the settings of this computer, which are wanted before any profile is open."""
    settings = Settings()
    for key, value in computer.load(paths.settings).items():
        try:
            settings = replace(settings, key, value)
        except SettingsError:
            _log.info("the setting %s is not understood and has its default", key)
    return settings


def run_window(program: WindowProgram, paths: Paths, profile: str | None) -> int:
    """Open the window and return the exit code when it closes."""
    settings = computer_settings(paths)
    qt = prepare(sys.argv[:1])
    if hand_over(channel(paths.root, profile or settings.computer.last_profile)):
        return 0
    theme = Theme(qt, resource("theme"))
    theme.apply(settings.appearance.theme, settings.appearance.text_size or USUAL_TEXT_SIZE)
    bridge = Bridge()
    application = Application(program, paths, settings, theme, bridge)
    application.finished.connect(qt.quit)
    watch_for_exceptions(application.tell, application.quit)
    application.start(profile)
    code = qt.exec()
    if not bridge.close():
        _log.error("work did not end in time; the process ends without it")
        logging.shutdown()
        os._exit(code)
    return code


def prepare(arguments: list[str]) -> QApplication:
    """Return the Qt application with the names and the icon of this one."""
    sys.setswitchinterval(SWITCH_SECONDS)
    QGuiApplication.setDesktopFileName(APP_ID)
    qt = QApplication(arguments)
    qt.setApplicationName(APP_NAME)
    qt.setApplicationVersion(__version__)
    qt.setQuitOnLastWindowClosed(False)
    qt.setWindowIcon(QIcon(str(resource("icons/loci.svg"))))
    return qt
