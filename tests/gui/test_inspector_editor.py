"""The editor: what is saved, what is refused, and what happens when somebody was first."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt

from app.domain.memory import Memory, MemoryType, Trust
from app.gui.inspector.editor import MemoryEditor
from tests.gui.waiting import shown

AT = datetime(2026, 1, 12, 17, 4, tzinfo=UTC)
ONE = Memory("m", "You live in Ghent", AT, AT, revision=3, trust=Trust.EXTERNAL, agent_pk=1)


@pytest.fixture
def editor(qtbot, theme):
    editor = MemoryEditor(theme)
    return shown(qtbot, editor, 316, 700)


def test_ctrl_enter_saves_what_changed(qtbot, editor):
    editor.edit(ONE)
    assert not editor.dirty
    editor.text.setPlainText("You live in Bruges")
    editor.type.setCurrentIndex(editor.type.findData("episodic"))
    assert editor.dirty
    with qtbot.waitSignal(editor.saved) as saved:
        qtbot.keyClick(editor.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    memory, fields = saved.args
    assert memory is ONE
    assert fields == {"text": "You live in Bruges", "type": MemoryType.EPISODIC}


def test_saving_nothing_is_leaving(qtbot, editor):
    editor.edit(ONE)
    with qtbot.waitSignal(editor.cancelled), qtbot.assertNotEmitted(editor.saved):
        editor.save_button.click()


def test_escape_leaves(qtbot, editor):
    editor.edit(ONE)
    with qtbot.waitSignal(editor.cancelled):
        qtbot.keyClick(editor.lines["tags"], Qt.Key.Key_Escape)


def test_mistakes_are_explained_beside_their_field(qtbot, editor):
    editor.edit(ONE)
    editor.text.setPlainText(" ")
    editor.lines["occurred"].setText("soon")
    with qtbot.assertNotEmitted(editor.saved):
        editor.save()
    problem = editor.findChild(object, "editor_problem_text")
    assert problem.isVisible()
    assert problem.text() == "A memory needs some words."
    assert editor.findChild(object, "editor_problem_occurred").isVisible()
    assert editor.text.hasFocus() or not editor.isActiveWindow()
    editor.edit(ONE)
    assert not problem.isVisible()


def test_a_safety_fact_is_marked_and_unmarked_with_a_tick(qtbot, editor):
    editor.edit(ONE)
    assert not editor.safety.isChecked()
    editor.safety.click()
    assert editor.dirty
    with qtbot.waitSignal(editor.saved) as saved:
        editor.save()
    assert saved.args[1] == {"tags": ("safety",)}
    editor.edit(replace(ONE, tags=("safety", "food")))
    assert editor.safety.isChecked()
    assert editor.lines["tags"].text() == "food"
    editor.safety.click()
    with qtbot.waitSignal(editor.saved) as saved:
        editor.save()
    assert saved.args[1] == {"tags": ("food",)}


def test_raising_trust_needs_a_tick(qtbot, editor):
    editor.edit(ONE)
    assert not editor.own_word.isVisible()
    editor.trust.setCurrentIndex(editor.trust.findData("system"))
    assert editor.own_word.isVisible()
    assert editor.own_word.text() == "Trust this as your own word"
    with qtbot.assertNotEmitted(editor.saved):
        editor.save()
    assert editor.findChild(object, "editor_problem_own_word").isVisible()
    editor.own_word.click()
    with qtbot.waitSignal(editor.saved) as saved:
        editor.save()
    assert saved.args[1] == {"trust": Trust.SYSTEM}


def test_a_new_memory_has_fewer_fields(qtbot, editor):
    editor.edit(None)
    assert not editor.trust.isVisible()
    assert not editor.lines["occurred"].isVisible()
    assert editor.pinned.isVisible()
    editor.text.setPlainText("Tea, not coffee")
    editor.pinned.click()
    with qtbot.waitSignal(editor.saved) as saved:
        editor.save()
    assert saved.args[0] is None
    assert saved.args[1]["pinned"] is True


def test_a_refusal_keeps_what_was_typed(qtbot, editor):
    editor.edit(ONE)
    editor.text.setPlainText("Mine")
    with qtbot.waitSignal(editor.saved):
        editor.save()
    assert not editor.save_button.isEnabled()
    editor.refuse("The vault is busy.")
    assert editor.error.words.text() == "The vault is busy."
    assert editor.text.toPlainText() == "Mine"
    assert editor.save_button.isEnabled()


def test_who_comes_second_may_keep_their_own_words(qtbot, editor):
    editor.edit(ONE)
    editor.text.setPlainText("Mine")
    theirs = Memory("m", "Theirs", AT, AT, revision=4, category="place", agent_pk=1)
    editor.show_conflict(theirs)
    assert editor.findChild(object, "editor_other_text").text() == "“Theirs”"
    with qtbot.waitSignal(editor.saved) as saved:
        editor.findChild(object, "editor_keep_mine").click()
    memory, fields = saved.args
    assert memory.revision == 4
    assert fields == {"text": "Mine"}
    editor.show_conflict(theirs)
    with qtbot.waitSignal(editor.taken):
        editor.findChild(object, "editor_take_other").click()


def test_every_field_has_a_spoken_name(editor):
    editor.edit(ONE)
    fields = [editor.text, editor.type, editor.trust, editor.pinned, *editor.lines.values()]
    assert all(field.accessibleName() and field.objectName() for field in fields)
