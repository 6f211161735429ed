import json
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtNetwork import QLocalServer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollBar, QWidget

from app.domain.changes import Changes
from app.domain.progress import Progress
from app.gui import actions
from app.gui.application import Application, computer_settings
from app.gui.background import BackgroundWork
from app.gui.bridge import Lane
from app.gui.main_window import MainWindow, parsed
from app.gui.mishaps import MISHAP, catch, note
from app.gui.profiles.pages import ProblemPage, UnlockPage
from app.gui.single import Doorbell, channel, hand_over
from app.gui.workspace import Workspace
from app.main.program import Program
from app.settings import computer
from app.settings.spec import Theme as Choice

LONG = 20_000


# The frame.


def test_an_arrangement_is_read_back():
    assert parsed("1280x820+40+-30").getRect() == (40, -30, 1280, 820)
    for broken in ("", "maximized", "1280x820", "axb+1+2", "1x2+3+4+5"):
        assert parsed(broken) is None


def test_the_window_takes_its_size_again_where_there_is_a_screen_for_it(qtbot, theme):
    window = MainWindow(theme)
    qtbot.addWidget(window)
    window.arrange("760x500+10+20")
    assert window.arrangement == "760x500+10+20"
    window.arrange("760x500+99999+20")
    assert window.geometry().x() < 9999
    window.arrange("maximized")
    assert window.isMaximized()


def test_closing_asks_and_leaving_does_not(qtbot, theme):
    window = MainWindow(theme)
    qtbot.addWidget(window)
    window.show()
    with qtbot.waitSignal(window.closing):
        window.close()
    assert window.isVisible()
    window.leave()
    assert not window.isVisible()


def test_a_page_replaces_the_one_before(qtbot, theme):
    window = MainWindow(theme)
    qtbot.addWidget(window)
    first, second = QWidget(), QWidget()
    window.show_page(first)
    window.show_page(second)
    assert window.page is second
    with qtbot.waitSignal(first.destroyed):
        pass


# One window per profile.


def test_a_second_window_rings_at_the_first_of_its_profile(qtbot, tmp_path):
    bell = Doorbell()
    name = channel(tmp_path, "personal")
    bell.listen(name)
    with qtbot.waitSignal(bell.rung):
        assert hand_over(name)
    assert not hand_over(channel(tmp_path, "work"))
    assert not hand_over(channel(tmp_path / "other", "personal"))
    bell.listen(channel(tmp_path, "work"))
    assert not hand_over(name)
    bell.close()


def test_the_socket_of_a_process_that_died_is_taken_over(qtbot, tmp_path):
    name = channel(tmp_path, "personal")
    dead = QLocalServer()
    assert dead.listen(name)
    path = dead.fullServerName()
    dead.close()
    Path(path).touch()  # what a crash leaves behind
    bell = Doorbell()
    bell.listen(name)
    with qtbot.waitSignal(bell.rung):
        assert hand_over(name)
    bell.close()


# Bugs.


@pytest.mark.expects_warnings
def test_a_bug_is_logged_by_place_without_a_word_of_content(caplog):
    try:
        {}["my secret walnut"]
    except KeyError as error:
        note(error)
    assert "KeyError at test_main_window.py:" in caplog.text
    assert "walnut" not in caplog.text


@pytest.mark.expects_warnings
def test_no_exception_reaches_the_person_as_a_traceback(monkeypatch, capsys):
    monkeypatch.setattr(sys, "excepthook", None)
    monkeypatch.setattr(threading, "excepthook", None)
    told, left = [], []
    catch(told.append, lambda: left.append(1))
    bug = ValueError("x")
    sys.excepthook(ValueError, bug, None)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    threading.excepthook(threading.ExceptHookArgs((ValueError, bug, None, None)))
    assert told == [bug]
    assert left == [1]
    assert capsys.readouterr().err == ""


# Background work, over a made-up queue.


class Queue:
    """Jobs that yield progress, fail, or never end."""

    def __init__(self, *jobs):
        self.jobs = list(jobs)
        self.library = self.background = self
        self.ran = []

    def warm(self):
        self.ran.append("warm")

    def recover(self):
        self.ran.append("recover")
        return Changes()

    def rest(self, seconds):
        pass

    def run_next(self, cancel):
        if not self.jobs:
            return None
        job = self.jobs.pop(0)
        self.ran.append(job)
        yield Progress(f"Doing {job}")
        if job == "bug":
            raise ValueError("x")
        while job == "endless":
            yield Progress("Going on")
        return Changes(memories=frozenset({job}))


def test_jobs_run_one_after_another_until_none_is_left(qtbot, bridge):
    queue, published, seen = Queue("a", "b"), [], []
    bridge.changed.connect(published.append)
    work = BackgroundWork(queue, bridge)
    work.progressed.connect(seen.append)
    work.start()
    qtbot.waitUntil(lambda: bool(seen) and seen[-1] is None)
    assert queue.ran == ["warm", "recover", "a", "b"]
    assert [c.memories for c in published] == [frozenset({"a"}), frozenset({"b"})]
    assert [p.label for p in seen[:-1]] == ["Doing a", "Doing b"]


def test_new_work_is_taken_up_when_something_changed(qtbot, bridge):
    queue = Queue()
    work = BackgroundWork(queue, bridge)
    work.start()
    qtbot.waitUntil(lambda: work._ticket is None and "recover" in queue.ran)
    queue.jobs.append("later")
    work.apply_changes(Changes(settings=frozenset({"x"})))
    assert queue.jobs == ["later"]
    work.apply_changes(Changes(jobs=True))
    qtbot.waitUntil(lambda: "later" in queue.ran)


def test_a_failing_job_is_told_once_and_not_tried_in_a_loop(qtbot, bridge):
    queue, told = Queue("bug", "next"), []
    bridge.failed.connect(told.append)
    work = BackgroundWork(queue, bridge)
    work.start()
    qtbot.waitUntil(lambda: bool(told))
    assert queue.jobs == ["next"]
    work._on_interval_passed()
    qtbot.waitUntil(lambda: queue.jobs == [])


def test_a_job_can_be_stopped(qtbot, bridge):
    queue, seen, told = Queue("endless", "next"), [], []
    bridge.failed.connect(told.append)
    work = BackgroundWork(queue, bridge)
    work.progressed.connect(seen.append)
    work.start()
    qtbot.waitUntil(lambda: len(seen) > 2)
    work.stop()
    qtbot.waitUntil(lambda: seen[-1] is None)
    assert queue.jobs == ["next"]
    assert told == []


# The whole application, over real profiles.


@pytest.fixture
def start(qtbot, bridge, theme, paths, off_gui, monkeypatch):
    """Start the application in this process; put it away at the end."""
    monkeypatch.setattr("app.providers.servers.find_servers", list)
    started = []

    def begin(profile=None):
        settings = off_gui(lambda: computer_settings(paths))
        application = Application(Program(), paths, settings, theme, bridge)
        started.append(application)
        with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
            application.start(profile)
        application.window.activateWindow()
        return application, ready.args[0]

    yield begin
    for application in started:
        with qtbot.waitSignal(application.finished, timeout=LONG):
            application.quit()
        application.window.deleteLater()


@pytest.fixture
def welcomed(paths, off_gui):
    """A profile whose first run is over."""

    def make():
        opened = Program().unlock(paths, None)
        opened.services.preferences.set("chat.model", "notebook")
        opened.services.preferences.set("computer.welcomed", True)
        opened.services.preferences.set("computer.recovery_declined", True)
        opened.close()

    off_gui(make)


@pytest.fixture
def workspace(qtbot, start, welcomed):
    application, page = start()
    assert page == "workspace"
    return application.window.page


def test_the_first_start_welcomes_then_shows_the_workspace(qtbot, start, paths, off_gui):
    application, page = start()
    assert page == "first_run"
    pane = application.window.page
    pane.models.notebook_card.click()
    qtbot.waitUntil(lambda: pane.currentWidget() is pane.memory)
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        pane.memory.start_button.click()
    assert ready.args == ["workspace"]
    assert application.window.windowTitle() == "Personal – Loci"
    assert off_gui(lambda: computer.load(paths.settings))["computer.last_profile"] == "personal"


def test_the_next_start_goes_straight_to_the_composer(qtbot, workspace):
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    assert QApplication.focusWidget().objectName() == "composer_text"


def test_a_second_window_brings_the_first_forward(qtbot, start, welcomed, paths):
    application, _ = start()
    application.window.hide()
    assert hand_over(channel(paths.root, "personal"))
    qtbot.waitUntil(application.window.isVisible)


def test_a_passphrase_is_asked_for_until_it_is_right(qtbot, start, store, off_gui):
    def make():
        vault, _profile = store.create("Work", passphrase="correct horse")
        vault.close()

    off_gui(make)
    application, page = start()
    assert page == "unlock"
    pane = application.window.page
    assert isinstance(pane, UnlockPage)
    assert pane.title.text() == "Unlock Work"
    pane.field.setText("wrong horse")
    pane.button.click()
    qtbot.waitUntil(pane.errors.isVisible, timeout=LONG)
    pane.field.setText("correct horse")
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        pane.button.click()
    assert ready.args == ["first_run"]


def test_a_damaged_vault_is_a_page_and_its_backup_the_way_out(
    qtbot, start, welcomed, store, paths, off_gui
):
    def damage():
        from app.store import backup

        vault = store.open("personal")
        backup.create(vault.path, vault.key)
        vault.close()
        vault.path.write_bytes(b"\0" * 8192)

    off_gui(damage)
    application, page = start()
    assert page == "problem"
    pane = application.window.page
    assert isinstance(pane, ProblemPage)
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        pane.findChild(QWidget, "problem_restore_backup").click()
    assert ready.args == ["workspace"]


def test_a_damaged_vault_leaves_other_profiles_open_to_the_person(
    qtbot, start, welcomed, store, off_gui
):
    def damage():
        store.create("Work")[0].close()
        store.files("personal").vault.write_bytes(b"\0" * 8192)

    off_gui(damage)
    application, page = start()
    assert page == "problem"
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        application.window.page.findChild(QWidget, "problem_open.work").click()
    assert ready.args == ["first_run"]
    assert application.window.windowTitle() == "Work – Loci"


@pytest.mark.expects_warnings
def test_a_bug_while_opening_is_a_friendly_page(qtbot, start, monkeypatch, caplog):
    def bug(*_args, **_fields):
        raise ValueError("secret")

    monkeypatch.setattr(Program, "unlock", bug)
    application, page = start()
    assert page == "problem"
    assert application.window.page.sentence.text() == MISHAP
    assert "secret" not in caplog.text


def test_switching_profiles_closes_one_vault_and_opens_the_other(
    qtbot, start, welcomed, store, off_gui
):
    off_gui(lambda: store.create("Work")[0].close())
    application, _ = start()
    before = application._opened
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        application.window.page.profiles.choose("work")
    assert ready.args == ["first_run"]
    assert application.window.windowTitle() == "Work – Loci"
    with pytest.raises(Exception, match="closed"):
        off_gui(before.services.conversations.list)


def test_after_erasing_everything_it_begins_anew(qtbot, start, welcomed, paths, off_gui):
    application, _ = start()
    services = application._opened.services
    off_gui(lambda: _exhaust(services.erasure.erase_everything("Personal")))
    assert not off_gui(paths.profile("personal").vault.exists)
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        application.window.page.erased_everything.emit()
    assert ready.args == ["first_run"]
    assert off_gui(paths.profile("personal").vault.exists)


def _exhaust(operation):
    for _ in operation:
        pass


def test_the_size_is_remembered_on_this_computer(qtbot, start, welcomed, paths, off_gui):
    application, _ = start()
    application.window.setGeometry(5, 6, 730, 510)
    wanted = application.window.arrangement
    qtbot.waitUntil(
        lambda: off_gui(lambda: computer.load(paths.settings)).get("computer.window") == wanted
    )


def test_theme_and_text_size_are_followed_at_once(qtbot, workspace, theme, services_of):
    bridge = workspace._bridge
    bridge.run(lambda: services_of(workspace).preferences.set("appearance.theme", "dark"))
    qtbot.waitUntil(lambda: theme.dark)
    press(workspace, "Ctrl++")
    qtbot.waitUntil(lambda: theme.text_size == 15)
    press(workspace, "Ctrl+0")
    qtbot.waitUntil(lambda: theme.text_size == 14)
    theme.apply(Choice.LIGHT, 14)


@pytest.fixture
def services_of():
    return lambda workspace: workspace._services


def press(widget, keys):
    combination = QKeySequence(keys)[0]
    QTest.keyClick(widget.window(), combination.key(), combination.keyboardModifiers())


def test_every_screen_by_keyboard(qtbot, workspace):
    qtbot.waitUntil(workspace.window().isActiveWindow)
    for keys, pane in (
        ("Ctrl+2", "memory"),
        ("Ctrl+3", "models"),
        ("Ctrl+4", "settings"),
        ("Ctrl+1", "chat"),
        ("Ctrl+,", "settings"),
    ):
        press(workspace, keys)
        wanted = workspace.screen_for(pane).pane
        qtbot.waitUntil(lambda wanted=wanted: workspace._pages.currentWidget() is wanted)
    press(workspace, "Ctrl+K")
    assert workspace.sidebar.pane.search.hasFocus()
    press(workspace, "Ctrl+N")
    assert workspace._pages.currentWidget() is workspace.screen_for("chat").pane
    press(workspace, "F1")
    sheet = workspace.findChild(QWidget, "shortcuts_sheet")
    assert sheet.isVisible()
    sheet.close()


class Windows(QObject):
    """Notes every window that appears."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def eventFilter(self, watched, event):
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shown and watched.isWindow():
            self.seen.append(watched.objectName() or type(watched).__name__)
        return False


def test_nothing_flashes_up_as_a_window_of_its_own(qtbot, start, welcomed, qapp):
    windows = Windows()
    qapp.installEventFilter(windows)
    try:
        application, _ = start()
        workspace = application.window.page
        for name in ("memory", "models", "settings", "chat"):
            visit(qtbot, workspace, name)
        pane = workspace.screen_for("settings").pane
        for page in list(pane._buttons):
            pane.show_page(page)
        pane.search.setText("memories")
        qtbot.waitUntil(lambda: pane._found is not None)
        qtbot.wait(50)
    finally:
        qapp.removeEventFilter(windows)
    assert windows.seen == ["main_window"]


def test_escape_leaves_a_search_first(qtbot, workspace):
    qtbot.waitUntil(workspace.window().isActiveWindow)
    field = workspace.sidebar.pane.search
    press(workspace, "Ctrl+K")
    field.setText("walnut")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def visit(qtbot, workspace, name):
    workspace.show_screen(name)
    pane = workspace.screen_for(name).pane
    qtbot.waitUntil(lambda: workspace._pages.currentWidget() is pane)


def test_a_screen_is_built_on_its_first_visit_only(qtbot, workspace):
    assert set(workspace._screens) == {"chat"}
    workspace.show_screen("models")
    first = workspace.screen_for("models")
    workspace.show_screen("chat")
    workspace.show_screen("models")
    assert workspace.screen_for("models") is first


def test_changes_reach_every_screen_once(qtbot, workspace, monkeypatch):
    heard = []
    for name in ("chat", "memory", "models", "settings"):
        screen = workspace.screen_for(name)
        monkeypatch.setattr(screen, "apply_changes", lambda _c, name=name: heard.append(name))
    workspace._bridge.publish(Changes(models=True))
    assert sorted(heard) == ["chat", "memory", "models", "settings"]


def test_an_expected_failure_is_said_in_the_window(qtbot, start, welcomed):
    from app.errors import DiskFull

    application, _ = start()
    application.tell(DiskFull("There is no room left."))
    assert application.window.page.notice.notice.words.text() == "There is no room left."
    assert application.window.page.notice.isVisible()


def test_a_model_file_dropped_into_the_folder_appears_and_is_not_loaded(
    qtbot, workspace, paths, off_gui
):
    import gguf

    workspace.show_screen("models")
    chat_list = workspace.screen_for("models").pane.chat_list
    qtbot.waitUntil(lambda: len(chat_list.rows()) == 1, timeout=LONG)

    def drop():
        writer = gguf.GGUFWriter(paths.models / "dropped.gguf", "llama")
        writer.add_name("Dropped")
        writer.add_uint32("llama.context_length", 128)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

    off_gui(drop)
    qtbot.waitUntil(lambda: len(chat_list.rows()) == 2, timeout=LONG)
    assert workspace._services.library.current().id == "notebook"


def test_what_another_process_writes_appears_by_itself(qtbot, workspace, store, off_gui):
    listed = workspace.sidebar.pane.list.model()
    qtbot.waitUntil(lambda: workspace._services.watch._version is not None)

    def elsewhere():
        from app.store.conversations import Conversations

        vault = store.open("personal")  # as the command line would
        Conversations(vault).create(title="From the command line")
        vault.close()

    off_gui(elsewhere)
    qtbot.waitUntil(lambda: listed.rowCount() == 2, timeout=LONG)
    assert listed.index(1, 0).data() == "From the command line"


def test_erasing_a_conversation_asks_first_and_tells_everybody(
    qtbot, workspace, services_of, off_gui
):
    services = services_of(workspace)
    made = off_gui(services.conversations.create)
    workspace._bridge.publish(Changes(conversations=frozenset({made.id})))
    workspace.sidebar.erase_requested.emit(made)
    dialog = workspace.findChild(QWidget, "erasure_dialog")
    qtbot.waitUntil(lambda: dialog.inventory_view is not None, timeout=LONG)
    assert len(off_gui(services.conversations.list)) == 1
    confirm = next(
        b
        for b in dialog.inventory_view.findChildren(QAbstractButton)
        if b.property("kind") == "danger"
    )
    with qtbot.waitSignal(workspace._bridge.changed, timeout=LONG):
        confirm.click()
        qtbot.waitUntil(lambda: dialog.proof_view is not None, timeout=LONG)
    assert off_gui(services.conversations.list) == []
    dialog.proof_view.done_button.click()


def test_every_screen_fits_900_by_600_and_right_to_left(qtbot, workspace):
    window = workspace.window()
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        window.setLayoutDirection(direction)
        for name in ("chat", "memory", "models", "settings"):
            visit(qtbot, workspace, name)
            window.resize(900, 600)
            assert window.minimumSizeHint().width() <= 900
            assert window.minimumSizeHint().height() <= 600
            assert not window.grab().isNull()


def named_badly(root):
    """Return widgets of ours without an object name, and controls without a spoken one."""
    bad = []
    for widget in root.findChildren(QWidget):
        name = widget.objectName()
        inner = name.startswith("qt_") or isinstance(widget, QScrollBar)
        parent = widget.parentWidget()
        while parent is not None and not inner:
            inner = parent.objectName().startswith("qt_") and not parent.objectName().startswith(
                "qt_scrollarea_viewport"
            )
            parent = parent.parentWidget()
        if inner or type(widget).__name__ in {"QComboBoxPrivateContainer", "QCornerButton"}:
            continue
        if not name and type(widget).__module__.startswith("PySide6"):
            parent_name = widget.parentWidget().objectName() if widget.parentWidget() else ""
            if type(widget).__name__ in {
                "QWidget",
                "QFrame",
                "QAbstractButton",
                "QTableCornerButton",
            }:
                continue  # made by Qt inside its own views
            bad.append(f"{type(widget).__name__} in {parent_name}")
        elif not name:
            bad.append(f"{type(widget).__name__} has no name")
        takes_keys = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        says = widget.accessibleName() or (isinstance(widget, QLabel) and widget.text())
        control = isinstance(widget, QAbstractButton) or takes_keys
        if control and not widget.isHidden() and not says:
            bad.append(f"{name} says nothing")
    return bad


def test_every_widget_has_a_name_and_every_control_a_spoken_one(qtbot, workspace):
    qtbot.waitUntil(lambda: workspace.sidebar.pane.profile_button.text() != "")
    for name in ("memory", "models", "settings", "chat"):
        visit(qtbot, workspace, name)
    pane = workspace.screen_for("settings").pane
    for page in list(pane._buttons):
        pane.show_page(page)
    bad = named_badly(workspace.window())
    assert bad == [], "\n".join(bad)


def test_the_pages_before_the_workspace_are_named_too(qtbot, start, theme):
    from app.errors import VaultCorrupt

    application, _ = start()
    bad = named_badly(application.window)
    assert bad == [], "\n".join(bad)
    for page in (
        UnlockPage(theme, "Work", "x"),
        ProblemPage(theme, VaultCorrupt("x"), [], backups=1),
    ):
        qtbot.addWidget(page)
        assert named_badly(page) == []


def test_all_of_the_windows_actions_have_handlers(qtbot, workspace):
    ids = {a.objectName().removeprefix("action.") for a in workspace.actions()}
    assert ids == {row.id for row in actions.TABLE if row.window}


def test_leaving_while_something_runs_stops_it(qtbot, start, welcomed):
    application, _ = start()
    assert isinstance(application.window.page, Workspace)
    started, stopped = threading.Event(), threading.Event()

    def endless(cancelled):
        started.set()
        try:
            while True:
                cancelled.wait(0.01)
                yield 1
        finally:
            stopped.set()

    application._bridge.submit(endless, lane=Lane.INTERACTIVE)
    qtbot.waitUntil(started.is_set)
    with qtbot.waitSignal(application.finished, timeout=LONG):
        application.quit()
    assert stopped.is_set()
    assert not application.window.isVisible()


def test_settings_of_this_computer_survive_nonsense(paths, off_gui):
    def write():
        paths.root.mkdir(parents=True)
        paths.settings.write_text(
            json.dumps({"appearance.theme": "dark", "appearance.text_size": "huge", "gone": 1})
        )

    off_gui(write)
    found = off_gui(lambda: computer_settings(paths))
    assert found.appearance.theme is Choice.DARK
    assert found.appearance.text_size == 14
