"""What is said later: it replaces, corrects, ends or contradicts what was learnt."""

from dataclasses import replace

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Memory, Status, Trust
from app.domain.recall import Hit, HitKind, Recall
from app.store.journal import Note
from app.store.recalls import Recalls


def test_a_newer_value_replaces_the_older_and_both_stay_in_the_history(desk):
    desk.tell("I live in Antwerp.")
    desk.later(days=90)
    batch = desk.tell("Actually, I live in Ghent now.").batch
    old, new = desk.all()
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new.id)
    assert old.valid_to == desk.now
    assert (new.status, new.key, new.value) == (Status.ACTIVE, "home_city", "Ghent")
    (_, receipt) = desk.journal.receipts(desk.talk.id)
    assert list(receipt.replaced) == ["You live in Antwerp"]
    desk.journal.undo(batch, Note("user", "undo", "u1"))
    assert desk.texts() == ["You live in Antwerp"]


def test_an_additional_fact_closes_nothing(desk):
    desk.tell("I work at KBC.")
    desk.tell("I also work at the library on Saturdays.")
    assert len(desk.texts()) == 2


def test_an_ending_closes_what_it_names_and_nothing_else(desk):
    desk.tell("I work at KBC.")
    desk.tell("I no longer work at Acme.")
    assert "You work at KBC" in desk.texts()
    desk.tell("I no longer work at KBC.")
    assert "You work at KBC" not in desk.texts()
    assert "You no longer work at KBC" in desk.texts()
    desk.tell("I work at Barco.")
    desk.tell("I quit my job yesterday.")
    assert "You work at Barco" not in desk.texts()


def test_a_named_mistake_is_put_right_without_a_key(desk):
    desk.tell("My sister is 33.")
    desk.tell("Sorry, I meant my sister is 32, not 33.")
    assert desk.texts() == ["Your sister is 32 years old"]


def test_two_numbers_for_the_same_thing_are_shown_as_a_contradiction(desk):
    desk.tell("My son is 6.")
    desk.tell("My son is 9.")
    six, nine = desk.all()
    assert six.status is nine.status is Status.ACTIVE
    assert nine.conflicted
    assert nine.status_reason == "It may replace another memory that says something else."
    assert six.text not in nine.status_reason


@pytest.mark.parametrize("firm", [{"pinned": True}, {"trust": Trust.SYSTEM}])
def test_what_is_pinned_or_trusted_more_is_only_questioned(desk, firm):
    memory = Memory("m1", "You live in Antwerp", desk.now, desk.now, key="home_city")
    memory = replace(memory, value="Antwerp", **firm)
    desk.memories.insert(memory, (), Note("user", "insert", "b1"))
    desk.tell("I live in Ghent.")
    old, new = desk.all()
    assert old.status is Status.ACTIVE
    assert new.status is Status.PROPOSED
    assert new.status_reason.startswith("It contradicts a memory")
    assert "Antwerp" not in new.status_reason


def test_an_older_message_read_later_does_not_replace_the_newer(desk):
    old = desk.say("I live in Antwerp.")
    desk.later(days=30)
    desk.tell("I live in Ghent.")
    desk.learn(old)
    assert desk.texts() == ["You live in Ghent"]
    assert desk.texts("superseded") == ["You live in Antwerp"]


DOSE = "I take 5 mg of lisinopril every morning."


def test_a_new_value_keeps_what_it_does_not_touch(desk):
    desk.tell(DOSE)
    desk.later(days=1)
    message = desk.say("I take 10 mg of lisinopril now.")
    batch = desk.learn(message).batch
    old, new = desk.all()
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new.id)
    assert new.text == "You take 10 mg of lisinopril every morning"
    assert (new.key, new.value) == ("medication_lisinopril", "10 mg")
    assert desk.memories.evidence(new.id)[0].quote == "I take 10 mg of lisinopril now."
    assert desk.learn(message).batch == ""
    desk.journal.undo(batch, Note("user", "undo", "u1"))
    assert desk.learn(message).batch == ""
    assert desk.texts() == ["You take 5 mg of lisinopril every morning"]


def test_a_value_of_more_than_a_number_is_kept_in_step(desk):
    desk.tell("My rent is 800 euros a month.")
    desk.tell("My rent is 900 euros now.")
    assert desk.texts() == ["Your rent is 900 euros a month"]
    assert desk.all()[-1].value == "900 euros a month"


@pytest.mark.parametrize(
    "said", ["I take 10 mg of lisinopril in the evening.", "I take two pills of lisinopril 10 mg."]
)
def test_a_correction_that_says_more_is_left_in_the_persons_own_words(desk, said):
    desk.tell(DOSE)
    desk.tell(said)
    assert "every morning" not in desk.texts()[-1]


@pytest.mark.parametrize(
    "said",
    ["It's 10 mg now.", "actually 10 mg", "No, it's 10 mg, not 5 mg.", "They raised it to 10mg."],
)
def test_a_bare_value_puts_right_what_was_said_before(desk, said):
    desk.tell(DOSE)
    desk.answer("Noted: 5 mg of lisinopril.")
    message = desk.say(said)
    batch = desk.learn(message).batch
    old, new = desk.all()
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, new.id)
    assert new.text.replace("10mg", "10 mg") == "You take 10 mg of lisinopril every morning"
    assert (new.key, new.value.replace(" ", "")) == ("medication_lisinopril", "10mg")
    (evidence,) = desk.memories.evidence(new.id)
    assert (evidence.quote, evidence.message_id) == (said, message.id)
    assert desk.learn(message).batch == ""
    desk.journal.undo(batch, Note("user", "undo", "u1"))
    assert desk.learn(message).batch == ""
    assert desk.texts() == ["You take 5 mg of lisinopril every morning"]


def test_a_bare_value_puts_right_what_has_no_key(desk):
    desk.tell("I run 5 km every morning.")
    desk.tell("It's 8 km now.")
    assert desk.texts() == ["You run 8 km every morning"]


def test_a_bare_value_is_about_the_memory_that_the_answer_has_told(desk):
    desk.tell(DOSE)
    (memory,) = desk.all()
    other = desk.conversations.create(created_at=desk.now)
    desk.say("How much lisinopril do I take?", talk=other)
    reply = Part("You take 5 mg of lisinopril every morning [1].", PartOrigin.MODEL)
    answer = desk.say(reply, role=Role.ASSISTANT, talk=other)
    hit = Hit(memory.id, HitKind.MEMORY, memory.text, desk.now, pk=memory.pk)
    Recalls(desk.vault).save(answer.id, Recall(hits=(hit,)), [memory.id], [memory.id])
    desk.learn(desk.say("It's 10 mg now.", talk=other))
    assert desk.texts() == ["You take 10 mg of lisinopril every morning"]


@pytest.mark.parametrize(
    ("before", "answer", "said"),
    [
        (f"{DOSE} I take 5 mg of amlodipine.", "Noted.", "It's 10 mg now."),
        (DOSE, "Noted.", "It's 10 mg."),
        (DOSE, "Noted.", "Is it 10 mg now?"),
        (DOSE, "Noted.", "It's 10 km now."),
        (DOSE, "Noted.", "It's 10 mg now, not 20."),
        (DOSE, "Often one takes 40 mg.", "Actually 10 mg."),
    ],
)
def test_a_bare_value_in_doubt_changes_nothing(desk, before, answer, said):
    desk.tell(before)
    known = desk.all()
    desk.answer(answer)
    desk.tell(said)
    assert desk.all() == known


def test_a_bare_value_does_not_touch_what_others_wrote_or_what_is_long_ago(desk):
    leaflet = desk.say(Part("Adults take 5 mg daily.", PartOrigin.PASTED))
    desk.remember.remember_selection(leaflet.id)
    desk.tell("It's 10 mg now.")
    assert desk.texts() == ["Adults take 5 mg daily."]
    desk.tell(DOSE)
    for _ in range(3):
        desk.tell("Thanks.")
    desk.tell("It's 10 mg now.")
    assert "You take 5 mg of lisinopril every morning" in desk.texts()


def test_the_same_value_said_with_more_words_stands_beside_it(desk):
    desk.tell("I work at KBC.")
    desk.tell("I work at KBC as an analyst in the Ghent office.")
    assert desk.texts()[0] == "You work at KBC"
    assert len(desk.texts()) == 2
    desk.tell("I work at KBC!")
    assert len(desk.texts()) == 2


def test_what_says_all_that_was_replaced_is_replaced_with_it(desk):
    desk.tell("I live in Ghent.")
    desk.tell("I live in Ghent near the station.")
    desk.tell("I work in Ghent every Monday.")
    assert len(desk.texts()) == 3
    desk.tell("I moved to Lille.")
    assert [text for text in desk.texts() if "Ghent" in text] == ["You work in Ghent every Monday"]


def test_a_trade_that_was_plied_somewhere_ends_with_the_work_there(desk):
    desk.tell("I work as a nurse at Saint Lucas hospital.")
    desk.tell("I'm a nurse at Saint Lucas hospital.")
    desk.tell("I no longer work at Saint Lucas hospital.")
    assert desk.texts() == ["You no longer work at Saint Lucas hospital"]


FIRST = {
    "I live in Ghent.": "live in Lille",
    "I work at Siemens.": "work at Acme",
    "I am a nurse.": "am a translator",
    "I drive a Volvo.": "drive a Fiat",
}


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize(
    "added",
    [
        "I {} too.",
        "I {}, too!",
        "I {} as well.",
        "I also {}.",
        "Also, I {}.",
        "Besides, I {}.",
        "I too {}.",
        "I {} too, by the way.",
    ],
)
def test_an_addition_never_closes_anything(desk, first, added):
    desk.tell(first)
    desk.later(days=1)
    before = desk.texts()
    desk.tell(added.format(FIRST[first]))
    assert set(before) <= set(desk.texts())
    assert not any(memory.valid_to or memory.conflicted for memory in desk.all())


def test_a_second_address_stands_beside_the_first(desk):
    desk.tell("My email is a@b.org.")
    desk.tell("My email is c@d.org too.")
    assert desk.texts() == ["Your email is a@b.org", "Your email is c@d.org"]


def homes(desk):
    """Return every home there was, with what it holds, whether it is one still, and until when."""
    found = [m for m in desk.all() if m.text.startswith("You live")]
    return {m.text: (m.key, m.status, m.valid_to) for m in found}


@pytest.mark.parametrize(
    "moved", ["I moved to Lille.", "I moved from Ghent to Lille.", "I moved, now I live in Lille."]
)
def test_who_moves_to_their_second_home_has_left_the_first(desk, moved):
    for said in ("I live in Ghent.", "I live in Ghent near the station.", "I live in Lille too."):
        desk.tell(said)
        desk.later(days=1)
    before = homes(desk)
    message = desk.say(moved)
    batch = desk.learn(message).batch
    gone = (Status.SUPERSEDED, desk.now)
    assert homes(desk) == {
        "You live in Ghent": ("home_city", *gone),
        "You live in Ghent near the station": (None, *gone),
        "You live in Lille": ("home_city", Status.ACTIVE, None),
    }
    home = desk.memories.by_key(1, "home_city")
    assert (home.value, home.seen_count) == ("Lille", 2)
    assert {m.superseded_by for m in desk.all() if m.valid_to} == {home.id}
    assert desk.learn(message).batch == ""
    assert desk.journal.undo(batch, Note("user", "undo", "u1"))[1] == []
    assert homes(desk) == before
    assert desk.learn(message).batch == ""
    assert homes(desk) == before


def test_a_move_that_adds_nothing_but_itself_can_be_undone_too(desk):
    for said in ("I live in Ghent.", "I live in Lille too."):
        desk.tell(said)
    moved = "I moved, now I live in Lille."
    batch = desk.tell(moved).batch
    assert batch
    assert desk.texts() == ["You live in Lille"]
    desk.journal.undo(batch, Note("user", "undo", "u1"))
    assert desk.texts() == ["You live in Ghent", "You live in Lille"]


@pytest.mark.parametrize(
    "said", ["I live in Lille.", "I moved desks and I live in Lille.", "I moved to Lille too."]
)
def test_who_says_their_second_home_again_has_both(desk, said):
    desk.tell("I live in Ghent.")
    desk.tell("I live in Lille too.")
    before = homes(desk)
    desk.tell(said)
    assert homes(desk) == before


@pytest.mark.parametrize("firm", [{"pinned": True}, {"trust": Trust.SYSTEM}])
def test_a_move_closes_no_home_that_is_pinned_or_trusted_more(desk, firm):
    memory = Memory("m1", "You live in Ghent", desk.now, desk.now, key="home_city")
    memory = replace(memory, value="Ghent", **firm)
    desk.memories.insert(memory, (), Note("user", "insert", "b1"))
    desk.tell("I live in Lille too.")
    desk.tell("I moved to Lille.")
    assert homes(desk)["You live in Ghent"] == ("home_city", Status.ACTIVE, None)
    assert homes(desk)["You live in Lille"] == (None, Status.ACTIVE, None)


def test_a_move_that_is_read_late_closes_nothing_that_was_said_since(desk):
    moved = desk.say("I moved to Lille.")
    desk.later(days=30)
    desk.tell("I live in Ghent.")
    desk.tell("I live in Lille too.")
    desk.learn(moved)
    assert homes(desk)["You live in Ghent"] == ("home_city", Status.ACTIVE, None)
