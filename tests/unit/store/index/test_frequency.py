from datetime import timedelta

import pytest

from app.domain.conversation import MemoryMode
from app.domain.memory import Scope, Trust, Visibility
from app.store.index import frequency as module
from app.store.index.frequency import Frequency

MINE = Scope(1)
TRUSTS = {Trust.SYSTEM, Trust.LEARNED}


@pytest.fixture
def frequency(vault):
    return Frequency(vault)


def test_words_are_counted_by_their_stem_in_memories_and_messages(
    frequency, conversations, say, remember
):
    talk = conversations.create(1)
    say(talk, "I walked the dog")
    say(talk, "walking again")
    remember("You walk every day")
    assert frequency.of(["walks", "dog", "cat"], MINE) == {"walks": 3, "dog": 1, "cat": 0}
    assert frequency.rows(MINE) == 3


def test_an_empty_vault_knows_no_word(frequency):
    assert frequency.of(["dog"], MINE) == {"dog": 0}
    assert frequency.rows(MINE) == 0


def test_what_others_say_makes_no_word_more_common(
    frequency, conversations, say, remember, vault, monkeypatch
):
    with vault.write() as connection:
        connection.execute("INSERT INTO groups VALUES (7, 'g', 'Family', 0), (8, 'h', 'Work', 0)")
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    say(conversations.create(1), "I walked the dog")
    remember("You walk every day")
    before = frequency.of(["walk", "dog"], MINE), frequency.rows(MINE)
    theirs = conversations.create(2)
    for number in range(5):
        say(theirs, f"a dog on a walk {number}")
        remember(f"walk the dog {number}", agent_pk=2)
    remember("the dog of a family", visibility=Visibility.GROUP, group_pks=(7,))
    remember("the dog of an office", visibility=Visibility.GROUP, group_pks=(8,))
    assert (frequency.of(["walk", "dog"], MINE), frequency.rows(MINE)) == before
    assert frequency.of(["walk", "dog"], Scope(2)) == {"walk": 10, "dog": 10}
    assert frequency.of(["dog"], Scope(1, (7,))) == {"dog": 2}
    assert frequency.rows(Scope(1, (7,))) == 3
    remember("the dog is everybody's", visibility=Visibility.GLOBAL)
    assert frequency.of(["dog"], MINE) == {"dog": 2}
    assert frequency.of(["dog"], Scope(3)) == {"dog": 1}


def test_counting_ends_at_a_bound(frequency, conversations, say, remember, monkeypatch):
    monkeypatch.setattr(module, "COUNTED", 3)
    monkeypatch.setattr(module, "MOST_ROWS", 4)
    talk = conversations.create(1)
    for number in range(6):
        say(talk, f"dog {number}")
        remember(f"dog {number}")
    assert frequency.of(["dog"], MINE) == {"dog": 6}
    assert frequency.rows(MINE) == 8


def test_unheard_is_what_nothing_recallable_says(frequency, conversations, say, remember, clock):
    talk, off = conversations.create(1), conversations.create(1, mode=MemoryMode.OFF)
    now = say(talk, "Where does Keisha live?")
    say(talk, "Toni lives in Leeds")
    say(off, "Darnell lives here")
    remember("Rosa is a friend")
    remember("Imran wrote this", trust=Trust.EXTERNAL)

    def unheard(*names, exclude=(), scope=MINE):
        return frequency.unheard(names, scope, TRUSTS, clock() + timedelta(1), exclude)

    assert unheard("Keisha", "Toni", "Rosa") == []
    assert unheard("Keisha", "Toni", exclude={now.id}) == ["Keisha"]
    assert unheard("Darnell", "Imran") == ["Darnell", "Imran"]
    assert unheard("Toni", "Rosa", scope=Scope(2)) == ["Toni", "Rosa"]


def test_a_name_that_is_known_stays_known_however_much_others_say_it(
    frequency, conversations, say, remember, clock, vault
):
    remember("Rosa is a friend")
    say(conversations.create(1), "Toni lives in Leeds")
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
        for number in range(40):
            remember(f"Rosa and Toni {number}", agent_pk=2)
            remember(f"Rosa and Toni, a page {number}", trust=Trust.EXTERNAL)
    now = clock() + timedelta(1)
    assert frequency.unheard(["Rosa", "Toni"], MINE, TRUSTS, now) == []
