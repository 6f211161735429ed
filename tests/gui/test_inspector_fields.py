"""From what is typed into the editor to the fields that are stored."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.domain.memory import Memory, MemoryType, Trust
from app.gui.inspector.fields import EditorDraft, as_text, check, draft_of, raises_trust, tags

AT = datetime(2026, 1, 12, 17, 4, 30, tzinfo=UTC)


def memory(**more):
    return Memory("m", "You live in Ghent", AT, AT, **{"agent_pk": 1, **more})


def test_an_untouched_memory_changes_nothing():
    one = memory(
        key="home_city",
        value="Ghent",
        tags=("home",),
        category="place",
        occurred_at=AT,
        pinned=True,
    )
    checked = check(draft_of(one), one)
    assert checked.fields == {}
    assert checked.problems == {}


def test_only_what_changed_is_stored():
    one = memory(tags=("home",))
    draft = replace(
        draft_of(one),
        text=" You live in Bruges ",
        type=MemoryType.EPISODIC,
        tags="home, #city,home",
    )
    assert check(draft, one).fields == {
        "text": "You live in Bruges",
        "type": MemoryType.EPISODIC,
        "tags": ("home", "city"),
    }


@pytest.mark.parametrize("old", [("a", "safety", "b"), ("Safety",)])
def test_the_mark_of_safety_is_a_tick_and_not_among_the_tags_that_are_typed(old):
    one = memory(tags=old)
    draft = draft_of(one)
    assert draft.safety
    assert "safety" not in draft.tags.casefold()
    assert check(draft, one).fields == {}
    others = tuple(tag for tag in old if tag.casefold() != "safety")
    assert check(replace(draft, safety=False), one).fields == {"tags": others}


def test_the_mark_of_safety_can_be_ticked_or_typed():
    one = memory(tags=("home",))
    ticked, typed = replace(draft_of(one), safety=True), replace(draft_of(one), tags="home, Safety")
    assert check(ticked, one).fields == check(typed, one).fields == {"tags": ("home", "safety")}
    new = check(EditorDraft(text="No nuts for Tom", safety=True), None)
    assert new.fields["tags"] == ("safety",)


def test_emptied_fields_are_stored_as_nothing():
    one = memory(key="home_city", value="Ghent", category="place", occurred_at=AT)
    draft = replace(draft_of(one), key="", value="", category=" ", occurred="")
    assert check(draft, one).fields == {
        "key": None,
        "value": None,
        "category": None,
        "occurred_at": None,
    }


@pytest.mark.parametrize(
    ("old", "typed", "stored"),
    [
        (None, "Ghent", "Ghent"),
        ("Ghent", "42", "42"),
        (None, '["a", 1]', ["a", 1]),
        (41, "42", 42),
        (True, "false", False),
        ({"a": 1}, '{"a": 2}', {"a": 2}),
        (41, '"text"', "text"),
    ],
)
def test_values_keep_their_kind(old, typed, stored):
    one = memory(key="k", value=old) if old is not None else memory(key="k")
    found = check(replace(draft_of(one), value=typed), one).fields["value"]
    assert found == stored
    assert type(found) is type(stored)


def test_one_and_true_are_not_the_same():
    one = memory(key="k", value=1)
    assert check(replace(draft_of(one), value="true"), one).fields == {"value": True}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": "  "}, "text"),
        ({"text": "x" * 20_001}, "text"),
        ({"key": "age", "value": ""}, "value"),
        ({"key": "", "value": "41"}, "key"),
        ({"key": "age", "value": "{41"}, "value"),
        ({"occurred": "tomorrow"}, "occurred"),
        ({"occurred": "2026-02-30"}, "occurred"),
    ],
)
def test_what_cannot_be_stored_has_a_sentence(changes, field):
    problems = check(replace(EditorDraft(text="fine"), **changes), memory()).problems
    assert list(problems) == [field]
    assert problems[field].endswith(".")


def test_dates_are_local_and_seconds_survive():
    one = memory(occurred_at=AT)
    assert check(replace(draft_of(one), text="other"), one).fields == {"text": "other"}
    draft = replace(draft_of(one), occurred="2026-03-14 18:30")
    stored = check(draft, one).fields["occurred_at"]
    assert stored == datetime(2026, 3, 14, 18, 30).astimezone()
    assert stored.tzinfo is UTC


def test_a_new_memory_has_what_the_service_takes():
    draft = EditorDraft(text="Tea, not coffee", tags="food", pinned=True)
    assert check(draft, None).fields == {
        "text": "Tea, not coffee",
        "type": MemoryType.SEMANTIC,
        "key": None,
        "value": None,
        "tags": ("food",),
        "pinned": True,
    }


def test_raising_trust_is_noticed_lowering_is_not():
    one = memory(trust=Trust.LEARNED)
    assert raises_trust(replace(draft_of(one), trust=Trust.SYSTEM), one)
    assert not raises_trust(replace(draft_of(one), trust=Trust.EXTERNAL), one)
    assert not raises_trust(EditorDraft(trust=Trust.SYSTEM), None)


def test_values_and_tags_read_back():
    assert as_text("Ghent") == "Ghent"
    assert as_text({"é": 1}) == '{"é": 1}'
    assert tags(" a ,, #b, a ") == ("a", "b")
