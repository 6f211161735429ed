"""The page "Your data": export, import, restriction, keys, and erasing everything."""

from threading import Event

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.domain.ids import utc_now
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter
from app.domain.profile import OLDER_COPIES, SlotKind
from app.gui.settings import data_work as module
from app.main.build import build
from app.paths import Paths
from app.store.profiles import Profiles


def test_export_then_import(qtbot, controller, services, tmp_path, monkeypatch, off_gui):
    off_gui(lambda: services.memories.add("You live in Ghent"))
    target = tmp_path / "out.zip"
    monkeypatch.setattr(module, "choose_new_file", lambda *args: args[-1](target))
    monkeypatch.setattr(module, "choose_file", lambda *args: args[-1](target))
    controller.pane.show_page("Your data")
    page = controller.pane.page("Your data")
    words = controller.pane.notice.notice.words
    page.export_button.click()
    assert not page.export_button.isEnabled()
    qtbot.waitUntil(lambda: words.text().startswith("Exported 1 memory"), timeout=20_000)
    assert f"It lies at {target} and is not encrypted" in words.text()
    assert page.export_button.isEnabled()
    assert off_gui(target.exists)
    page.import_button.click()
    qtbot.waitUntil(lambda: words.text().startswith("Imported"), timeout=20_000)


@pytest.fixture
def theirs(tmp_path, off_gui):
    """An export of another profile, in which the person pinned a memory."""

    def make():
        profiles = Profiles(Paths(tmp_path / "elsewhere"), find_keyring=lambda: None)
        vault, profile = profiles.create("Bob")
        opened = build(profiles, profile, vault, utc_now)
        opened.services.preferences.set("models.embedder", "hash")
        opened.services.memories.add("You live in Ghent", pinned=True)
        target = tmp_path / "theirs.zip"
        drive(opened.services.transfer.export(target), Event())
        opened.close()
        return target

    return off_gui(make)


@pytest.mark.parametrize(
    ("answer", "pinned"), [("ownership_own", True), ("ownership_accept", False)]
)
def test_an_export_of_another_profile_is_the_persons_own_only_if_they_say_so(
    qtbot, controller, services, monkeypatch, off_gui, theirs, answer, pinned
):
    monkeypatch.setattr(module, "choose_file", lambda *args: args[-1](theirs))
    controller.pane.show_page("Your data")
    controller.pane.page("Your data").import_button.click()
    window = controller.pane.window()
    qtbot.waitUntil(lambda: window.findChild(QWidget, "ownership") is not None, timeout=20_000)
    sheet = window.findChild(QWidget, "ownership")
    assert "“Bob”" in sheet.findChild(QLabel, "ownership_sentence").text()
    assert sheet.accept_button.isDefault(), "Enter takes nobody's word for the person's own"
    sheet.findChild(QPushButton, answer).click()
    words = controller.pane.notice.notice.words
    qtbot.waitUntil(lambda: words.text().startswith("Imported 1 memory"), timeout=20_000)
    (memory,) = off_gui(lambda: services.memories.list(MemoryFilter()))
    assert memory.pinned is pinned


def test_processing_is_restricted_and_lifted_where_data_is_looked_after(
    qtbot, controller, services, off_gui
):
    controller.pane.show_page("Your data")
    page = controller.pane.page("Your data")
    assert page.restrict_row.title.text() == "Restrict processing"
    page.restrict_button.click()
    qtbot.waitUntil(lambda: page.restrict_row.title.text() == "Processing is restricted")
    assert off_gui(lambda: services.restriction.is_on)
    assert page.restrict_button.text() == "Lift"
    page.restrict_button.click()
    qtbot.waitUntil(lambda: page.restrict_button.text() == "Restrict")
    assert not off_gui(lambda: services.restriction.is_on)


def test_a_backup_is_made_now_and_one_is_chosen_to_be_restored(
    qtbot, controller, services, off_gui
):
    controller.pane.show_page("Your data")
    page = controller.pane.page("Your data")
    qtbot.waitUntil(lambda: page.backups_row.help.text() == "Made every day · none yet")
    assert not page.restore_button.isVisibleTo(page)
    page.backup_button.click()
    words = controller.pane.notice.notice.words
    qtbot.waitUntil(lambda: words.text().startswith("Backed up to "), timeout=20_000)
    qtbot.waitUntil(lambda: "the last on" in page.backups_row.help.text())
    off_gui(lambda: services.memories.add("You live in Ghent"))
    page.restore_button.click()
    window = controller.pane.window()
    qtbot.waitUntil(lambda: window.findChild(QWidget, "restore.0") is not None, timeout=20_000)
    window.findChild(QPushButton, "restore.0").click()
    with qtbot.waitSignal(controller.put_away, timeout=20_000) as put_away:
        window.findChild(QPushButton, "restore_backup_accept").click()
    assert put_away.args == [None]
    assert off_gui(lambda: len(services.backups.list())) == 2


def test_a_damaged_backup_is_refused_and_nothing_is_closed(qtbot, controller, services, off_gui):
    copy = off_gui(lambda: drive(services.backups.make(), Event()).path)
    off_gui(lambda: copy.write_bytes(b"x" * 8192))
    controller.pane.show_page("Your data")
    controller.pane.page("Your data").restore_button.click()
    window = controller.pane.window()
    qtbot.waitUntil(lambda: window.findChild(QWidget, "restore.0") is not None, timeout=20_000)
    window.findChild(QPushButton, "restore.0").click()
    window.findChild(QPushButton, "restore_backup_accept").click()
    notice = controller.pane.notice.notice
    qtbot.waitUntil(notice.isVisible, timeout=20_000)
    assert notice.property("tone") == "danger"
    assert off_gui(lambda: services.memories.add("You live in Ghent"))


def test_a_failed_export_says_why_in_place(qtbot, controller, tmp_path, monkeypatch):
    monkeypatch.setattr(
        module, "choose_new_file", lambda *args: args[-1](tmp_path / "none" / "out.zip")
    )
    controller.pane.show_page("Your data")
    controller.pane.page("Your data").export_button.click()
    notice = controller.pane.notice.notice
    qtbot.waitUntil(notice.isVisible, timeout=20_000)
    assert notice.property("tone") == "danger"
    assert not controller.pane.foot.isVisible()


def test_an_export_can_be_stopped(qtbot, controller, tmp_path, monkeypatch, services):
    from app.domain.jobs.progress import Progress

    def endless(path):
        while True:
            yield Progress("Writing", 1, 2)

    monkeypatch.setattr(services.transfer, "export", endless)
    monkeypatch.setattr(module, "choose_new_file", lambda *args: args[-1](tmp_path / "x.zip"))
    controller.pane.show_page("Your data")
    controller.pane.page("Your data").export_button.click()
    foot = controller.pane.foot
    qtbot.waitUntil(lambda: foot.accessibleName() == "Writing 1 of 2")
    foot.stop_button.click()
    words = controller.pane.notice.notice.words
    qtbot.waitUntil(lambda: words.text() == "Stopped. Nothing was written.")
    assert not foot.isVisible()


def test_a_recovery_code_is_shown_once_copied_and_counted(qtbot, controller, services, off_gui):
    controller.pane.show_page("Your data")
    page = controller.pane.page("Your data")
    page.code_button.click()
    sheet = None

    def opened():
        nonlocal sheet
        sheet = controller.pane.window().findChild(QWidget, "recovery_sheet")
        return sheet is not None

    qtbot.waitUntil(opened, timeout=20_000)
    sheet.view.copy_button.click()
    code = QGuiApplication.clipboard().text()
    assert len(code.split("-")) == 8
    assert sheet.view.kept
    sheet.close()
    qtbot.waitUntil(lambda: "You have one" in page.code_row.help.text())
    assert SlotKind.RECOVERY in off_gui(services.access.slots)


def test_a_passphrase_is_set_twice_the_same_and_long_enough(qtbot, controller, services, off_gui):
    controller.pane.show_page("Your data")
    page = controller.pane.page("Your data")
    page.set_button.click()
    sheet = controller.pane.window().findChild(QWidget, "passphrase_sheet")
    for first, second, said in (
        ("short", "short", "at least 8"),
        ("long enough", "long enouhg", "not the same"),
    ):
        sheet.fields["first"].setText(first)
        sheet.fields["second"].setText(second)
        sheet.accept_button.click()
        assert said in sheet.errors.words.text()
    sheet.fields["second"].setText("long enough")
    sheet.accept_button.click()
    qtbot.waitUntil(
        lambda: off_gui(services.access.slots) == (SlotKind.PASSPHRASE,), timeout=20_000
    )
    qtbot.waitUntil(page.remove_button.isVisible)
    qtbot.waitUntil(lambda: controller.pane.notice.notice.words.text() == OLDER_COPIES)
    page.remove_button.click()
    qtbot.waitUntil(
        lambda: SlotKind.PASSPHRASE not in off_gui(services.access.slots), timeout=20_000
    )


def test_erase_everything_wants_the_name_and_shows_the_proof(
    qtbot, controller, services, paths, off_gui
):
    controller.pane.show_page("Your data")
    gone = []
    controller.erased_everything.connect(lambda: gone.append(1))
    controller.pane.page("Your data").erase_button.click()
    dialog = controller.pane.window().findChild(QWidget, "erasure_dialog")
    qtbot.waitUntil(lambda: dialog.inventory_view is not None)
    field = dialog.inventory_view.first_field()
    buttons = [b for b in dialog.inventory_view.findChildren(QPushButton) if b.isVisible()]
    erase = next(b for b in buttons if b.property("kind") == "danger")
    assert not erase.isEnabled()
    field.setText(services.profile.name)
    assert erase.isEnabled()
    erase.click()
    qtbot.waitUntil(lambda: dialog.proof_view is not None, timeout=20_000)
    assert not off_gui(paths.profile(services.profile.slug).folder.exists)
    assert gone == []
    dialog.proof_view.done_button.click()
    assert gone == [1]
