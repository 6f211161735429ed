"""Lists and summaries say nothing that the person took away, at once; one undo brings it back."""

import random

import pytest

from app.domain.memory import Status, Trust
from app.memory.change.summaries import CHANGED, NOTHING_LEFT
from tests.unit.memory.night import Echo, Night

FRUITS = ("apples", "pears", "plums", "cherries", "grapes")
LONG = (
    "I was diagnosed with Quetzalitis by Dr. Harrow in the spring and I take two green tablets"
    " every single morning before breakfast with a full glass of cold water"
)


@pytest.fixture
def night(tmp_path):
    night = Night(tmp_path)
    yield night
    night.vault.close()


@pytest.fixture
def archived(night):
    """Six memories of which four are on a list."""
    made = [night.remember(f"I bought canary{n}", 10 - n) for n in range(6)]
    night.thin()
    return made


def test_a_summary_of_claims_is_a_claim(night):
    night.set(summarise=True)
    night.models.model = Echo()
    for name in FRUITS:
        night.remember(f"I like {name}", category="food", trust=Trust.CLAIMED)
    night.dream()
    assert listed(night).trust is Trust.CLAIMED


@pytest.fixture
def summed(night):
    """Five memories of which a summary was made."""
    night.set(summarise=True)
    night.models.model = Echo()
    made = [night.remember(f"I like {name}", category="food") for name in FRUITS]
    night.dream()
    (summary,) = night.drawn()
    assert summary.text == f"I like {', '.join(FRUITS)}."
    return made


def listed(night):
    (one,) = night.drawn()
    return one


def test_what_was_archived_and_then_forgotten_is_on_no_list(night, archived):
    before, was = listed(night), night.rows()
    batch = night.forget(archived[1].id)
    after = listed(night)
    assert "canary1" not in after.text
    assert "canary0" in after.text
    assert after.source_ids == tuple(i for i in before.source_ids if i != archived[1].id)
    assert night.undo(batch) == []
    assert (night.rows(), listed(night).text) == (was, before.text)


def test_a_list_of_which_nothing_is_left_is_forgotten_too(night, archived):
    one = listed(night)
    night.forget(*one.source_ids)
    assert night.memories.get(one.id).status_reason == NOTHING_LEFT
    assert night.drawn() == []


def test_a_list_says_what_was_edited_as_it_is_now(night, archived):
    batch = night.edit(archived[0].id, text="I bought a yacht")
    assert "canary0" not in listed(night).text
    assert "I bought a yacht" in listed(night).text
    night.undo(batch)
    assert "canary0" in listed(night).text


@pytest.mark.parametrize("trust", [Trust.EXTERNAL, Trust.CLAIMED])
def test_a_list_is_trusted_as_little_as_what_is_on_it(night, archived, trust):
    night.edit(archived[0].id, trust=trust)
    assert listed(night).trust is trust


def test_a_list_of_lists_forgets_too(night, archived):
    for n in range(12):
        night.remember(f"I sold parrot{n}", 5)
        night.thin()
    nested = [m for m in night.all() if m.source_ids and night.memories.by_ids(m.source_ids)]
    assert any(m.actor == "compact" for n in nested for m in night.memories.by_ids(n.source_ids))
    night.forget(archived[0].id)
    assert not any("canary0" in memory.text for memory in night.all() if memory.source_ids)
    night.erase(archived[1].id)
    assert night.holds("canary1") == []


def test_what_the_person_wrote_into_a_list_is_theirs(night, archived):
    one = listed(night)
    night.edit(one.id, text="I bought many birds")
    night.forget(archived[0].id)
    assert listed(night).text == "I bought many birds"


def test_a_forgotten_list_says_nothing_more_once_it_is_restored(night, archived):
    one = listed(night)
    night.forget(one.id)
    night.forget(archived[0].id)
    night.memories.update(one.id, {"status": Status.ACTIVE}, night.note("restore"))
    assert "canary0" not in listed(night).text


def test_an_erasure_writes_the_list_anew_and_undoing_the_run_still_restores(night):
    made = [night.remember(f"I bought canary{n}", 10 - n) for n in range(6)]
    batch = night.thin().batch
    night.erase(made[1].id)
    assert night.holds("canary1") == []
    assert "canary0" in listed(night).text
    night.undo(batch)
    assert night.texts() == [f"I bought canary{n}" for n in (0, 2, 3, 4, 5)]


def test_an_erasure_knows_what_a_list_says_of_a_long_memory(night):
    memory = night.remember(LONG, 20)
    for n in range(5):
        night.remember(f"I bought canary{n}", 10 - n)
    night.thin()
    assert "Quetzalitis" in listed(night).text
    outcome = night.erase(memory.id)
    assert night.holds("Quetzalitis") == []
    assert any(LONG.startswith(n) and n != LONG and "Harrow" in n for n in outcome.needles)
    assert {"Quetzalitis", "Harrow"} <= set(outcome.needles)
    assert outcome.places == ()


def test_a_summary_of_something_forgotten_is_forgotten_and_the_rest_is_in_use(night, summed):
    (summary,) = night.drawn()
    was = night.rows()
    batch = night.forget(summed[0].id)
    assert night.memories.get(summary.id).status_reason == CHANGED
    assert night.texts() == [memory.text for memory in summed[1:]]
    assert night.undo(batch) == []
    assert night.rows() == was


def test_a_summary_of_something_edited_is_forgotten_and_all_is_in_use(night, summed):
    batch = night.edit(summed[0].id, text="I hate apples")
    assert night.texts() == ["I hate apples", *(memory.text for memory in summed[1:])]
    night.undo(batch)
    assert len(night.texts()) == len(night.drawn()) == 1


def test_an_edit_that_says_no_less_leaves_the_summary_alone(night, summed):
    night.edit(summed[0].id, text="I like apples.", tags=("fruit",))
    assert len(night.drawn()) == 1


def test_forgetting_a_summary_brings_nothing_back(night, summed):
    night.forget(listed(night).id)
    assert night.texts() == []
    night.forget(summed[0].id)
    assert night.texts() == []


def test_an_erasure_takes_the_summary_and_leaves_the_rest_in_use(night, summed):
    outcome = night.erase(summed[1].id)
    assert night.holds("pears") == []
    assert night.texts() == [m.text for m in summed if m.id != summed[1].id]
    assert f"I like {', '.join(FRUITS)}" in outcome.needles
    assert outcome.places == ()


def test_an_erasure_brings_back_nothing_that_went_with_a_forgotten_summary(night, summed):
    night.forget(listed(night).id)
    night.erase(summed[0].id)
    assert night.texts() == []


@pytest.mark.parametrize("reworded", [False, True])
def test_an_erasure_reaches_what_a_list_said_before(night, reworded):
    memory = night.remember(LONG, 20)
    for n in range(5):
        night.remember(f"I bought canary{n}", 10 - n)
    night.thin()
    one = listed(night)
    night.forget(memory.id)
    if reworded:
        night.edit(one.id, text="I bought many birds")
    assert "Quetzalitis" not in listed(night).text
    assert night.holds("Quetzalitis") == ["memories", "journal"]
    night.erase(memory.id)
    assert night.holds("Quetzalitis") == []
    assert not reworded or listed(night).text == "I bought many birds"


def test_what_was_said_again_since_is_not_brought_back_twice(night, summed):
    again = night.remember("I like pears")
    night.forget(summed[0].id)
    assert night.texts().count("I like pears") == 1
    night.erase(summed[2].id)
    assert night.memories.get(again.id).status is Status.ACTIVE


def test_what_one_of_two_summaries_said_stays_forgotten_with_it(night):
    night.set(summarise=True)
    made = [night.remember(f"I like {name}", category="food") for name in FRUITS]
    night.reply("I like apples and pears.", "I like plums, cherries and grapes.")
    night.dream()
    first, second = night.drawn()
    night.forget(first.id)
    night.forget(made[4].id)
    assert night.texts() == ["I like plums", "I like cherries"]
    assert night.memories.get(second.id).status is Status.FORGOTTEN


def test_an_archived_summary_goes_with_what_it_was_made_of(night, summed):
    for n in range(6):
        night.remember(f"I bought canary{n}")
    night.thin()
    assert any("apples" in memory.text for memory in night.drawn())
    night.forget(summed[0].id)
    assert not any("apples" in memory.text for memory in night.drawn())
    night.erase(summed[1].id)
    assert night.holds("pears") == []


@pytest.mark.parametrize("what", ["forget", "edit"])
def test_doing_a_dream_again_brings_back_nothing_that_was_taken_away(night, summed, what):
    (summary,) = night.drawn()
    (batch,) = {e.batch for e in night.journal.of_memory(summary.id)}
    night.undo(batch)
    if what == "forget":
        night.forget(summed[0].id)
    else:
        night.edit(summed[0].id, text="I hate apples")
    night.undo(f"undo {night.batches - 1}")
    assert night.drawn() == []
    assert {m.text for m in summed[1:]} <= set(night.texts())


class Person:
    """Does things at random, and knows what must not be said any more."""

    def __init__(self, night, chance):
        self.night, self.chance = night, chance
        self.number = 0
        self.runs = []
        self.gone, self.erased = set(), set()

    def word(self, memory):
        return memory.text.split()[-1]

    def one(self):
        """Return a statement that is still there and not forgotten."""
        usable = (Status.ACTIVE, Status.OUT_OF_WINDOW, Status.SUPERSEDED)
        found = [m for m in self.night.all(*usable) if not m.source_ids]
        return self.chance.choice(found) if found else None

    def remember(self):
        for _ in range(4):
            self.number += 1
            trust = self.chance.choice((Trust.LEARNED, Trust.LEARNED, Trust.EXTERNAL))
            self.night.remember(f"I like token{self.number:03}", trust=trust, category="food")

    def forget(self):
        if memory := self.one():
            self.night.forget(memory.id)
            self.gone.add(self.word(memory))

    def edit(self):
        if memory := self.one():
            self.number += 1
            self.night.edit(memory.id, text=f"I like token{self.number:03}")
            self.gone.add(self.word(memory))

    def erase(self):
        if memory := self.one():
            outcome = self.night.erase(memory.id)
            assert outcome.places == ()
            self.erased.add(self.word(memory))

    def forget_and_undo(self):
        if memory := self.one():
            before = self.night.rows()
            assert self.night.undo(self.night.forget(memory.id)) == []
            assert self.night.rows() == before

    def undo(self):
        """Undo a run, or do again what was undone."""
        if self.runs:
            self.night.undo(self.runs.pop(self.chance.randrange(len(self.runs))))
            self.runs.append(f"undo {self.night.batches}")

    def dream(self):
        self.runs += filter(None, [self.night.dream().batch])

    def thin(self):
        self.runs += filter(None, [self.night.thin(7, 4).batch])

    def check(self):
        for one in self.night.drawn():
            assert not any(word in one.text for word in self.gone | self.erased)
            sources = self.night.memories.by_ids(one.source_ids)
            assert all(one.trust.rank <= source.trust.rank for source in sources)
        for word in self.erased:
            assert self.night.holds(word) == []


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_done_nothing_drawn_says_what_was_taken_away(tmp_path, seed):
    night = Night(tmp_path)
    night.set(summarise=True)
    night.models.model = Echo()
    chance = random.Random(seed)
    person = Person(night, chance)
    acts = (person.forget, person.edit, person.erase, person.forget_and_undo, person.undo)
    for _ in range(25):
        person.remember()
        chance.choice((person.dream, person.thin))()
        chance.choice(acts)()
        person.check()
    night.vault.close()
