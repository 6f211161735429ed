"""Who wrote what when, what came in bursts, and what a memory rests on."""

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.history import LineageKind
from app.domain.memory import Evidence, Origin, Status
from app.store.journal.audit import Audit, dense
from app.store.journal.entries import Note


@pytest.fixture
def audit(vault, clock):
    return Audit(vault)


def test_writers_are_told_by_who_and_by_which_road(audit, remember, memories, clock):
    begin = clock()
    remember("one", actor="user", origin=Origin.USER_TYPED)
    for number in range(3):
        clock.forward(days=1)
        found = remember(f"seen {number}", actor="review", origin=Origin.REVIEW)
    memories.update(found.id, {"status": Status.FORGOTTEN}, Note("user", "forget", "b2"))
    review, user = audit.writers()
    assert (review.actor, review.origin, review.written, review.active) == (
        "review",
        "review",
        3,
        2,
    )
    assert (review.first_at, review.last_at) == (begin + timedelta(1), clock())
    assert (user.actor, user.written, user.active) == ("user", 1, 1)
    assert audit.totals() == (4, 3, 5)


def test_many_at_once_by_somebody_else_is_a_burst(audit, remember, clock):
    for number in range(31):
        remember(f"mine {number}", actor="user")
        remember(f"slow {number}", actor="slow")
        remember(f"quick {number}", actor="quick", batch=f"q{number % 2}")
        clock.forward(seconds=10)
    begin = clock()
    for number in range(30):
        remember(f"just {number}", actor="just under")
        if number:
            clock.forward(minutes=30)
            remember(f"later {number}", actor="slow")
    bursts = {burst.actor: burst for burst in audit.bursts()}
    assert set(bursts) == {"quick", "slow"}
    assert bursts["quick"].count == bursts["slow"].count == 31
    assert bursts["quick"].batches == ("q0", "q1")
    assert bursts["quick"].last_at == begin - timedelta(seconds=10)
    assert audit.bursts(many=31) == []


def test_bursts_apart_are_told_apart(audit, remember, clock):
    for _ in range(2):
        for number in range(4):
            remember(f"{clock()} {number}", actor="import")
            clock.forward(minutes=1)
        clock.forward(hours=1)
    late, early = audit.bursts(many=3, short=timedelta(minutes=3))
    assert (late.count, early.count) == (4, 4)
    assert late.first_at > early.last_at


@settings(deadline=None, database=None)
@given(st.lists(st.integers(0, 60), max_size=30).map(sorted), st.integers(1, 5))
def test_what_is_too_dense_is_in_a_run_and_nothing_else(times, many):
    width = 5
    runs = list(dense(times, many, timedelta(milliseconds=width)))
    inside = {place for first, last in runs for place in range(first, last + 1)}
    expected = set()
    for begin, start in enumerate(times):
        window = [p for p in range(begin, len(times)) if times[p] - start <= width]
        if len(window) > many:
            expected |= set(window)
    assert inside == expected
    assert all(a[1] < b[0] for a, b in pairwise(runs))


def test_lineage_leads_down_to_the_messages(audit, remember, memories, conversations, say, clock):
    talk = conversations.create(1, title="At home")
    said = [say(talk, f"I like tea, really {n}") for n in range(2)]
    grounds = [
        remember(f"Likes tea {n}", evidence=[Evidence("I like tea", clock(), said[n].id)])
        for n in range(2)
    ]
    gone = remember("Liked milk")
    made = remember(
        "Likes hot drinks",
        origin=Origin.CONSOLIDATION,
        actor="consolidate",
        source_ids=(*(m.id for m in grounds), gone.id),
        proof_count=3,
    )
    memories.delete(gone.id)
    found = audit.lineage(made.id)
    assert (found.kind, found.origin, found.text) == (
        LineageKind.MEMORY,
        "consolidation",
        "Likes hot drinks",
    )
    assert [s.kind for s in found.sources] == [
        LineageKind.MEMORY,
        LineageKind.MEMORY,
        LineageKind.GONE,
    ]
    (message,) = found.sources[0].sources
    assert (message.kind, message.id, message.text) == (
        LineageKind.MESSAGE,
        said[0].id,
        "I like tea",
    )
    assert (message.conversation_id, message.conversation_title) == (talk.id, "At home")
    assert message.at == said[0].created_at
    assert audit.lineage("nobody").kind is LineageKind.GONE


def test_what_was_redacted_is_not_quoted(audit, remember, conversations, messages, say, clock):
    said = say(conversations.create(1), "I like tea")
    one = remember("Likes tea", evidence=[Evidence("I like tea", clock(), said.id)])
    messages.redact(said.id, [(7, 10)])
    assert audit.lineage(one.id).sources[0].text == "I like [erased]"


def test_a_circle_ends(audit, remember, memories):
    one, two = remember("one"), remember("two", source_ids=("m1",))
    memories.update(one.id, {"source_ids": (two.id,)}, Note("user", "edit", "b2"))
    memories.update(two.id, {"source_ids": (one.id,)}, Note("user", "edit", "b3"))
    found = audit.lineage(one.id)
    assert [s.id for s in found.sources] == [two.id]
    assert found.sources[0].sources == ()
