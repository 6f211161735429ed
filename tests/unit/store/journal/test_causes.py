"""Causes are noted once, between memories of one agent, with the surest confidence."""

import pytest

from app.domain.memory import Scope, Trust
from app.errors import NotFound, Refused
from app.store.journal.causes import Causes
from app.store.links import Links, LinkScope


@pytest.fixture
def causes(vault):
    return Causes(vault)


@pytest.fixture
def weights(vault, clock):
    def of(memory):
        asked = LinkScope(Scope(1), frozenset(Trust), clock())
        return {one.id: one.weight for one in Links(vault).caused(asked, [memory.pk], 10)}

    return of


def test_the_surer_note_stays(causes, remember, weights):
    rain, flood = remember("It rained"), remember("It flooded")
    assert causes.link(rain.id, flood.id, 0.6)
    assert not causes.link(rain.id, flood.id, 0.5)
    assert weights(rain) == {flood.id: 0.6}
    assert causes.link(rain.id, flood.id, 7)
    assert weights(flood) == {rain.id: 1.0}


def test_what_makes_no_sense_is_refused(causes, remember, vault):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    mine, theirs = remember("It rained"), remember("It flooded", agent_pk=2)
    with pytest.raises(Refused):
        causes.link(mine.id, mine.id)
    with pytest.raises(Refused):
        causes.link(mine.id, theirs.id)
    with pytest.raises(NotFound):
        causes.link(mine.id, "gone")


def test_they_go_with_either_memory(causes, remember, memories, weights):
    rain, flood = remember("It rained"), remember("It flooded")
    causes.link(rain.id, flood.id)
    memories.delete(flood.id)
    assert weights(rain) == {}
