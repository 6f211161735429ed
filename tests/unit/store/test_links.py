"""What shares a name is weighed among what an agent may see; what others say weighs nothing."""

from datetime import timedelta

import pytest

from app.domain.memory import Scope, Trust
from app.store.entities import Entities
from app.store.index import frequency
from app.store.links import Links, LinkScope, Named

BOTH = frozenset({Trust.SYSTEM, Trust.LEARNED})
RUTH = Named((), ("Ruth",))


@pytest.fixture
def links(vault, clock):
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    return Links(vault)


@pytest.fixture
def asked(clock):
    return lambda agent=1: LinkScope(Scope(agent), BOTH, clock() + timedelta(1))


@pytest.fixture
def weights(links, asked, remember, vault, clock):
    """Link three of a dozen memories to Ruth, and return how much sharing her name counts."""
    kept = [remember(f"Ruth is here {n}" if n < 3 else f"nobody {n}") for n in range(12)]
    for memory in kept[:3]:
        Entities(vault).link(memory.pk, ["Ruth"], 1, clock())

    def weighed():
        things = links.named([kept[0].pk], [], asked())
        found = links.memories(things, asked(), [kept[0].pk], 9)
        return {one.pk: one.weight for one in found}

    return weighed


@pytest.mark.parametrize("counted", [5, 50_000])
def test_what_others_remember_makes_no_name_rarer_or_commoner(
    weights, remember, vault, clock, counted, monkeypatch
):
    monkeypatch.setattr(frequency, "MOST_ROWS", counted)
    before = weights()
    assert len(before) == 2
    assert all(0 < weight <= 1 for weight in before.values())
    for number in range(30):
        theirs = remember(f"Ruth and others {number}", agent_pk=2)
        Entities(vault).link(theirs.pk, ["Ruth"], 2, clock())
    assert weights() == before


def test_what_others_say_makes_no_name_rarer_or_commoner(links, asked, conversations, say):
    mine, theirs = conversations.create(1), conversations.create(2)
    said = [say(mine, "Ruth came by" if n < 4 else f"nothing {n}") for n in range(12)]

    def found(agent):
        linked = links.messages([RUTH], asked(agent), [said[0].pk], 9)
        return {one.pk: one.weight for one in linked}

    before = found(1)
    assert set(before) == {one.pk for one in said[1:4]}
    assert list(before.values()) == pytest.approx([0.683] * 3, abs=1e-3), "a third of all is a hub"
    for number in range(40):
        say(theirs, f"Ruth and Ruth again {number}" if number % 2 else f"more talk {number}")
    assert found(1) == before
    assert len(found(2)) == 9


def test_a_name_in_too_many_messages_links_nothing_of_ones_own_alone(
    links, asked, conversations, say, monkeypatch
):
    monkeypatch.setattr("app.store.links.COUNTED", 20)
    mine, theirs = conversations.create(1), conversations.create(2)
    said = say(mine, "Ruth came by")
    for number in range(25):
        say(theirs, f"Ruth {number}")
    assert [one.pk for one in links.messages([RUTH], asked(), [], 9)] == [said.pk]
    assert links.messages([RUTH], asked(2), [], 9) == []
