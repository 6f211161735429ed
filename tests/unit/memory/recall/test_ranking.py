"""The order of the finds: every weight of recall earns its place on a small life that stands still.

``ranking.json`` holds memories, conversations, and questions. A question is answered well where its
answer is found and stands before each of its rivals; where it has no answer, where nothing is
found. ``guards`` names the weights without which it is not answered well any more. The benchmarks
(``tests/evals``) tell how good the order is; this tells in seconds that no part of it was lost.
"""

import json
import os
from dataclasses import replace as varied
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.conversation import Role
from app.domain.memory import Status, Trust
from app.memory.recall import compose, interaction, late
from app.memory.recall.late import likeness
from app.memory.recall.pipeline import as_asked
from app.settings.spec import Settings
from app.settings.table import replace
from app.store.vault.file import Vault
from tests.unit.memory.recall.conftest import NOW, World

LIFE = json.loads(Path(__file__).with_name("ranking.json").read_text("utf-8"))
QUESTIONS = LIFE["questions"]
CANDIDATES = 8  # of a hundred and thirty rows, as a hundred are of thousands


def to_itself(*given):
    """Compare as ``likeness`` does, and let a question count for its own message alone."""
    found = likeness(*given)
    return varied(found, told=found.said, asked=found.asked * 0)


# Each weight, and what it is when it counts for nothing.
SETTINGS = {
    "words": {"lanes.fts.weight": 0},
    "meaning": {"lanes.vector.weight": 0},
    "past messages": {"messages": False},
    "overview": {"lanes.overview.enabled": False},
    "replaced": {"lanes.replaced.enabled": False},
    "time lane": {"time.weight": 0},
    "time asked for": {"time.inside": 1, "time.outside": 1},
    "time hinted at": {"time.favour": 1},
    "recency": {"scoring.recency_alpha": 0},
    "happened lately": {"scoring.temporal_alpha": 0},
    "proof": {"scoring.proof_alpha": 0},
    "trust": {"scoring.trust_alpha": 0},
    "floor": {"floor": 0},
    "word by word": {"late_interaction": False},
}
CONSTANTS = {
    **{
        name: (interaction, name, 0)
        for name in (
            *("AROUND", "REACH", "STEP", "THROUGHOUT", "COSINE", "COSINE_BESIDE"),
            *("FIRST_PERSON", "CLOSES_ASKING", "ONLY_ASKS"),
            *("OF_WORDS", "OF_COSINE", "OF_STRANGERS", "RELEVANT"),
        )
    },
    "OF_NOBODY": (interaction, "OF_NOBODY", (0, 0)),
    "replies": (interaction, "likeness", to_itself),
    "personal": (interaction, "lowered", lambda *_: 0.0),
    "stop words": (late, "STOPWORD", 0),
    "asking words": (late, "ASKING_WORDS", frozenset()),
    "who is meant": (compose, "KnownPeople", lambda *_: as_asked),
    "questions": (compose.Questions, "_weighed", lambda _self, hit, _compared: hit),
}


@pytest.fixture(scope="module")
def life(tmp_path_factory, embedder):
    """The life, stored and indexed as the product does."""
    vault = Vault(tmp_path_factory.mktemp("life") / "vault.db", os.urandom(32), lambda: NOW)
    world, known = World(vault, embedder), {}
    for row in sorted(LIFE["memories"], key=lambda row: "replaced_by" in row):
        known[row["text"]] = world.learn(row["text"], days=row["days"], **told(row, known))
    for talk in LIFE["talks"]:
        made = world.conversations.create(1, created_at=NOW - timedelta(days=talk["days"]))
        for minute, (role, text) in enumerate(talk["said"]):
            world.say(text, days=talk["days"] - minute / 1440, talk=made, role=Role(role))
    world.index()
    yield world
    vault.close()


def told(row, known):
    """Return what else is known of a memory."""
    fields = {"pinned": row.get("pinned", False), "trust": Trust(row.get("trust", "learned"))}
    if "occurred" in row:
        fields["occurred_at"] = NOW - timedelta(days=row["occurred"])
    if "proof" in row:
        yesterday = NOW - timedelta(days=1)
        fields |= {"proof_count": row["proof"], "confidence": 1.0, "occurred_at": yesterday}
    if "replaced_by" in row:
        heir = known[row["replaced_by"]]
        fields |= {"status": Status.SUPERSEDED, "superseded_by": heir.id}
    return fields


def shipped(**changes):
    """Return the settings as they are shipped, but for some of recall."""
    settings = replace(Settings(), "rag.candidates", CANDIDATES)
    for key, value in changes.items():
        settings = replace(settings, f"rag.{key}", value)
    return settings


def answered_well(life, questions):
    """Return the questions that are answered well."""
    return [q["ask"] for q in questions if is_well(q, life.texts(q["ask"]))]


def is_well(question, found):
    answer, rivals = question["answer"], set(question.get("rivals", ()))
    if not answer:
        return not found
    return answer in found and rivals.isdisjoint(found[: found.index(answer)])


def test_with_every_weight_every_question_is_answered_well(life):
    life.settings = shipped()
    assert answered_well(life, QUESTIONS) == [q["ask"] for q in QUESTIONS]


@pytest.mark.parametrize("weight", [*SETTINGS, *CONSTANTS])
def test_without_a_weight_fewer_are(life, monkeypatch, weight):
    guarding = [q for q in QUESTIONS if weight in q["guards"]]
    assert guarding
    life.settings = shipped(**SETTINGS.get(weight, {}))
    if weight in CONSTANTS:
        monkeypatch.setattr(*CONSTANTS[weight])
    assert len(answered_well(life, guarding)) < len(guarding)


def test_no_weight_of_the_comparison_is_without_a_guard():
    """What is left out says how far is looked, and what is divided by."""
    numbers = {name for name, value in vars(interaction).items() if is_weight(name, value)}
    assert numbers - {"WHOLE", "BEST", "BESIDE"} <= set(CONSTANTS)


def is_weight(name, value):
    return name.isupper() and isinstance(value, int | float | tuple)


def test_no_question_guards_what_is_not_there():
    known = {*SETTINGS, *CONSTANTS}
    assert {guard for question in QUESTIONS for guard in question["guards"]} == known
    texts = {row["text"] for row in LIFE["memories"]}
    texts |= {text for talk in LIFE["talks"] for _, text in talk["said"]}
    for question in QUESTIONS:
        assert {*question.get("rivals", ()), question["answer"]} - {""} <= texts
