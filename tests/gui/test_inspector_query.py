"""The search line's language: what a person types is what the list is filtered by."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memory import MemoryType, Status, Trust
from app.gui.inspector.query import REMEMBERED, parse, with_choices


def test_words_stay_words():
    query = parse('  walnut "sour cream"  ')
    assert query.text == 'walnut "sour cream"'
    assert query.as_filter().order == "relevance"
    assert query.hints == ()


def test_forgotten_memories_are_left_out_unless_asked_for():
    assert parse("").as_filter().statuses == REMEMBERED
    assert Status.FORGOTTEN not in REMEMBERED
    assert parse("status:forgotten").as_filter().statuses == {Status.FORGOTTEN}


def test_every_operator_reaches_the_filter():
    found = parse(
        "allergic type:semantic,episodic trust:learned status:active is:pinned is:keyed "
        "after:2026-01 before:2026-05-01"
    ).as_filter("oldest")
    assert found.text == "allergic"
    assert found.types == {MemoryType.SEMANTIC, MemoryType.EPISODIC}
    assert found.trusts == {Trust.LEARNED}
    assert found.statuses == {Status.ACTIVE}
    assert found.pinned is True
    assert found.keyed is True
    assert found.since == datetime(2026, 1, 1).astimezone()
    assert found.until == datetime(2026, 5, 1).astimezone()
    assert found.order == "oldest"


def test_operators_ignore_case_and_may_repeat():
    assert parse("TYPE:Semantic type:working").types == {MemoryType.SEMANTIC, MemoryType.WORKING}


def test_a_value_may_be_called_what_the_window_calls_it():
    query = parse("type:fact,event trust:confirmed status:archived,set")
    assert query.types == {MemoryType.SEMANTIC, MemoryType.EPISODIC}
    assert query.trusts == {Trust.SYSTEM}
    assert query.statuses == {Status.OUT_OF_WINDOW, Status.QUARANTINED}
    assert query.hints == ()


def test_the_beginning_of_a_value_is_enough():
    query = parse("type:sem trust:l")
    assert query.types == {MemoryType.SEMANTIC}
    assert query.trusts == {Trust.LEARNED}
    assert query.hints == ()


@pytest.mark.parametrize("line", ["type:", "after:", "after:2", "after:202", "after:2026-", "is:"])
def test_a_half_typed_operator_is_no_mistake(line):
    assert parse(line).hints == ()


def test_an_unknown_operator_is_searched_and_explained():
    query = parse("colour:red walnuts")
    assert query.text == "colour:red walnuts"
    (hint,) = query.hints
    assert "“colour:”" in hint
    assert "type:" in hint


@pytest.mark.parametrize(
    ("line", "word"),
    [("type:colour", "fact"), ("is:blue", "pinned"), ("before:tomorrow", "2026-01-31")],
)
def test_a_wrong_value_says_what_would_be_right(line, word):
    query = parse(line)
    assert query.text == ""
    assert word in query.hints[0]


@pytest.mark.parametrize("line", ["after:2026-13", "after:2026-02-30", "before:0000"])
def test_a_day_that_does_not_exist_is_a_hint(line):
    query = parse(line)
    assert query.since is None
    assert query.until is None
    assert len(query.hints) == 1


@pytest.mark.parametrize("line", ["https://example.org", '"type:semantic"', "12:30"])
def test_what_only_looks_like_an_operator_is_a_word(line):
    assert parse(line).text == line
    assert parse(line).hints == ()


def test_the_narrowest_dates_win():
    query = parse("after:2025 after:2026 before:2027 before:2026-06")
    assert query.since == datetime(2026, 1, 1).astimezone()
    assert query.until == datetime(2026, 6, 1).astimezone()


def test_menus_rewrite_their_own_operator_only():
    line = with_choices("salmon type:sem is:pinned", "type", {"episodic", "semantic"})
    assert line == "salmon is:pinned type:episodic,semantic"
    assert with_choices(line, "type", set()) == "salmon is:pinned"


@given(st.text(max_size=60))
def test_any_line_can_be_parsed_and_rewritten(line):
    parse(line).as_filter()
    chosen = parse(with_choices(line, "trust", ["external"]))
    assert chosen.trusts == {Trust.EXTERNAL}
    assert parse(with_choices(line, "trust", [])).trusts == frozenset()
