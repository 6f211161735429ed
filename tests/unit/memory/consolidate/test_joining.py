"""A single statement joins the observation that says it already."""

import json
from dataclasses import replace
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.memory import MemoryType, Trust
from app.store.journal.entries import Note
from tests.unit.memory.conftest import FakeChat
from tests.unit.memory.consolidate.conftest import GHENT, STATION

AGAIN = "I reside in Ghent"


@pytest.fixture
def drawn(nights):
    """Nights with one observation."""
    nights.know(GHENT, STATION, tags=("home",))
    nights.pass_by()
    (observation,) = nights.drawn()
    return observation


def test_what_is_said_once_more_is_one_proof_more(nights, drawn):
    again = nights.know(AGAIN, tags=("home",))
    done = nights.pass_by()
    (now,) = nights.drawn()
    assert (now.id, now.text) == (drawn.id, STATION)
    assert (drawn.proof_count, now.proof_count) == (2, 3)
    assert now.source_ids == (*drawn.source_ids, again.id)
    assert (now.confidence, now.occurred_at) == (1.0, again.created_at)
    assert now.trust is Trust.LEARNED
    assert done.figures == {"renewed": 1, "statements": 1}
    assert done.changes.memories == {now.id, again.id}
    (kept,) = nights.memories.by_ids([again.id])
    assert kept == replace(again, consolidated_at=nights.now, revision=2)


def test_what_was_doubted_is_sure_again_once_it_is_said_again(nights):
    """A model was half sure of its wording; the person's own words settle it."""
    nights.models.model = FakeChat(json.dumps({"content": STATION, "confidence": 0.4}))
    nights.know(GHENT, STATION)
    nights.pass_by()
    (doubted,) = nights.drawn()
    assert doubted.confidence == 0.4
    nights.know(AGAIN)
    nights.pass_by()
    (sure,) = nights.drawn()
    assert (sure.id, sure.proof_count, sure.confidence) == (doubted.id, 3, 1.0)
    assert nights.journal.of_memory(sure.id)[-1].before["confidence"] == 0.4


def test_another_night_changes_nothing_even_if_all_is_looked_at_anew(nights, drawn):
    nights.know(AGAIN, tags=("home",))
    nights.pass_by()
    once = nights.all()
    assert nights.pass_by().figures == {}
    nights.observations.start_over()
    assert nights.pass_by().figures == {}
    assert nights.all() == once


def test_each_of_several_joins_however_many_nights_lie_between(nights, drawn):
    for number, text in enumerate((AGAIN, f"{AGAIN} near the station"), 1):
        nights.know(text, tags=("home",))
        nights.pass_by()
        assert nights.drawn()[0].proof_count == 2 + number


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (f"{STATION} since 2019", {}),
        ("I live in Lille near the station", {}),
        ("I do not live in Ghent", {}),
        ("My sister lives in Ghent", {}),
        (AGAIN, {"tags": ()}),
        (AGAIN, {"trust": Trust.SYSTEM}),
        (AGAIN, {"trust": Trust.EXTERNAL}),
        (AGAIN, {"type": MemoryType.EPISODIC}),
        (AGAIN, {"agent_pk": 2}),
        (AGAIN, {"key": "home_city", "value": "Ghent", "conflicted": True}),
    ],
)
def test_what_says_more_or_something_else_or_is_of_another_kind_stays_apart(
    nights, drawn, text, fields
):
    with nights.vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    nights.set("include_external", True)
    nights.know(text, **{"tags": ("home",), **fields})
    assert nights.pass_by().figures == {}
    assert nights.drawn() == [drawn]


def test_what_is_no_more_in_use_is_not_joined(nights, drawn):
    nights.memories.update(drawn.id, {"status": "forgotten"}, Note("user", "forget", "f"))
    nights.know(AGAIN, tags=("home",))
    assert nights.pass_by().figures == {}


def test_it_can_be_taken_back_and_is_then_not_done_again(nights, drawn):
    again = nights.know(AGAIN, tags=("home",))
    done = nights.pass_by()
    assert nights.journal.undo(done.batch, Note("user", "undo", "u"))[1] == []
    (back,) = nights.drawn()
    assert back == replace(drawn, revision=back.revision, updated_at=back.updated_at)
    (apart,) = nights.memories.by_ids([again.id])
    assert apart.consolidated_at is None
    assert nights.pass_by().figures == {}
    nights.observations.start_over()
    assert nights.pass_by().figures == {}


def test_the_dry_run_shows_it_and_writes_nothing(nights, drawn):
    nights.know(AGAIN, tags=("home",))
    before = nights.all()
    (cluster,) = nights.job.preview()
    assert cluster.text == STATION
    assert [m.text for m in cluster.sources] == [GHENT, STATION, AGAIN]
    assert nights.all() == before
    nights.pass_by()
    assert nights.job.preview() == []


class KilledError(Exception):
    """The process ends here."""


@pytest.mark.parametrize("survived", range(5))
def test_killed_anywhere_each_is_counted_once(nights, drawn, survived):
    nights.know("I play chess", "I play chess on Mondays")
    nights.pass_by()
    nights.know(AGAIN, tags=("home",))
    nights.know("I really play chess")
    saved, left = {}, [survived]

    def mark(checkpoint):
        left[0] -= 1
        if left[0] == -1:
            raise KilledError
        saved.update(json.loads(json.dumps(checkpoint)))

    try:
        done = drive(nights.job.run({}, mark, Event()), Event())
    except KilledError:
        done = drive(nights.job.run(dict(saved), mark, Event()), Event())
    assert done.figures == {"renewed": 2, "statements": 2}
    assert [(m.proof_count, len(set(m.source_ids))) for m in nights.drawn()] == [(3, 3), (3, 3)]
