"""What the published pipeline promises about recall, each promise by its number."""

import pytest

from app.conversation import context
from app.conversation.block import CONFLICTS, HEADER, OUTSIDE
from app.domain.conversation import Message, Part, PartOrigin, Role
from app.domain.memory import DEFAULT_SCOPE, Scope, Trust
from app.domain.trace import REPLACED
from app.errors import ModelLate
from app.memory.recall.compose import Recaller
from app.settings.table import reference
from app.store.entities import Entities
from app.store.store import Store
from app.store.usefulness import Usefulness
from tests.unit.memory.recall.conftest import HOME, MOVED, NOW

EVERY_TRUST = "system, learned, external"


@pytest.fixture
def prompt(world):
    """Return what a model would read of what was recalled."""

    def prompt(text, window=8192):
        question = Message("q", "c", Role.USER, (Part(text, PartOrigin.TYPED),), NOW)
        hits = world.recall(text).hits
        built = context.build(question, (), hits, world.settings, context.Window(window, 512))
        return built.turns[-1].content, built.hits

    return prompt


def test_m8_the_reranker_that_is_not_there_is_never_asked_and_one_that_fails_changes_nothing(world):
    class Broken:
        def score(self, query, texts, seconds):
            raise world.error

    world.error = ModelLate("It took too long.")
    world.learn("You love smoked salmon")
    world.learn("You love old maps")
    world.index()
    plain = world.recall("Do I love smoked salmon?")
    assert "rerank" not in [step.name for step in plain.steps]
    world.recaller = Recaller(
        Store(world.vault), lambda: world.embedder, lambda: world.settings, reranker=Broken
    )
    late = world.recall("Do I love smoked salmon?")
    assert [(h.id, h.score) for h in late.hits] == [(h.id, h.score) for h in plain.hits]
    assert late.degraded == ("The results were not reranked in time: It took too long.",)


def test_m10_external_is_left_out_by_default_and_flagged_when_included(world, with_setting, prompt):
    world.learn("The garage code is 4711", trust=Trust.EXTERNAL)
    world.learn("You changed the garage code in March")
    world.index()
    text, hits = prompt("What is the garage code?")
    assert "4711" not in text
    assert [hit.trust for hit in hits] == [Trust.LEARNED]
    with_setting("rag.include_trust_levels", EVERY_TRUST)
    text, _ = prompt("What is the garage code?")
    assert "2 May 2026, from outside, not verified: “The garage code is 4711”" in text


@pytest.fixture
def moved(world):
    """A person who moved, as the product files it."""
    world.understanding = MOVED
    world.tell("I live in Lille.", days=300)
    world.tell("I have a sister called Ruth.", days=200)
    world.tell("I live in Ghent now.", days=20)
    world.index()
    return world


@pytest.mark.parametrize("question", ["Where do I live?", "Where did I live before Ghent?"])
def test_m11_what_was_replaced_stands_after_what_replaced_it_and_says_so(moved, prompt, question):
    old, new = (
        m for m in moved.memories.list(DEFAULT_SCOPE, limit=-1)[::-1] if "live in" in m.text
    )
    assert (old.status, new.status) == ("superseded", "active")
    text, hits = prompt(question)
    shown = [hit.text for hit in hits]
    place = shown.index("I live in Ghent now")
    assert shown[place + 1] == "I live in Lille"
    assert hits[place + 1].disputed == REPLACED
    line = "5 Aug 2025, replaced on 12 May 2026 by “I live in Ghent now”: I live in Lille"
    assert f"{place + 2}. {line}" in text.splitlines()
    assert text.count(CONFLICTS) == 1
    assert shown.index("I live in Ghent now") < 2
    told = text.split(f"{HEADER}\n")[1].split("I live in Ghent now\n")[0]
    assert "replaced" not in told, "only the loser is labelled"


def test_m11_one_line_disagrees_with_nothing(world, prompt):
    world.tell("I live in Ghent.")
    world.index()
    assert CONFLICTS not in prompt("Which town do I live in?")[0]


def test_m11_the_reference_recalls_what_holds_alone(moved):
    moved.settings = reference()
    found = moved.recall("Where did I live before Ghent?")
    assert "I live in Ghent now" in [hit.text for hit in found.hits]
    assert "I live in Lille" not in [hit.text for hit in (*found.hits, *found.dropped)]


SPREAD = {
    "entity": "rag.entity_lane.enabled",
    "temporal": "rag.lanes.temporal.enabled",
    "causal": "rag.lanes.causal.enabled",
}


@pytest.fixture
def linked(world):
    """A seed, and what is linked to it by a name, a day and a cause; strangers with the same."""
    world.settings = reference()
    with world.vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    seed = world.learn("Zebra crossing painted", occurred_at=NOW)
    for agent, who in ((1, "mine"), (2, "theirs")):
        for lane in SPREAD:
            one = world.learn(
                f"{who} {lane}", agent_pk=agent, occurred_at=NOW if lane == "temporal" else None
            )
            if lane == "entity":
                Entities(world.vault).link(one.pk, ["Ruth"], agent, NOW)
            if lane == "causal":
                with world.vault.write() as connection:
                    connection.execute(
                        "INSERT INTO causal_edges VALUES (1, ?, ?, 0.9, 0)", (seed.pk, one.pk)
                    )
    Entities(world.vault).link(seed.pk, ["Ruth"], 1, NOW)
    return world


@pytest.mark.parametrize("lane", SPREAD)
def test_m12_lanes_from_the_finds_are_off_scoped_without_seeds_and_safe_when_empty(
    linked, with_setting, lane
):
    question = "zebra crossing"
    assert linked.texts(question) == ["Zebra crossing painted"]
    with_setting(SPREAD[lane], True)
    found = linked.recall(question).hits
    assert [hit.text for hit in found] == ["Zebra crossing painted", f"mine {lane}"]
    assert lane not in found[0].lanes, "a seed does not find itself"
    assert found[1].lanes == {lane: 1}
    assert linked.texts("nothing like it") == []
    away = linked.recall(question, scope=Scope(2)).hits
    assert away == ()


def test_m12_the_entity_lane_is_capped(linked, with_setting):
    with_setting("rag.entity_lane.enabled", True)
    for n in range(6):
        one = linked.learn(f"another {n}")
        Entities(linked.vault).link(one.pk, ["Ruth"], 1, NOW)
    with_setting("rag.max_results", 50)
    assert len(linked.texts("zebra crossing")) == 8
    with_setting("rag.entity_lane.per_entity_cap", 3)
    assert len(linked.texts("zebra crossing")) == 4


def test_m13_off_reads_nothing_and_on_moves_a_little(world, with_setting):
    world.settings = reference()
    first, second = world.learn("You love smoked salmon"), world.learn("You love smoked eel")
    world.index()
    before = world.recall("smoked").hits
    counts = Usefulness(world.vault)
    counts.add([second.id], [first.id], HOME, NOW)
    assert world.recall("smoked").hits == before
    with_setting("rag.feedback.enabled", True)
    after = {hit.id: hit for hit in world.recall("smoked").hits}
    assert after[second.id].factors["usefulness"] == pytest.approx(1.0239, abs=1e-4)
    assert after[first.id].factors["usefulness"] == pytest.approx(0.9761, abs=1e-4)
    assert all("usefulness" not in hit.factors for hit in before)


@pytest.mark.parametrize("external", [0, 1, 2])
def test_m16_the_warning_is_there_exactly_where_an_external_row_is_shown(
    world, with_setting, prompt, external
):
    with_setting("rag.include_trust_levels", EVERY_TRUST)
    world.learn("The garage is in Oak Street")
    for n in range(external):
        world.learn(f"The garage code is 471{n}", trust=Trust.EXTERNAL)
    world.index()
    text, hits = prompt("What is the garage code of Oak Street?")
    assert len(hits) == 1 + external
    assert text.count(OUTSIDE) == (1 if external else 0)
    assert text.count(", from outside, not verified: “") == external


def test_m16_an_external_row_that_does_not_fit_brings_no_warning(world, with_setting, prompt):
    with_setting("rag.include_trust_levels", EVERY_TRUST)
    world.learn("The garage code of Oak Street is in the blue book")
    world.learn("The garage of Oak Street: " + "code " * 150, trust=Trust.EXTERNAL)
    world.index()
    with_setting("rag.max_context_chars", 300)
    text, hits = prompt("What is the garage code of Oak Street?")
    assert [hit.trust for hit in hits] == [Trust.LEARNED]
    assert OUTSIDE not in text


def test_the_prompt_is_cut_by_tokens_where_the_window_is_small(world, prompt):
    for n in range(5):
        world.learn(f"Salmon recipe number {n}: {'butter ' * 40}{n}")
    world.index()
    assert len(world.recall("salmon recipe").hits) == 5
    assert len(prompt("salmon recipe", 32_768)[1]) == 5
    text, hits = prompt("salmon recipe", 4096)
    assert 0 < len(hits) < 5
    block = text.removesuffix("salmon recipe")
    assert context.rough_count(block) <= context.Window(4096, 512).memory_room
