from dataclasses import replace as varied

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memory import SAFETY, Trust
from app.errors import ModelError, SettingsError
from app.memory.recall.compose import RecallSources, pipeline, trusted
from app.memory.recall.lane_table import weights
from app.memory.recall.lanes.asked import BEHIND
from app.memory.recall.pipeline import alone, timeless
from app.memory.recall.stages import Budget, LineFloor
from app.settings.spec import Settings
from app.settings.table import get, reference, replace
from app.store.store import Store

PUBLISHED = {
    "rag.enabled": True,
    "rag.max_results": 5,
    "rag.max_context_chars": 4000,
    "rag.include_trust_levels": "system, learned",
    "rag.rerank.enabled": "unset",
    "rag.rerank.max_candidates": 40,
    "rag.rerank.min_results": 1,
    "rag.rerank.timeout_ms": 800,
    "rag.rerank.model": "bge-reranker-v2-m3-Q8_0.gguf",
    "rag.rerank.threads": 4,
    "rag.rerank.gpu": "auto",
    "rag.scoring.proof_alpha": 0.1,
    "rag.scoring.trust_alpha": 0.1,
    "rag.scoring.usefulness_alpha": 0.1,
    "rag.lanes.fts.weight": 1.0,
    "rag.lanes.vector.weight": 1.5,
    "rag.lanes.temporal.enabled": False,
    "rag.lanes.temporal.weight": 1.0,
    "rag.lanes.temporal.window_days": 7,
    "rag.lanes.causal.enabled": False,
    "rag.lanes.causal.weight": 1.0,
    "rag.entity_lane.enabled": False,
    "rag.entity_lane.seed_count": 5,
    "rag.entity_lane.per_entity_cap": 200,
    "rag.entity_lane.weight": 1.0,
    "rag.feedback.enabled": False,
    "memory.wal_mode": True,
    "memory.compaction.threshold": 1000,
    "memory.compaction.target_size": 500,
    "memory.retention.max_age_days": 0,
}
OWN = {
    "rag.claims": (True, False),
    "rag.messages": (True, False),
    "rag.min_score": (0.0, 0.1),
    "rag.floor": (0.3, 0.0),
    "rag.fusion": ("relevance", "ranks"),
    "rag.late_interaction": (True, False),
    "rag.candidates": (100, 0),
    "rag.scoring.recency_alpha": (0.02, 0.2),
    "rag.scoring.temporal_alpha": (0.02, 0.2),
    "rag.time.enabled": (True, False),
    "rag.lanes.overview.enabled": (True, False),
    "rag.lanes.replaced.enabled": (True, False),
}


@pytest.fixture
def sources(vault, embedder):
    return RecallSources.of(Store(vault), lambda: embedder)


@pytest.mark.parametrize(("key", "value"), PUBLISHED.items())
def test_m6_published_defaults(key, value):
    assert get(Settings(), key) == value
    assert get(reference(), key) == value


@pytest.mark.parametrize(("key", "values"), OWN.items())
def test_m6_own_defaults_have_their_reference_value(key, values):
    assert (get(Settings(), key), get(reference(), key)) == values


def test_m6_compaction_waits_for_the_person():
    assert get(Settings(), "memory.compaction.enabled") is False


@pytest.mark.parametrize(
    "key", ["rag.max_result", "rag.lanes.fts", "rag.lanes.graph.weight", "memory.wal", "rag"]
)
def test_m6_unknown_keys_are_refused(key):
    with pytest.raises(SettingsError, match="no setting"):
        replace(Settings(), key, 1)


def test_m6_the_reference_has_two_lanes_and_five_stages_in_order(sources):
    built = pipeline(reference().rag, sources)
    assert [lane.name for lane in built.lanes] == ["fts", "vector"]
    assert [stage.name for stage in built.stages] == [
        "scoring", "trust", "dedup", "conflicts", "budget"
    ]  # fmt: skip
    assert (built.per_lane, built.limit, built.min_score) == (10, 5, 0.1)
    assert (built.before, built.spread.lanes, built.times) == (alone, [], timeless)
    assert (built.fuse.k, built.fuse.weights["fts"], built.fuse.weights["vector"]) == (60, 1.0, 1.5)


def test_m6_the_default_adds_messages_relevance_and_the_floor(sources):
    built = pipeline(Settings().rag, sources)
    assert [lane.name for lane in built.lanes] == [
        "fts", "vector", "message_fts", "message_vector", "overview", "time"
    ]  # fmt: skip
    assert [stage.name for stage in built.stages] == [
        "relevance", "late interaction", "in_time", "questions", "floor", "history", "scoring",
        "trust", "own word", "evidence", "observations", "dedup", "conflicts", "excerpts",
        "line floor", "safety", "budget", "beside",
    ]  # fmt: skip
    assert (built.per_lane, built.limit) == (100, 100)


def parts(built):
    """Return what a pipeline is made of, save where it looks and what limits a prompt."""
    stages = [stage for stage in built.stages if not isinstance(stage, Budget | LineFloor)]
    return built.lanes, built.fuse, stages, built.per_lane, built.limit, built.min_score


@pytest.mark.parametrize("results", [1, 20, 100])
def test_a_result_limit_lifts_the_limits_and_nothing_else(sources, results):
    """As many candidates are weighed as for a prompt, as long as no more are asked for."""
    shipped, asked = pipeline(Settings().rag, sources), pipeline(Settings().rag, sources, results)
    assert parts(asked) == parts(shipped)
    budget = next(stage for stage in asked.stages if isinstance(stage, Budget))
    assert (budget.results, budget.characters) == (results, None)


def test_only_a_prompt_has_a_floor_for_each_line_and_only_above_the_other(sources):
    def floored(found, settings, results=None):
        stages = pipeline(settings.rag, found, results).stages
        return any(isinstance(stage, LineFloor) for stage in stages)

    shipped = Settings()
    assert floored(sources, shipped)
    assert not floored(sources, shipped, 20)
    assert not floored(sources, replace(shipped, "rag.floor", 0.0))
    assert not floored(sources, replace(shipped, "rag.line_floor", 0.0))


def test_more_results_than_candidates_deepen_the_search(sources):
    built = pipeline(Settings().rag, sources, 150)
    assert (built.per_lane, built.limit) == (300, 150)
    few = replace(Settings(), "rag.candidates", 30).rag
    assert [pipeline(few, sources, n).per_lane for n in (5, 30, 31)] == [30, 30, 62]


def test_a_prompt_is_given_the_first_of_what_a_longer_list_shows(world):
    for n in range(40):
        world.learn(f"Salmon recipe {n}: {'butter ' * (n % 7)}")
        world.say(f"I tried salmon recipe {n} {'again and ' * (n % 5)}", days=n)
    world.index()
    prompt = [hit.id for hit in world.recall("Which salmon recipe did I try?").hits]
    listed = [hit.id for hit in world.recall("Which salmon recipe did I try?", limit=100).hits]
    assert len(prompt) == 5 < len(listed)
    assert listed[:5] == prompt


def test_lane_weights_come_from_the_settings(sources):
    rag = replace(Settings(), "rag.lanes.fts.weight", 3).rag
    assert weights(rag)["fts"] == weights(rag)["message_fts"] == 3.0
    assert weights(rag)["vector"] == 1.5


def test_trust_levels_are_read_from_the_settings():
    every = replace(Settings(), "rag.include_trust_levels", "system, learned, external").rag
    assert trusted(every) == frozenset(Trust)
    assert trusted(Settings().rag) == {Trust.SYSTEM, Trust.LEARNED, Trust.CLAIMED}
    assert trusted(replace(Settings(), "rag.claims", False).rag) == {Trust.SYSTEM, Trust.LEARNED}
    assert trusted(replace(Settings(), "rag.include_trust_levels", "system").rag) == {Trust.SYSTEM}


def test_messages_are_left_out_where_only_system_is_trusted(sources):
    rag = replace(Settings(), "rag.include_trust_levels", "system").rag
    assert "message_fts" not in {lane.name for lane in pipeline(rag, sources).lanes}


def test_external_memories_come_only_on_request(world, with_setting):
    world.learn("The garage code is 4711", trust=Trust.EXTERNAL)
    world.index()
    assert world.texts("What is the garage code?") == []
    with_setting("rag.include_trust_levels", "system, learned, external")
    assert world.texts("What is the garage code?") == ["The garage code is 4711"]


def test_reference_scores_are_the_fused_ones_times_the_factors(world):
    world.settings = reference()
    world.learn("You love smoked salmon", days=1)
    world.learn("You love old maps", days=1)
    world.index()
    first, second = world.recall("Do I love smoked salmon?").hits
    assert first.text == "You love smoked salmon"
    assert first.lanes == {"fts": 1, "vector": 1}
    assert first.score == pytest.approx(1.0, abs=1e-9)
    assert second.score == pytest.approx(61 / 62, abs=1e-9)
    assert second.relevance is None


def test_reference_recalls_something_whatever_is_asked(world):
    world.settings = reference()
    world.learn("You love smoked salmon")
    world.index()
    assert world.texts("How do I center a div?") == ["You love smoked salmon"]


@pytest.mark.parametrize("floor", [0.0, 0.3])
def test_all_about_the_person_is_told_with_and_without_a_floor(world, with_setting, floor):
    world.learn("You play the bassoon", pinned=True)
    world.learn("Ruth keeps bees in Ostend", days=1)
    world.index()
    with_setting("rag.floor", floor)
    found = world.recall("What do you know about me?").hits
    assert [hit.lanes["overview"] for hit in found] == [1, 2]
    with_setting("rag.lanes.overview.enabled", False)
    assert all("overview" not in h.lanes for h in world.recall("What do you know about me?").hits)


@pytest.mark.parametrize(
    "text",
    [
        "How do I center a div?", "What is the boiling point of ethanol?", "Hello!", "", "?",
        "Какова скорость света?", "疫苗是怎么工作的？", "パンの焼き方は？", "빵은 어떻게 구워요?",
        "อบขนมปังอย่างไร", "كيف تعمل اللقاحات؟", "Πώς ψήνω ψωμί;", "रोटी कैसे पकाते हैं?",
    ],
)  # fmt: skip
def test_nothing_relevant_recalls_nothing(world, text):
    world.learn("You love smoked salmon")
    world.say("We went to the lighthouse on Sunday and it rained")
    world.index()
    found = world.recall(text)
    assert found.hits == ()
    assert all(hit.dropped == "below_floor" for hit in found.dropped)


def test_a_memory_stands_for_the_message_it_was_learnt_from(world):
    message = world.say("I am allergic to walnuts")
    world.learn("You are allergic to walnuts", message=message)
    world.index()
    found = world.recall("What am I allergic to?")
    assert [hit.text for hit in found.hits] == ["You are allergic to walnuts"]
    assert found.hits[0].source == message.id
    assert [(hit.id, hit.dropped) for hit in found.dropped] == [(message.id, "deduped")]


@pytest.mark.parametrize("by_meaning", [True, False])
def test_what_was_erased_is_no_word_to_find_a_message_by(world, by_meaning):
    message = world.say("My code is zanzibar, and I like jasmine tea.")
    world.messages.redact(message.id, [(11, 19)])
    if by_meaning:
        world.index()
    for question in ("erased", "[erased]", "What was erased?", "Which code did I have erased?"):
        assert not any("erased" in text for text in world.texts(question)), question
    assert world.texts("erased") == world.texts("[erased]") == []
    assert world.texts("What was erased?") == []
    assert world.texts("Which tea do I like?") == ["My code is …, and I like jasmine tea."]


def test_a_question_asked_before_is_no_answer(world):
    world.say("Where did I park my car?")
    world.say("Write a note about where I parked my car")
    world.index()
    assert world.texts("Where did I park my car?") == []
    world.say("I parked my car on level three of the station garage")
    world.index()
    assert world.texts("Where did I park my car?")[0].startswith("I parked my car on level three")


def test_without_an_embedder_words_are_enough(world):
    class Dead:
        info = world.embedder.info

        def embed(self, texts, purpose):
            raise ModelError("The embedder did not answer.")

    world.learn("You are allergic to walnuts")
    world.index()
    world.embedder = Dead()
    found = world.recall("What am I allergic to?")
    assert [hit.text for hit in found.hits] == ["You are allergic to walnuts"]
    assert found.degraded == ("The embedder did not answer.",)


def test_what_a_new_embedder_has_not_read_yet_is_found_by_words_and_that_is_said(world):
    class New:
        info = varied(world.embedder.info, id="new")
        embed = world.embedder.embed

    world.learn("You are allergic to walnuts")
    world.index()
    assert not world.recall("What am I allergic to?").degraded
    world.embedder = New()
    found = world.recall("What am I allergic to?")
    assert [hit.text for hit in found.hits] == ["You are allergic to walnuts"]
    assert found.degraded == (BEHIND,)
    world.index()
    assert not world.recall("What am I allergic to?").degraded


def test_a_safety_fact_is_not_crowded_out_of_a_prompt(world, with_setting):
    for n in range(9):
        world.learn(f"I cook dinner for friends on evening {n}, mostly salmon number {n}")
    world.learn("I am allergic to walnuts, so no walnuts at dinner", tags=(SAFETY,))
    world.learn("I have the shopping list for dinner in the kitchen drawer")
    world.index()
    asked = "Which salmon do I cook for friends at dinner?"
    listed = [hit.text for hit in world.recall(asked, limit=100).hits]
    prompt = world.texts(asked)
    assert prompt == listed[:5]
    assert "salmon" in prompt[0], "the best find stays first"
    assert prompt[-1] == "I am allergic to walnuts, so no walnuts at dinner"
    with_setting("rag.max_context_chars", 130)
    assert [text[:9] for text in world.texts(asked)] == ["I cook di", "I am alle"]
    with_setting("rag.floor", 0.99)
    assert world.texts(asked) == [], "what is not about the question stays away"


def test_what_enters_the_prompt_is_bounded_by_count_and_by_characters(world, with_setting):
    for n in range(9):
        world.learn(f"Salmon recipe number {n}: {'butter ' * 20}{n}")
    world.index()
    assert len(world.texts("salmon recipe")) == 5
    with_setting("rag.max_context_chars", 400)
    assert len(world.texts("salmon recipe")) == 2
    assert len(world.texts("salmon recipe", limit=50)) == 9
    with_setting("rag.max_results", 0)
    assert world.texts("salmon recipe") == []


@given(text=st.text(max_size=80))
def test_no_text_breaks_recall(text, shared_world):
    shared_world.recall(text)
