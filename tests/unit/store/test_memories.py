"""Memories: within a scope, each change journalled, nothing left of what is erased."""

from datetime import timedelta

import pytest

from app.domain.language.text import content_hash
from app.domain.memory import (
    DEFAULT_SCOPE,
    Evidence,
    Memory,
    MemoryFilter,
    MemoryType,
    Origin,
    Scope,
    Status,
    Trust,
    Visibility,
)
from app.domain.recall import Hit, HitKind, Recall
from app.errors import Conflict, NotFound, Refused
from app.providers.base import Embedding
from app.store.entities import Entities
from app.store.index.vectors import Vectors
from app.store.memories import Note
from app.store.recalls import Recalls

USER = Note("user", "update", "b2")


def texts(found):
    return [memory.text for memory in found]


@pytest.fixture
def two_agents(vault, clock):
    """Agents 1 and 2 in group 1, agent 3 in none."""
    with vault.write() as connection:
        for pk in (2, 3):
            connection.execute(
                "INSERT INTO agents (pk, id, name, created_at, updated_at)"
                " VALUES (?1, 'agent' || ?1, 'A', 0, 0)",
                (pk,),
            )
        connection.execute("INSERT INTO groups VALUES (1, 'group', 'Family', 0)")
    return Scope(1, (1,)), Scope(2, (1,)), Scope(3)


def test_every_field_survives(memories, clock):
    now = clock()
    memory = Memory(
        id="",
        text="Lives in Lyon",
        created_at=now,
        updated_at=now,
        type=MemoryType.EPISODIC,
        trust=Trust.SYSTEM,
        origin=Origin.USER_TYPED,
        actor="ana",
        source_id="import:1",
        status=Status.PROPOSED,
        status_reason="looks odd",
        key="home_city",
        value={"city": "Lyon", "since": [2019, None, True, "né"]},
        category="fact",
        tags=("home", "été"),
        pinned=True,
        occurred_at=now - timedelta(days=3),
        valid_to=now + timedelta(days=3),
        expires_at=now + timedelta(days=9),
        superseded_by="other",
        conflicted=True,
        proof_count=4,
        source_ids=("a", "b"),
        confidence=0.75,
        seen_count=3,
        access_count=2,
        last_accessed_at=now,
        agent_pk=1,
    )
    stored = memories.insert(memory, (), Note("ana", "insert", "b1"))
    assert memories.get(stored.id) == stored
    for name in Memory.__slots__:
        if name not in ("id", "pk"):
            assert getattr(stored, name) == getattr(memory, name), name


def test_the_same_text_is_one_memory_and_says_so(memories, remember):
    first = remember("Likes green tea.")
    with pytest.raises(Conflict, match="already remembered: likes GREEN tea") as caught:
        remember("likes GREEN tea")
    assert caught.value.current == "likes GREEN tea"
    assert memories.by_hash(1, Visibility.SELF, content_hash("LIKES green tea!")) == first
    memories.update(first.id, {"status": Status.FORGOTTEN}, USER)
    assert memories.by_hash(1, Visibility.SELF, content_hash("Likes green tea")) is None
    assert remember("likes green tea").id != first.id


def test_the_reason_of_a_status_goes_with_it_and_comes_back_with_it(memories, remember, journal):
    odd = remember("Owes a duke", status=Status.QUARANTINED, status_reason="It looks odd.")
    restored = Note("user", "restore", "b9")
    assert memories.update(odd.id, {"status": Status.ACTIVE}, restored).status_reason == ""
    why = {"status": Status.FORGOTTEN, "status_reason": "It grew stale."}
    memories.update(odd.id, why, Note("dream", "prune", "b3"))
    memories.update(odd.id, {"pinned": True}, USER)
    assert memories.get(odd.id).status_reason == "It grew stale."
    for batch, status, reason in (
        (USER.batch, Status.FORGOTTEN, "It grew stale."),
        ("b3", Status.ACTIVE, ""),
        ("b9", Status.QUARANTINED, "It looks odd."),
    ):
        assert journal.undo(batch, Note("user", "undo", f"u {batch}"))[1] == []
        back = memories.get(odd.id)
        assert (back.status, back.status_reason) == (status, reason)


def test_what_is_undone_altogether_says_no_more_why_it_was_set_aside(memories, remember, journal):
    odd = remember("Owes a duke", status=Status.QUARANTINED, status_reason="It looks odd.")
    journal.undo("b1", Note("user", "undo", "u1"))
    gone = memories.get(odd.id)
    assert (gone.status, gone.status_reason) == (Status.FORGOTTEN, "")
    journal.undo("u1", Note("user", "undo", "u2"))
    assert memories.get(odd.id).status_reason == "It looks odd."


def test_a_conflict_takes_back_only_itself(memories, remember, vault, journal):
    with vault.write():
        remember("Has a dog")
        with pytest.raises(Conflict):
            remember("has a dog")
        remember("Has a cat")
    assert sorted(texts(memories.list(DEFAULT_SCOPE))) == ["Has a cat", "Has a dog"]
    assert len(journal.of_batch("b1")) == 2


def test_a_key_has_one_active_memory(memories, remember):
    old = remember("Lives in Lyon", key="home_city")
    with pytest.raises(
        Conflict, match="“home city” is already remembered as: Lives in Lyon"
    ) as caught:
        remember("Lives in Nice", key=" home_city ")
    assert caught.value.current == "Lives in Lyon"
    assert memories.by_key(1, "home_city") == old
    memories.update(old.id, {"status": Status.SUPERSEDED}, USER)
    new = remember("Lives in Nice", key="home_city")
    assert memories.by_key(1, "home_city") == new
    with pytest.raises(Conflict, match="Lives in Nice"):
        memories.update(old.id, {"status": Status.ACTIVE}, USER)
    assert memories.get(old.id).status is Status.SUPERSEDED


def test_an_agents_own_key_comes_before_everybodys(memories, remember):
    everybodys = remember("Tea", key="drink", visibility=Visibility.GLOBAL)
    assert memories.by_key(1, "drink") == everybodys
    own = remember("Coffee", key="drink")
    assert memories.by_key(1, "drink") == own
    assert memories.by_key(7, "drink") == everybodys


def test_an_archived_memory_holds_its_key_where_nothing_in_use_does(memories, remember, clock):
    first = remember("Tea", key="drink", status=Status.OUT_OF_WINDOW)
    clock.forward(minutes=1)
    second = remember("Mate", key="drink", status=Status.OUT_OF_WINDOW)
    assert memories.by_key(1, "drink") == second
    assert memories.archived(1, " drink ") == [second, first]
    assert memories.by_key(7, "drink") is None
    own = remember("Coffee", key="drink")
    assert memories.by_key(1, "drink") == own


def test_an_id_comes_once(memories, clock):
    memory = Memory(id="x", text="One", created_at=clock(), updated_at=clock(), agent_pk=1)
    memories.insert(memory, (), Note("import", "insert", "b"))
    with pytest.raises(Conflict, match="here already"):
        memories.insert(
            Memory(id="x", text="Two", created_at=clock(), updated_at=clock(), agent_pk=1),
            (),
            Note("import", "insert", "b"),
        )


def test_who_sees_what(memories, remember, two_agents):
    family, other, stranger = two_agents
    remember("mine")
    remember("ours", visibility=Visibility.GROUP, group_pks=(1,))
    remember("everybody's", visibility=Visibility.GLOBAL)
    remember("theirs", agent_pk=2)
    for scope, seen in (
        (family, {"mine", "ours", "everybody's"}),
        (other, {"theirs", "ours", "everybody's"}),
        (stranger, {"everybody's"}),
        (Scope(1), {"mine", "everybody's"}),
    ):
        assert set(texts(memories.list(scope=scope))) == seen
        assert memories.count(scope=scope) == len(seen)
        assert memories.overview(scope)[Status.ACTIVE] == len(seen)
        for text in ("mine", "ours", "everybody's", "theirs"):
            hits = texts(memories.list(scope, MemoryFilter(text=text)))
            assert hits == ([text] if text in seen else [])


def test_groups_come_back_and_can_change(memories, remember, two_agents):
    memory = remember("ours", visibility=Visibility.GROUP, group_pks=(1,))
    assert memories.list(scope=two_agents[0])[0].group_pks == (1,)
    changed = memories.update(memory.id, {"visibility": Visibility.SELF, "group_pks": ()}, USER)
    assert (changed.visibility, changed.group_pks) == (Visibility.SELF, ())
    assert memories.count(scope=two_agents[1]) == 0
    assert memories.count(scope=two_agents[0]) == 1


def test_an_update_bumps_the_revision_and_is_journalled(memories, remember, journal, clock):
    memory = remember("Works at Acme", tags=("work",))
    clock.forward(hours=1)
    changed = memories.update(
        memory.id, {"text": "Works at Bolt", "pinned": True, "tags": ("work",)}, USER, 1
    )
    assert (changed.text, changed.pinned, changed.revision) == ("Works at Bolt", True, 2)
    assert changed.updated_at == clock()
    assert changed.created_at == memory.created_at
    entry = journal.of_memory(memory.id)[-1]
    assert entry.before == {"text": "Works at Acme", "pinned": False, "revision": 1}
    assert entry.after == {"text": "Works at Bolt", "pinned": True, "revision": 2}
    assert (entry.actor, entry.op, entry.batch, entry.at) == ("user", "update", "b2", clock())
    assert texts(memories.list(DEFAULT_SCOPE, MemoryFilter(text="bolt"))) == ["Works at Bolt"]
    assert memories.list(DEFAULT_SCOPE, MemoryFilter(text="acme")) == []


def test_an_update_that_changes_nothing_is_none(memories, remember, journal):
    memory = remember("Works at Acme", group_pks=(), tags=("a", "b"))
    assert memories.update(memory.id, {"text": memory.text, "tags": ["a", "b"]}, USER) == memory
    assert len(journal.of_memory(memory.id)) == 1


def test_a_stale_edit_meets_the_other_text(memories, remember):
    memory = remember("Works at Acme")
    memories.update(memory.id, {"text": "Works at Bolt"}, USER, memory.revision)
    with pytest.raises(Conflict) as caught:
        memories.update(memory.id, {"text": "Works at Cube"}, USER, memory.revision)
    assert caught.value.current == "Works at Bolt"
    assert memories.get(memory.id).text == "Works at Bolt"


def test_where_it_came_from_never_changes(memories, remember):
    memory = remember("A page said so", origin=Origin.WEB, trust=Trust.EXTERNAL)
    for name in ("origin", "actor", "source_id", "id", "created_at", "revision"):
        with pytest.raises(ValueError, match="never changes"):
            memories.update(memory.id, {name: "x"}, USER)


def test_trust_falls_freely_and_rises_only_by_the_person(memories, remember, journal):
    memory = remember("Said so")
    fallen = memories.update(memory.id, {"trust": Trust.EXTERNAL}, Note("dream", "update", "b2"))
    assert fallen.trust is Trust.EXTERNAL
    with pytest.raises(Refused, match="Only you"):
        memories.update(memory.id, {"trust": Trust.LEARNED}, Note("dream", "update", "b3"))
    assert memories.get(memory.id).trust is Trust.EXTERNAL
    assert journal.of_batch("b3") == []
    raised = memories.update(memory.id, {"trust": Trust.SYSTEM, "pinned": True}, USER)
    assert (raised.trust, raised.pinned, raised.revision) == (Trust.SYSTEM, True, 3)
    assert [e.op for e in journal.of_memory(memory.id)][-2:] == ["elevate", "update"]


def test_an_old_elevation_opens_no_door(memories, remember, vault):
    import sqlcipher3.dbapi2 as driver

    memory = remember("Said so")
    memories.update(memory.id, {"trust": Trust.SYSTEM}, USER)
    memories.update(memory.id, {"trust": Trust.EXTERNAL}, USER)
    with (
        pytest.raises(driver.IntegrityError, match="only by the person"),
        vault.write() as connection,
    ):
        connection.execute("UPDATE memories SET trust = 'system'")


def test_the_same_said_again_adds_evidence(memories, remember, conversations, say, clock):
    talk = conversations.create(1, title="Tea")
    first, second = say(talk, "I like tea"), say(talk, "I said I like tea")
    memory = remember("Likes tea", evidence=[Evidence("I like tea", clock(), first.id)])
    clock.forward(minutes=1)
    memories.add_evidence(memory.id, Evidence("I like tea", clock(), second.id))
    memories.add_evidence(memory.id, Evidence("I like tea", clock(), second.id))
    now = memories.get(memory.id)
    assert (now.seen_count, now.revision) == (2, 1)
    found = memories.evidence(memory.id)
    assert [(e.message_id, e.quote) for e in found] == [
        (first.id, "I like tea"),
        (second.id, "I like tea"),
    ]
    assert (found[0].conversation_id, found[0].conversation_title) == (talk.id, "Tea")
    with pytest.raises(NotFound):
        memories.add_evidence("x", Evidence("?", clock()))


def test_evidence_outlives_its_conversation(memories, remember, conversations, say, clock):
    talk = conversations.create(1)
    message = say(talk, "I like tea")
    memory = remember("Likes tea", evidence=[Evidence("I like tea", clock(), message.id)])
    conversations.delete(talk.id)
    assert memories.evidence(memory.id) == [Evidence("I like tea", clock())]


def test_use_is_counted_but_is_no_change(memories, remember, journal, clock):
    memory, other = remember("Likes tea"), remember("Likes jam")
    memories.touch([memory.id], clock.forward(days=1))
    now = memories.get(memory.id)
    assert (now.access_count, now.last_accessed_at) == (1, clock())
    assert (now.revision, now.updated_at) == (memory.revision, memory.updated_at)
    assert memories.get(other.id) == other
    assert len(journal.of_memory(memory.id)) == 1
    assert texts(memories.list(DEFAULT_SCOPE, MemoryFilter(order="used"))) == [
        "Likes tea",
        "Likes jam",
    ]


def test_ids_are_answered_in_the_order_asked_for(memories, remember):
    one, two = remember("one"), remember("two")
    assert memories.by_ids([two.id, "x", one.id]) == [two, one]


def test_what_replaced_what(memories, remember):
    old, new = remember("Lives in Lyon"), remember("Lives in Nice")
    memories.update(old.id, {"superseded_by": new.id, "status": Status.SUPERSEDED}, USER)
    assert texts(memories.replaces(new.id)) == ["Lives in Lyon"]
    assert memories.replaces(old.id) == []


def test_a_changed_text_loses_its_vectors_and_a_changed_scope_keeps_them(
    vault, memories, remember, clock
):
    vectors = Vectors(vault)
    embedder = vectors.use("test", 8)
    memory = remember("Likes tea")
    embedding = Embedding(unit(8, 1))
    assert vectors.put("memory", [(memory.pk, embedding)], embedder) == 1

    def found(scope):
        return vectors.nearest(
            "memory", embedding.vector, 5, embedder_pk=embedder, scope=scope, now=clock()
        )

    memories.update(memory.id, {"visibility": Visibility.GLOBAL}, USER)
    assert [pk for pk, _ in found(Scope(9))] == [memory.pk]
    assert vectors.missing("memory", embedder, 10) == []
    memories.update(memory.id, {"text": "Likes coffee"}, USER)
    assert vectors.missing("memory", embedder, 10) == [(memory.pk, "Likes coffee")]
    assert found(Scope(1)) == []
    with vault.read() as connection:
        left = connection.execute(f"SELECT count(*) FROM bits_memory_{embedder}").fetchone()[0]
    assert left == 0


def unit(dims, *ones):
    import numpy as np

    vector = np.full(dims, -0.01, np.float32)
    vector[list(ones)] = 1
    return vector / np.linalg.norm(vector)


def test_an_erased_memory_leaves_nothing(
    vault, memories, remember, conversations, say, everything, clock
):
    talk = conversations.create(1)
    asked = say(talk, "what do you know?")
    answer = say(talk, "this and that", role=asked.role.ASSISTANT)
    memory = remember(
        "Plays the xylophone",
        key="xylophone_key",
        tags=("xylophonist",),
        evidence=[Evidence("I play the xylophone", clock(), asked.id)],
    )
    kept = remember("Plays the violin")
    entities = Entities(vault)
    entities.link(memory.pk, ["Xylophone Club", "Ana"], 1, clock())
    entities.link(kept.pk, ["Ana"], 1, clock())
    vectors = Vectors(vault)
    for name in ("one", "two"):
        embedder = vectors.use(name, 8)
        vectors.put("memory", [(m.pk, Embedding(unit(8, 2))) for m in (memory, kept)], embedder)
    recalls = Recalls(vault)
    hit = Hit(memory.id, HitKind.MEMORY, memory.text, clock())
    recalls.save(answer.id, Recall(hits=[hit]), [memory.id])
    memories.update(memory.id, {"text": "Played the xylophone"}, USER)
    memories.update(kept.id, {"superseded_by": memory.id}, USER)
    vectors.put("memory", [(memory.pk, Embedding(unit(8, 2)))], embedder)
    assert everything().lower().count("xylophon") > 8

    assert memories.delete(memory.id) is True
    assert "xylophon" not in everything().lower()
    assert memories.get(kept.id).superseded_by is None
    assert entities.of_memory(kept.pk) == ["Ana"]
    assert recalls.of_answer(answer.id).recall.hits == ()
    assert memories.delete(memory.id) is False
    with vault.read() as connection:
        for table in ("memory_vectors", "bits_memory_1", "bits_memory_2"):
            column = "rowid" if table.startswith("bits") else "pk"
            left = {row[0] for row in connection.execute(f"SELECT {column} FROM {table}")}
            assert left == {kept.pk}, table
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    with pytest.raises(NotFound):
        memories.get(memory.id)
