"""Clearing: nothing goes before its number was shown."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.memory import MemoryType
from app.errors import VaultBusy
from app.gui.inspector.clear_dialog import ClearDialog

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def dialog(qtbot, theme):
    dialog = ClearDialog(theme, lambda: NOW)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def choose(dialog, period):
    dialog.period.setCurrentIndex(dialog.period.findData(period))


def test_nothing_is_chosen_to_begin_with(dialog):
    assert dialog.filter() is None
    assert not dialog.forget_button.isEnabled()
    assert dialog.sentence.text() == "Choose what to forget."


def test_the_number_comes_before_the_deed(qtbot, dialog):
    with qtbot.waitSignal(dialog.count_requested) as asked:
        dialog.types[MemoryType.EPISODIC].click()
        choose(dialog, "7")
    wanted = asked.args[0]
    assert wanted.types == {MemoryType.EPISODIC}
    assert wanted.since == NOW - timedelta(days=7)
    assert not dialog.forget_button.isEnabled()
    dialog.show_count(wanted, 214)
    assert dialog.forget_button.text() == "Forget 214 memories"
    with qtbot.waitSignal(dialog.confirmed) as confirmed:
        dialog.forget_button.click()
    assert confirmed.args[0] == wanted


def test_a_number_for_an_older_choice_is_dropped(qtbot, dialog):
    with qtbot.waitSignal(dialog.count_requested) as asked:
        dialog.types[MemoryType.EPISODIC].click()
    dialog.types[MemoryType.SEMANTIC].click()
    dialog.show_count(asked.args[0], 214)
    assert not dialog.forget_button.isEnabled()


def test_no_memories_no_button(qtbot, dialog):
    with qtbot.waitSignal(dialog.count_requested) as asked:
        dialog.types[MemoryType.WORKING].click()
    dialog.show_count(asked.args[0], 0)
    assert dialog.sentence.text() == "There are no such memories."
    assert not dialog.forget_button.isEnabled()


def test_two_dates_make_a_period(qtbot, dialog):
    dialog.types[MemoryType.SEMANTIC].click()
    choose(dialog, "dates")
    assert dialog.since.isVisible()
    assert dialog.filter() is None
    dialog.since.setText("2026-01")
    with qtbot.waitSignal(dialog.count_requested) as asked:
        dialog.until.setText("2026-02-15")
    assert asked.args[0].since == datetime(2026, 1, 1).astimezone()
    assert asked.args[0].until == datetime(2026, 2, 15).astimezone()


def test_a_date_that_is_none_stops_everything(qtbot, dialog):
    dialog.types[MemoryType.SEMANTIC].click()
    choose(dialog, "dates")
    dialog.since.setText("2026-01")
    dialog.until.setText("2026-02-31")
    assert dialog.filter() is None
    assert dialog.sentence.text().startswith("Write a date")


def test_a_failure_is_shown_inline(qtbot, dialog):
    with qtbot.waitSignal(dialog.count_requested) as asked:
        dialog.types[MemoryType.SEMANTIC].click()
    dialog.show_count(asked.args[0], 3)
    dialog.forget_button.click()
    dialog.refuse(VaultBusy("The vault is in use elsewhere."))
    assert dialog.error.words.text() == "The vault is in use elsewhere."
    assert dialog.forget_button.isEnabled()
