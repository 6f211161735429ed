"""Choosing what a conversation may do with memory, and that a message is not remembered."""

import pytest

from app.domain.conversation import MemoryMode, Standing
from app.errors import NotFound, VaultBusy
from app.gui.chat.wording import KEEP, MODES, TEMPORARY


def choose(talk, mode):
    talk.pane.composer.mode_chip._actions[mode].trigger()
    talk.settle()


def listed(talk):
    return talk.off_gui(lambda: [one.id for one in talk.services.conversations.list()])


def mode_of(talk, conversation_id):
    return talk.off_gui(lambda: talk.services.conversations.get(conversation_id)).mode


def is_gone(talk, conversation_id):
    with pytest.raises(NotFound):
        talk.off_gui(lambda: talk.services.conversations.get(conversation_id))
    return True


def menu_of(chip):
    return {action.text(): action for action in chip._menu.actions() if action.text()}


def test_the_menu_has_every_mode_and_says_what_each_does(talk):
    assert set(MODES) == set(MemoryMode)
    for chip in (talk.pane.composer.mode_chip, talk.pane.header.mode_chip):
        menu = menu_of(chip)
        for title, _, about in MODES.values():
            assert about in menu[title].toolTip()
            assert menu[title].isEnabled()
    assert menu_of(talk.pane.composer.mode_chip)["Not this message"].isVisible()
    assert not menu_of(talk.pane.header.mode_chip)["Not this message"].isVisible()


def test_a_temporary_conversation_says_so_and_is_gone_once_another_is_opened(talk):
    talk.say("First conversation.")
    first = talk.id
    talk.screen.start_new()
    assert not talk.pane.temporary.isVisible()
    choose(talk, MemoryMode.TEMPORARY)
    assert talk.pane.temporary.words.text() == TEMPORARY
    assert not talk.pane.temporary.button.isVisible()  # there is nothing to keep yet
    talk.say("My secret is safe.")
    passing = talk.id
    assert mode_of(talk, passing) is MemoryMode.TEMPORARY
    assert talk.pane.temporary.isVisible()
    assert listed(talk) == [first]
    talk.screen.open(first)
    talk.settle()
    assert not talk.pane.temporary.isVisible()
    assert is_gone(talk, passing)
    assert listed(talk) == [first]


def test_it_is_gone_once_a_new_one_is_begun_and_what_was_being_written_too(talk):
    choose(talk, MemoryMode.TEMPORARY)
    talk.say("My secret is safe.")
    passing = talk.id
    talk.qtbot.keyClicks(talk.pane.composer.text, "And another secret")
    talk.screen.start_new()
    talk.settle()
    assert is_gone(talk, passing)
    assert talk.pane.composer.text.toPlainText() == ""
    assert talk.pane.composer.mode_chip.text() == "Remembers"


def test_it_is_gone_once_the_window_is_closed(talk):
    choose(talk, MemoryMode.TEMPORARY)
    talk.say("My secret is safe.")
    passing = talk.id
    talk.off_gui(talk.screen.unsaved())
    assert is_gone(talk, passing)


def test_it_is_gone_even_if_it_is_left_while_its_answer_comes(talk, brain):
    brain.says = "slow answer here"
    brain.gate.clear()
    choose(talk, MemoryMode.TEMPORARY)
    talk.say("Second conversation.", wait=False)
    talk.until(lambda: talk.screen._page.live is not None and talk.screen._page.live.pieces)
    passing = talk.id
    talk.screen.start_new()
    brain.gate.set()
    talk.settle()
    assert is_gone(talk, passing)
    assert not talk.screen._page.lives


def test_it_can_be_kept_and_then_stays(talk):
    choose(talk, MemoryMode.TEMPORARY)
    talk.say("My secret is safe.")
    kept = talk.id
    assert talk.pane.temporary.button.text() == KEEP
    (button,) = talk.find("chat_temporary_button")
    button.click()
    assert not talk.screen._page.passing  # at once, so that leaving it now deletes nothing
    talk.settle()
    assert mode_of(talk, kept) is MemoryMode.OFF
    talk.until(lambda: not talk.pane.temporary.isVisible())
    assert talk.pane.composer.mode_chip.text() == "Off"
    talk.screen.start_new()
    talk.settle()
    assert listed(talk) == [kept]


def test_the_menu_offers_only_what_is_possible_once_there_are_messages(talk):
    talk.say("Hello.")
    menu = menu_of(talk.pane.header.mode_chip)
    assert not menu["Temporary"].isEnabled()
    assert "Only a new conversation" in menu["Temporary"].toolTip()
    assert not menu[KEEP].isVisible()
    talk.screen.start_new()
    choose(talk, MemoryMode.TEMPORARY)
    talk.say("Hello.")
    menu = menu_of(talk.pane.header.mode_chip)
    assert not menu["Remembers"].isEnabled()
    assert menu[KEEP].isVisible()
    kept = talk.id
    menu[KEEP].trigger()
    talk.settle()
    assert mode_of(talk, kept) is MemoryMode.OFF


def test_not_this_message_counts_for_one_message_and_is_marked(talk):
    composer = talk.pane.composer
    aside = menu_of(composer.mode_chip)["Not this message"]
    aside.trigger()
    assert composer.mode_chip.text() == "Not this message"
    assert "will not be remembered" in composer.text.placeholderText()
    talk.say("I'm allergic to walnuts.")
    assert not aside.isChecked()
    assert composer.mode_chip.text() == "Remembers"
    talk.say("I play the piano.")
    talk.learn()
    assert talk.memories() == {"I play the piano"}
    assert [one.standing for one in talk.kept()] == [Standing.ASIDE] * 2 + [Standing.OWN] * 2
    marks = [view.aside.isVisibleTo(view) for view in talk.pane.transcript.views[::2]]
    assert marks == [True, False]


def test_editing_such_a_message_leaves_it_set_aside_unless_the_person_says_otherwise(talk):
    aside = menu_of(talk.pane.composer.mode_chip)["Not this message"]
    aside.trigger()
    talk.say("I'm allergic to walnuts.")
    talk.screen._drafting.edit(talk.kept()[0])
    assert aside.isChecked()
    talk.say(" And to pollen.")
    assert not aside.isChecked()
    assert talk.kept()[0].text.endswith("And to pollen.")
    assert talk.kept()[0].aside


def test_not_this_message_is_of_the_message_in_the_field_and_not_of_the_next_page(talk):
    talk.say("First conversation.")
    first = talk.id
    aside = menu_of(talk.pane.composer.mode_chip)["Not this message"]
    aside.trigger()
    talk.qtbot.keyClicks(talk.pane.composer.text, "Between us")
    talk.screen.start_new()
    talk.settle()
    assert not aside.isChecked()
    talk.screen.open(first)
    talk.settle()
    assert talk.pane.composer.text.toPlainText() == "Between us"
    assert aside.isChecked()


def test_where_nothing_is_learnt_there_is_no_such_choice(talk):
    aside = menu_of(talk.pane.composer.mode_chip)["Not this message"]
    aside.trigger()
    choose(talk, MemoryMode.OFF)
    assert not aside.isEnabled()
    assert not aside.isChecked()
    assert talk.pane.composer.mode_chip.text() == "Off"


def test_what_could_not_be_kept_stays_temporary_and_that_is_said(talk, monkeypatch):
    choose(talk, MemoryMode.TEMPORARY)
    talk.say("My secret is safe.")

    def busy(_self, _conversation_id):
        raise VaultBusy("Another program is writing.")

    monkeypatch.setattr(type(talk.services.conversations), "keep", busy)
    talk.click("chat_temporary_button")
    assert talk.screen._page.passing
    assert talk.pane.temporary.isVisible()
    assert talk.pane.notice.words.text() == "Another program is writing."
