"""No statement of a recall reads a table from end to end: each finds its rows by an index."""

import re
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from app.domain.conversation import Document, Part, PartOrigin, Role
from app.domain.memory import MemoryFilter, Scope, Status, Trust
from app.store.documents import Documents
from app.store.index import vectors as vectors_module
from app.store.index import words as words_module
from app.store.index.frequency import Frequency
from app.store.index.neighbours import Neighbours
from app.store.index.vectors import Vectors
from app.store.journal.calendar import Calendar, TimeRange
from app.store.links import Links, LinkScope, Named
from app.store.memories import Memories
from app.store.messages import Messages
from app.store.observations import Observations
from app.store.search import WordSearch
from app.store.superseded import Replaced

SCOPES = [Scope(1), Scope(1, (1, 2))]
BOTH = frozenset({Trust.SYSTEM, Trust.LEARNED})
MARCH = TimeRange(
    datetime(2026, 3, 1, tzinfo=UTC),
    datetime(2026, 4, 1, tzinfo=UTC),
    date(2026, 3, 1),
    date(2026, 3, 31),
)
# A list in order, or a stretch of time, ends when enough is found; these would not.
FULL = [
    re.compile(r"^SCAN (?!CONSTANT|\(|json_each|bits_)\w+$"),
    re.compile(r"^SEARCH .*messages_by_time \(agent_pk=\?\)$"),
    re.compile(r"^SEARCH .*memories_scope \("),
    re.compile(r"^SEARCH causal_edges USING PRIMARY KEY \(agent_pk=\?\)$"),
]
# So does a count that ends at a bound, or a look for any row at all.
BOUNDED = re.compile(r"^SELECT (count\(\*\) FROM \(SELECT 1 FROM .* LIMIT \?2?\)|EXISTS )")


class Recorder:
    """A connection that explains every statement before running it."""

    def __init__(self, connection, plans):
        self._connection = connection
        self._plans = plans

    def execute(self, statement, values=()):
        if statement.lstrip().upper().startswith(("SELECT", "WITH")):
            found = self._connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            self._plans.append((statement, [row[3] for row in found]))
        return self._connection.execute(statement, values)

    def __getattr__(self, name):
        return getattr(self._connection, name)


@pytest.fixture
def plans(vault, monkeypatch):
    """The statements run from now on, each with its plan."""
    noted = []

    def recording(lend):
        @contextmanager
        def lent():
            with lend() as connection:
                yield Recorder(connection, noted)

        return lent

    monkeypatch.setattr(vault, "search", recording(vault.search))
    monkeypatch.setattr(vault, "read", recording(vault.read))
    return noted


def scanned(statement, plan):
    """Yield the steps of a plan that read a whole table, or all that an agent may see."""
    made = {step.split()[1] for step in plan if step.startswith(("CO-ROUTINE", "MATERIALIZE"))}
    made |= {alias for name, alias in re.findall(r"(\w+) AS (\w+)", statement) if name in made}
    for step in plan:
        if BOUNDED.match(statement) and step.startswith("SEARCH"):
            continue
        if step.removeprefix("SCAN ") in made:
            continue
        if any(one.match(step) for one in FULL):
            yield f"{step}: {statement}"


@pytest.mark.parametrize("scope", SCOPES, ids=["alone", "in groups"])
@pytest.mark.parametrize("size", ["small", "large"])
def test_every_statement_of_a_recall_uses_an_index(
    vault, plans, remember, conversations, say, clock, monkeypatch, scope, size
):
    if size == "large":
        monkeypatch.setattr(words_module, "RANKED", 1)
        monkeypatch.setattr(vectors_module, "DIRECT_BELOW", 0)
    with vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    Vectors(vault).use("earlier", 32)
    remember("tea of another", agent_pk=2)
    say(conversations.create(2), "tea of another")
    talk = conversations.create(1)
    said = [say(talk, f"tea and coffee {n}", speaker="Ana") for n in range(4)]
    kept = [remember(f"drinks tea or coffee {n}", pinned=n == 1) for n in range(4)]
    now, seen = clock() + timedelta(1), [said[0].id]
    plans.clear()
    _search(vault, scope, now, seen, [m.pk for m in kept], [m.pk for m in said])
    _nearest(vault, scope, now, seen)
    _linked(vault, LinkScope(scope, BOTH, now, seen), [kept[0].pk], [said[1].pk])
    assert len(plans) > 20
    assert [problem for one in plans for problem in scanned(*one)] == []


def _search(vault, scope, now, seen, memories, messages):
    search, frequency, calendar = WordSearch(vault), Frequency(vault), Calendar(vault)
    for match in ('"tea"', '"tea" OR "coffee" OR "ana"', '"tea" "coffee"'):
        search.memories(match, scope, BOTH, now, 2)
        search.messages(match, scope, 2, seen)
    search.hydrate(memories, messages)
    search.has(Trust.CLAIMED, scope)
    frequency.of(["tea", "coffee"], scope)
    frequency.rows(scope)
    frequency.unheard(["tea", "Ana", "Keisha"], scope, BOTH, now, seen)
    calendar.happened(MARCH, scope, BOTH, now, 9)
    calendar.learnt(MARCH, scope, BOTH, now, 9)
    calendar.learnt(MARCH, scope, BOTH, now, 9, timeless=True)
    calendar.said(MARCH, scope, 9, seen)
    for pinned in (True, False):
        wanted = MemoryFilter(trusts=BOTH, statuses=frozenset({Status.ACTIVE}), pinned=pinned)
        Memories(vault).list(scope, wanted, 0, 9)
    Neighbours(vault).lines(messages, scope, seen, 2)
    Replaced(vault).by(memories, scope, BOTH, now)


def _nearest(vault, scope, now, seen):
    vectors = Vectors(vault)
    embedder, vector = vectors.use("test", 32), np.ones(32, np.float32)
    for kind in ("memory", "message"):
        more = {"trusts": BOTH} if kind == "memory" else {"exclude": seen}
        vectors.nearest(kind, vector, 5, embedder_pk=embedder, scope=scope, now=now, **more)
        vectors.vectors(kind, [1, 2], embedder)
        vectors.tokens(kind, [1, 2], embedder)
        vectors.behind(kind, embedder, scope)


def _linked(vault, asked, memories, messages):
    links = Links(vault)
    things = [*links.named(memories, ["Ana"], asked), Named((1,), ("Ana",), 2)]
    links.memories(things, asked, memories, 5)
    links.messages(things, asked, messages, 5)
    links.around([0, 10], 30, asked, memories, 5)
    links.caused(asked, memories, 5)
    links.pinned(asked, memories, 5)


def test_what_follows_a_change_is_found_by_an_index(vault, plans, remember):
    one = remember("drinks tea", key="drink")
    remember("a list", source_ids=(one.id,))
    plans.clear()
    observations = Observations(vault)
    observations.made_of([one.id])
    observations.summaries_of([one.id])
    observations.summaries(1, "dream")
    observations.ever_made_of([one.id])
    Memories(vault).by_key(1, "other")
    assert len(plans) == 8
    assert [problem for each in plans for problem in scanned(*each)] == []


def test_documents_are_found_by_an_index(vault, plans, conversations):
    talk, messages = conversations.create(1).id, Messages(vault)
    document = Document("", "a.txt", "text", 1, "ab", 2, False, ("One tea.", "Two teas."))
    part = Part("A tea.", PartOrigin.ATTACHED, "a.txt", document)
    one = messages.add(talk, Role.USER, (part,)).parts[0].document.id
    documents = Documents(vault)
    plans.clear()
    documents.length([one])
    documents.passages([one], 1, 1)
    documents.found([one], '"tea"', 5)
    documents.holding([one], "tea", 5)
    documents.pages(one, talk)
    messages.branch(talk)
    conversations.search("tea", 1, 5)
    assert len(plans) > 8
    found = [problem for each in plans for problem in scanned(*each)]
    assert [problem for problem in found if "c.title LIKE" not in problem] == []


def test_a_full_scan_would_be_seen(vault, plans, remember):
    remember("one")
    with vault.search() as connection:
        connection.execute("SELECT m.pk FROM memories AS m WHERE m.text LIKE '%x%'")
        connection.execute("SELECT text FROM messages WHERE agent_pk = 1 AND model = ''")
    assert len([problem for one in plans for problem in scanned(*one)]) == 2
