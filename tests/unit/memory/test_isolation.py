"""Two profiles with two agents each, who all say the same words: nothing crosses, ever.

Everything happens in any order: saying, learning, indexing, linking, feedback, forgetting, erasing.
After each step, each lane and the whole recall of each agent may find its own rows only, and
whoever did nothing finds what it found before, with the same scores.
"""

import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from hypothesis import settings as effort
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Memory, Scope, Status, Trust, Visibility
from app.domain.recall import HitKind, Query
from app.errors import Conflict, Refused
from app.memory.change.comparing import Relation
from app.memory.erasure.erase import Eraser
from app.memory.learn.index import Indexer
from app.memory.learn.remember import Remember
from app.memory.recall.compose import Recaller, pipeline
from app.memory.recall.lanes.asked import BEHIND
from app.memory.recall.pipeline import QueryContext
from app.providers.local.hash import HashEmbedder
from app.settings.spec import Fusion, Settings
from app.settings.table import reference
from app.settings.table import replace as changed
from app.store.conversations import Conversations
from app.store.entities import Entities
from app.store.index import vectors
from app.store.index.vectors import Vectors
from app.store.journal.causes import Causes
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.store import Store
from app.store.usefulness import Usefulness
from app.store.vault.file import Vault
from tests.fakes.understanding import Understanding
from tests.unit.memory.conftest import FakeModels

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=6)
GROUP = 7
OWNERS = [(profile, agent) for profile in (0, 1) for agent in (1, 2)]
OWNER = st.sampled_from(OWNERS)
STATEMENTS = st.sampled_from(
    [
        "I am allergic to walnuts.",
        "I live in Ghent.",
        "I live in Lille.",
        "My sister Ruth bakes walnut cake.",
        "Yesterday I went to Ghent with Ruth.",
        "Ruth lives in Lille.",
        "I no longer live in Ghent.",
    ]
)
QUESTIONS = (
    "What did Ruth and I do in Ghent yesterday?",
    "What am I allergic to?",
    "What do you know about me?",
)
DIRECT_BELOW = vectors.DIRECT_BELOW
LANES = ("entity_lane", "lanes.temporal", "lanes.causal", "lanes.pinned", "feedback")


@dataclass(frozen=True)
class Owner:
    """One agent of one profile, and all that is its own."""

    vault: Vault
    agent: int
    memories: set
    messages: set
    counted: dict

    @property
    def scope(self):
        return Scope(self.agent)


def every_lane(settings):
    for name in LANES:
        settings = changed(settings, f"rag.{name}.enabled", True)
    return changed(settings, "rag.include_trust_levels", "system, learned, external")


class Houses(RuleBasedStateMachine):
    """Two vaults, in each of which two agents live."""

    def __init__(self):
        super().__init__()
        vectors.DIRECT_BELOW = DIRECT_BELOW
        self.folder = tempfile.TemporaryDirectory()
        self.models = FakeModels(HashEmbedder(64))
        self.settings = every_lane(Settings())
        self.now = NOW
        self.count = 0
        self.vaults = [self._vault(name) for name in ("ada", "bob")]
        self.owners = {
            (profile, agent): Owner(self.vaults[profile], agent, set(), set(), {})
            for profile, agent in OWNERS
        }
        self.finds = {}
        self.busy = set(OWNERS)

    def _vault(self, name):
        vault = Vault(Path(self.folder.name) / f"{name}.db", os.urandom(32), lambda: self.now)
        with vault.write() as connection:
            connection.execute(
                "INSERT INTO agents (pk, id, name, created_at, updated_at)"
                " VALUES (2, 'other', 'Other', 0, 0)"
            )
        return vault

    def teardown(self):
        vectors.DIRECT_BELOW = DIRECT_BELOW
        for vault in self.vaults:
            vault.close()
        self.folder.cleanup()

    def remember(self, owner):
        return Remember(Store(owner.vault), self.models, lambda: self.settings, lambda: self.now)

    def own(self, owner):
        """Note which memories are an agent's by the row alone."""
        with owner.vault.read() as connection:
            found = connection.execute(
                "SELECT id FROM memories WHERE agent_pk = ?", (owner.agent,)
            ).fetchall()
        owner.memories.update(row["id"] for row in found)

    def some(self, owner, n):
        ids = sorted(owner.memories)
        alive = Memories(owner.vault).by_ids(ids)
        return alive[n % len(alive)] if alive else None

    # -- what happens ------------------------------------------------------------------------------

    @rule(who=OWNER, text=STATEMENTS)
    def say_and_learn(self, who, text):
        """A message, and the job that learns from it."""
        owner = self.owners[who]
        self.busy.add(who)
        self.now += timedelta(minutes=1)
        talks = Conversations(owner.vault)
        messages = Messages(owner.vault)
        talk = talks.create(owner.agent, created_at=self.now)
        part = Part(text, PartOrigin.TYPED)
        said = messages.add(talk.id, Role.USER, (part,), created_at=self.now)
        owner.messages.add(said.id)
        others = {key: self.rows(one) for key, one in self.owners.items() if one is not owner}
        self.remember(owner).learn(said.id)
        self.own(owner)
        after = {key: self.rows(one) for key, one in self.owners.items() if one is not owner}
        assert after == others, "learning changed what is another's"

    @rule(who=OWNER, text=STATEMENTS, pinned=st.booleans(), trust=st.sampled_from(Trust))
    def write_down(self, who, text, pinned, trust):
        owner = self.owners[who]
        self.busy.add(who)
        self.count += 1
        memory = Memory(
            f"{who}-{self.count}",
            text,
            self.now,
            self.now,
            agent_pk=owner.agent,
            trust=trust,
            pinned=pinned,
            occurred_at=NOW - timedelta(days=1),
        )
        try:
            Memories(owner.vault).insert(memory, (), Note("user", "insert", memory.id))
        except Conflict:
            return
        owner.memories.add(memory.id)

    @rule(who=OWNER)
    def index(self, who):
        vault = self.owners[who].vault
        self.busy.update(one for one in OWNERS if one[0] == who[0])
        for _ in Indexer(Vectors(vault), lambda: self.models.embedder).run(Event()):
            pass

    @rule(who=OWNER, n=st.integers(0, 9))
    def name_ruth(self, who, n):
        owner = self.owners[who]
        self.busy.add(who)
        if memory := self.some(owner, n):
            Entities(owner.vault).link(memory.pk, ["Ruth", "Ghent"], owner.agent, self.now)

    @rule(profile=st.sampled_from([0, 1]), n=st.integers(0, 9), m=st.integers(0, 9))
    def link_what_belongs_to_two(self, profile, n, m):
        """The store refuses such a link; even where one is forced in, it leads nowhere."""
        mine, theirs = self.owners[profile, 1], self.owners[profile, 2]
        one, other = self.some(mine, n), self.some(theirs, m)
        if one is None or other is None:
            return
        with pytest.raises(Refused):
            Causes(mine.vault).link(one.id, other.id)
        with mine.vault.write() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO causal_edges VALUES (1, ?, ?, 0.9, 0)", (one.pk, other.pk)
            )
            connection.execute(
                "INSERT OR IGNORE INTO entity_links (memory_pk, entity_pk)"
                " SELECT ?, pk FROM entities WHERE agent_pk = 1",
                (other.pk,),
            )

    @rule(who=OWNER, n=st.integers(0, 9), helped=st.booleans())
    def feed_back(self, who, n, helped):
        """All are told of a memory that helped or did not; its own agent alone may count that."""
        owner = self.owners[who]
        self.busy.add(who)
        if memory := self.some(owner, n):
            ids = [[memory.id], []] if helped else [[], [memory.id]]
            for one in self.owners.values():
                Usefulness(one.vault).add(*ids, one.scope, self.now)
            used, ignored = owner.counted.get(memory.id, (0, 0))
            owner.counted[memory.id] = (used + helped, ignored + (not helped))

    @rule(who=OWNER, n=st.integers(0, 9))
    def forget(self, who, n):
        owner = self.owners[who]
        self.busy.add(who)
        if memory := self.some(owner, n):
            note = Note("user", "forget", f"forget-{memory.id}")
            Memories(owner.vault).update(memory.id, {"status": Status.FORGOTTEN}, note)

    @rule(who=OWNER, n=st.integers(0, 9))
    def erase(self, who, n):
        owner = self.owners[who]
        self.busy.add(who)
        if memory := self.some(owner, n):
            others = {key: self.rows(one) for key, one in self.owners.items() if one is not owner}
            eraser = Eraser(Store(owner.vault))
            eraser.carry_out(eraser.of_memories([memory.id]), frozenset())
            owner.memories.discard(memory.id)
            owner.counted.pop(memory.id, None)
            after = {key: self.rows(one) for key, one in self.owners.items() if one is not owner}
            assert after == others, "erasing reached into what is another's"

    @rule()
    def narrow(self):
        """From now on the vectors of few rows are searched like those of many."""
        vectors.DIRECT_BELOW = 0
        self.busy.update(OWNERS)

    # -- what must hold ----------------------------------------------------------------------------

    def rows(self, owner):
        with owner.vault.read() as connection:
            found = connection.execute(
                "SELECT id, text, status, revision FROM memories WHERE agent_pk = ? ORDER BY pk",
                (owner.agent,),
            ).fetchall()
        return [tuple(row) for row in found]

    @precondition(lambda self: any(o.memories or o.messages for o in self.owners.values()))
    @invariant()
    def each_finds_its_own_through_every_lane(self):
        for who, owner in self.owners.items():
            for settings in (self.settings, every_lane(reference())):
                recaller = Recaller(
                    Store(owner.vault), lambda: self.models.embedder, lambda s=settings: s
                )
                for question in QUESTIONS:
                    asked = Query(question, owner.scope, LATER)
                    found = recaller.recall(asked, 50)
                    assert set(found.degraded) <= {BEHIND}
                    self.check(owner, [*found.hits, *found.dropped])
                    self.each_lane(owner, recaller, settings, asked)
                    self.compare(who, (settings.rag.fusion, question), found)
        self.busy.clear()

    def compare(self, who, how, found):
        """Compare with what was found before; bm25 alone, and so ranks and ties, know of others."""
        by_ranks = how[0] is Fusion.RANKS
        now = {hit.id: by_ranks or (hit.score, hit.relevance) for hit in found.hits}
        before = self.finds.get((who, *how), now)
        assert who in self.busy or now == before, "what another did changed what is found"
        self.finds[who, *how] = now

    def each_lane(self, owner, recaller, settings, asked):
        built = pipeline(settings.rag, recaller._sources, 50)
        context = QueryContext(asked, built.embed, built.times)
        for lane in built.lanes:
            pks = [(one.kind, one.pk) for one in lane.search(context, 50)]
            memories = [pk for kind, pk in pks if kind is HitKind.MEMORY]
            messages = [pk for kind, pk in pks if kind is HitKind.MESSAGE]
            hits = recaller._sources.search.hydrate(memories, messages)
            assert len(hits) == len(set(pks))
            self.check(owner, hits.values())

    def check(self, owner, hits):
        for hit in hits:
            own = owner.memories if hit.kind is HitKind.MEMORY else owner.messages
            assert hit.id in own, f"{hit.kind} of another"

    @invariant()
    def counts_are_of_the_agents_own(self):
        for owner in self.owners.values():
            pks = {m.pk: m.id for m in Memories(owner.vault).by_ids(sorted(owner.memories))}
            found = Usefulness(owner.vault).of(list(pks), owner.scope)
            assert {pks[pk]: counts for pk, counts in found.items()} == owner.counted


def test_nothing_crosses_between_agents_and_profiles():
    run_state_machine_as_test(
        Houses, settings=effort(max_examples=12, stateful_step_count=14, deadline=None)
    )


class Seen(Understanding):
    """Reads and judges as ever, ends whatever it can, and keeps all the words it was shown."""

    def __init__(self):
        self.words = []

    def read(self, messages, *, urgent=False):
        self.words += [text for message in messages for text in message]
        return super().read(messages, urgent=urgent)

    def judge(self, task, pairs):
        self.words += [text for pair in pairs for text in pair]
        ends = [0.98 if one is Relation.ENDS else 0.004 for one in Relation]
        return np.array([ends] * len(pairs), np.float32)


def test_no_model_is_shown_what_another_agent_was_told_and_nothing_of_it_ends():
    machine = Houses()
    own = "My sister Xanthippe works as a nurse in Leuven."
    same = "I work as a nurse in Leeds."
    ended = "I no longer work as a nurse in Leeds."
    for text in (own, same):
        machine.say_and_learn((0, 1), text)
    kept = machine.rows(machine.owners[0, 1])
    assert len(kept) == 2
    for who in ((0, 2), (1, 1)):
        machine.models.understanding = seen = Seen()
        for text in (same, ended):
            machine.say_and_learn(who, text)
        statuses = [row[2] for row in machine.rows(machine.owners[who])]
        assert statuses == [Status.SUPERSEDED, Status.ACTIVE], "their own has ended"
        assert not any("Xanthippe" in words for words in seen.words)
        assert {words.rstrip(".") for words in seen.words} <= {"", same[:-1], ended[:-1]}
    assert machine.rows(machine.owners[0, 1]) == kept
    machine.teardown()


def test_what_a_group_shares_is_seen_by_its_members_alone(tmp_path):
    vault = Vault(tmp_path / "vault.db", os.urandom(32), lambda: NOW)
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
        connection.execute("INSERT INTO groups (pk, id, name, created_at) VALUES (7, 'g', 'G', 0)")
    ours = Memory(
        "ours",
        "The walnut cake is ours",
        NOW,
        NOW,
        visibility=Visibility.GROUP,
        group_pks=(GROUP,),
        agent_pk=1,
    )
    Memories(vault).insert(ours, (), Note("user", "insert", "ours"))
    recaller = Recaller(Store(vault), lambda: HashEmbedder(64), lambda: every_lane(reference()))
    seen = {
        scope: bool(recaller.recall(Query("walnut cake", scope, NOW)).hits)
        for scope in (Scope(1), Scope(1, (GROUP,)), Scope(2), Scope(2, (GROUP,)), Scope(2, (8,)))
    }
    assert list(seen.values()) == [False, True, False, True, False]
    vault.close()
