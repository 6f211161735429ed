"""What may be folded is found by an index, in the order in which it waits; nothing waits twice."""

from datetime import timedelta

import pytest

from app.domain.memory import MemoryType, Status, Trust
from app.store.journal.entries import Note
from app.store.observations import ACTOR, ObservationProgress, Observations, place_of


@pytest.fixture
def observations(vault, clock):
    return Observations(vault)


def texts(memories):
    return [memory.text for memory in memories]


def test_statements_wait_in_the_order_in_which_they_changed(
    observations, remember, memories, clock
):
    said = []
    for name in ("a", "b", "c"):
        clock.forward(minutes=1)
        said.append(remember(name))
    assert texts(observations.waiting(1, ObservationProgress(), 2)) == ["a", "b"]
    assert texts(observations.waiting(1, place_of(said[1]), 9)) == ["c"]
    clock.forward(minutes=1)
    memories.update(said[0].id, {"text": "a again"}, Note("user", "edit", "e"))
    assert texts(observations.waiting(1, place_of(said[1]), 9)) == ["c", "a again"]


def test_only_lasting_statements_that_nobody_disputes_wait(observations, remember, clock):
    later = clock() + timedelta(days=1)
    kept = remember("kept")
    remember("working", type=MemoryType.WORKING)
    remember("order", type=MemoryType.PROCEDURAL)
    remember("waiting", status=Status.PROPOSED)
    remember("folded", consolidated_at=later)
    remember("drawn", proof_count=2)
    remember("summed up", source_ids=(kept.id,))
    remember("disputed", conflicted=True)
    remember("over", valid_to=later)
    remember("ends", expires_at=later)
    remember("safety", tags=("safety",))
    assert texts(observations.waiting(1, ObservationProgress(), 99)) == ["kept"]
    assert texts(observations.apart(1, range(99))) == ["kept"]
    assert observations.apart(2, [kept.pk]) == []


def test_being_folded_is_no_change_of_what_a_statement_says(memories, remember, clock, journal):
    memory = remember("kept")
    clock.forward(days=1)
    changed = memories.update(memory.id, {"consolidated_at": clock()}, Note(ACTOR, "folded", "n"))
    assert changed.updated_at == memory.updated_at
    assert (changed.consolidated_at, changed.revision) == (clock(), 2)
    assert journal.undo("b1", Note("user", "undo", "u")) == ({memory.id}, [])
    assert journal.undo("n", Note("user", "undo", "v")) == ({memory.id}, [])
    back = memories.get(memory.id)
    assert (back.status, back.consolidated_at) == (Status.FORGOTTEN, None)
    assert journal.undo("u", Note("user", "undo", "w")) == ({memory.id}, [])
    assert memories.get(memory.id).status is Status.ACTIVE


def test_an_observation_may_be_worded_like_its_statement(memories, remember):
    said = remember("You sail")
    drawn = remember("You sail.", proof_count=2, source_ids=(said.id, "gone"))
    assert memories.by_hash(1, said.visibility, _hash("You sail")).id == said.id
    memories.delete(said.id)
    assert memories.by_hash(1, said.visibility, _hash("You sail")) is None
    assert memories.get(drawn.id).source_ids == (said.id, "gone")


def _hash(text):
    from app.domain.language.text import content_hash

    return content_hash(text)


def test_observations_are_found_by_their_statements(observations, remember, memories):
    drawn = remember("drawn", proof_count=2, source_ids=("a", "b"))
    other = remember("other", proof_count=2, source_ids=("c",), trust=Trust.EXTERNAL)
    assert texts(observations.made_of(["b", "x"])) == ["drawn"]
    assert observations.made_of([]) == []
    assert texts(observations.latest(1, Trust.LEARNED, 9, "none")) == ["drawn"]
    assert observations.latest(1, Trust.LEARNED, 9, "b1") == []
    assert texts(observations.all_of(1)) == ["drawn", "other"]
    memories.update(drawn.id, {"status": "forgotten"}, Note("user", "forget", "f"))
    assert observations.made_of(["b"]) == []
    assert texts(observations.all_of(1)) == ["drawn", "other"]
    assert observations.undone(1) == []
    assert other.trust is Trust.EXTERNAL


def test_the_place_is_kept_by_agent_and_sweep_until_all_starts_over(observations):
    assert observations.place(1, "hash") == ObservationProgress()
    observations.move_to(1, "hash", ObservationProgress(7, 3))
    assert observations.place(1, "hash") == ObservationProgress(7, 3)
    assert observations.place(2, "hash") == observations.place(1, "other") == ObservationProgress()
    observations.start_over()
    assert observations.place(1, "hash") == ObservationProgress()


def test_runs_are_told_by_what_they_made(observations, remember, memories, clock):
    said = remember("said")
    drawn = remember("drawn", batch="n1", actor=ACTOR, proof_count=2)
    clock.forward(days=1)
    memories.update(drawn.id, {"proof_count": 3}, Note(ACTOR, "fold", "n2"))
    memories.update(said.id, {"consolidated_at": clock()}, Note(ACTOR, "folded", "n2"))
    memories.update(drawn.id, {"pinned": True}, Note("user", "pin", "p"))
    assert [(m.batch, m.created, m.renewed) for m in observations.batches(9)] == [
        ("n2", 0, 1),
        ("n1", 1, 0),
    ]


@pytest.mark.parametrize(
    ("call", "index"),
    [
        (lambda o: o.waiting(1, ObservationProgress(), 200), "memories_apart"),
        (lambda o: o.latest(1, Trust.LEARNED, 200, "b"), "memories_observed"),
        (lambda o: o.all_of(1), "memories_observed"),
        (lambda o: o.made_of(["a"]), "memories_observed"),
        (lambda o: o.undone(1), "memories_observed"),
        (lambda o: o.batches(9), "memories_observed"),
    ],
)
def test_nothing_is_read_from_end_to_end(vault, observations, call, index):
    statements = []
    with vault.write() as connection:
        connection.set_trace_callback(statements.append)
        call(observations)
        connection.set_trace_callback(None)
        asked = [s for s in statements if s.startswith("SELECT")]
        plans = [row[3] for s in asked for row in connection.execute(f"EXPLAIN QUERY PLAN {s}")]
    assert any(index in step for step in plans), plans
    assert not any(step.startswith(("SCAN m", "SCAN j ", "SCAN journal")) for step in plans), plans


def test_what_was_made_of_memories_is_known_even_after_it_was_written_anew(
    observations, remember, memories
):
    one, other = remember("one"), remember("other")
    made = remember("one and other", source_ids=(one.id, other.id))
    remember("an observation", source_ids=(one.id,), proof_count=2)
    assert observations.summaries_of([one.id]) == [made]
    assert observations.summaries(1, "user") == [made]
    assert observations.summaries(1, "compact") == []
    memories.update(made.id, {"source_ids": [other.id]}, Note("user", "redraw", "r"))
    assert observations.summaries_of([one.id]) == []
    assert texts(observations.ever_made_of([one.id])) == ["one and other", "an observation"]


def test_what_is_put_back_is_in_use_unless_it_was_said_again(observations, remember, memories):
    away = {"status": Status.SUPERSEDED, "superseded_by": "summary"}
    one, other = remember("one"), remember("other")
    for memory in (one, other):
        memories.update(memory.id, away, Note("dream", "summarise", "d"))
    remember("other")
    observations.put_back([one.id, other.id])
    assert (memories.get(one.id).status, memories.get(one.id).superseded_by) == ("active", None)
    assert memories.get(other.id).status is Status.SUPERSEDED
