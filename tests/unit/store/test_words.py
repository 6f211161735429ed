"""Words are ranked as the whole index would rank them, at a bounded cost."""

import random

import pytest

from app.domain.memory import Scope
from app.store import words
from app.store.recallable import TRUSTED
from app.store.search import Search

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
    rows = Search(vault)
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


def test_rows_that_may_not_be_seen_do_not_take_the_place_of_others(
    search, naive, vault, monkeypatch
):
    best = [pk for pk, _ in naive(ANY, 30)]
    with vault.write() as connection:
        connection.executemany(
            "UPDATE memories SET status = 'proposed' WHERE pk = ?", [(pk,) for pk in best]
        )
    assert search(ANY, 2) == naive(ANY, 32)[30:]
