"""Versions of a message or an answer, and switching between them."""

from PySide6.QtCore import Qt


def test_answering_again_makes_another_version_to_switch_between(talk, brain):
    talk.say("Name a colour.")
    brain.says = "Blue."
    talk.click("message_regenerate", talk.last())
    assert talk.turns()[-1] == (False, "Blue.")
    assert talk.find("branch_where")[0].text() == "2/2"
    talk.click("branch_before")
    assert talk.turns()[-1] == (False, "Fine.")
    assert talk.find("branch_where")[0].text() == "1/2"


def test_editing_a_message_makes_a_branch_and_keeps_the_draft(talk, brain, qtbot):
    talk.say("My name is Bob.")
    field = talk.pane.composer.text
    qtbot.keyClicks(field, "half a thought")
    qtbot.keyClick(field, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert field.toPlainText() == "My name is Bob."
    assert talk.find("composer_banner")
    field.selectAll()
    brain.says = "Hello Rob."
    talk.say("My name is Rob.")
    assert talk.turns() == [(True, "My name is Rob."), (False, "Hello Rob.")]
    assert field.toPlainText() == "half a thought"
    assert talk.pane.transcript.views[0].turn.message.siblings == (2, 2)


def test_escape_leaves_the_editing_of_a_message(talk, qtbot):
    talk.say("My name is Bob.")
    qtbot.keyClick(talk.pane.composer.text, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert talk.screen.escape()
    assert talk.pane.composer.text.toPlainText() == ""
    assert not talk.find("composer_banner")
