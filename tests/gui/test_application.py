"""The whole application over real profiles: starting, opening a profile, switching, leaving."""

import json
from contextlib import closing
from threading import Event

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from app.domain.memory import Memory
from app.errors import VaultClosed
from app.gui.application import Application, computer_settings
from app.gui.bridge import WorkQueue
from app.gui.erasure.dialog import ErasureDialog
from app.gui.exception_hook import MISHAP
from app.gui.main_window import OpeningPage
from app.gui.profiles.pages import ProblemPage, UnlockPage
from app.gui.workspace import Workspace
from app.main.program import Program
from app.settings import computer
from app.settings.spec import ColourScheme as Choice
from app.store.memories import Memories, Note
from app.store.vault import backup, sealing
from tests.gui.waiting import LONG, Endless
from tests.unit.store.chained import make_older


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


def damage(vault):
    """Back a vault up, and damage it."""
    backup.create(vault.path, vault.key)
    vault.close()
    vault.path.write_bytes(b"\0" * 8192)


def restored(qtbot, application):
    """Restore the newest backup from the page of a damaged vault; return the page that follows."""
    for name in ("problem_restore_backup", "restore.0"):
        application.window.page.findChild(QWidget, name).click()
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        application.window.page.findChild(QWidget, "restore_backup_accept").click()
    return ready.args


def test_a_damaged_vault_is_a_page_and_its_backup_the_way_out(
    qtbot, start, welcomed, store, paths, off_gui
):
    off_gui(lambda: damage(store.open("personal")))
    application, page = start()
    assert page == "problem"
    assert isinstance(application.window.page, ProblemPage)
    assert restored(qtbot, application) == ["workspace"]


def test_a_damaged_vault_behind_a_passphrase_is_restored_once_it_is_given(
    qtbot, start, store, paths, off_gui
):
    off_gui(lambda: computer.save(paths.settings, {"computer.welcomed": True}))
    off_gui(lambda: damage(store.create("Work", passphrase="correct horse")[0]))
    application, page = start()
    assert page == "unlock"
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        application.window.page.unlock_requested.emit("correct horse", "")
    assert ready.args == ["problem"]
    assert restored(qtbot, application) == ["unlock"]
    pane = application.window.page
    pane.field.setText("wrong horse")
    pane.button.click()
    qtbot.waitUntil(pane.errors.isVisible, timeout=LONG)
    pane.field.setText("correct horse")
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        pane.button.click()
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


def older(store, monkeypatch):
    """Let the profile be as the version before the chain left it, and be sealed row by row."""
    with closing(store.open("personal")) as vault:
        for number in range(4):
            now = vault.clock()
            memory = Memory("", f"Ann has {number} boats.", now, now, agent_pk=1)
            Memories(vault).insert(memory, (), Note("user", "insert", "b"))
    make_older(vault.path, vault.key)
    monkeypatch.setattr(sealing, "PAGE", 1)


def test_a_profile_of_an_older_version_says_how_far_its_sealing_is(
    qtbot, start, welcomed, store, off_gui, monkeypatch
):
    off_gui(lambda: older(store, monkeypatch))
    told, show = [], OpeningPage.show_progress

    def heard(page, progress):
        show(page, progress)
        told.append(page.words.text())

    monkeypatch.setattr(OpeningPage, "show_progress", heard)
    _application, page = start()
    assert page == "workspace"
    assert len(told) > 8
    assert told[0].startswith(f"{sealing.LABEL}… ")
    assert told[-1].endswith(" 100%")


def test_closing_the_window_stops_the_sealing_and_the_next_start_goes_on(
    qtbot, start, bridge, theme, paths, welcomed, store, off_gui, monkeypatch
):
    off_gui(lambda: older(store, monkeypatch))
    settings = off_gui(lambda: computer_settings(paths))
    application, advance = Application(Program(), paths, settings, theme, bridge), sealing.advance
    quitting, pages = Event(), []

    def held(*asked):
        pages.append(asked)
        assert len(pages) < 3 or quitting.wait(LONG / 1000)
        return advance(*asked)

    monkeypatch.setattr(sealing, "advance", held)
    application.start(None)
    qtbot.waitUntil(lambda: len(pages) == 3, timeout=LONG)
    with qtbot.waitSignal(application.finished, timeout=LONG):
        application.quit()
        quitting.set()
    application.window.deleteLater()
    assert len(pages) == 3
    monkeypatch.setattr(sealing, "advance", advance)
    assert start()[1] == "workspace"


@pytest.mark.expects_warnings
def test_a_bug_while_opening_is_a_friendly_page(qtbot, start, monkeypatch, caplog):
    def bug(*_args, **_fields):
        raise ValueError("secret")

    monkeypatch.setattr(Program, "unlocking", bug)
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


def test_what_still_looks_into_an_erased_vault_is_not_told(qtbot, start, welcomed, monkeypatch):
    monkeypatch.setattr("app.gui.watching.LOOK_MS", 20)
    application, _ = start()
    page, failures = application.window.page, []
    application._bridge.failed.connect(failures.append)
    with qtbot.waitSignal(page.background.progressed, timeout=LONG):
        page.show_screen("settings")
    settings = page.screens.screen_named("settings").pane
    qtbot.waitUntil(settings.isVisible, timeout=LONG)
    settings.show_page("Your data")
    settings.page("Your data").erase_button.click()
    dialog = application.window.findChild(ErasureDialog)
    qtbot.waitUntil(lambda: dialog.inventory_view is not None, timeout=LONG)
    dialog.inventory_view.first_field().setText("Personal")
    dialog.inventory_view.erase_button.click()
    qtbot.waitUntil(lambda: dialog.proof_view is not None, timeout=LONG)
    page.background._on_interval_passed()
    qtbot.waitUntil(lambda: len(failures) >= 2, timeout=LONG)  # who watches, and who learns
    assert {type(error) for error in failures} == {VaultClosed}
    assert not page.notice.isVisible()
    with qtbot.waitSignal(application.ready, timeout=LONG) as ready:
        dialog.proof_view.done_button.click()
    assert ready.args == ["first_run"]


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


def test_an_expected_failure_is_said_in_the_window(qtbot, start, welcomed):
    from app.errors import DiskFull

    application, _ = start()
    application.tell(DiskFull("There is no room left."))
    assert application.window.page.notice.notice.words.text() == "There is no room left."
    assert application.window.page.notice.isVisible()


def test_leaving_while_something_runs_stops_it(qtbot, start, welcomed):
    application, _ = start()
    assert isinstance(application.window.page, Workspace)
    endless = Endless()
    application._bridge.submit(endless, lane=WorkQueue.INTERACTIVE)
    qtbot.waitUntil(endless.started.is_set)
    with qtbot.waitSignal(application.finished, timeout=LONG):
        application.quit()
    assert endless.stopped.is_set()
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
