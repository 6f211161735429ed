"""Words are ranked as the whole index would rank them, at a bounded cost."""

import random

import pytest

from app.domain.conversation import MemoryMode, Role
from app.domain.memory import Scope, Status, Trust, Visibility
from app.store.index import recallable, words
from app.store.index.recallable import TRUSTED
from app.store.search import WordSearch

RARE, SOME, COMMON = ["zebra", "otter"], ["river", "boat", "lamp"], ["time", "day", "good"]
ANY = '"zebra" OR "time" OR "day" OR "river"'


@pytest.fixture
def search(vault, remember, clock):
    """A vault in which two words stand in nearly every memory."""
    chance = random.Random(3)
    with vault.write():
        for number in range(400):
            said = chance.sample(COMMON, chance.randint(1, 3)) * chance.randint(1, 2)
            said += [word for word in SOME if chance.random() < 0.1]
            said += [word for word in RARE if chance.random() < 0.02]
            remember(f"{' '.join(said)} {number}")
    rows = WordSearch(vault)
    return lambda match, limit: rows.memories(match, Scope(1), TRUSTED, clock(), limit)


@pytest.fixture
def naive(vault, search):
    """Rank everything that matches, as one statement does."""

    def find(match, limit):
        with vault.search() as connection:
            found = connection.execute(
                "SELECT rowid, rank FROM memories_fts WHERE memories_fts MATCH ?"
                " ORDER BY rank, rowid LIMIT ?",
                (match, limit),
            ).fetchall()
        return [tuple(row) for row in found]

    return find


@pytest.mark.parametrize("match", [ANY, '"time"', '"zebra" "time"', '"nothing" OR "day"'])
@pytest.mark.parametrize("limit", [1, 7, 60, 1000])
def test_below_the_bound_nothing_differs(search, naive, match, limit):
    assert search(match, limit) == naive(match, limit)


def test_rare_words_decide_and_common_ones_still_count(search, naive, monkeypatch):
    whole = naive(ANY, 1000)
    monkeypatch.setattr(words, "RANKED", 100)
    rare = {pk for pk, _ in naive('"zebra" OR "river"', 1000)}
    assert 0 < len(rare) < 100
    wanted = {pk: pytest.approx(rank, abs=1e-9) for pk, rank in whole if pk in rare}
    found = search(ANY, 1000)
    assert dict(found) == wanted
    assert [rank for _, rank in found] == sorted(rank for _, rank in found)
    assert search(ANY, 3) == found[:3]


def test_of_words_that_are_common_even_alone_the_latest_rows_are_ranked(search, naive, monkeypatch):
    monkeypatch.setattr(words, "RANKED", 20)
    found = search('"time"', 1000)
    latest = sorted((pk for pk, _ in naive('"time"', 1000)), reverse=True)[:20]
    assert sorted((pk for pk, _ in found), reverse=True) == latest
    assert found == [row for row in naive('"time"', 1000) if row[0] in set(latest)]
    both = search('"time" OR "day"', 1000)
    assert 20 <= len(both) <= 40


@pytest.mark.tampers
def test_rows_that_may_not_be_seen_do_not_take_the_place_of_others(
    search, naive, vault, monkeypatch
):
    monkeypatch.setattr(words, "RANKED", 20)
    ranked = naive('"time"', 1000)
    latest = sorted((pk for pk, _ in ranked), reverse=True)
    with vault.write() as connection:
        connection.executemany(
            "UPDATE memories SET status = 'proposed' WHERE pk = ?", [(pk,) for pk in latest[:30]]
        )
    left = set(latest[30:50])
    assert search('"time"', 1000) == [row for row in ranked if row[0] in left]
    assert search('"time"', 2) == [row for row in ranked if row[0] in left][:2]


ELSEWHERE = {
    "another agent's": {"agent_pk": 2},
    "of external trust": {"trust": Trust.EXTERNAL},
    "of another group": {"visibility": Visibility.GROUP, "group_pks": (7,)},
    "superseded": {"status": Status.SUPERSEDED},
}


@pytest.fixture
def others(vault):
    """Let there be a second agent, and a group."""
    with vault.write() as connection:
        connection.execute("INSERT INTO groups (pk, id, name, created_at) VALUES (7, 'g', 'G', 0)")
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )


@pytest.mark.parametrize("kind", ELSEWHERE)
def test_what_may_be_seen_is_found_however_much_newer_may_not(
    search, remember, vault, others, monkeypatch, kind
):
    """What may not be seen stands in the index with the same words, newer and far more often."""
    monkeypatch.setattr(words, "RANKED", 20)
    mine = remember("tea that is mine")
    asked = ['"tea"', '"tea" OR "zebra"', '"zebra" OR "time" OR "tea"', '"zebra" "time"', ANY]
    before = [{pk for pk, _ in search(match, 1000)} for match in asked]
    assert [mine.pk in found for found in before] == [True, True, True, False, False]
    with vault.write():
        for number in range(60):
            remember(f"tea time zebra day {number} elsewhere", **ELSEWHERE[kind])
    assert [{pk for pk, _ in search(match, 1000)} for match in asked] == before


@pytest.mark.tampers
@pytest.mark.parametrize("ranked", [3, 20, 60, 150])
@pytest.mark.parametrize("hidden", [0, 9, 80])
def test_knowing_how_many_may_not_be_seen_changes_nothing_that_is_found(
    search, vault, clock, monkeypatch, ranked, hidden
):
    monkeypatch.setattr(words, "RANKED", ranked)
    seen = recallable.memories(Scope(1), TRUSTED, clock())
    chance = random.Random(ranked)
    with vault.write() as connection:
        connection.executemany(
            "UPDATE memories SET status = 'superseded' WHERE pk = ?",
            [(pk,) for pk in chance.sample(range(1, 401), hidden)],
        )
        for _ in range(40):
            some = chance.sample(RARE + SOME + COMMON, chance.randint(1, 6))
            match = " OR ".join(f'"{word}"' for word in some)
            exact, reckoned = (
                words.WordIndex(connection, words.MEMORIES, *seen, unseen).best(match, 400)
                for unseen in (None, hidden)
            )
            assert reckoned == exact, match


def test_messages_that_may_not_be_quoted_hide_none_that_may(vault, conversations, say, monkeypatch):
    monkeypatch.setattr(words, "RANKED", 20)
    mine = say(conversations.create(1), "tea that is mine")
    off, talk = conversations.create(1, mode=MemoryMode.OFF), conversations.create(1)
    with vault.write():
        for number in range(25):
            say(off, f"tea {number}")
            say(talk, f"tea {number}", Role.ASSISTANT, model="notebook")
    rows = WordSearch(vault)
    for match in ('"tea"', '"tea" OR "mine"'):
        assert [pk for pk, _ in rows.messages(match, Scope(1), 9)] == [mine.pk]


def test_the_cut_is_the_same_whether_few_or_many_may_not_be_seen(
    search, remember, vault, others, monkeypatch
):
    """Few are reckoned with, of many the rows are read; both come to the same."""
    monkeypatch.setattr(words, "RANKED", 40)
    found = []
    for number in range(60):
        if number % 12 == 0:
            found.append([[pk for pk, _ in search(match, 1000)] for match in (ANY, '"time"')])
        remember(f"time day river zebra {number} elsewhere", agent_pk=2)
    assert [[set(one) for one in some] for some in found[1:]] == [
        [set(one) for one in some] for some in found[:-1]
    ]
