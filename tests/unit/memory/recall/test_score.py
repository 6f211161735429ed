from datetime import timedelta
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memory import Trust
from app.domain.reason import words
from app.memory.recall import score
from app.memory.recall.score import Boosts, by_score
from tests.unit.memory.recall.conftest import NOW

EXACT = {"abs": 1e-9, "rel": 0}


def factors(hit, **alphas):
    return Boosts(**alphas).boosted(hit, NOW).factors


@pytest.mark.parametrize(
    ("days", "factor"), [(0, 1.1), (1, 1.0), (4, 0.94), (99, 0.902), (-3, 1.1)]
)
def test_m9_recency(make_hit, days, factor):
    assert factors(make_hit(days=days))["recency"] == pytest.approx(factor, **EXACT)


@pytest.mark.parametrize(("days", "factor"), [(0, 1.1), (1, 1.0), (3, 0.95), (-30, 1.1)])
def test_m9_temporal_is_the_recency_of_the_event(make_hit, days, factor):
    hit = make_hit(occurred_at=NOW - timedelta(days=days))
    assert factors(hit)["temporal"] == pytest.approx(factor, **EXACT)


@pytest.mark.parametrize(
    ("count", "signal"), [(1, 0.5), (3, 0.5 + log(3) / 10), (10, 0.5 + log(10) / 10), (149, 1.0)]
)
def test_m9_proof(make_hit, count, signal):
    expected = 1 + 0.1 * (signal - 0.5)
    assert factors(make_hit(proof_count=count))["proof"] == pytest.approx(expected, **EXACT)


def test_m9_proof_fades_with_confidence(make_hit):
    month = make_hit(days=30, proof_count=10, confidence=0.8)
    expected = 1 + 0.1 * (log(10) / 10) * 0.8 * 0.5
    assert factors(month)["proof"] == pytest.approx(expected, **EXACT)
    event = make_hit(days=30, proof_count=10, confidence=0.8, occurred_at=NOW - timedelta(days=60))
    expected = 1 + 0.1 * (log(10) / 10) * 0.8 * 0.25
    assert factors(event)["proof"] == pytest.approx(expected, **EXACT)


@pytest.mark.parametrize(
    ("trust", "factor"),
    [(Trust.SYSTEM, 1.05), (Trust.LEARNED, 1.0), (Trust.EXTERNAL, 0.95), (Trust.CLAIMED, 0.95)],
)
def test_m9_trust(make_hit, trust, factor):
    assert factors(make_hit(trust=trust))["trust"] == pytest.approx(factor, **EXACT)


def test_m9_absent_data_is_neutral(make_hit):
    found = factors(make_hit(days=1))
    assert found == {"recency": 1.0, "temporal": 1.0, "proof": 1.0, "trust": 1.0}


def test_m9_a_future_date_counts_as_now(make_hit):
    assert score.recency(make_hit(days=-400), NOW) == 1.0
    future = make_hit(days=-1, occurred_at=NOW + timedelta(days=9), proof_count=3, confidence=1.0)
    assert score.temporal(future, NOW) == 1.0
    assert score.confidence(future, NOW) == 1.0


def test_m9_the_final_score_is_the_product(make_hit):
    hit = make_hit(days=4, score=0.8, base=0.8, trust=Trust.SYSTEM, proof_count=3, occurred_at=NOW)
    boosted = Boosts().boosted(hit, NOW)
    expected = 0.8 * 0.94 * 1.1 * (1 + 0.1 * log(3) / 10) * 1.05
    assert boosted.score == pytest.approx(expected, **EXACT)
    assert boosted.base == 0.8
    assert [*map(words, boosted.reasons)] == [
        *("recency ×0.940", "temporal ×1.100", "proof ×1.011", "trust ×1.050")
    ]
    assert (hit.score, hit.factors, hit.reasons) == (0.8, {}, ())


def test_m9_weights_of_zero_change_nothing(make_hit):
    off = Boosts(recency_alpha=0, temporal_alpha=0, proof_alpha=0, trust_alpha=0)
    hit = make_hit(days=0, proof_count=9, trust=Trust.SYSTEM, occurred_at=NOW)
    assert off.boosted(hit, NOW).score == hit.score


def test_ties_go_to_trust_then_stay_in_order(make_hit):
    hits = [
        make_hit("a", score=0.5),
        make_hit("b", score=0.5 + 4e-10, trust=Trust.EXTERNAL),
        make_hit("c", score=0.5 - 4e-10, trust=Trust.SYSTEM),
        make_hit("d", score=0.5),
        make_hit("e", score=0.6, trust=Trust.EXTERNAL),
    ]
    assert [hit.id for hit in by_score(hits)] == ["e", "c", "a", "d", "b"]


@given(st.integers(-1000, 5000), st.integers(1, 10**6), st.floats(0, 1), st.sampled_from(Trust))
def test_no_factor_leaves_its_bounds(days, count, confidence, trust):
    from app.domain.recall import Hit, HitKind

    at = NOW - timedelta(days=days)
    hit = Hit(
        "x",
        HitKind.MEMORY,
        "x",
        at,
        1.0,
        occurred_at=at,
        proof_count=count,
        confidence=confidence,
        trust=trust,
    )
    found = factors(hit)
    assert 0.9 - 1e-12 <= found["recency"] <= 1.1
    assert 0.9 - 1e-12 <= found["temporal"] <= 1.1
    assert 1.0 <= found["proof"] <= 1.05
    assert 0.95 <= found["trust"] <= 1.05
