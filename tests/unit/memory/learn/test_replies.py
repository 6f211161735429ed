"""What a model replies is read leniently, and believed only where it rests on typed words."""

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.memory import MemoryType
from app.memory.learn.replies import EvidenceWords, candidate, effects, parsed, quoted

AT = datetime(2026, 5, 8, 10, tzinfo=UTC)
ITEM = {"quote": "I live in Ghent", "content": "You live in Ghent", "kind": "fact"}


def read(typed="I live in Ghent. We walked to Rome.", **changes):
    return candidate({**ITEM, **changes}, EvidenceWords(typed, AT))


@pytest.mark.parametrize(
    ("reply", "items"),
    [
        ('{"memories": []}', []),
        ('{"memories": null}', []),
        ("[]", []),
        ("```json\n[]\n```", []),
        ("", None),
        ("Nothing to remember.", None),
        ("{", None),
        ("[1, 2]", None),
        ('[] is what I thought, but: {"memories": [{"a": 1}]}', [{"a": 1}]),
        ('{"memories": {"a": 1}}', [{"a": 1}]),
        ('[{"a": 1}, 2, "x"]', [{"a": 1}]),
    ],
)
def test_nothing_to_remember_is_told_from_nothing_to_be_read(reply, items):
    assert parsed(reply) == items


def test_braces_without_end_take_no_time():
    assert parsed("{" * 100_000) is None
    assert parsed("[" * 100_000) is None


def test_kinds_go_by_several_names():
    assert read(memoryType="episodic", kind=None).type is MemoryType.EPISODIC
    assert read(kind="Semantic").category == "fact"
    assert read(kind="gossip") is None


def test_relative_dates_get_the_date_behind_them():
    walked = read(quote="We walked to Rome", content="You walked to Rome yesterday", kind="event")
    assert walked.text == "You walked to Rome yesterday [7 May 2026]"
    assert walked.occurred_at == datetime(2026, 5, 7, tzinfo=UTC)
    planned = read(quote="I live in Ghent", content="I leave Ghent on Sunday", kind="event")
    assert planned.text == "I leave Ghent on Sunday [10 May 2026]"
    assert planned.occurred_at == datetime(2026, 5, 10, tzinfo=UTC)
    habit = read(content="I live in Ghent and sing on Sunday")
    assert (habit.text, habit.occurred_at) == ("I live in Ghent and sing on Sunday", None)


def test_a_date_must_lie_within_the_bounds_or_is_left_out():
    day = timedelta(days=1)
    typed = EvidenceWords(ITEM["quote"], AT, bounds=(AT - 10 * day, AT + day))
    for given, kept in (("2026-05-01", True), ("2026-04-01", False), ("2026-06-01", False)):
        found = candidate({**ITEM, "occurredAt": given}, typed)
        assert bool(found.occurred_at) == kept
    assert read(occurred_at="soon").occurred_at is None


def test_names_may_stem_from_the_rest_of_the_conversation():
    said = "She is a nurse."
    item = {"quote": said, "content": "Your sister Ruth is a nurse", "kind": "fact"}
    assert candidate(item, EvidenceWords(said, AT)) is None
    around = "My sister Ruth called."
    assert candidate(item, EvidenceWords(said, AT, around)).text == "Your sister Ruth is a nurse"


def test_effects_are_texts_or_objects():
    given = [{"effect": " You  moved "}, "You left", {"cause": "x"}, 7, "", "You left"]
    assert effects({"causes": given}) == ("You moved", "You left")
    assert effects({"causes": "You moved"}) == ("You moved",)
    assert effects({}) == ()
    assert quoted({"quote": ' "I live in Ghent" '}) == "I live in Ghent"
