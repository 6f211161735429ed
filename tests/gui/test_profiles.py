from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton, QWidget

from app.domain.backup import Backup
from app.domain.profile import Profile
from app.errors import (
    DiskFull,
    StoreError,
    VaultBusy,
    VaultCorrupt,
    VaultReadOnly,
    VaultTooNew,
)
from app.gui.profiles.access import RecoveryCode
from app.gui.profiles.backups import BackupsSheet, moment
from app.gui.profiles.controller import ProfilesController
from app.gui.profiles.pages import ProblemPage, UnlockPage
from app.gui.widgets import ChoiceCard
from tests.gui.waiting import shown

CODE = "7K2M-9QXC-4TDE-HHP0-ZV81-MM3R-C0WF-1N5B"
OTHER = Profile("work", "Work & Lab", bytes=2_000_000)
BACKUPS = [
    Backup(Path(f"vault-{day}.db"), datetime(2026, 5, day, 12, 30, tzinfo=UTC), 2_000_000)
    for day in (3, 2)
]


# Unlocking.


def test_the_passphrase_is_typed_hidden_and_asked_with_enter(qtbot, theme):
    page = shown(qtbot, UnlockPage(theme, "Work", "The passphrase opens this vault."))
    assert page.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(page.field, "secret")
    with qtbot.waitSignal(page.unlock_requested) as asked:
        QTest.keyClick(page.field, Qt.Key.Key_Return)
    assert asked.args == ["secret", ""]
    assert not page.button.isEnabled()


def test_a_wrong_passphrase_is_said_and_can_be_typed_again(qtbot, theme):
    page = shown(qtbot, UnlockPage(theme, "Work", "…"))
    page.field.setText("wrong")
    page.button.click()
    page.fail("That is not the passphrase.")
    assert page.errors.words.text() == "That is not the passphrase."
    assert page.field.isEnabled()
    assert page.field.selectedText() != ""


def test_the_recovery_code_is_another_way_in(qtbot, theme):
    page = shown(qtbot, UnlockPage(theme, "Work", "…"))
    QTest.keyClick(page.ways, Qt.Key.Key_Right)
    assert page.field.echoMode() is QLineEdit.EchoMode.Normal
    page.field.setText(CODE)
    with qtbot.waitSignal(page.unlock_requested) as asked:
        page.button.click()
    assert asked.args == ["", CODE]


def test_an_empty_secret_asks_nothing(qtbot, theme):
    page = shown(qtbot, UnlockPage(theme, "Work", "…"))
    with qtbot.assertNotEmitted(page.unlock_requested):
        page.button.click()


def test_another_profile_can_be_opened_instead(qtbot, theme):
    page = shown(qtbot, UnlockPage(theme, "Personal", "…"))
    assert not page.others.isVisible()
    page.show_others([OTHER])
    assert page.others.isVisible()
    with qtbot.waitSignal(page.profile_chosen) as chosen:
        page.others.menu().actions()[0].trigger()
    assert chosen.args == ["work"]


# Vaults that are ill.


@pytest.mark.parametrize(
    ("error", "ways"),
    [
        (VaultCorrupt("It is damaged."), ["restore_backup", "try_again", "folder", "open.work"]),
        (VaultTooNew("Update Loci."), ["folder", "open.work"]),
        (VaultReadOnly("It cannot be written."), ["try_again", "folder", "open.work"]),
        (DiskFull("No room."), ["try_again", "folder", "open.work"]),
        (VaultBusy("In use."), ["try_again", "folder", "open.work"]),
        (StoreError("Something else."), ["try_again", "folder", "open.work"]),
    ],
)
def test_each_problem_has_a_sentence_and_ways_out(qtbot, theme, error, ways):
    page = shown(qtbot, ProblemPage(theme, error, [OTHER], BACKUPS))
    assert page.sentence.text() == str(error)
    assert [c.objectName() for c in page.findChildren(ChoiceCard)] == [f"problem_{w}" for w in ways]
    assert page.findChild(QPushButton, "problem_quit")
    page.focus_first()
    assert page.findChildren(ChoiceCard)[0].hasFocus()


def test_no_backup_no_offer_to_restore_one(qtbot, theme):
    page = shown(qtbot, ProblemPage(theme, VaultCorrupt("It is damaged."), [], []))
    assert page.findChild(ChoiceCard, "problem_restore_backup") is None


def test_the_ways_out_are_told(qtbot, theme):
    page = shown(qtbot, ProblemPage(theme, VaultCorrupt("…"), [OTHER], BACKUPS))
    for name, signal in (
        ("try_again", page.retry_requested),
        ("open.work", page.profile_chosen),
    ):
        with qtbot.waitSignal(signal):
            page.findChild(ChoiceCard, f"problem_{name}").click()


def test_a_backup_is_chosen_from_the_list_and_confirmed(qtbot, theme):
    page = shown(qtbot, ProblemPage(theme, VaultCorrupt("…"), [], BACKUPS))
    page.findChild(ChoiceCard, "problem_restore_backup").click()
    sheet = page.findChild(BackupsSheet)
    assert sheet.findChild(QLabel, "backup_when.1").text() == moment(BACKUPS[1].made_at)
    sheet.findChild(QPushButton, "restore.1").click()
    with qtbot.waitSignal(page.backup_chosen) as chosen:
        sheet.findChild(QPushButton, "restore_backup_accept").click()
    assert chosen.args == [BACKUPS[1].path]


def test_backups_of_the_same_minute_are_told_apart(qtbot, theme):
    made = [BACKUPS[0].made_at.replace(second=second) for second in (40, 7)]
    alike = [Backup(Path(f"vault-{at:%S}.db"), at, 2_000_000) for at in made]
    page = shown(qtbot, ProblemPage(theme, VaultCorrupt("…"), [], [*alike, BACKUPS[1]]))
    page.findChild(ChoiceCard, "problem_restore_backup").click()
    sheet = page.findChild(BackupsSheet)
    told = [sheet.findChild(QLabel, f"backup_when.{number}").text() for number in range(3)]
    days = [at.astimezone() for at in (*made, BACKUPS[1].made_at)]
    clocks = [f"{days[0]:%H:%M:%S}", f"{days[1]:%H:%M:%S}", f"{days[2]:%H:%M}"]
    assert told == [
        f"{day:%A}, {day.day} {day:%B %Y}, {clock}" for day, clock in zip(days, clocks, strict=True)
    ]


def test_another_folder_is_chosen(qtbot, theme, tmp_path):
    page = shown(qtbot, ProblemPage(theme, VaultCorrupt("…"), [], []))
    page.findChild(ChoiceCard, "problem_folder").click()
    with qtbot.waitSignal(page.folder_chosen) as chosen:
        page.findChild(QFileDialog, "folder_dialog").fileSelected.emit(str(tmp_path))
    assert chosen.args == [str(tmp_path)]


# The recovery code.


def test_a_recovery_code_is_saved_for_its_owner_alone(
    qtbot, theme, bridge, tmp_path, monkeypatch, off_gui
):
    target = tmp_path / "code.txt"
    monkeypatch.setattr("app.gui.profiles.access.choose_new_file", lambda *args: args[-1](target))
    view = shown(qtbot, RecoveryCode(theme, CODE))
    view.save(bridge)
    qtbot.waitUntil(lambda: view.kept)
    assert CODE in off_gui(target.read_text)
    assert off_gui(target.stat).st_mode & 0o777 == 0o600


def test_a_code_that_cannot_be_saved_says_so(qtbot, theme, bridge, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "app.gui.profiles.access.choose_new_file",
        lambda *args: args[-1](tmp_path / "none" / "code.txt"),
    )
    view = shown(qtbot, RecoveryCode(theme, CODE))
    view.save(bridge)
    qtbot.waitUntil(lambda: "could not be saved" in view._said.text())
    assert not view.kept


# Profiles, with the real service.


@pytest.fixture
def window(qtbot):
    return shown(qtbot, QWidget())


@pytest.fixture
def controller(services, profiles, bridge, theme, window):
    made = ProfilesController(profiles, services.profile, bridge, theme, window)
    bridge.changed.connect(made.apply_changes)
    return made


def sheet(qtbot, window, name):
    qtbot.waitUntil(lambda: window.findChild(QWidget, name) is not None)
    return window.findChild(QWidget, name)


def test_the_list_and_the_open_one_are_told(qtbot, controller):
    with qtbot.waitSignal(controller.listed) as listed:
        controller.refresh()
    profiles, opened = listed.args
    assert [p.name for p in profiles] == ["Personal"]
    assert opened.slug == "personal"


def test_making_a_profile_opens_it(qtbot, controller, window, profiles, off_gui):
    controller.do("new")
    form = sheet(qtbot, window, "new_profile")
    form.fields["name"].setText("Work")
    with qtbot.waitSignal(controller.switch_requested, timeout=20_000) as asked:
        form.accept_button.click()
    assert asked.args == ["work"]
    assert [p.name for p in off_gui(profiles.list)] == ["Personal", "Work"]


def test_a_name_that_is_taken_is_said_in_the_dialog(qtbot, controller, window):
    controller.do("new")
    form = sheet(qtbot, window, "new_profile")
    form.fields["name"].setText("personal")
    form.accept_button.click()
    qtbot.waitUntil(form.errors.isVisible, timeout=20_000)
    assert "already" in form.errors.words.text()
    assert form.accept_button.isEnabled()


def test_renaming_reaches_every_view(qtbot, controller, window, bridge):
    controller.do("rename")
    form = sheet(qtbot, window, "rename_profile")
    assert form.fields["name"].text() == "Personal"
    form.fields["name"].setText("Ruth")
    with qtbot.waitSignal(bridge.changed) as changed, qtbot.waitSignal(controller.listed) as listed:
        form.accept_button.click()
    assert changed.args[0].profile
    assert listed.args[1].name == "Ruth"


def test_another_profile_is_erased_once_its_name_is_typed(
    qtbot, controller, window, profiles, off_gui
):
    off_gui(lambda: profiles.create("Work"))
    with qtbot.waitSignal(controller.listed):
        controller.refresh()
    controller.do("manage")
    manage = sheet(qtbot, window, "manage_profiles")
    assert manage.findChild(QPushButton, "erase.personal") is None
    manage.findChild(QPushButton, "erase.work").click()
    form = sheet(qtbot, window, "delete_profile")
    assert not form.accept_button.isEnabled()
    form.fields["name"].setText("work")
    assert not form.accept_button.isEnabled()
    form.fields["name"].setText("Work")
    form.accept_button.click()
    qtbot.waitUntil(
        lambda: [p.name for p in off_gui(profiles.list)] == ["Personal"], timeout=20_000
    )
    qtbot.waitUntil(lambda: not manage.findChild(QWidget, "profile.work"))


def test_choosing_the_open_profile_changes_nothing(qtbot, controller):
    with qtbot.assertNotEmitted(controller.switch_requested):
        controller.choose("personal")
    with qtbot.waitSignal(controller.switch_requested):
        controller.choose("work")
