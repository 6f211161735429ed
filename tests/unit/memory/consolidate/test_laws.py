"""Laws of consolidation, whatever was said: least trust, one subject, one row, kills, reverting."""

import json
import os
import random
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event

from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st

from app.domain.jobs.operation import drive
from app.domain.memory import Trust
from app.memory.change.agreement import agree, contains
from app.store.journal.entries import Note
from app.store.vault.file import Vault
from tests.unit.memory.conftest import FakeChat
from tests.unit.memory.consolidate.conftest import MAY, Nights

SUBJECTS = ("I live in Ghent", "I do not live in Ghent", "I reside in Ghent", "I sail")
ENDS = ("", " near the station", " with Ruth", " near the station with Ruth", " on Mondays")
STATEMENTS = st.fixed_dictionaries(
    {
        "text": st.builds("{}{}".format, st.sampled_from(SUBJECTS), st.sampled_from(ENDS)),
        "trust": st.sampled_from(Trust),
        "tags": st.sampled_from([(), ("home",)]),
        "agent_pk": st.integers(1, 2),
    }
)
TOLD = st.lists(STATEMENTS, min_size=2, max_size=14, unique_by=lambda s: (s["text"], s["agent_pk"]))
slow = effort(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@contextmanager
def nights_of(told, **limits):
    """A vault that knows what was told, by two agents."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder) / "vault.db", os.urandom(32))
        with vault.write() as connection:
            connection.execute(
                "INSERT INTO agents (pk, id, name, created_at, updated_at)"
                " VALUES (2, 'b', 'B', 0, 0)"
            )
        nights = Nights(vault)
        nights.set("include_external", True)
        for name, value in limits.items():
            nights.set(name, value)
        for number, fields in enumerate(told):
            said = {**fields, "category": str(number)}
            nights.know(said.pop("text"), **said)
        yield nights
        vault.close()


def rows(nights):
    """Return every memory as plain values, without ids, seals and moments of the night."""
    with nights.vault.read() as connection:
        found = [dict(r) for r in connection.execute("SELECT * FROM memories ORDER BY pk")]
    names = {row["id"]: row["pk"] for row in found}
    for row in found:
        row["source_ids"] = [names.get(i) for i in json.loads(row["source_ids"])]
        row["consolidated_at"] = row["consolidated_at"] is not None
        for name in ("id", "created_at", "updated_at", "status_reason", "seal"):
            row.pop(name)
    return found


def sources(nights, observation):
    return nights.memories.by_ids(list(observation.source_ids))


def everything(nights):
    """Return the memories of both agents."""
    with nights.vault.read() as connection:
        ids = [r[0] for r in connection.execute("SELECT id FROM memories ORDER BY pk")]
    return nights.memories.by_ids(ids)


@slow
@given(TOLD, st.sampled_from([0.5, 0.8]))
def test_an_observation_says_what_its_statements_say_and_is_trusted_no_more(told, likeness):
    with nights_of(told, similarity_threshold=likeness, dedup_threshold=0.6) as nights:
        for _ in range(2):
            nights.pass_by()
        for drawn in (m for m in everything(nights) if m.proof_count is not None):
            made_of = sources(nights, drawn)
            assert drawn.trust is min((m.trust for m in made_of), key=lambda t: t.rank)
            assert len({(m.trust, m.agent_pk, m.tags, m.visibility) for m in made_of}) == 1
            assert drawn.agent_pk == made_of[0].agent_pk
            assert drawn.proof_count == len(made_of) == len(set(drawn.source_ids)) >= 2
            assert all(contains(drawn.text, m.text) for m in made_of)
            assert all(agree(a, b) for a in made_of for b in made_of)
            assert drawn.text in {m.text for m in made_of}
        folded = [i for m in everything(nights) for i in m.source_ids]
        assert len(folded) == len(set(folded))


@slow
@given(TOLD)
def test_folding_twice_gives_the_same_rows(told):
    with nights_of(told) as nights:
        nights.pass_by()
        once = rows(nights)
        assert nights.pass_by().figures == {}
        assert rows(nights) == once
        nights.observations.start_over()
        assert nights.pass_by().figures == {}
        assert rows(nights) == once


@slow
@given(TOLD, TOLD)
def test_reverting_restores_every_row(told, more):
    with nights_of(told, dedup_threshold=0.5) as nights:
        nights.pass_by()
        known = {(m.text, m.agent_pk) for m in everything(nights) if m.proof_count is None}
        for fields in more:
            if (fields["text"], fields["agent_pk"]) not in known:
                nights.know(fields["text"], **{k: v for k, v in fields.items() if k != "text"})
        before = {m.id: m for m in everything(nights)}
        done = nights.pass_by()
        if not done.batch:
            return
        assert nights.journal.undo(done.batch, Note("user", "undo", "u"))[1] == []
        for memory in everything(nights):
            if memory.id not in before:
                assert memory.status == "forgotten"
                continue
            old = before[memory.id]
            assert memory == replace(old, revision=memory.revision, updated_at=memory.updated_at)


class Killed(Exception):
    """The process ends here."""


def undisturbed(told, model):
    with nights_of(told) as nights:
        nights.models.model = Echo() if model else None
        nights.pass_by()
        return rows(nights)


class Echo(FakeChat):
    """Words a cluster as its longest statement, which sometimes holds the others."""

    def stream(self, prompt, sampling, cancel):
        yield json.dumps({"content": max(json.loads(prompt[-1].content), key=len)})


@slow
@given(TOLD, st.booleans(), st.integers(0, 2**32))
def test_killed_anywhere_and_finished_it_ends_like_an_undisturbed_run(told, model, seed):
    chance = random.Random(seed)
    with nights_of(told) as nights:
        nights.models.model = Echo() if model else None
        saved = {}

        def mark(checkpoint):
            if chance.random() < 0.2:
                raise Killed  # before it is kept: what was done in this step is taken back
            kept = json.loads(json.dumps(checkpoint))
            saved.clear()
            saved.update(kept)

        while True:
            running = nights.job.run(dict(saved), mark, Event())
            try:
                for _ in range(chance.randint(1, 4)):
                    next(running)
                running.close()
            except Killed:
                continue
            except StopIteration:
                break
        assert rows(nights) == undisturbed(told, model)
        running = nights.job.run({}, lambda checkpoint: None, Event())
        assert not drive(running, Event()).batch


def test_m14_observations(nights):
    """Proof, sources, a half-life of 30 days, the least trust, one row however often, opt-in."""
    from datetime import timedelta

    from app.domain.recall import Hit, HitKind
    from app.memory.recall.score import confidence
    from app.settings.spec import Settings

    assert not Settings().upkeep.consolidation.enabled
    nights.set("dedup_threshold", 0.6)
    nights.know("I live in Ghent", "I live in Ghent near the station")
    nights.pass_by()
    (drawn,) = nights.drawn()
    assert (drawn.proof_count, len(drawn.source_ids), drawn.confidence) == (2, 2, 1.0)
    assert drawn.trust is Trust.LEARNED
    nights.know("I reside in Ghent", "I reside in Ghent near the station with Ruth")
    nights.pass_by()
    nights.pass_by()
    (drawn,) = nights.drawn()
    assert (drawn.proof_count, drawn.confidence) == (4, 1.0)
    assert drawn.text == "I reside in Ghent near the station with Ruth"
    texts = [e.before.get("text") for e in nights.journal.of_memory(drawn.id) if e.before]
    assert texts == ["I live in Ghent near the station"]
    assert {m.status for m in sources(nights, drawn)} == {"active"}
    hit = Hit(
        drawn.id,
        HitKind.MEMORY,
        drawn.text,
        drawn.created_at,
        occurred_at=drawn.occurred_at,
        confidence=drawn.confidence,
        proof_count=drawn.proof_count,
    )
    for days, share in ((0, 1.0), (30, 0.5), (60, 0.25), (365, 0.5 ** (365 / 30))):
        assert abs(confidence(hit, drawn.occurred_at + timedelta(days=days)) - share) < 1e-9
    assert drawn.occurred_at > MAY
