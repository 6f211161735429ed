from datetime import timedelta

import pytest

from app.domain.conversation import MemoryMode
from app.domain.memory import Scope, Trust
from app.store.frequency import Frequency

MINE = Scope(1)
TRUSTS = {Trust.SYSTEM, Trust.LEARNED}


@pytest.fixture
def frequency(vault):
    return Frequency(vault)


def test_words_are_counted_by_their_stem_in_memories_and_messages(
    frequency, conversations, say, remember
):
    talk = conversations.create()
    say(talk, "I walked the dog")
    say(talk, "walking again")
    remember("You walk every day")
    found = frequency.of(["walks", "dog", "cat"])
    assert found.of == {"walks": 3, "dog": 1, "cat": 0}
    assert found.rows == 3


def test_an_empty_vault_knows_no_word(frequency):
    assert frequency.of(["dog"]).of == {"dog": 0}
    assert frequency.of([]).rows == 0


def test_unheard_is_what_nothing_recallable_says(frequency, conversations, say, remember, clock):
    talk, off = conversations.create(), conversations.create(mode=MemoryMode.OFF)
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
