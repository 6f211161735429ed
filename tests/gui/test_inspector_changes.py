"""What a person changes in the inspector, and what is stored then."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain.memory import DEFAULT_SCOPE, Evidence, MemoryFilter, MemoryType, Status, Trust
from app.errors import NotFound, VaultBusy
from app.gui.erasure.dialog import ErasureDialog
from app.gui.inspector.clear_dialog import ClearDialog


@pytest.fixture
def ghent(three_memories, desk):
    """The screen with three memories, of which the one about Ghent is chosen."""
    opened = desk()
    opened.wait(lambda: len(opened.shown()) == 3)
    opened.select("You live in Ghent")
    return opened


def test_the_first_memory_is_written_from_the_empty_state(home, desk):
    d = desk()
    d.wait(lambda: d.pane.empty.isVisible())
    assert not d.pane.side.isVisible()
    d.pane.empty.button.click()
    editor = d.pane.side.editor
    assert editor.isVisible()
    editor.text.setPlainText("Tea, not coffee")
    editor.lines["tags"].setText("food")
    editor.save()
    d.wait_for("Tea, not coffee")
    d.wait(lambda: d.detail_text() == "Tea, not coffee")
    assert home.texts() == ["Tea, not coffee"]


def test_an_edit_is_stored_and_shown_and_can_be_undone(qtbot, home, ghent):
    d = ghent
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Return)
    editor = d.pane.side.editor
    assert d.pane.side.editing
    editor.text.setPlainText("You live in Bruges")
    editor.lines["value"].setText("Bruges")
    editor.save()
    d.wait(lambda: "You live in Bruges" in d.shown())
    d.wait(lambda: d.detail_text() == "You live in Bruges")
    d.wait(lambda: d.foot() == "Edited: You live in Bruges")
    (stored,) = home.off_gui(lambda: home.rows.list(DEFAULT_SCOPE, MemoryFilter(keyed=True)))
    assert (stored.text, stored.value) == ("You live in Bruges", "Bruges")
    assert d.find("detail_history_0_diff") is not None
    d.find("detail_history_0_undo").click()
    d.wait(lambda: "You live in Ghent" in d.shown())
    d.wait(lambda: d.detail_text() == "You live in Ghent")
    assert home.get(stored.id).value == "Ghent"


def test_who_saves_second_sees_the_other_text(home, ghent):
    d = ghent
    d.pane.table.wanted.emit("edit")
    editor = d.pane.side.editor
    editor.text.setPlainText("You live in Bruges")
    memory = editor.memory
    home.off_gui(lambda: home.services.memories.edit(memory.id, 1, {"text": "You live in Gent"}))
    editor.save()
    d.wait(lambda: d.find("editor_conflict").isVisible())
    assert d.find("editor_other_text").text() == "“You live in Gent”"
    d.find("editor_keep_mine").click()
    d.wait(lambda: "You live in Bruges" in d.shown())
    assert home.get(memory.id).text == "You live in Bruges"


def test_raised_trust_is_the_persons_own_word(home, desk):
    told = home.remember("Bleed the radiators once a year", trust=Trust.EXTERNAL)
    d = desk()
    d.wait(lambda: len(d.shown()) == 1)
    d.select("Bleed the radiators once a year")
    d.find("detail_edit").click()
    editor = d.pane.side.editor
    editor.trust.setCurrentIndex(editor.trust.findData("system"))
    editor.own_word.click()
    editor.save()
    d.wait(lambda: not d.pane.side.editing)
    d.wait(lambda: home.get(told.id).trust is Trust.SYSTEM)


def test_words_that_were_not_saved_are_not_lost(ghent):
    d = ghent
    d.pane.table.wanted.emit("edit")
    d.pane.side.editor.text.setPlainText("half a thou")
    d.pane.table.select_row(0)
    assert d.pane.side.editing
    assert d.pane.side.editor.error.words.text() == "Save this or cancel it first."
    d.pane.side.editor.cancel_button.click()
    d.wait(lambda: d.detail_text() == "Ruth loves salmon")


def test_forgetting_and_undoing_by_keyboard(qtbot, ghent):
    d = ghent
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Delete)
    d.wait_for("Ruth loves salmon", "You are allergic to walnuts")
    d.wait(lambda: d.foot() == "Forgot: You live in Ghent")
    d.wait(lambda: d.pane.head.count.text() == "2 memories")
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Z, control)
    d.wait_for("Ruth loves salmon", "You live in Ghent", "You are allergic to walnuts")
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Z, control | shift)
    d.wait_for("Ruth loves salmon", "You are allergic to walnuts")
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Z, control | shift)
    d.wait(lambda: d.pane.notice.words.text() == "There is nothing to redo.")


def test_what_was_forgotten_can_be_found_and_restored(home, ghent):
    d = ghent
    d.find("detail_forget").click()
    d.wait(lambda: len(d.shown()) == 2)
    d.search("Ghent")
    d.wait(lambda: d.pane.notice.isVisible())
    assert d.pane.notice.words.text() == "1 forgotten memory matches."
    d.pane.notice.button.click()
    d.wait_for("You live in Ghent")
    d.select("You live in Ghent")
    d.find("detail_restore").click()
    d.wait(lambda: home.texts(text="Ghent", statuses=frozenset({Status.ACTIVE})) != [])


def test_where_all_is_forgotten_it_is_said_that_it_can_be_restored(ghent):
    d = ghent
    for left in ("You live in Ghent", "Ruth loves salmon", "You are allergic to walnuts"):
        d.select(left)
        d.wait(lambda left=left: d.detail_text() == left)
        d.find("detail_forget").click()
        d.wait(lambda left=left: left not in d.shown())
    d.wait(lambda: d.pane.notice.isVisible())
    assert d.pane.notice.words.text() == "3 forgotten memories can be restored."
    d.pane.notice.button.click()
    d.wait(lambda: len(d.shown()) == 3)


def test_space_pins(qtbot, home, ghent):
    d = ghent
    d.pane.table.setFocus()
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Space)
    d.wait(lambda: d.pane.table.current().pinned)  # Space turns round what the row says
    assert home.texts(pinned=True) == ["You live in Ghent"]
    d.wait(lambda: d.pane.side.detail.buttons["unpin"].isVisible())
    qtbot.keyClick(d.pane.table, Qt.Key.Key_Space)
    d.wait(lambda: not d.pane.table.current().pinned)
    assert home.texts(pinned=True) == []


def test_several_rows_are_pinned_at_once(qtbot, three_memories, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.table.selectAll()
    assert not d.pane.bulk.buttons["restore"].isVisible()
    d.pane.bulk.buttons["pin"].click()
    d.wait(lambda: len(home.texts(pinned=True)) == 3)
    d.pane.bulk.close_button.click()
    assert d.pane.foot.isVisible()


def test_clearing_counts_first(three_memories, home, desk):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)
    d.pane.search.clear_requested.emit()
    dialog = d.window.findChild(ClearDialog)
    dialog.types[MemoryType.EPISODIC].click()
    d.wait(lambda: dialog.forget_button.text() == "Forget 1 memory")
    dialog.forget_button.click()
    d.wait_for("You live in Ghent", "You are allergic to walnuts")


def test_erasing_redacts_the_message_and_proves_it(home, desk):
    message, talk = home.say("nothing with walnuts please, I am allergic to walnuts")
    quote = Evidence("I am allergic to walnuts", message.created_at, message.id)
    memory = home.remember("You are allergic to walnuts", evidence=[quote])
    d = desk()
    d.wait(lambda: len(d.shown()) == 1)
    d.select("You are allergic to walnuts")
    d.find("detail_erase").click()
    dialog = d.window.findChild(ErasureDialog)
    d.wait(lambda: dialog.inventory_view is not None)
    assert f"message:{message.id}" in dialog.inventory_view.ticked
    dialog.inventory_view.erase_button.click()
    d.wait(lambda: dialog.proof_view is not None)
    assert dialog.findChild(QWidget, "erasure_proof_title").text() == "Erased"
    assert int(dialog.findChild(QWidget, "scan_found_before").text()) > 0
    dialog.proof_view.done_button.click()
    d.wait(lambda: d.pane.empty.isVisible())
    d.wait(lambda: not d.detail_text())
    with pytest.raises(NotFound):
        home.get(memory.id)
    (left,) = home.off_gui(lambda: home.services.conversations.messages(talk.id))
    assert "walnuts" not in left.text.partition("please")[2]
    assert "[erased]" in left.text


def test_a_failure_is_a_sentence_in_its_place(three_memories, home, desk, monkeypatch):
    d = desk()
    d.wait(lambda: len(d.shown()) == 3)

    def fail(*_):
        raise VaultBusy("The vault is in use by another program.")

    monkeypatch.setattr(type(home.services.memories), "forget", fail)
    d.select("You live in Ghent")
    d.find("detail_forget").click()
    d.wait(lambda: d.pane.notice.isVisible())
    assert d.pane.notice.words.text() == "The vault is in use by another program."
    assert len(d.shown()) == 3
