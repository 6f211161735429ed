"""What is measured with is never learnt from, and holds what those who measure expect."""

import json
from pathlib import Path

import pytest

from app.assets import resource
from app.bench.recall import UNRELATED
from app.domain.language.reading import Act, Change, StatementKind
from app.memory.change.comparing import Relation
from app.memory.text import query

HERE = Path(__file__).resolve().parent
LEARNT = HERE.parents[1] / "packaging/models/understanding/data"
EMBEDDER = HERE.parents[1] / "packaging/models/training"  # of recall, and of what is personal
NAMES = ("pairs", "pairs_alike", "pairs_beside", "entail", "newer", "messages")
TESTS = {name: HERE / f"understanding/{name}.jsonl" for name in NAMES}
EVEN = {"pairs": set(Relation), "entail": {"faithful", "twisted"}, "newer": {0, 1}}
LABELS = EVEN | {"pairs_alike": set(Relation), "pairs_beside": set(Relation)}
TEXTS = {
    "pairs": ("a", "b"),
    "pairs_alike": ("a", "b"),
    "pairs_beside": ("a", "b"),
    "entail": ("said", "written"),
    "newer": ("q", "old", "new"),
    "messages": ("said",),
}
NEVER_LEARNT = ("unread", "unread2", "read2")


def rows(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def same(text):
    """Return a text as it is compared: its words alone."""
    return " ".join(text.casefold().split())


def strings(value):
    """Yield every text in what was read from a file."""
    if isinstance(value, str):
        yield same(value)
    elif isinstance(value, dict):
        yield from (text for one in value.values() for text in strings(one))
    elif isinstance(value, list):
        yield from (text for one in value for text in strings(one))


@pytest.fixture(scope="module")
def learnt():
    """Every text that was learnt from, and every row's texts together."""
    found = [row for path in sorted(LEARNT.glob("*.jsonl")) for row in rows(path)]
    assert len(found) > 20_000
    return {text for row in found for text in strings(row)}, {
        frozenset(strings([row.get(key, "") for key in names]))
        for row in found
        for names in TEXTS.values()
    }


@pytest.fixture(scope="module")
def unrelated():
    """The questions of the recall benchmark that nobody's life answers."""
    return resource(UNRELATED).read_text("utf-8").splitlines()


def test_no_unrelated_question_of_the_benchmark_is_learnt_from(learnt, unrelated):
    files = [json.loads(path.read_text("utf-8")) for path in EMBEDDER.glob("*.json")]
    texts = learnt[0] | {text for found in files for text in strings(found)}
    assert len(texts) > 60_000
    assert len(set(map(same, unrelated))) >= 30
    assert texts.isdisjoint(map(same, unrelated))


def test_none_is_asked_in_other_words_where_it_is_learnt_what_is_personal(unrelated):
    """Whatever else it says: "Who discovered penicillin and how did it happen?"."""
    found = [json.loads(path.read_text("utf-8")) for path in EMBEDDER.glob("unrelated_*.json")]
    asked = [query.stems(question) for questions in found for question in questions]
    assert len(asked) > 1800
    for question in unrelated:
        words = {query.stem(word) for word in query.words(question)}
        assert words
        assert not [one for one in asked if words <= one], question


@pytest.mark.parametrize("name", NEVER_LEARNT)
def test_no_message_of_a_half_that_is_kept_apart_is_learnt_from(learnt, name):
    texts, _ = learnt
    held = json.loads((HERE / f"statements/{name}.json").read_text("utf-8"))
    assert len(held) == 200
    assert texts.isdisjoint(same(one["said"]) for one in held)


def test_nothing_of_the_small_lives_is_learnt_from(learnt):
    texts, _ = learnt
    lives = json.loads((HERE / "small_lives.json").read_text("utf-8"))
    told = [
        one[key]
        for life in lives
        for one in life["talk"]
        for key in ("said", "pasted")
        if key in one
    ]
    asked = [one["q"] for life in lives for one in life["asks"]]
    assert texts.isdisjoint(same(text) for text in (*told, *asked))


def test_no_message_that_is_kept_apart_is_learnt_from(learnt):
    texts, _ = learnt
    assert texts.isdisjoint(same(one["said"]) for one in rows(TESTS["messages"]))


@pytest.mark.parametrize("name", list(LABELS))
def test_no_pair_that_is_kept_apart_is_learnt_from(learnt, name):
    _, together = learnt
    for row in rows(TESTS[name]):
        assert frozenset(strings([row[key] for key in TEXTS[name]])) not in together


def test_no_message_whose_names_are_kept_apart_is_learnt_from(learnt):
    texts, _ = learnt
    held = rows(HERE / "understanding/names.jsonl")
    assert texts.isdisjoint(same(row["said"]) for row in held)
    for row in held:
        before = same(" ".join([*row["known"], *row.get("earlier", []), row.get("asked", "")]))
        for one in row["tells"]:
            assert one["q"] in row["said"]
            assert all(same(name) in before for name in one.get("refs", {}).values())


def test_no_memory_whose_parts_are_kept_apart_is_learnt_from(learnt):
    texts, _ = learnt
    held = rows(HERE / "understanding/parts.jsonl")
    assert texts.isdisjoint(same(row[key]) for row in held for key in ("memory", "newer"))
    for row in held:
        labels = {row["whole"], *(part["label"] for part in row["parts"])}
        assert labels <= set(Relation)
        assert all(part["p"] in row["memory"] for part in row["parts"])


@pytest.mark.parametrize("name", list(EVEN))
def test_every_class_of_pairs_is_asked_as_often_as_the_others(name):
    found = [row["label"] for row in rows(TESTS[name])]
    assert set(found) == EVEN[name]
    most, least = (pick(found.count(label) for label in EVEN[name]) for pick in (max, min))
    assert most - least < 5


def test_messages_are_labelled_in_the_words_of_the_reader():
    found = rows(TESTS["messages"])
    assert {row["act"] for row in found} == set(Act)
    for row in found:
        assert row.get("target", "") in row["said"]
        for one in row["tells"]:
            assert one["q"] in row["said"]
            assert one["kind"] in set(StatementKind)
            assert one.get("change", "") in set(Change)


@pytest.mark.parametrize("path", sorted((HERE / "statements").glob("*.json")), ids=lambda p: p.stem)
def test_half_of_a_set_of_statements_states_something(path):
    found = json.loads(path.read_text("utf-8"))
    assert (len(found), sum(bool(one["content"]) for one in found)) == (200, 100)
