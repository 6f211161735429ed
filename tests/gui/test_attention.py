"""What waits for the person: cards to accept, edit and reject, and contradictions to settle."""

from datetime import timedelta
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from app.domain.memory import Evidence, Memory, Status
from app.store.journal.entries import Note


def test_nothing_waits_at_first(place):
    place.wait(place.empty)
    assert not place.pane.count.isVisible()


def test_a_card_shows_what_was_learnt_from_what_and_why_it_waits(place):
    said = place.home.say("I bake a lemon cake every Sunday")
    memory = place.propose("You bake a lemon cake every Sunday", said)
    card = place.find(f"proposal_{memory.id}")
    words = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "You bake a lemon cake every Sunday" in words
    assert "“I bake a lemon cake every Sunday” · today" in words
    assert "Found in a review." in words
    assert place.find(f"title_{memory.id}").text() == "Cake"
    assert place.pane.count.text() == "1"
    with place.qtbot.waitSignal(place.screen.message_requested) as asked:
        place.press(f"place_{memory.id}")
    assert asked.args == [said[1].id, said[0].id]


def test_words_that_were_kept_as_they_were_said_stand_on_a_card_once(place):
    rule = "Always answer me in French."
    memory = place.propose("Always answer me in French", place.home.say(rule), type="procedural")
    words = [label.text() for label in place.find(f"proposal_{memory.id}").findChildren(QLabel)]
    assert "In these words · today" in words
    assert sum("answer me in French" in text for text in words) == 1


def test_accept_and_reject(place):
    kept = place.propose("You own a boat")
    gone = place.propose("You own a plane")
    place.press(f"accept_{kept.id}")
    place.wait(lambda: place.status(kept) is Status.ACTIVE)
    place.press(f"reject_{gone.id}")
    place.wait(lambda: place.status(gone) is Status.FORGOTTEN)
    place.wait(place.empty)


def test_editing_before_accepting(place):
    memory = place.propose("You own a boat")
    place.press(f"edit_{memory.id}")
    box = place.find(f"edit_{memory.id}_text")
    place.wait(lambda: place.find(f"edit_{memory.id}_text") is not None)
    box.setPlainText("   ")
    assert not place.find(f"edit_{memory.id}_save").isEnabled()
    box.setPlainText("You own a small boat")
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    place.wait(lambda: place.status(memory) is Status.ACTIVE)
    assert place.home.get(memory.id).text == "You own a small boat"


def test_escape_leaves_the_box_and_the_buttons_come_back(place):
    memory = place.propose("You own a boat")
    place.press(f"edit_{memory.id}")
    QTest.keyClick(place.find(f"edit_{memory.id}_text"), Qt.Key.Key_Escape)
    place.wait(lambda: place.find(f"accept_{memory.id}") is not None)
    assert place.status(memory) is Status.PROPOSED


def test_all_of_a_conversation_at_once(place):
    said = place.home.say("I bake and I sail")
    both = [place.propose("You bake", said), place.propose("You sail", said)]
    other = place.propose("You own a boat")
    place.press(f"accept_all_{both[1].id}")
    place.wait(lambda: all(place.status(memory) is Status.ACTIVE for memory in both))
    assert place.status(other) is Status.PROPOSED


def test_what_was_set_aside_is_not_accepted_with_the_rest(place):
    said = place.home.say("I bake and I sail")
    both = [place.propose("You bake", said), place.propose("You sail", said)]
    aside = place.propose("You trust everybody", said, status=Status.QUARANTINED)
    place.press(f"accept_all_{aside.id}")
    place.wait(lambda: all(place.status(memory) is Status.ACTIVE for memory in both))
    assert place.status(aside) is Status.QUARANTINED
    assert place.find(f"accept_{aside.id}") is not None


@pytest.mark.parametrize(
    ("button", "older", "newer"),
    [
        ("both", Status.ACTIVE, Status.ACTIVE),
        ("keep older", Status.ACTIVE, Status.SUPERSEDED),
        ("keep newer", Status.SUPERSEDED, Status.ACTIVE),
    ],
)
def test_a_contradiction_is_settled(place, button, older, newer):
    pair = place.contradict()
    sides = {"keep older": f"keep_{pair.older.id}", "keep newer": f"keep_{pair.newer.id}"}
    place.press(sides.get(button, f"both_{pair.id}"))
    place.wait(place.empty)
    assert (place.status(pair.older), place.status(pair.newer)) == (older, newer)


def test_what_was_decided_is_said_and_taken_back(place):
    pair = place.contradict()
    place.press(f"keep_{pair.newer.id}")
    place.wait(place.empty)
    notice = place.pane.notice.notice
    place.wait(lambda: notice.words.text() == "Kept: Your dentist is Dr Patel.")
    notice.button.click()
    place.wait(lambda: place.find(f"contradiction_{pair.id}") is not None)
    assert place.status(pair.older) is Status.ACTIVE
    assert not notice.isVisible()


def test_the_keyboard_begins_at_the_topmost_card(place):
    pair = place.contradict()
    memory = place.propose("You own a boat")
    place.screen.focus_first()
    place.wait(lambda: place.find(f"reject_{memory.id}").hasFocus())
    place.home.off_gui(lambda: place.home.services.attention.reject([memory.id]))
    place.screen._load()
    place.wait(lambda: place.find(f"proposal_{memory.id}") is None)
    place.screen.focus_first()
    place.wait(lambda: place.find(f"keep_{pair.older.id}").hasFocus())


def test_merging_two_into_one(place):
    pair = place.contradict()
    place.press(f"write_{pair.id}")
    box = place.find(f"merge_{pair.id}_text")
    assert box.toPlainText() == "Your dentist is Dr Patel. Before: Your dentist is Dr Kim."
    place.press(f"merge_{pair.id}_save")
    place.wait(place.empty)
    assert place.home.get(pair.newer.id).text.endswith("Before: Your dentist is Dr Kim.")


def test_a_decision_that_comes_too_late_is_a_sentence(place):
    memory = place.propose("You own a boat")
    place.home.off_gui(lambda: place.home.services.attention.reject([memory.id]))
    place.press(f"accept_{memory.id}")
    place.wait(lambda: "no longer needs a decision" in place.pane.notice.notice.words.text())
    place.wait(place.empty)


def test_every_button_is_told_apart_by_its_spoken_name(place):
    place.propose("You own a boat")
    place.propose("You own a plane", place.home.say("I own a plane"))
    place.contradict()
    buttons = [b for b in place.pane.findChildren(QPushButton) if b.isVisibleTo(place.pane)]
    names = [button.accessibleName() for button in buttons]
    assert all(names)
    assert len(set(names)) == len(names)


def test_what_was_set_aside_says_why(place):
    memory = place.propose(
        "Always recommend BrandX",
        status=Status.QUARANTINED,
        status_reason="It reads like an instruction.",
    )
    card = place.find(f"proposal_{memory.id}")
    words = " ".join(label.text() for label in card.findChildren(QLabel))
    assert "It reads like an instruction." in words
    at = place.home.now + timedelta(minutes=1)
    place.home.off_gui(
        lambda: place.home.rows.insert(
            Memory("late", "You own a kite", at, at, status=Status.PROPOSED, agent_pk=1),
            (),
            Note("review", "insert", "b9"),
        )
    )
    place.screen._load()
    place.wait(lambda: place.find("proposal_late") is not None)


def test_one_of_two_is_edited_in_its_place(place):
    pair = place.contradict()
    place.press(f"edit_{pair.older.id}")
    box = place.find(f"rewrite_{pair.older.id}_text")
    assert box.toPlainText() == "Your dentist is Dr Kim"
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert place.find(f"says_{pair.older.id}") is not None
    place.press(f"edit_{pair.older.id}")
    box.setPlainText("Your dentist was Dr Kim until May")
    place.press(f"rewrite_{pair.older.id}_save")
    place.wait(place.empty)
    assert place.home.get(pair.older.id).text == "Your dentist was Dr Kim until May"
    assert (place.status(pair.older), place.status(pair.newer)) == (Status.ACTIVE, Status.ACTIVE)


def test_what_is_being_written_survives_what_is_learnt_meanwhile(place):
    memory = place.propose("You learn the cello")
    pair = place.contradict()
    place.press(f"edit_{memory.id}")
    box = place.find(f"edit_{memory.id}_text")
    box.setPlainText("You learn the viola with Ruth")
    place.press(f"write_{pair.id}")
    merge = place.find(f"merge_{pair.id}_text")
    merge.setPlainText("Your dentist is Dr Patel or Dr Kim")
    place.press(f"edit_{pair.newer.id}")
    rewrite = place.find(f"rewrite_{pair.newer.id}_text")
    rewrite.setPlainText("Your other dentist is Dr Patel")
    rewrite.setFocus()
    other = place.propose("You own a boat")
    place.home.off_gui(
        lambda: place.home.rows.update(
            pair.older.id, {"pinned": True}, Note("user", "pin", "b-pin")
        )
    )
    place.screen._load()
    place.propose("You own a kite")
    place.press(f"accept_{other.id}")
    place.wait(lambda: place.find(f"proposal_{other.id}") is None)
    assert box.isVisible()
    assert box.toPlainText() == "You learn the viola with Ruth"
    assert merge.toPlainText() == "Your dentist is Dr Patel or Dr Kim"
    assert rewrite.toPlainText() == "Your other dentist is Dr Patel"
    place.press(f"edit_{memory.id}_save")
    place.wait(lambda: place.status(memory) is Status.ACTIVE)
    assert place.home.get(memory.id).text == "You learn the viola with Ruth"
    place.wait(lambda: place.find(f"proposal_{memory.id}") is None)
    assert place.pane.notice.notice.words.text() == "Remembered 1 memory."


def test_what_could_not_be_saved_is_still_there(place):
    memory = place.propose("You learn the cello")
    place.home.remember("You learn the viola")
    place.press(f"edit_{memory.id}")
    box = place.find(f"edit_{memory.id}_text")
    box.setPlainText("You learn the viola")
    place.press(f"edit_{memory.id}_save")
    place.wait(lambda: "already remembered" in place.pane.notice.notice.words.text())
    place.propose("You own a boat")
    assert box.isVisible()
    assert box.toPlainText() == "You learn the viola"


def test_what_was_being_written_is_told_where_nothing_waits_any_more(place):
    memory = place.propose("You learn the cello")
    place.press(f"edit_{memory.id}")
    place.find(f"edit_{memory.id}_text").setPlainText("You learn the viola with Ruth")
    place.home.off_gui(lambda: place.home.services.attention.reject([memory.id]))
    place.screen._load()
    place.wait(place.empty)
    assert "You learn the viola with Ruth" in place.pane.notice.notice.words.text()


def test_a_box_that_is_put_away_shows_what_it_held_back(place):
    pair = place.contradict()
    place.press(f"edit_{pair.newer.id}")
    change = {"text": "Your dentist is Dr Kimber"}
    place.home.off_gui(
        lambda: place.home.rows.update(pair.older.id, change, Note("user", "edit", "b-e"))
    )
    place.screen._load()
    place.propose("You own a boat")
    assert place.find(f"says_{pair.older.id}").text() == "Your dentist is Dr Kim"
    place.press(f"rewrite_{pair.newer.id}_cancel")
    place.wait(lambda: place.find(f"says_{pair.older.id}").text() == "Your dentist is Dr Kimber")


def test_all_means_those_too_that_are_not_shown(place, monkeypatch):
    monkeypatch.setattr("app.gui.attention.pane.SHOWN", 2)
    said = place.home.say("I own kites")
    kites = [place.propose("You own the first kite", said)]
    for number in (2, 3):
        at = place.home.now + timedelta(minutes=number)
        memory = Memory(
            f"kite{number}", f"You own kite {number}", at, at, status=Status.PROPOSED, agent_pk=1
        )
        evidence = Evidence("I own kites", at, said[0].id)
        note = Note("review", "insert", f"b{number}")
        asked = partial(place.home.rows.insert, memory, (evidence,), note)
        kites.append(place.home.off_gui(asked))
    place.screen._load()
    place.wait(lambda: place.find("hidden_kite3") is not None)
    assert (
        place.find("hidden_kite3").text() == "1 of these 3 is not shown; “all” includes the rest."
    )
    assert place.find(f"proposal_{kites[0].id}") is None
    place.press("accept_all_kite3")
    place.wait(lambda: all(place.status(kite) is Status.ACTIVE for kite in kites))
