"""The reference preset, worked out by hand: what is expected here was computed on paper."""

from dataclasses import MISSING, fields, replace
from datetime import timedelta
from math import exp, log
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import pytest

from app.domain.memory import Scope, Trust
from app.domain.recall import HitKind, Query
from app.memory.recall.compose import RecallSources, pipeline
from app.memory.recall.fuse import LaneRow
from app.memory.recall.score import by_score
from app.memory.recall.stages import Budget, Dedup
from app.settings.table import reference
from app.settings.table import replace as changed
from tests.unit.memory.recall.conftest import NOW

EXACT = {"abs": 1e-9, "rel": 0}


class Listed:
    """A lane that finds what it is told to."""

    def __init__(self, name, pks):
        self.name = name
        self.pks = list(pks)
        self.asked = []

    def search(self, context, limit):
        self.asked.append(limit)
        return [LaneRow(HitKind.MEMORY, pk) for pk in self.pks[:limit]]


def sources(**more):
    """Return places that nobody looks into."""
    needed = [f.name for f in fields(RecallSources) if f.default is MISSING]
    return RecallSources(**{name: Mock() for name in needed}, **more)


@pytest.fixture
def run(make_hit):
    """Run the reference pipeline over lanes and rows that are made by hand."""

    def run(fts=(), vector=(), rows=(), **settings):
        chosen = reference()
        for key, value in settings.items():
            chosen = changed(chosen, f"rag.{key.replace('__', '.')}", value)
        built = pipeline(chosen.rag, sources())
        known = {(hit.kind, hit.pk): hit for hit in rows}
        filler = {pk: make_hit(f"m{pk}", f"text number {pk}", 1.0, pk=pk) for pk in {*fts, *vector}}
        lanes = [Listed("fts", fts), Listed("vector", vector)]
        made = replace(
            built,
            embed=lambda _: None,
            lanes=lanes,
            fetch=lambda fused: {one.key: known.get(one.key) or filler[one.pk] for one in fused},
        )
        return made.run(Query("?", Scope(1), NOW)), lanes

    return run


def scores(found):
    return {hit.pk: hit.score for hit in found.hits}


# -- fusion ----------------------------------------------------------------------------------------


def test_m7_a_row_that_is_first_in_one_lane_of_two(run):
    found, _ = run(fts=[1], vector=[2])
    assert scores(found) == {2: pytest.approx(0.6, **EXACT), 1: pytest.approx(0.4, **EXACT)}


def test_m7_three_rows_over_two_lanes(run):
    """Of 2.5/61 there are: 1/61 + 1.5/63, 1/63 + 1.5/61, and 1/62 + 1.5/62."""
    found, _ = run(fts=[1, 2, 3], vector=[3, 2, 1])
    most = 2.5 / 61
    assert [hit.pk for hit in found.hits] == [3, 2, 1]
    assert scores(found) == {
        3: pytest.approx((1 / 63 + 1.5 / 61) / most, **EXACT),
        1: pytest.approx((1 / 61 + 1.5 / 63) / most, **EXACT),
        2: pytest.approx((2.5 / 62) / most, **EXACT),
    }


def test_m7_one_lane_alone_keeps_its_order_and_what_is_below_the_minimum_goes(run):
    found, _ = run(vector=range(1, 30), max_results=20)
    assert scores(found) == {pk: pytest.approx(1 / pk, **EXACT) for pk in range(1, 11)}


def test_m7_the_minimum_is_asked_of_the_fused_list_alone(run, make_hit):
    """The factors carry the tenth find to 0.09; it was let through already."""
    old = make_hit("m10", "an old one", days=99_999, pk=10)
    found, _ = run(vector=range(1, 12), rows=[old], max_results=20)
    assert scores(found)[10] == pytest.approx(0.1 * (0.9 + 0.2 / 100_000), **EXACT)
    assert 11 not in scores(found)


def test_m7_each_lane_is_asked_for_twice_the_limit(run):
    _, lanes = run(fts=[1], vector=[1])
    assert [lane.asked for lane in lanes] == [[10], [10]]


# -- factors ---------------------------------------------------------------------------------------


def confidence_after(days, confidence):
    return confidence * exp(-log(2) * days / 30)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"days": 0.0}, 1.1),
        ({"days": 1.0}, 1.0),
        ({"days": 3.0}, 0.95),
        ({"days": 9.0, "trust": Trust.SYSTEM}, 0.92 * 1.05),
        ({"days": 9.0, "trust": Trust.EXTERNAL}, 0.92 * 0.95),
        ({"days": 1.0, "occurred": 0.0}, 1.1),
        ({"days": 1.0, "occurred": 4.0}, 0.94),
        ({"days": 1.0, "occurred": -40.0}, 1.1),
        ({"days": 1.0, "proof_count": 1}, 1.0),
        ({"days": 1.0, "proof_count": 3}, 1 + 0.1 * log(3) / 10),
        ({"days": 1.0, "proof_count": 149}, 1.05),
        ({"days": 1.0, "proof_count": 10_000}, 1.05),
        (
            {"days": 30.0, "proof_count": 10, "confidence": 0.8},
            (1 + 0.2 * (1 / 31 - 0.5)) * (1 + 0.1 * (log(10) / 10) * confidence_after(30, 0.8)),
        ),
        (
            {"days": 1.0, "occurred": 60.0, "proof_count": 10, "confidence": 1.0},
            (1 + 0.2 * (1 / 61 - 0.5)) * (1 + 0.1 * (log(10) / 10) / 4),
        ),
        (
            {"days": 0.0, "occurred": 1.0, "proof_count": 20, "trust": Trust.SYSTEM},
            1.1 * (1 + 0.1 * log(20) / 10) * 1.05,
        ),
    ],
)
def test_m9_the_score_is_the_fused_one_times_every_factor(run, make_hit, known, expected):
    known = dict(known)
    if "occurred" in known:
        known["occurred_at"] = NOW - timedelta(days=known.pop("occurred"))
    hit = make_hit("m1", pk=1, **known)
    found, _ = run([1], [1], [hit], include_trust_levels="system, learned, external")
    (hit,) = found.hits
    assert hit.score == pytest.approx(expected, **EXACT)
    assert hit.base == pytest.approx(1.0, **EXACT)
    assert set(hit.factors) == {"recency", "temporal", "proof", "trust"}, "nothing is forgotten"


def test_m9_days_are_of_86400_seconds_across_a_change_of_clocks(run, make_hit):
    spring = NOW.replace(month=3, day=29, hour=0).astimezone(ZoneInfo("Europe/Brussels"))
    hit = replace(make_hit("m1", pk=1), at=spring)
    found, _ = run([1], [1], [hit])
    days = (NOW - spring).total_seconds() / 86_400
    assert found.hits[0].factors["recency"] == pytest.approx(
        1 + 0.2 * (1 / (1 + days) - 0.5), **EXACT
    )


# -- ties ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("apart", "first"), [(0.0, "system"), (0.9e-9, "system"), (1.1e-9, "learned")]
)
def test_m7_a_billionth_is_a_tie_and_more_is_not(make_hit, apart, first):
    hits = [
        make_hit("learned", score=0.5 + apart),
        make_hit("system", score=0.5, trust=Trust.SYSTEM),
    ]
    assert by_score(hits)[0].id == first


def test_m7_equal_in_score_and_trust_stay_as_they_came(make_hit):
    hits = [make_hit(name, score=0.5) for name in ("d", "b", "c", "a")]
    assert [hit.id for hit in by_score(hits)] == ["d", "b", "c", "a"]
    external = [make_hit("e", score=0.5, trust=Trust.EXTERNAL)]
    assert [hit.id for hit in by_score(external + hits)] == ["d", "b", "c", "a", "e"]


def test_m7_where_two_lanes_swap_two_rows_of_equal_weight_the_words_were_seen_first(run):
    found, _ = run(fts=[1, 2], vector=[2, 1], lanes__vector__weight=1.0)
    assert [hit.pk for hit in found.hits] == [1, 2]


def test_m10_external_never_outranks_by_a_tie(run, make_hit):
    """Both are first in one lane and second in the other; external was seen first."""
    external = make_hit("e", "the one", 1.0, pk=1, trust=Trust.EXTERNAL)
    for trust in (Trust.LEARNED, Trust.SYSTEM):
        other = make_hit("o", "the other", 1.0, pk=2, trust=trust)
        found, _ = run(
            [1, 2],
            [2, 1],
            [external, other],
            lanes__vector__weight=1.0,
            scoring__trust_alpha=0,
            include_trust_levels="system, learned, external",
        )
        assert found.hits[0].score == found.hits[1].score
        assert [hit.id for hit in found.hits] == ["o", "e"]


# -- dedup -----------------------------------------------------------------------------------------


def survivors(*hits):
    return [hit.id for hit in Dedup()(None, hits) if not hit.dropped]


def test_of_equal_texts_the_more_trusted_stays_then_the_newer(make_hit):
    said = "You like tea"
    new = make_hit("new", said, days=1)
    assert survivors(make_hit("old", " you LIKE  tea. ", days=9), new) == ["new"]
    system = make_hit("system", said, days=99, trust=Trust.SYSTEM)
    external = make_hit("external", said, days=0, trust=Trust.EXTERNAL)
    assert survivors(external, new, system) == ["system"]
    assert survivors(external, new) == ["new"]


def test_texts_are_compared_whole_however_long_their_beginning_is_the_same(make_hit):
    opening = "You wrote down the whole history of the house: " * 9
    assert survivors(make_hit("a", opening + "blue"), make_hit("b", opening + "green")) == [
        "a",
        "b",
    ]


def test_the_survivors_keep_their_order(make_hit):
    hits = [make_hit(n, t, days=d) for n, t, d in (("a", "x", 9), ("b", "y", 9), ("c", "x", 1))]
    assert survivors(*hits) == ["b", "c"]


# -- budget and the three quirks -------------------------------------------------------------------


def test_the_budget_counts_results_and_characters_and_stops_at_the_first_that_does_not_fit(
    make_hit,
):
    hits = [make_hit(name, "x" * size) for name, size in (("a", 60), ("b", 50), ("c", 10))]
    fits = Budget(5, 100)(None, hits)
    assert [(hit.id, hit.dropped) for hit in fits] == [
        ("a", ""),
        ("b", "below_budget"),
        ("c", "below_budget"),
    ]
    assert [hit.id for hit in Budget(2, None)(None, hits) if not hit.dropped] == ["a", "b"]
    assert [hit.id for hit in Budget(5, 110)(None, hits) if not hit.dropped] == ["a", "b"]


def test_quirk_1_a_reranker_is_given_all_its_candidates():
    class Judge:
        def score(self, query, texts, seconds):
            return [0.5] * len(texts)

    built = pipeline(reference().rag, sources(reranker=Judge))
    assert (built.per_lane, built.limit) == (80, 40)
    assert pipeline(reference().rag, sources()).limit == 5


def test_quirk_2_what_comes_out_is_cut_to_the_results_asked_for(run):
    found, _ = run(fts=range(1, 30), vector=range(20, 50), max_results=3)
    assert len(found.hits) == 3


def test_quirk_3_what_is_not_trusted_crowds_out_nothing(world):
    world.settings = reference()
    for n in range(40):
        world.learn(f"The harbour festival is on pier {n}", trust=Trust.EXTERNAL)
    world.learn("The harbour festival is in May", days=900)
    world.index()
    assert world.texts("When is the harbour festival?") == ["The harbour festival is in May"]
