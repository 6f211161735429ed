"""What answers a question: one statement, or all that qualify, never what is only near."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from app.conversation.notebook import answered
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Evidence as Stated
from app.domain.memory import Memory, Status, Trust
from app.domain.recall import Hit, HitKind
from app.errors import ModelError
from app.memory.answer.answering import MOST_LISTED, Answerer
from app.providers.judging import Task
from app.store.conversations import Conversations
from app.store.journal.entries import Note
from app.store.messages import Messages
from tests.fakes.understanding import Understanding

NOW = datetime(2026, 5, 8, 10, tzinfo=UTC)


class Sure(Understanding):
    """A judge that is as sure of each text as it is told, and of what answers in place of what."""

    def __init__(self, sure, over=()):
        self._sure, self._over = sure, over

    def judge(self, task, pairs):
        if task is Task.NEWER:
            over = [(told.split(" | ")[1], new) in self._over for told, new in pairs]
            return np.array([[1.0 - one, float(one)] for one in over])
        return np.array([[1 - s, s] for s in (self._sure.get(text, 0.0) for _, text in pairs)])


def memory(text, days=0, **values):
    at = NOW + timedelta(days=days)
    held = Memory(id=text, text=text, created_at=at, updated_at=at, **{"agent_pk": 1, **values})
    return Hit(text, HitKind.MEMORY, text, at, relevance=0.5, memory=held)


def texts(found):
    return [one.text for one in found]


def test_what_answers_best_is_told_and_the_rest_is_more(desk):
    sure = {"I live in Leeds": 0.9, "I was born in York": 0.2, "I like pears": 0.05}
    found = Answerer(desk.store, lambda: Sure(sure)).found("where do I live", [*map(memory, sure)])
    assert texts(found.told) == ["I live in Leeds"]
    assert texts(found.perhaps) == ["I was born in York"]
    assert not found.more


def test_what_is_told_of_the_person_takes_the_place_of_nothing_told_of_their_mother(desk):
    mum, own = "My mum turned 71 last Sunday", "I turned 38 today"
    models = Sure({mum: 0.9, own: 0.6}, over=[(mum, own)])
    hits = [memory(mum), memory(own, days=1)]
    answerer = Answerer(desk.store, lambda: models)
    assert texts(answerer.found("who had a birthday", hits).told) == [own]
    found = answerer.found("how old is my mum", hits)
    assert texts(found.told) == [mum]


def test_of_several_sentences_the_one_that_answers_is_told(desk):
    whole = "My son is called Amahle. Grade 2 at Jacaranda primary. She walks there"
    sure = {"Grade 2 at Jacaranda primary": 0.9, whole: 0.8, "She walks there": 0.95}
    found = Answerer(desk.store, lambda: Sure(sure)).found("which grade", [memory(whole)])
    assert texts(found.told) == ["Grade 2 at Jacaranda primary"], "she cannot be told alone"
    assert not found.perhaps


def test_nothing_is_told_where_nothing_answers(desk):
    hits = [memory("I am allergic to nuts"), memory("I like pears")]
    found = Answerer(desk.store, lambda: Sure({})).found("where do I live", hits)
    assert (found.told, found.more) == ((), ())


def test_where_all_is_asked_for_all_that_qualify_are_told_once(desk):
    sure = {"Ana is my daughter": 0.9, "my daughter is Ana": 0.8, "I have a son, Leo": 0.8}
    sure |= {f"I have a niece called N{n}": 0.6 for n in range(20)}
    answerer = Answerer(desk.store, lambda: Sure(sure))
    found = answerer.found("who is in my family", [*map(memory, sure)], several=True)
    assert texts(found.told)[:2] == ["Ana is my daughter", "I have a son, Leo"]
    assert len(found.told) <= MOST_LISTED


def test_of_two_the_one_that_says_the_other_is_over_is_told(desk):
    old, new = memory("I take 2 units"), memory("It is 3 units now", days=5)
    sure = {old.text: 0.9, new.text: 0.8}
    judge = Sure(sure, over=[(old.text, new.text)])
    found = Answerer(desk.store, lambda: judge).found("how many units", [old, new])
    assert texts(found.told) == [new.text]
    assert texts(found.before) == [old.text]
    assert not found.perhaps, "what is over is not offered as perhaps so"


def test_of_two_that_answer_about_as_well_the_one_that_matters_for_safety_is_told(desk):
    plain, safe = memory("I like walnuts"), memory("Walnuts close my throat", tags=("safety",))
    sure = {plain.text: 0.81, safe.text: 0.8}
    found = Answerer(desk.store, lambda: Sure(sure)).found("may I eat walnuts", [plain, safe])
    assert texts(found.told) == [safe.text]


def test_what_is_worded_alike_of_something_else_is_told_along_newest_first(desk):
    penicillin = memory("I'm allergic to penicillin", tags=("safety",))
    walnuts = memory("I'm allergic to walnuts", days=1, tags=("safety",))
    leo = memory("Leo is fond of walnuts", days=2)
    sure = {penicillin.text: 0.95, walnuts.text: 0.9, leo.text: 0.02}
    for wanted in (False, True):
        found = Answerer(desk.store, lambda: Sure(sure)).found(
            "what am I allergic to", [penicillin, walnuts, leo], several=wanted
        )
        assert {walnuts.text, penicillin.text} == {*texts(found.told)}
    found = Answerer(desk.store, lambda: Sure(sure)).found("what", [penicillin, walnuts, leo])
    assert texts(found.told) == [walnuts.text, penicillin.text]


def test_what_took_anothers_place_is_not_told_beside_it(desk):
    old, new = memory("I take 2 units at breakfast"), memory("I take 3 units at breakfast", days=1)
    sure = {old.text: 0.95, new.text: 0.9}
    judge = Sure(sure, over={(old.text, new.text)})
    found = Answerer(desk.store, lambda: judge).found("how many units", [old, new])
    assert (texts(found.told), texts(found.before)) == ([new.text], [old.text])


def test_a_message_that_adds_no_more_than_fillers_is_not_told_beside_its_memory(desk):
    said = "Well I'm allergic to walnuts, oh dear"
    desk.say(Part(said, PartOrigin.TYPED))
    (message,) = desk.messages.branch(desk.talk.id)
    hits = [memory("I'm allergic to walnuts"), Hit(message.id, HitKind.MESSAGE, said, NOW)]
    sure = {hits[0].text: 0.95, said: 0.95}
    found = Answerer(desk.store, lambda: Sure(sure)).found("what am I allergic to", hits)
    assert texts(found.told) == ["I'm allergic to walnuts"]


def test_what_no_statement_counts_is_counted_by_those_that_qualify(desk):
    sure = {"Bea is my cat": 0.9, "Milo is a cat of mine too": 0.85, "I like pears": 0.05}
    answerer = Answerer(desk.store, lambda: Sure(sure))
    found = answerer.found("how many cats do I have", [*map(memory, sure)])
    assert (texts(found.told), found.counted) == (
        ["Bea is my cat", "Milo is a cat of mine too"],
        True,
    )
    one = answerer.found("how many cats do I have", [memory("Bea is my cat")])
    assert (texts(one.told), one.counted) == (["Bea is my cat"], False)
    said = {"I have two cats": 0.9, "Bea is my cat": 0.8}
    told = Answerer(desk.store, lambda: Sure(said)).found("how many cats", [*map(memory, said)])
    assert (texts(told.told), told.counted) == (["I have two cats"], False)


def test_the_last_of_several_changes_is_told_with_the_one_before_it(desk):
    told = [memory("2 units"), memory("3 units now", days=5), memory("back to 2", days=9)]
    sure = {"2 units": 0.9, "3 units now": 0.6, "back to 2": 0.01}
    judge = Sure(sure, over=[("2 units", "3 units now"), ("3 units now", "back to 2")])
    found = Answerer(desk.store, lambda: judge).found("how many units", told)
    assert texts(found.told) == ["back to 2"]
    assert texts(found.before) == ["3 units now"]
    assert texts(found.more) == ["2 units"]


def test_what_a_memory_took_the_place_of_is_told_below_it(desk):
    now = memory("3 units since May", days=5)
    old = memory("2 units a day", status=Status.SUPERSEDED)
    old, other = replace(old, superseded_by=now.id), replace(old, superseded_by="another")
    sure = {"3 units since May": 0.9, "2 units a day": 0.8}
    answerer = Answerer(desk.store, lambda: Sure(sure))
    assert texts(answerer.found("how many units", [now, old]).before) == ["2 units a day"]
    assert not answerer.found("how many units", [now, other]).before
    sure["2 units a day"] = 0.01
    assert not answerer.found("how many units", [now, old]).before, "it never answered that"


@pytest.mark.parametrize("text", ["I live in [erased]"])
def test_what_was_erased_answers_nothing(desk, text):
    assert not Answerer(desk.store, lambda: Sure({text: 1.0})).found("where", [memory(text)]).told


def test_what_was_replaced_answers_nothing(desk):
    old = memory("I take 2 units", status=Status.SUPERSEDED)
    assert not Answerer(desk.store, lambda: Sure({old.text: 1.0})).found("how many", [old]).told


@pytest.mark.parametrize(
    ("role", "text", "told"),
    [
        (Role.USER, "where do I live again?", []),
        (Role.USER, "Forget that I live in Leeds.", []),
        (Role.ASSISTANT, "You live in Leeds, I think.", []),
        (Role.USER, "Oh dear! I live in Leeds by the river.", ["I live in Leeds by the river."]),
    ],
)
def test_own_questions_and_what_the_assistant_said_are_no_evidence(desk, role, text, told):
    rows = Conversations(desk.vault)
    messages = Messages(desk.vault)
    said = messages.add(rows.create(1).id, role, (Part(text, PartOrigin.TYPED),))
    hit = Hit(said.id, HitKind.MESSAGE, text, NOW, role=role, relevance=0.5)
    everything = type(
        "Any", (Sure,), {"judge": lambda _, task, pairs: np.array([[0, 1]] * len(pairs))}
    )
    found = Answerer(desk.store, lambda: everything({})).found("where do I live", [hit])
    assert texts(found.told)[:1] == told[:1]
    assert all("live" in one.text for one in found.told)


def test_words_that_were_pasted_are_told_from_the_persons_own(desk):
    rows = Conversations(desk.vault)
    messages = Messages(desk.vault)
    text = "The wedding is on the ninth of June."
    said = messages.add(rows.create(1).id, Role.USER, (Part(text, PartOrigin.PASTED),))
    hit = Hit(said.id, HitKind.MESSAGE, text, NOW, role=Role.USER, relevance=0.5)
    (one,) = Answerer(desk.store, lambda: Sure({text: 1.0})).found("when", [hit]).told
    assert one.whence == "in something you pasted, not verified"


@pytest.mark.parametrize("origin", [PartOrigin.PASTED, PartOrigin.ATTACHED])
def test_what_somebody_writes_of_themselves_answers_nothing_about_who_pasted_it(desk, origin):
    rows = Conversations(desk.vault)
    messages = Messages(desk.vault)
    text = "Dear neighbour, I am\nallergic to dust. The boiler broke on Monday. You owe me 5 euros."
    said = messages.add(rows.create(1).id, Role.USER, (Part(text, origin),))
    hit = Hit(said.id, HitKind.MESSAGE, text, NOW, role=Role.USER, relevance=0.5)
    letter, boiler = "Dear neighbour, I am allergic to dust.", "The boiler broke on Monday."
    sure = Sure({letter: 1.0, "allergic to dust.": 1.0, boiler: 0.9})
    answerer = Answerer(desk.store, lambda: sure)
    assert texts(answerer.found("What am I allergic to?", [hit]).told) == [boiler]
    assert texts(answerer.found("What is Hanneke allergic to?", [hit]).told) == [letter]


def test_what_was_pasted_beside_it_never_stands_before_or_in_place_of_what_was_typed(desk):
    rows = Conversations(desk.vault)
    messages = Messages(desk.vault)
    own, other = "My rent is due on the ninth.", "Your rent is due on the first now."
    parts = (Part(f"{own}\n", PartOrigin.TYPED), Part(other, PartOrigin.PASTED))
    said = messages.add(rows.create(1).id, Role.USER, parts)
    hit = Hit(said.id, HitKind.MESSAGE, said.text, NOW, role=Role.USER, relevance=0.5)
    later = messages.add(rows.create(1).id, Role.USER, (Part(other, PartOrigin.PASTED),))
    newer = Hit(
        later.id, HitKind.MESSAGE, other, NOW + timedelta(days=1), role=Role.USER, relevance=0.9
    )
    sure = Sure({own: 0.9, other: 0.99}, over={(own, other)})
    found = Answerer(desk.store, lambda: sure).found("when is my rent due", [newer, hit])
    assert texts(found.told) == [own]
    assert not found.before
    assert not found.told[0].whence
    assert all(one.whence for one in (*found.perhaps, *found.more))


def test_what_is_trusted_less_never_stands_before_or_in_place_of_what_is_trusted_more(desk):
    def at(trust, text, days):
        return replace(memory(text, days), trust=trust)

    own, claim = at(Trust.LEARNED, "Rent is 800", 0), at(Trust.CLAIMED, "Rent is 900 now", 1)
    page, said = at(Trust.EXTERNAL, "Rent is 950 now", 2), at(Trust.LEARNED, "Rent is 850 now", 3)
    hits = [own, claim, page, said]
    over = {(one.text, other.text) for one in hits for other in hits if other.at > one.at}
    sure = Sure({own.text: 0.9, claim.text: 0.99, page.text: 0.95, said.text: 0.8}, over=over)
    answerer = Answerer(desk.store, lambda: sure)
    for known, told in (([own, claim, page], own), ([claim, page], claim), ([page, claim], claim)):
        found = answerer.found("what is my rent", known)
        assert (texts(found.told), found.before) == ([told.text], [])
    found = answerer.found("what is my rent", hits)
    assert (texts(found.told), texts(found.before)) == ([said.text], [own.text])


def test_the_same_words_are_told_as_what_was_typed_rather_than_as_a_claim(desk):
    text, rows = "My rent is due on the ninth.", Conversations(desk.vault)
    messages = Messages(desk.vault)
    said = messages.add(rows.create(1).id, Role.USER, (Part(text, PartOrigin.TYPED),))
    typed = Hit(said.id, HitKind.MESSAGE, text, NOW, role=Role.USER, relevance=0.5)
    claim = replace(memory(text), trust=Trust.CLAIMED)
    answerer = Answerer(desk.store, lambda: Sure({text: 0.9}))
    (one,) = answerer.found("when is my rent due", [claim, typed]).told
    assert (one.own, one.hit) == (True, typed)


def test_without_the_judge_the_likeliest_answers(desk):
    class Silent:
        def read(self, messages, *, urgent=False):
            raise ModelError("The model process stopped.")

        def judge(self, task, pairs):
            raise ModelError("The model process stopped.")

    near, far = memory("I live in Leeds"), replace(memory("I like pears"), relevance=0.3)
    assert texts(Answerer(desk.store, Silent).found("where do I live", [far, near]).told) == [
        near.text
    ]


def kept(desk, said, quote, text):
    """Return the hit of a memory that rests on some words of a message."""
    message = desk.say(said)
    held = memory(text)
    note = Note("user", "insert", "b1", message_id=message.id)
    stored = desk.memories.insert(
        replace(held.memory, source_id=message.id),
        (Stated(quote=quote, created_at=NOW, message_id=message.id),),
        note,
    )
    return replace(held, memory=stored)


def told(desk, hit):
    everything = type(
        "Any", (Sure,), {"judge": lambda _, task, pairs: np.array([[0, 1]] * len(pairs))}
    )
    return texts(Answerer(desk.store, lambda: everything({})).found("why", [hit]).told)


def test_a_memory_is_told_in_its_sentence_which_holds_the_reason(desk):
    said = "All well. She can't drive any more, her eyes are too bad for the road. Bye now."
    hit = kept(desk, said, "She can't drive any more", "[My mother] can't drive any more")
    assert told(desk, hit) == [
        "[My mother] can't drive any more, her eyes are too bad for the road."
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Can I take ibuprofen if I'm allergic to aspirin?",
        "I'm allergic to aspirin and my code was [erased].",
    ],
)
def test_what_a_question_said_and_what_was_erased_is_not_told_along(desk, said):
    hit = kept(desk, said, "I'm allergic to aspirin", "I'm allergic to aspirin")
    assert told(desk, hit) == ["I'm allergic to aspirin"]


def test_what_was_replaced_of_a_sentence_is_not_told_along(desk):
    said = "I take 5 mg of bisoprolol and live in Leeds."
    hit = kept(desk, said, "live in Leeds", "Live in Leeds")
    other = replace(hit.memory, id="old", pk=0, text="I take 5 mg of bisoprolol")
    other = replace(other, status=Status.SUPERSEDED)
    quote = Stated(quote="I take 5 mg of bisoprolol", created_at=NOW, message_id=other.source_id)
    desk.memories.insert(other, (quote,), Note("user", "insert", "b2"))
    assert told(desk, hit) == ["Live in Leeds"]


def test_the_sentence_that_answers_is_told_first_and_then_the_whole(desk):
    whole = "He's home and cross as a bear. Two stents, the surgeon said"
    sure = {whole: 0.9, "He's home and cross as a bear": 0.1, "Two stents, the surgeon said": 0.8}
    (one,) = Answerer(desk.store, lambda: Sure(sure)).found("how many", [memory(whole)]).told
    assert (one.text, one.whole) == ("Two stents, the surgeon said", whole)
    assert answered([one]).splitlines()[2] == f"In full: “{whole}”"
    sure["He's home and cross as a bear"] = 0.7
    (one,) = Answerer(desk.store, lambda: Sure(sure)).found("how many", [memory(whole)]).told
    assert (one.text, one.whole) == (whole, ""), "the first says as much"


def test_what_answers_nearly_as_well_is_told_below(desk):
    sure = {"I live in Leeds": 0.9, "I have a flat in York": 0.8, "I like pears": 0.05}
    found = Answerer(desk.store, lambda: Sure(sure)).found("where do I live", [*map(memory, sure)])
    assert texts(found.told) == ["I live in Leeds"]
    assert texts(found.perhaps) == ["I have a flat in York"]


def test_a_sentence_that_points_back_is_told_with_the_name_of_whom_it_is_about(desk):
    whole = "I have asked Mrs. Lalitha Iyer downstairs. Her number is 94480 77310"
    sure = {whole: 0.9, "Her number is 94480 77310": 0.9}
    (one,) = Answerer(desk.store, lambda: Sure(sure)).found("what number", [memory(whole)]).told
    assert one.text.endswith("Iyer’s] number is 94480 77310")
    assert one.whole == whole


def test_a_question_is_not_told_without_its_answer(desk):
    whole = "Who should be called if something goes wrong? Not Jules. Priya is calm"
    asked = "Who should be called if something goes wrong"
    sure = {asked: 0.9, f"{asked}? Not Jules": 0.8}
    found = Answerer(desk.store, lambda: Sure(sure)).found("who is called", [memory(whole)])
    assert all(asked != one.text for one in (*found.told, *found.perhaps, *found.more))
    assert (found.told[0].text, found.told[0].whole) == ("Not Jules", f"{asked}? Not Jules")


def test_what_hardly_answers_takes_an_answers_place_only_where_that_is_beyond_doubt(desk):
    class Doubts(Sure):
        def judge(self, task, pairs):
            found = super().judge(task, pairs)
            return np.clip(found, 0.1, 0.9) if task is Task.NEWER else found

    told = [memory("2 units"), memory("the red light is on", days=5)]
    sure = {"2 units": 0.9, "the red light is on": 0.01}
    over = [("2 units", "the red light is on")]
    found = Answerer(desk.store, lambda: Doubts(sure, over)).found("how many units", told)
    assert texts(found.told) == ["2 units"]
    sure["the red light is on"] = 0.4
    found = Answerer(desk.store, lambda: Doubts(sure, over)).found("how many units", told)
    assert texts(found.told) == ["the red light is on"]


def test_the_head_of_a_letter_tells_nothing(desk):
    rows = Conversations(desk.vault)
    messages = Messages(desk.vault)
    text = (
        "From: Karel Maes <karel@parish.example>\nSubject: the invoice\n\nThe invoice is paid now."
    )
    said = messages.add(rows.create(1).id, Role.USER, (Part(text, PartOrigin.PASTED),))
    hit = Hit(said.id, HitKind.MESSAGE, text, NOW, role=Role.USER, relevance=0.5)
    found = Answerer(desk.store, lambda: Everything({})).found("who", [hit], several=True)
    assert texts([*found.told, *found.more]) == ["The invoice is paid now."]


class Everything(Sure):
    """A judge for whom everything answers."""

    def judge(self, task, pairs):
        return np.array([[0.1, 0.9]] * len(pairs))
