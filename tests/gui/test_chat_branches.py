"""Versions of a message or an answer, and switching between them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from app.domain.model import ModelChoice, ModelPlace, ModelRole
from app.gui.chat.branching import NO_OTHER


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


def test_a_conversation_is_carried_on_in_a_new_one(talk, brain):
    talk.say("Name a colour.")
    talk.say("And another.")
    first = talk.id
    talk.pane.transcript.views[1].act("fork")
    talk.until(lambda: talk.id not in ("", first))
    talk.settle()
    assert talk.turns() == [(True, "Name a colour."), (False, "Fine.")]
    brain.says = "Green."
    talk.say("And a third.")
    assert talk.turns()[-1] == (False, "Green.")
    talk.screen.open(first)
    talk.settle()
    assert [own for own, _ in talk.turns()] == [True, False, True, False]


def test_another_model_is_chosen_for_one_answer(talk, brain, services, monkeypatch):
    other = ModelChoice("file:other.gguf", "Other 7B", ModelRole.CHAT, ModelPlace.FILE, "")
    monkeypatch.setattr(services.library, "chat_choices", lambda: [other])
    talk.say("Name a colour.")
    chosen = []
    talk.screen._branching.model_chosen.disconnect()
    talk.screen._branching.model_chosen.connect(lambda *given: chosen.append(given))
    talk.last().act("regenerate_with")
    talk.until(lambda: talk.pane.findChildren(QMenu, "other_models"))
    (menu,) = talk.pane.findChildren(QMenu, "other_models")
    (line,) = menu.actions()
    assert line.text() == "Other 7B"
    line.trigger()
    assert chosen == [(talk.last().turn.key, "file:other.gguf")]
    menu.close()


def test_where_there_is_no_other_model_the_menu_says_so(talk, services, monkeypatch):
    monkeypatch.setattr(services.library, "chat_choices", list)
    talk.say("Name a colour.")
    talk.last().act("regenerate_with")
    talk.until(lambda: talk.pane.findChildren(QMenu, "other_models"))
    (menu,) = talk.pane.findChildren(QMenu, "other_models")
    assert [(line.text(), line.isEnabled()) for line in menu.actions()] == [(NO_OTHER, False)]
    menu.close()
