"""Restricting processing: everything is kept, and nothing is done with it until it is lifted."""

from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin
from app.domain.jobs.kinds import CONSOLIDATE, DREAM, INDEX
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter, Status
from app.domain.recall import Query, Scope
from app.errors import Refused, StoreError
from app.memory.recall.compose import Recaller
from app.services.upkeep.idle import RESTRICTED
from app.services.upkeep.restriction import RestrictionService
from app.services.upkeep.scrub import SCRUB
from app.store.aging import Aging
from app.store.store import Store
from app.store.work.job_monitor import JobMonitor
from app.store.work.jobs import JobQueue, JobState
from app.store.work.restriction import KEY, Restriction
from tests.fakes.openai_server import OpenAIServer
from tests.unit.services.profile import NOW, learn, send

CAR, NURSE = "I drive a red Skoda", "I work as a nurse in Leeds"


def texts(services):
    wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
    return {m.text for m in services.memories.list(wanted) if m.key != KEY}


@pytest.fixture
def known(services):
    services.memories.add(CAR)
    learn(services)
    return services


def refused(work):
    with pytest.raises(Refused, match="Processing is restricted") as found:
        work()
    return str(found.value)


def test_a_restricted_turn_is_refused_and_nothing_of_it_is_kept(known):
    talk, events = send(known, "What do I drive?")
    known.restriction.restrict()
    said = [m.text for m in known.conversations.messages(talk)]
    assert "loci restrict off" in refused(lambda: send(known, "What do I drive?"))
    refused(lambda: send(known, "And my dentist is Dr Kim.", talk))
    part = [Part("What do I ride?", PartOrigin.TYPED)]
    question = known.conversations.messages(talk)[0].id
    answer = events[-1].message.id
    for turn in (
        known.chat.edit(question, part, Event()),
        known.chat.retry(question, Event()),
        known.chat.regenerate(answer, Event()),
    ):
        refused(lambda turn=turn: drive(turn, Event()))
    assert [m.text for m in known.conversations.messages(talk)] == said
    assert len(known.conversations.list()) == 1


def test_no_model_is_given_anything(known):
    with OpenAIServer() as server:
        known.library.choose_chat(f"server:{server.url}#fake")
        server.requests.clear()
        known.restriction.restrict()
        refused(lambda: send(known, "What do I drive?"))
        assert not [r for r in server.requests if r.path.endswith("/chat/completions")]


def test_nothing_is_recalled_until_it_is_lifted(known):
    known.restriction.restrict()
    refused(lambda: known.memories.recall("What do I drive?"))
    known.restriction.lift()
    assert [hit.text for hit in known.memories.recall("What do I drive?").hits] == [CAR]


def test_what_waits_to_be_learnt_waits_on_and_is_learnt_once_it_is_lifted(known):
    with OpenAIServer() as server:
        known.library.choose_chat(f"server:{server.url}#fake")
        send(known, f"{NURSE}.")
        known.restriction.restrict()
        learn(known)
        assert texts(known) == {CAR}
        assert known.queue.pending() > 0
        known.restriction.lift()
        learn(known)
    assert texts(known) == {CAR, NURSE}


def test_learning_that_had_begun_keeps_nothing(opened, known, monkeypatch):
    """A restriction that comes while a message is being read stops what was read."""
    remember = known.chat._notebook._remember
    prepare = remember.prepare

    def restricted_meanwhile(*asked):
        found = prepare(*asked)
        known.restriction.restrict()
        return found

    monkeypatch.setattr(remember, "prepare", restricted_meanwhile)
    refused(lambda: send(known, f"{NURSE}."))
    assert texts(known) == {CAR}


@pytest.mark.parametrize("kind", [CONSOLIDATE, DREAM])
def test_nothing_is_tidied_not_even_when_asked(known, kind):
    known.restriction.restrict()
    refused(lambda: known.upkeep.start(kind))
    refused(lambda: known.upkeep.preview(kind))
    known.restriction.lift()
    known.upkeep.start(kind)
    known.restriction.restrict()
    drive(known.background.run(upkeep=True), Event())
    (standing,) = [one for one in known.upkeep.standings() if one.kind == kind]
    assert (standing.queued, standing.waiting, standing.last) == (True, RESTRICTED, None)


def test_work_that_runs_stops_at_its_next_step(house):
    house.add("boat")
    house.upkeep.start("review")

    assert house.run_until(RestrictionService(Store(house.vault), house.clock).restrict)
    assert house.did == [0]
    house.run()
    assert house.did == [0]


def test_an_erasure_that_was_broken_off_is_finished_all_the_same(opened, known):
    known.restriction.restrict()
    JobQueue(opened.store.vault).enqueue(SCRUB, SCRUB, {})
    known.queue.enqueue_index()
    learn(known)
    states = {kind: JobMonitor(opened.store.vault).by_key(kind).state for kind in (SCRUB, INDEX)}
    assert states == {SCRUB: JobState.DONE, INDEX: JobState.QUEUED}


def test_what_the_person_does_themselves_still_works(known, tmp_path):
    known.restriction.restrict()
    known.memories.add("I row on Sundays")
    (car,) = [m for m in known.memories.list(MemoryFilter()) if m.text == CAR]
    known.memories.edit(car.id, car.revision, {"text": "I drive a blue Skoda"})
    assert texts(known) == {"I drive a blue Skoda", "I row on Sundays"}
    known.memories.forget([car.id])
    drive(known.transfer.export(tmp_path / "all.zip"), Event())
    inventory = known.erasure.of_memory(car.id)
    ticked = frozenset(copy.key for copy in inventory.copies if copy.ticked)
    drive(known.erasure.erase_memory(car.id, ticked), Event())
    assert texts(known) == {"I row on Sundays"}


def test_it_is_a_memory_that_nothing_takes_away(opened, known):
    known.restriction.restrict()
    row = next(m for m in known.memories.list(MemoryFilter()) if m.key == KEY)
    assert (row.value, row.category, row.visibility) == ("true", "gdpr", "global")
    aging = Aging(opened.store.vault)
    later = NOW.replace(year=2099)
    gone = [*aging.stale(later, -1), *aging.outlived(later, -1), *aging.crowding(-1)]
    assert row.id not in {memory.id for memory in gone}


def test_both_are_undone_like_any_change(known):
    (batch,) = known.restriction.restrict().batches
    assert known.undo.last_change() == (batch, "Began: Processing is restricted")
    known.undo.undo(batch)
    assert not known.restriction.is_on
    known.restriction.restrict()
    assert known.restriction.restrict().batches == frozenset(), "it is on already"
    (batch,) = known.restriction.lift().batches
    assert known.restriction.lift().batches == frozenset()
    known.undo.undo(batch)
    assert known.restriction.is_on


def test_another_process_sees_it_at_once(opened, known):
    known.restriction.restrict()
    recaller = Recaller(opened.store, lambda: None, known.preferences.values)
    refused(lambda: recaller.recall(Query("What do I drive?", Scope(1), NOW)))


def test_where_the_vault_does_not_answer_nothing_is_processed(opened, known, monkeypatch):
    def broken(self):
        raise StoreError("The vault does not answer.")

    monkeypatch.setattr(Restriction, "is_on", property(broken))
    for work in (
        lambda: send(known, "What do I drive?"),
        lambda: known.memories.recall("What do I drive?"),
        lambda: drive(known.background.run(), Event()),
    ):
        with pytest.raises(StoreError):
            work()


def test_the_doctor_tells_of_it(known):
    assert known.doctor.report()["processing_restricted"] is False
    known.restriction.restrict()
    assert known.doctor.report()["processing_restricted"] is True
