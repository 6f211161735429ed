"""Lists can be filtered by everything, page by page, and the count agrees."""

from datetime import timedelta
from itertools import product

import pytest

from app.domain.memory import DEFAULT_SCOPE, MemoryFilter, MemoryType, Origin, Status, Trust


@pytest.fixture
def some(remember, clock):
    made = []
    kinds = product(
        (MemoryType.SEMANTIC, MemoryType.EPISODIC), (Trust.SYSTEM, Trust.EXTERNAL), (True, False)
    )
    for n, (kind, trust, pinned) in enumerate(kinds):
        clock.forward(hours=1)
        made.append(
            remember(
                f"Number {n} is a {'red' if n % 2 else 'blue'} thing",
                type=kind,
                trust=trust,
                pinned=pinned,
                key=f"key_{n}" if n < 2 else None,
                status=Status.PROPOSED if n == 7 else Status.ACTIVE,
                origin=Origin.IMPORT if n == 6 else Origin.CONVERSATION,
                tags=("colour",) if n == 3 else (),
            )
        )
    return made


def test_each_filter_restricts_and_counts_alike(memories, some):
    for where, wanted in (
        (MemoryFilter(), lambda m: True),
        (MemoryFilter(types=frozenset({MemoryType.EPISODIC})), lambda m: m.type == "episodic"),
        (MemoryFilter(trusts=frozenset({Trust.SYSTEM})), lambda m: m.trust == "system"),
        (MemoryFilter(trusts=frozenset(Trust)), lambda m: True),
        (MemoryFilter(statuses=frozenset({Status.PROPOSED})), lambda m: m.status == "proposed"),
        (MemoryFilter(origins=frozenset({Origin.IMPORT})), lambda m: m.origin == "import"),
        (MemoryFilter(pinned=True), lambda m: m.pinned),
        (MemoryFilter(pinned=False), lambda m: not m.pinned),
        (MemoryFilter(keyed=True), lambda m: m.key),
        (MemoryFilter(keyed=False), lambda m: not m.key),
        (MemoryFilter(since=some[3].created_at), lambda m: m.created_at >= some[3].created_at),
        (MemoryFilter(until=some[3].created_at), lambda m: m.created_at < some[3].created_at),
        (MemoryFilter(text="red"), lambda m: "red" in m.text),
        (MemoryFilter(text="thing num"), lambda m: True),
        (MemoryFilter(text="colour"), lambda m: m.tags),
        (MemoryFilter(text="key_1"), lambda m: m.key == "key_1"),
        (MemoryFilter(text="re", pinned=True), lambda m: "red" in m.text and m.pinned),
    ):
        expected = [m for m in reversed(some) if wanted(m)]
        assert memories.list(DEFAULT_SCOPE, where) == expected, where
        assert memories.count(DEFAULT_SCOPE, where) == len(expected), where
        assert memories.ids(DEFAULT_SCOPE, where) == [m.id for m in expected], where


def test_orders(memories, some, clock):
    assert memories.list(DEFAULT_SCOPE, MemoryFilter(order="oldest")) == some
    memories.touch([some[4].id], clock.forward(days=1))
    memories.touch([some[2].id], clock.forward(days=1))
    used = memories.list(DEFAULT_SCOPE, MemoryFilter(order="used"))
    assert [m.id for m in used[:3]] == [some[2].id, some[4].id, some[7].id]


def test_relevance_puts_the_better_match_first(memories, remember):
    remember("Tea is drunk in many countries in the afternoon by many people, says a book")
    best = remember("Tea, tea, tea")
    assert memories.list(DEFAULT_SCOPE, MemoryFilter(text="tea", order="relevance"))[0] == best
    assert memories.list(DEFAULT_SCOPE, MemoryFilter(order="relevance"))[0] == best


def test_pages_cover_everything_once(memories, some):
    pages = [memories.list(DEFAULT_SCOPE, MemoryFilter(), offset, 3) for offset in (0, 3, 6, 9)]
    assert [len(page) for page in pages] == [3, 3, 2, 0]
    assert [m for page in pages for m in page] == list(reversed(some))
    assert len(memories.list(DEFAULT_SCOPE, limit=-1)) == len(some)


def test_pieces_of_unspaced_scripts_are_found(memories, remember):
    memory = remember("東京に住んでいます")
    remember("大阪が好きです", tags=("旅行",))
    assert memories.list(DEFAULT_SCOPE, MemoryFilter(text="東京")) == [memory]
    assert memories.count(DEFAULT_SCOPE, MemoryFilter(text="旅")) == 1
    assert memories.count(DEFAULT_SCOPE, MemoryFilter(text="住 東京")) == 1


def test_accents_and_word_forms_do_not_hide_a_memory(memories, remember):
    memory = remember("Loves running near the café")
    for text in ("cafe", "CAFÉ", "runs", "run", "lov"):
        assert memories.list(DEFAULT_SCOPE, MemoryFilter(text=text)) == [memory], text


def test_a_page_is_found_without_reading_rows(vault):
    """Guards the plan that keeps 100,000 rows quick: conditions are met inside one index."""
    from app.domain.memory import Scope
    from app.store.index import listing

    where = MemoryFilter(
        types=frozenset({MemoryType.SEMANTIC}),
        trusts=frozenset({Trust.LEARNED}),
        statuses=frozenset({Status.ACTIVE, Status.PROPOSED}),
        origins=frozenset({Origin.REVIEW}),
        keyed=True,
    )
    for question in (listing.total(where, Scope(1)), listing.page(where, Scope(1), 50, 10)):
        with vault.read() as connection:
            plan = connection.execute(f"EXPLAIN QUERY PLAN {question[0]}", question[1]).fetchall()
        steps = [row["detail"] for row in plan]
        assert any("COVERING INDEX memories_listed" in step for step in steps), steps
        assert not any("TEMP B-TREE FOR ORDER" in step for step in steps[:3]), steps


def test_dates_are_bounds_in_utc(memories, some, clock):
    late = MemoryFilter(since=clock() + timedelta(hours=1))
    assert memories.count(DEFAULT_SCOPE, late) == 0
