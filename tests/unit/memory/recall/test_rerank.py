"""The reranking stage: two pools that never mix, and nothing at all where it cannot work."""

from dataclasses import replace

import pytest

from app.domain.memory import Trust
from app.domain.reason import words
from app.domain.recall import HitKind
from app.errors import ModelError, ModelLate
from app.memory.recall.compose import Recaller
from app.memory.recall.pipeline import Trace
from app.memory.recall.rerank import QUERY_CHARACTERS, TEXT_CHARACTERS, RerankStage
from app.memory.recall.score import Boosts
from app.memory.recall.stages import Evident
from app.settings.spec import Settings
from app.settings.table import reference
from app.store.store import Store


class Judge:
    """Scores texts by a table, or fails."""

    def __init__(self, scores=(), *, error=None, most=1000):
        self.scores, self.error, self.most = dict(scores), error, most
        self.asked = []

    def score(self, query, texts, seconds):
        self.asked.append((query, list(texts), seconds))
        if self.error:
            raise self.error
        return [self.scores.get(text, 0.5) for text in texts[: self.most]]


def stage(judge, most=40, least=1, seconds=0.8):
    return RerankStage(judge, most, least, seconds)


def ids(hits):
    return [hit.id for hit in hits]


@pytest.fixture
def hits(make_hit):
    return [make_hit(f"m{n}", f"text {n}", score=0.9 - n / 10, base=0.9 - n / 10) for n in range(5)]


def test_the_score_replaces_the_base_of_the_pool_and_of_nothing_else(hits, context):
    judge = Judge({"text 0": 0.01, "text 1": 0.02, "text 2": 0.03})
    found = stage(judge, most=3)(context(), hits)
    assert ids(found) == ["m2", "m1", "m0", "m3", "m4"]
    assert [hit.base for hit in found] == pytest.approx([0.03, 0.02, 0.01, 0.6, 0.5])
    assert [hit.score for hit in found] == [hit.base for hit in found]
    assert [*map(words, found[0].reasons)] == ["reranked 0.030"]
    assert found[3].reasons == ()
    assert judge.asked == [("what?", ["text 0", "text 1", "text 2"], 0.8)]


def test_m8_never_more_than_the_candidates_are_read(hits, context):
    judge = Judge()
    stage(judge, most=2)(context(), hits)
    assert [len(texts) for _, texts, _ in judge.asked] == [2]


def test_where_only_some_were_judged_in_time_the_others_are_the_tail(hits, context):
    found = stage(Judge({"text 1": 0.6}, most=2))(context(), hits)
    assert ids(found) == ["m1", "m0", "m2", "m3", "m4"]
    assert [hit.tier for hit in found] == [0, 0, 1, 1, 1]


def test_factors_move_hits_within_pool_and_tail_and_never_across(make_hit, context):
    old, new = {"days": 900.0}, {"days": 0.0}
    hits = [
        make_hit("a", "a", score=0.3, **old),
        make_hit("b", "b", score=0.2, **old),
        make_hit("c", "c", score=0.99, **old),
        make_hit("d", "d", score=0.98, **new),
    ]
    judged = stage(Judge({"a": 0.0010, "b": 0.0011}), most=2)(context(), hits)
    found = Boosts()(context(), judged)
    assert ids(found) == ["b", "a", "d", "c"], "the tail is sorted by itself, behind the pool"
    assert found[0].score == pytest.approx(found[0].base * 0.9, rel=1e-2)


def test_what_earlier_stages_found_out_still_counts(make_hit, context):
    asking = make_hit("q", "where?", factors={"question": 0.5}, score=0.2)
    telling = make_hit("t", "there", score=0.1)
    found = stage(Judge({"where?": 0.9, "there": 0.6}))(context(), [asking, telling])
    assert ids(found) == ["t", "q"]
    assert (found[1].base, found[1].score) == (0.9, pytest.approx(0.45))


def test_equal_scores_are_ordered_by_trust_and_then_as_they_came(make_hit, context):
    hits = [make_hit("a"), make_hit("b", trust=Trust.SYSTEM), make_hit("c")]
    assert ids(stage(Judge())(context(), hits)) == ["b", "a", "c"]


def test_too_few_finds_are_left_alone(hits, context):
    judge = Judge()
    assert stage(judge, least=6)(context(), hits) == hits
    assert stage(judge)(context(), []) == []
    assert judge.asked == []
    assert stage(judge, least=5)(context(), hits) != hits


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ModelLate("It took longer than 800 ms."), "not reranked in time: It took longer"),
        (ModelError("It is still being loaded."), "not reranked: It is still being loaded."),
    ],
)
def test_m8_a_failure_leaves_the_order_and_says_so(hits, context, error, says):
    trace = Trace()
    assert trace.stage(stage(Judge(error=error)), context(), hits) == hits
    (step,) = trace.steps
    assert (step.name, step.before, step.after) == ("rerank", 5, 5)
    assert says in step.note
    assert trace.degraded == [step.note]


@pytest.mark.parametrize("nonsense", [float("nan"), 1.5, -0.1])
def test_nonsense_is_not_believed(hits, context, nonsense):
    with pytest.raises(ModelError, match="nonsense"):
        stage(Judge({"text 0": nonsense}))(context(), hits)


def test_what_is_read_is_bounded_and_says_who_spoke(make_hit, context):
    said = "Nothing of note. " * 200 + "The garage code is 4711. " + "Nothing of note. " * 200
    judge = Judge()
    hit = make_hit(kind=HitKind.MESSAGE, text=said, speaker="Ada")
    stage(judge)(context("garage code? " * 500), [hit])
    ((query, (text,), _),) = judge.asked
    assert len(query) == QUERY_CHARACTERS
    assert len(text) <= TEXT_CHARACTERS + len("Ada: ")
    assert text.startswith("Ada: ")
    assert "The garage code is 4711." in text


def test_a_memory_takes_place_and_score_of_the_message_it_stands_for(make_hit, context):
    message = make_hit("x", "I like tea", kind=HitKind.MESSAGE, score=0.01, relevance=0.5)
    memory = make_hit("m", "You like tea", source="x", score=0.9, tier=1, relevance=0.6)
    other = make_hit("o", "You like maps", score=0.95, tier=1, relevance=0.6)
    found = Evident()(context(), [message, other, memory])
    assert [(hit.id, hit.tier, hit.score) for hit in found if not hit.dropped] == [
        ("m", 0, 0.01), ("o", 1, 0.95)
    ]  # fmt: skip


@pytest.fixture
def filled(world):
    """A vault with a few memories and messages, and a way to ask it with a reranker."""
    for text in ("You love smoked salmon", "You love old maps", "You like the salmon of Porto"):
        world.learn(text, days=1)
    world.say("I had salmon for dinner on Sunday")
    world.index()

    def use(reranker):
        world.recaller = Recaller(
            Store(world.vault), lambda: world.embedder, lambda: world.settings, lambda: reranker
        )
        return world

    return use


def timeless(recall):
    """Return a recall without what differs from run to run."""
    return replace(
        recall, milliseconds=0, steps=[replace(step, milliseconds=0) for step in recall.steps]
    )


@pytest.mark.parametrize("settings", [Settings(), reference()])
def test_m8_off_is_byte_identical_to_its_absence(filled, settings):
    world = filled(None)
    world.settings = settings
    off = repr(timeless(world.recall("Which salmon do I love?")))
    world.recaller = Recaller(Store(world.vault), lambda: world.embedder, lambda: settings)
    assert off == repr(timeless(world.recall("Which salmon do I love?")))
    assert "rerank" not in off


@pytest.mark.parametrize("settings", [Settings(), reference()])
def test_on_it_decides_the_order_of_what_was_found(filled, settings):
    judge = Judge({"You like the salmon of Porto": 0.9, "You love smoked salmon": 0.1})
    world = filled(judge)
    world.settings = settings
    found = world.recall("Which salmon do I love?")
    assert found.hits[0].text == "You like the salmon of Porto"
    assert "reranked 0.900" in map(words, found.hits[0].reasons)
    ((question, _, seconds),) = judge.asked
    assert (question, seconds) == ("Which salmon do I love?", 0.8)
    assert [step.name for step in found.steps if step.name in ("rerank", "scoring")] == [
        "rerank", "scoring"
    ]  # fmt: skip


@pytest.mark.parametrize("settings", [Settings(), reference()])
def test_m8_a_timeout_falls_back_to_the_order_without_it(filled, settings):
    world = filled(None)
    world.settings = settings
    before = world.recall("Which salmon do I love?")
    late = filled(Judge(error=ModelLate("It took longer than 800 ms."))).recall(
        "Which salmon do I love?"
    )
    order = [(hit.id, hit.score, hit.base) for hit in before.hits]
    assert [(hit.id, hit.score, hit.base) for hit in late.hits] == order
    assert late.degraded == ("The results were not reranked in time: It took longer than 800 ms.",)


def test_the_settings_bound_what_is_read_and_how_long(filled, with_setting):
    judge = Judge()
    world = filled(judge)
    with_setting("rag.rerank.max_candidates", 2)
    with_setting("rag.rerank.timeout_ms", 300)
    world.recall("Which salmon do I love?")
    ((_, texts, seconds),) = judge.asked
    assert (len(texts), seconds) == (2, 0.3)
    with_setting("rag.rerank.min_results", 50)
    world.recall("Which salmon do I love?")
    assert len(judge.asked) == 1
