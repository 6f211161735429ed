"""A model proposes; its proposals are read leniently and believed only where they quote."""

import json
from datetime import UTC, datetime
from threading import Event

import pytest

from app.domain.memory import MemoryType
from app.errors import Cancelled, ModelError, TooLong
from app.memory.learn.llm_extract import proposals
from app.memory.learn.replies import parsed
from tests.unit.memory.conftest import FRIDAY, FakeChat

TYPED = "I live in Ghent with my sister Ruth. Could you find us a lamp? I said 'I am a pirate'."
HOME = {"quote": "I live in Ghent", "content": "You live in Ghent", "kind": "fact"}


def ask(reply, typed=TYPED, limit=5, **options):
    model = FakeChat(reply if isinstance(reply, str) else json.dumps(reply))
    return proposals(asking(model), typed, FRIDAY, limit, **options)


def asking(model):
    return lambda prompt, sampling: parsed("".join(model.stream(prompt, sampling, Event())))


@pytest.mark.parametrize(
    "wrapped",
    [
        "%s",
        "```json\n%s\n```",
        "Here is what I found [as asked]:\n%s\nI hope this helps!",
        "<think>{maybe}</think> %s",
    ],
)
@pytest.mark.parametrize("top", [{"memories": [HOME]}, [HOME], HOME])
def test_a_reply_is_read_however_it_is_wrapped(wrapped, top):
    (candidate,) = ask(wrapped % json.dumps(top))
    assert (candidate.text, candidate.quote) == ("You live in Ghent", "I live in Ghent")


@pytest.mark.parametrize(
    "reply", ["", "nothing", "{", "[]", '{"memories": null}', "[1, 2]", "[[]]"]
)
def test_what_cannot_be_read_is_nothing(reply):
    assert ask(reply) == []


def test_one_bad_item_does_not_lose_the_others():
    bad = [
        {**HOME, "kind": "gossip"},
        {**HOME, "content": ""},
        {**HOME, "content": "x" * 400},
        {**HOME, "entities": 7},
        {"content": "You live in Ghent"},
        "You live in Ghent",
    ]
    assert len(ask({"memories": [*bad, HOME]})) == 1


@pytest.mark.parametrize(
    "quote",
    [
        "I live in Bruges",  # never typed
        "I",  # proves nothing
        "Could you find us a lamp?",  # a question
        "I am a pirate",  # somebody else's words
        "",
    ],
)
def test_a_proposal_that_quotes_no_statement_of_the_person_is_dropped(quote):
    assert ask([{**HOME, "quote": quote}]) == []


def test_a_quote_may_differ_in_case_spaces_and_apostrophes():
    (candidate,) = ask(
        [{"quote": "i DON’T  eat pork.", "content": "You do not eat pork", "kind": "preference"}],
        typed="Also: I don't eat pork.",
    )
    assert candidate.category == "preference"


def test_a_name_that_was_not_typed_is_invented():
    assert ask([{**HOME, "content": "You live in Ghent with Tom"}]) == []
    assert ask([{**HOME, "content": "You live in Ghent with Ruth"}])


def test_a_memory_is_in_the_voice_of_the_person():
    said = {
        "The user lives in Ghent": "I live in Ghent",
        "User's sister is Ruth": "My sister is Ruth",
        "The user is in Ghent and the user's sister too": "I am in Ghent and my sister too",
        "The user was in Ghent": "I was in Ghent",
        "I live in Ghent": "I live in Ghent",
    }
    for content, text in said.items():
        assert [c.text for c in ask([{**HOME, "content": content}])] == [text]


def test_no_more_than_the_limit_are_taken():
    items = [{**HOME, "content": f"You live in Ghent number {n}"} for n in range(9)]
    assert len(ask(items, limit=3)) == 3
    assert ask(items, limit=0) == []


def test_types_dates_and_entities_are_kept_as_far_as_they_are_sound():
    event = {**HOME, "kind": "event", "occurred_at": "2026-05-07", "entities": ["user", "Ghent", 3]}
    (candidate,) = ask([event])
    assert candidate.type is MemoryType.EPISODIC
    assert candidate.occurred_at == datetime(2026, 5, 7, tzinfo=UTC)
    assert set(candidate.entities) == {"user", "Ghent"}
    (far,) = ask([{**event, "occurred_at": "1066-10-14"}])
    assert far.occurred_at is None
    (rule,) = ask(
        [{"quote": "answer in Dutch", "content": "Answer in Dutch", "kind": "instruction"}],
        typed="I would like it if you could answer in Dutch.",
    )
    assert rule.instruction
    assert rule.type is MemoryType.PROCEDURAL


def test_trust_origin_and_keys_are_never_taken_from_a_model():
    (candidate,) = ask([{**HOME, "trust": "system", "origin": "user_typed", "key": "home_city"}])
    assert candidate.key is None
    assert candidate.extra == {}


def test_the_model_sees_typed_words_as_evidence_and_the_assistants_as_context():
    model = FakeChat()
    proposals(asking(model), TYPED, FRIDAY, 5, answer="A" * 9000)
    (rules, message), (sampling,) = model.prompts[0], model.samplings
    assert "At most 5 memories" in rules.content
    assert "Friday 8 May 2026" in message.content
    assert "pirate" not in message.content
    assert message.content.count("A" * 1500) == 1
    assert len(message.content) < 2500
    assert sampling.temperature == 0.2
    assert sampling.schema["required"] == ["memories"]


def test_an_enormous_message_is_cut_before_it_is_sent():
    model = FakeChat()
    proposals(asking(model), "I live in Ghent and so on. " * 100_000, FRIDAY, 5)
    assert len(model.prompts[0][1].content) < 7000


def test_of_what_is_too_long_for_the_model_it_reads_the_half():
    asked = []

    def narrow(prompt, sampling):
        asked.append(prompt[-1].content)
        if len(asked) == 1:
            raise TooLong("Too long.", 9_000, 512)
        return [HOME]

    found = proposals(narrow, TYPED, FRIDAY, 5, answer="What would you like?")
    assert [one.text for one in found] == ["You live in Ghent"]
    assert "lamp" in asked[0]
    assert "lamp" not in asked[1]
    assert "What would you like?" not in asked[1]


def test_nothing_to_read_costs_no_call():
    model = FakeChat()
    assert proposals(asking(model), "Thanks!", FRIDAY, 5) == []
    assert model.prompts == []


def test_failures_yield_nothing_and_stopping_is_no_failure():
    broken = FakeChat(error=ModelError("It broke."))
    assert proposals(asking(broken), TYPED, FRIDAY, 5) == []
    with pytest.raises(Cancelled):
        proposals(asking(FakeChat(error=Cancelled("Stopped."))), TYPED, FRIDAY, 5)
