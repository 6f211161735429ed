"""Whatever can be switched off is, when it is off, as if it had never been written."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.memory import Scope, Trust
from app.memory.recall import compose, lane_table
from app.memory.recall.compose import Recaller
from app.settings.spec import Settings
from app.settings.table import reference
from app.settings.table import replace as changed
from app.store.entities import Entities
from app.store.journal.causes import Causes
from app.store.store import Store
from app.store.usefulness import Usefulness
from tests.unit.memory.recall.conftest import HOME, NOW

QUESTIONS = (
    "What did Ruth tell me about the harbour festival last month?",
    "Who sings at the harbour festival?",
    "What do you know about me?",
)


class Judge:
    """Prefers short texts."""

    def score(self, query, texts, seconds):
        return [1 / (1 + len(text)) for text in texts]


# Each feature: how it is switched on and off, and the code that it consists of.
FEATURES = {
    "messages": (
        ("rag.messages", True, False),
        [
            (lane_table, "MessageWords"),
            *((compose, name) for name in ("Questions", "Evident", "Excerpts")),
        ],
    ),
    "floor": (("rag.floor", 0.3, 0.0), [(compose, "Floor")]),
    "line floor": (("rag.line_floor", 0.75, 0.0), [(compose, "LineFloor")]),
    "overview": (("rag.lanes.overview.enabled", True, False), [(lane_table, "Overview")]),
    "replaced": (
        ("rag.lanes.replaced.enabled", True, False),
        [(compose, name) for name in ("ShowSuperseded", "LimitSuperseded", "SupersededBeside")],
    ),
    "time": (
        ("rag.time.enabled", True, False),
        [(compose, "Times"), (lane_table, "TimeLane"), (compose, "TimeStage")],
    ),
    "late interaction": (
        ("rag.late_interaction", True, False),
        [(compose, "LateInteractionStage")],
    ),
    "rerank": (("", True, False), [(compose, "RerankStage")]),
    "entity": (("rag.entity_lane.enabled", True, False), [(lane_table, "SharedNames")]),
    "temporal": (("rag.lanes.temporal.enabled", True, False), [(lane_table, "SameDays")]),
    "causal": (("rag.lanes.causal.enabled", True, False), [(lane_table, "CausesAndEffects")]),
    "pinned": (("rag.lanes.pinned.enabled", True, False), [(lane_table, "Pinned")]),
    "feedback": (
        ("rag.feedback.enabled", True, False),
        [(compose, "Useful"), (Usefulness, "of")],
    ),
}
ALL_ON = {key: on for (key, on, _), _ in FEATURES.values() if key and key != "rag.late_interaction"}


@pytest.fixture
def full(world):
    """A vault in which every feature has something to find."""
    said = world.say("Ruth told me that the harbour festival begins on the pier", days=31)
    world.say("Who sings at the harbour festival?", days=8)
    world.say("The harbour is foggy today. " * 60, days=3)
    sings = world.learn(
        "Ruth sings at the harbour festival",
        message=said,
        occurred_at=NOW - timedelta(days=20),
    )
    rain = world.learn("It rained all day in Ostend", occurred_at=NOW - timedelta(days=22))
    cake = world.learn("Ruth bakes lemon cake")
    cold = world.learn("You caught a cold")
    world.learn("You like jazz", pinned=True)
    world.learn("Ruth sang at the harbour festival", status="superseded", superseded_by=sings.id)
    world.learn("The festival belongs to a sect", trust=Trust.EXTERNAL)
    for memory in (sings, cake):
        Entities(world.vault).link(memory.pk, ["Ruth"], 1, NOW)
    Causes(world.vault).link(sings.id, cold.id, 0.9)
    Usefulness(world.vault).add([rain.id], [sings.id], HOME, NOW)
    world.index()
    return world


@pytest.fixture
def recalled(full):
    """Return all that recall says, byte by byte, save how long it took."""

    def recalled(settings, reranking=False):
        judge = Judge() if reranking else None
        recaller = Recaller(
            Store(full.vault), lambda: full.embedder, lambda: settings, reranker=lambda: judge
        )
        found = []
        for question in QUESTIONS:
            recall = recaller.recall(compose.Query(question, Scope(1), NOW))
            assert not recall.degraded
            steps = [replace(step, milliseconds=0.0) for step in recall.steps]
            found.append(replace(recall, steps=steps, milliseconds=0.0))
        return repr(found).encode()

    return recalled


def preset(name):
    if name == "reference":
        return reference()
    settings = Settings()
    if name == "everything":
        for key, on in ALL_ON.items():
            settings = changed(settings, key, on)
    return settings


def switched(settings, feature, place):
    key, *values = FEATURES[feature][0]
    return changed(settings, key, values[place]) if key else settings


@pytest.mark.parametrize("base", ["default", "reference", "everything"])
@pytest.mark.parametrize("feature", FEATURES)
def test_off_is_byte_identical_to_absence(recalled, monkeypatch, feature, base):
    off = switched(preset(base), feature, 1)
    reranking = base == "everything" and feature != "rerank"
    expected = recalled(off, reranking)

    def absent(*_, **__):
        raise AssertionError(f"{feature} is off and was used")

    for owner, name in FEATURES[feature][1]:
        monkeypatch.setattr(owner, name, absent)
    assert recalled(off, reranking) == expected


@pytest.mark.parametrize("feature", FEATURES)
def test_on_each_feature_does_something_here(recalled, feature):
    """Else the test above would prove nothing."""
    settings, reranking = preset("everything"), feature != "line floor"  # which leaves it to that
    on = recalled(switched(settings, feature, 0), reranking=reranking)
    without = reranking and feature != "rerank"
    assert recalled(switched(settings, feature, 1), reranking=without) != on
