"""The past as the person sees it, and the way back."""

from datetime import timedelta
from unittest.mock import ANY

import pytest

from app.domain.history import Action, LineageKind, SourceKind
from app.domain.jobs.kinds import LEARN
from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter, Origin, Status
from app.errors import NotFound, Refused
from app.main.build import build
from app.memory.suppression import SuppressionList
from app.paths import Paths, ProfilePaths
from app.services.upkeep.queue import learn_job
from app.store.memories import Memories, Note
from app.store.profiles import Profiles
from app.store.vault import backup
from app.store.work.jobs import JobQueue
from tests.unit.services.profile import NOW, learn, send
from tests.unit.services.ruling import Ruling, moved

BOAT, PIANO = "I own a boat called Merel", "I play the piano"
HOME, MOVED = "I live in Ghent", "I live in Porto now"
ACTIVE = MemoryFilter(statuses=frozenset({Status.ACTIVE}))


class Clock:
    now = NOW

    def __call__(self):
        self.now += timedelta(milliseconds=1)
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def opened(tmp_path, clock, monkeypatch):
    profiles = Profiles(Paths(tmp_path), clock, lambda: None)
    vault, profile = profiles.create("Ada")
    opened = build(profiles, profile, vault, clock)
    opened.services.preferences.set("chat.model", "notebook")
    opened.services.preferences.set("models.embedder", "hash")
    monkeypatch.setattr(opened.host, "current_understanding", lambda: Ruling(moved))
    yield opened
    opened.close()


@pytest.fixture
def memories(opened):
    return Memories(opened.store.vault)


@pytest.fixture
def history(services):
    return services.history


@pytest.fixture
def undo(services):
    return services.undo


@pytest.fixture
def sources(services):
    return services.sources


def texts(services):
    return sorted(m.text for m in services.memories.list(ACTIVE))


def ids(services):
    return {m.text: m.id for m in services.memories.list(MemoryFilter())}


def tell(services, *said):
    for text in said:
        send(services, text)
        learn(services)


def job(memories, batch, *made, actor="consolidate", **fields):
    """Let a job write memories, as one batch."""
    now = memories._vault.clock()
    for text in made:
        memory = Memory(
            "", text, now, now, actor=actor, **{"agent_pk": 1, **{"origin": Origin.REVIEW} | fields}
        )
        memories.insert(memory, (), Note(actor, "insert", batch))


# -- undo and redo -----------------------------------------------------------------------------


def test_undo_and_redo_walk_over_the_persons_changes_and_those_of_jobs(services, undo, memories):
    assert undo.can_undo() is undo.can_redo() is None
    assert undo.undo_last().sentence == "There is nothing to undo."
    assert undo.redo_last().sentence == "There is nothing to redo."
    tell(services, BOAT, PIANO)
    job(memories, "night", "You own things", "You like things")
    services.memories.forget(list(ids(services).values()))
    assert undo.can_undo() == "Forgot: You like things and 3 more"
    done = [undo.undo_last() for _ in range(4)]
    assert [one.sentence for one in done] == [
        "Taken back: “You like things” and 3 more are in use again.",
        "Taken back: “You own things” and 1 more are not remembered any more.",
        "Taken back: “I play the piano” is not remembered any more.",
        "Taken back: “I own a boat called Merel” is not remembered any more.",
    ]
    assert all(one.changes.memories and one.changes.batches and not one.refused for one in done)
    assert texts(services) == []
    assert undo.can_undo() is None
    assert undo.can_redo() == "Remembered: I own a boat called Merel"
    again = [undo.redo_last() for _ in range(3)]
    assert [one.sentence for one in again] == [
        "Done again: “I own a boat called Merel” is remembered again.",
        "Done again: “I play the piano” is remembered again.",
        "Done again: “You own things” and 1 more are remembered again.",
    ]
    assert len(texts(services)) == 4
    assert undo.can_redo() == "Forgot: You like things and 3 more"
    services.memories.pin([ids(services)[PIANO]], on=True)
    assert undo.can_redo() is None


def test_of_a_forgetting_that_left_a_rest_what_comes_back_is_named(services, undo):
    both = "I own a boat and play the piano"
    services.memories.add(both)
    memory_id = ids(services)[both]
    services.memories.forget([memory_id], left={memory_id: PIANO})
    assert texts(services) == [PIANO]
    assert undo.undo_last().sentence == f"Taken back: “{both}” is in use again."
    assert texts(services) == [both]
    assert undo.redo_last().sentence == f"Done again: “{both}” is forgotten again."


def test_of_a_replacement_both_are_named(memories, undo):
    job(memories, "b1", "I live in York")
    job(memories, "b2", "I live in Leeds")
    (york,) = [m for m in memories.list(DEFAULT_SCOPE, ACTIVE) if "York" in m.text]
    memories.update(york.id, {"status": Status.SUPERSEDED}, Note("learn", "supersede", "b2"))
    assert undo.undo_last().sentence == (
        "Taken back: “I live in Leeds” is not remembered any more, and “I live in York” is in use"
        " again."
    )
    assert undo.redo_last().sentence == (
        "Done again: “I live in Leeds” is remembered again, and “I live in York” is replaced again."
    )


def test_of_a_replacement_that_left_a_rest_the_rest_is_not_named(memories, undo):
    both = "I own a boat and play the piano"
    job(memories, "b1", both)
    job(memories, "b2", "I sold the boat", "[I] play the piano")
    (old,) = [m for m in memories.list(DEFAULT_SCOPE, ACTIVE) if m.text == both]
    (heir,) = [m for m in memories.list(DEFAULT_SCOPE, ACTIVE) if "sold" in m.text]
    over = {"status": Status.SUPERSEDED, "superseded_by": heir.id}
    memories.update(old.id, over, Note("learn", "supersede", "b2"))
    assert undo.undo_last().sentence == (
        f"Taken back: “I sold the boat” is not remembered any more, and “{both}” is in use again."
    )


def test_what_comes_back_is_found_again(services, undo):
    tell(services, BOAT)
    services.memories.edit(ids(services)[BOAT], 1, {"text": "I own a canoe"})
    learn(services)
    assert undo.undo_last().changes.jobs
    learn(services)
    assert [h.text for h in services.memories.recall("boat").hits] == [BOAT]


def test_a_later_edit_is_told_and_the_way_back_goes_on(services, history, undo, memories):
    job(memories, "night", "one", "two")
    one = ids(services)["one"]
    (batch,) = {e.batch for e in services.memories.detail(one).history}
    services.memories.edit(one, 1, {"text": "one by hand"})
    changes, refused = undo.undo(batch)
    assert len(changes.memories) == 1
    assert refused == ["Not undone, because it was changed since: one by hand"]
    assert texts(services) == ["one by hand"]
    assert undo.undo_last().sentence == "Taken back: the change to “one by hand”."
    assert undo.undo_last().changes.memories == {one}
    assert undo.undo_last().sentence == "There is nothing to undo."


@pytest.mark.tampers
def test_what_cannot_be_undone_at_all_is_passed_over_with_a_sentence(opened, services, undo):
    tell(services, BOAT, PIANO)
    with opened.store.vault.write() as connection:  # something that the journal does not know of
        connection.execute("UPDATE memories SET revision = 9 WHERE text = 'I play the piano'")
    assert undo.undo_last() == (
        ANY,
        "Taken back: “I own a boat called Merel” is not remembered any more.",
        ["Not undone, because it was changed since: I play the piano"],
    )
    changes, sentence, refused = undo.undo_last()
    assert (sentence, len(refused)) == ("Nothing was undone.", 1)
    assert not changes
    assert texts(services) == [PIANO]


def test_undoing_a_rejection_allows_it_again_and_redoing_rejects_it(opened, services, undo):
    services.preferences.set("extraction.ask_first", True)
    tell(services, BOAT)
    (waiting,) = services.attention.proposals()
    services.attention.reject([waiting.memory.id])
    gone = SuppressionList(opened.store)
    assert gone.is_rejected("A boat called Merel is what I own", 1) is False
    assert gone.is_rejected("i own a boat called merel!", 1)
    assert (
        undo.undo_last().sentence
        == "Taken back: “I own a boat called Merel” needs your review again."
    )
    assert not gone.is_rejected(BOAT, 1)
    assert len(services.attention.proposals()) == 1
    assert undo.redo_last().sentence == "Done again: “I own a boat called Merel” is rejected again."
    assert gone.is_rejected(BOAT, 1)


# -- what was known and done -------------------------------------------------------------------


def test_a_day_means_its_end_and_shows_what_was_known_then(services, history, clock):
    tell(services, BOAT)
    memory_id = ids(services)[BOAT]
    clock.now += timedelta(days=2)
    services.memories.edit(memory_id, 1, {"text": "I own a canoe"})
    then = history.moment(f"{NOW.astimezone():%Y-%m-%d}")
    assert [m.text for m in history.as_of(then)] == [BOAT]
    assert history.memory_as_of(memory_id, then).revision == 1
    assert history.as_of(then, MemoryFilter(text="canoe")) == []
    assert history.count_as_of(then, ACTIVE) == 1
    assert history.count_as_of(NOW - timedelta(1)) == 0
    assert [m.text for m in history.as_of(history.moment("today"))] == ["I own a canoe"]
    with pytest.raises(Refused, match="is not a date"):
        history.moment("some day")


def test_the_timeline_tells_what_was_done_together(services, history, undo, clock, memories):
    tell(services, HOME)
    tell(services, MOVED)
    clock.now += timedelta(days=1)
    job(memories, "night", "One", "Two", actor="review")
    undo.undo("night")
    found = history.timeline()
    assert [(m.kind, m.sentence, m.actor, m.count, m.undone) for m in found] == [
        (Action.UNDONE, "Undid “Remembered: One and 1 more”", "user", 2, False),
        (Action.REMEMBERED, "Remembered: One and 1 more", "review", 2, True),
        (Action.REMEMBERED, f"Remembered: {MOVED}", "user", 2, False),
        (Action.REMEMBERED, "Remembered: I live in Ghent", "user", 1, False),
    ]
    assert found[0].at >= found[-1].at
    assert {m.batch for m in history.timeline(limit=1)} == {found[0].batch}
    (first, one), (last, two) = history.days()
    assert last - first == timedelta(days=1)
    assert one == {Action.REMEMBERED: 2, Action.REPLACED: 1}
    assert two == {Action.REMEMBERED: 2, Action.UNDONE: 2}
    assert history.span() == (found[-1].at, found[0].at)
    assert [s.sentence for s in history.of_batch(found[2].batch)] == [
        "Replaced: I live in Ghent",
        f"Remembered: {MOVED}",
    ]
    assert history.timeline(since=found[0].at + timedelta(1)) == []


def test_the_history_of_a_memory_reads_field_by_field(services, history, undo, clock):
    tell(services, HOME)
    memory_id = ids(services)[HOME]
    until = clock.now + timedelta(days=9)
    fields = {"text": "I live in Lille", "tags": ("home", "fr"), "expires_at": until}
    services.memories.edit(memory_id, 1, fields)
    services.memories.pin([memory_id], on=True)
    services.memories.pin([memory_id], on=False)
    learn(services)
    tell(services, MOVED)
    undo.undo_last()
    steps = history.of_memory(memory_id)
    assert [s.sentence for s in steps] == [
        "Remembered: I live in Ghent",
        "Edited: I live in Lille",
        "Pinned: I live in Lille",
        "Unpinned: I live in Lille",
        "Replaced: I live in Lille",
        f"Undid “Remembered: {MOVED}”",
    ]
    assert ("text", "", HOME) in steps[0].differences
    assert {d.field for d in steps[0].differences} == {"text", "category"}
    edited = {d.field: (d.before, d.after) for d in steps[1].differences}
    assert edited["text"] == (HOME, "I live in Lille")
    assert edited["tags"] == ("", "home, fr")
    assert edited["expires"][1].startswith(f"{until.astimezone():%Y-%m-%d}")
    assert steps[2].differences == [("pinned", "no", "yes")]
    replaced = {d.field: d.after for d in steps[4].differences}
    assert (replaced["status"], replaced["replaced by"]) == ("replaced", MOVED)
    assert history.diff(steps[2].entry) == steps[2].differences
    with pytest.raises(NotFound):
        history.of_memory("nobody")


def test_other_changes_are_told_in_plain_words(services, history, memories):
    job(memories, "night", "Perhaps", status=Status.PROPOSED)
    memory_id = ids(services)["Perhaps"]
    for batch, fields in (
        ("b1", {"status": Status.ACTIVE, "value": {"a": 1}, "confidence": 0.456}),
        ("b2", {"status": Status.OUT_OF_WINDOW, "source_ids": ("gone",)}),
    ):
        memories.update(memory_id, fields, Note("compact", "tidy up", batch))
    proposed, restored, archived = history.of_memory(memory_id)
    assert (proposed.sentence, proposed.kind) == ("Proposed: Perhaps", Action.PROPOSED)
    assert (restored.sentence, restored.kind) == ("Restored: Perhaps", Action.REMEMBERED)
    assert (archived.sentence, archived.kind) == ("Archived: Perhaps", Action.ARCHIVED)
    assert ("value", "", "a: 1") in restored.differences
    assert ("confidence", "", "0.46") in restored.differences
    assert ("drawn from", "", "a memory that was erased") in archived.differences
    assert ("status", "active", "archived") in archived.differences


# -- who, and from what ------------------------------------------------------------------------


def test_the_audit_tells_who_wrote_what_and_what_came_at_once(services, sources, memories):
    tell(services, BOAT)
    job(memories, "night", *(f"Thing {n}" for n in range(40)), actor="robot", origin=Origin.CLIENT)
    report = sources.audit()
    assert (report.memories, report.active, report.changes) == (41, 41, 41)
    assert [(w.actor, w.origin, w.written) for w in report.writers] == [
        ("robot", "client", 40),
        ("user", "conversation", 1),
    ]
    (burst,) = report.bursts
    assert (burst.actor, burst.count, burst.batches) == ("robot", 40, ("night",))
    assert [s.kind for s in report.sources] == [SourceKind.CLIENT, SourceKind.CONVERSATION]
    assert len(sources.audit(limit=1).sources) == 1


def test_lineage_leads_to_the_message(services, sources):
    tell(services, BOAT)
    found = sources.lineage(ids(services)[BOAT])
    assert [(s.kind, s.text) for s in found.sources] == [(LineageKind.MESSAGE, BOAT)]
    with pytest.raises(NotFound):
        sources.lineage("nobody")


def test_a_source_is_named_and_forgotten_and_undone(services, undo, sources):
    tell(services, BOAT, PIANO)
    boat = next(s for s in sources.list() if "boat" in s.title)
    source = sources.get(boat.name)
    assert source == boat
    assert sources.holding(source).memories == (ids(services)[BOAT],)
    changes = sources.forget(source)
    assert changes.memories == {ids(services)[BOAT]}
    assert texts(services) == [PIANO]
    assert not sources.forget(source)
    assert undo.undo_last().sentence == "Taken back: “I own a boat called Merel” is in use again."
    assert len(texts(services)) == 2
    for name in ("conversation:none", "nonsense", "moon:1"):
        with pytest.raises(NotFound, match="No memory comes from"):
            sources.get(name)


# -- forgetting lasts --------------------------------------------------------------------------


def test_a_backup_that_the_person_restores_brings_back_what_it_holds(opened, services, tmp_path):
    """A restored backup is exempt: what was forgotten after it was made is there again."""
    tell(services, BOAT)
    path, key = opened.store.vault.path, opened.store.vault.key
    copy = backup.create(path, key)
    services.memories.forget(list(ids(services).values()))
    assert texts(services) == []
    opened.close()
    backup.restore(ProfilePaths(path.parent), copy, key)
    profiles = Profiles(Paths(tmp_path), Clock(), lambda: None)
    (profile,) = profiles.list()
    again = build(profiles, profile, profiles.open("ada"), Clock())
    assert texts(again.services) == [BOAT]
    again.close()


def test_a_message_learnt_from_again_brings_nothing_back(opened, services):
    talk, _ = send(services, BOAT)
    learn(services)
    services.memories.forget(list(ids(services).values()))
    said = services.conversations.messages(talk)[0]
    JobQueue(opened.store.vault).enqueue(LEARN, f"again:{said.id}", learn_job(said.id))
    learn(services)
    assert texts(services) == []


def test_which_batches_were_taken_back(services, undo):
    first, second = (services.memories.add(text) for text in ("I own a boat.", "I own a bike."))
    (boat,), (bike,) = first.batches, second.batches
    assert undo.taken_back([boat, bike, ""]) == frozenset()
    changes, _ = undo.undo(bike)
    assert undo.taken_back([boat, bike]) == {bike}
    undo.undo(*changes.batches)
    assert undo.taken_back([boat, bike]) == frozenset()
