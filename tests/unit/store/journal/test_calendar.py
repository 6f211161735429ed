"""Rows are found by their time alone, as far as they may be seen, by an index."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app.domain.memory import Scope, Status, Trust, Visibility
from app.store.journal.calendar import Calendar, TimeRange, is_day

BOTH = frozenset({Trust.SYSTEM, Trust.LEARNED})


@pytest.fixture
def calendar(vault, clock):
    return Calendar(vault)


def stretch(first, last):
    """Return whole days in UTC; None is open."""
    start = datetime.combine(first, datetime.min.time(), UTC) if first else None
    end = datetime.combine(last, datetime.min.time(), UTC) + timedelta(days=1) if last else None
    return TimeRange(start, end, first, last)


MARCH = stretch(date(2026, 3, 1), date(2026, 3, 31))


def on(month, day, hour=0):
    return datetime(2026, month, day, hour, tzinfo=UTC)


def test_memories_by_when_they_happened_latest_first(calendar, remember, clock):
    early = remember("early", occurred_at=on(3, 1))
    late = remember("late", occurred_at=on(3, 31, 23))
    remember("before", occurred_at=on(2, 28))
    remember("after", occurred_at=on(4, 1))
    remember("never")
    remember("external", occurred_at=on(3, 9), trust=Trust.EXTERNAL)
    found = calendar.happened(MARCH, Scope(1), BOTH, clock(), 9)
    assert found == [late.pk, early.pk]
    assert calendar.happened(MARCH, Scope(1), BOTH, clock(), 1) == [late.pk]
    assert calendar.happened(MARCH, Scope(5), BOTH, clock(), 9) == []


def test_a_day_is_compared_with_days(calendar, remember, clock):
    """In Los Angeles, 3 May lasts from 07:00 UTC to 07:00 UTC."""
    day = remember("a day", occurred_at=on(5, 3))
    moment = remember("a moment", occurred_at=on(5, 4, 5))
    remember("too early", occurred_at=on(5, 3, 5))
    remember("the next day", occurred_at=on(5, 4))
    there = TimeRange(on(5, 3, 7), on(5, 4, 7), date(2026, 5, 3), date(2026, 5, 3))
    found = calendar.happened(there, Scope(1), BOTH, clock(), 9)
    assert found == [moment.pk, day.pk]
    assert is_day(on(5, 3))
    assert not is_day(on(5, 3, 5))


def test_memories_by_when_they_were_made(calendar, remember, clock):
    today = stretch(clock().date(), clock().date())
    plain = remember("plain")
    happened = remember("happened", occurred_at=on(3, 1))
    found = calendar.learnt(today, Scope(1), BOTH, clock(), 9)
    assert set(found) == {plain.pk, happened.pk}
    assert calendar.learnt(today, Scope(1), BOTH, clock(), 9, timeless=True) == [plain.pk]
    assert calendar.learnt(MARCH, Scope(1), BOTH, clock(), 9) == []


@pytest.mark.parametrize(
    "elsewhere",
    [{"agent_pk": 2}, {"trust": Trust.EXTERNAL}, {"status": Status.PROPOSED}],
    ids=["another agent's", "external", "proposed"],
)
def test_later_memories_that_may_not_be_seen_hide_none_that_may(
    calendar, remember, clock, vault, elsewhere
):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    everybodys = remember("everybody's", occurred_at=on(3, 2), visibility=Visibility.GLOBAL)
    mine = remember("mine", occurred_at=on(3, 1))
    plain = remember("plain")
    clock.forward(seconds=1)
    for number in range(20):
        remember(f"happened {number}", occurred_at=on(3, 9), **elsewhere)
        remember(f"learnt {number}", **elsewhere)
    today = stretch(clock().date(), clock().date())
    assert calendar.happened(MARCH, Scope(1), BOTH, clock(), 2) == [everybodys.pk, mine.pk]
    assert calendar.happened(MARCH, Scope(1), BOTH, clock(), 1) == [everybodys.pk]
    assert calendar.learnt(today, Scope(1), BOTH, clock(), 2) == [plain.pk, mine.pk]
    assert calendar.learnt(today, Scope(1), BOTH, clock(), 2, timeless=True) == [plain.pk]


def test_messages_by_when_they_were_said(calendar, conversations, say, clock):
    talk = conversations.create(1)
    first = say(talk, "first")
    clock.forward(hours=1)
    second = say(talk, "second")
    whole = stretch(None, None)
    assert calendar.said(whole, Scope(1), 9) == [second.pk, first.pk]
    assert calendar.said(whole, Scope(1), 9, [second.id]) == [first.pk]
    assert calendar.said(whole, Scope(2), 9) == []
    from_now = TimeRange(clock(), None, clock().date(), None)
    assert calendar.said(from_now, Scope(1), 9) == [second.pk]


@pytest.mark.parametrize(
    ("ask", "index"),
    [
        (lambda c, now: c.happened(MARCH, Scope(1), BOTH, now, 9), "memories_occurred"),
        (lambda c, now: c.learnt(MARCH, Scope(1), BOTH, now, 9), "memories_listed"),
        (lambda c, now: c.learnt(MARCH, Scope(1), BOTH, now, 9, timeless=True), "memories_listed"),
        (lambda c, now: c.said(MARCH, Scope(1), 9), "messages_by_time"),
    ],
)
def test_an_index_bounds_every_search(ask, index, calendar, vault, clock):
    asked = []
    with vault.search() as connection:
        connection.set_trace_callback(asked.append)
        ask(calendar, clock())
        connection.set_trace_callback(None)
        statement = next(one for one in asked if "SELECT" in one)
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
    assert any(index in step for step in plan), plan
    assert not any(step.startswith(("SCAN m", "SCAN x", "SCAN memories")) for step in plan), plan
