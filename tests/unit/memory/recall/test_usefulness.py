"""Usefulness moves a score a little, and never past trust."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memory import Trust
from app.domain.reason import words
from app.domain.recall import Hit, HitKind
from app.memory.recall.score import Boosts, trust
from app.memory.recall.usefulness import Useful, below_trust, signal
from tests.unit.memory.recall.conftest import NOW

EXACT = {"abs": 1e-9, "rel": 0}


def useful(counts, alpha=0.1):
    return Useful(lambda pks, scope: {pk: counts[pk] for pk in pks if pk in counts}, alpha)


@pytest.mark.parametrize(
    ("used", "ignored", "expected"), [(0, 0, 0.5), (1, 0, 1.0), (0, 4, 0.0), (3, 1, 0.75)]
)
def test_m13_the_signal_is_the_share_of_uses(used, ignored, expected):
    assert signal(used, ignored) == pytest.approx(expected, **EXACT)


def test_m13_the_factor_lies_around_one_and_says_so(make_hit, context):
    hits = [make_hit("a", pk=1, score=0.8), make_hit("b", pk=2, score=0.8), make_hit("c", pk=3)]
    found = useful({1: (3, 1), 2: (0, 2)})(context(), hits)
    assert found[0].score == pytest.approx(0.8 * 1.025, **EXACT)
    assert found[1].score == pytest.approx(0.8 * 0.95, **EXACT)
    assert found[0].factors["usefulness"] == pytest.approx(1.025, **EXACT)
    assert [*map(words, found[0].reasons)] == ["usefulness ×1.025"]
    assert found[2] is hits[2], "what was never counted is not touched"


def test_messages_are_never_counted(make_hit, context):
    hit = make_hit("a", pk=1, kind=HitKind.MESSAGE)
    assert useful({1: (9, 0)})(context(), [hit]) == [hit]


def test_m13_the_published_weights_are_clamped_to_the_bound():
    assert 0.047 < below_trust(0.1, 0.1) <= 0.048
    assert below_trust(0.01, 0.1) == 0.01
    assert below_trust(0.1, 0.0) == 0.0


@given(st.floats(0, 2), st.floats(1e-6, 2))
def test_m13_usefulness_alone_never_overturns_trust(alpha, trust_alpha):
    a = below_trust(alpha, trust_alpha)
    hits = [Hit("m", HitKind.MEMORY, "", NOW, trust=one) for one in Trust]
    trusts = sorted({1 + trust_alpha * (trust(hit) - 0.5) for hit in hits})
    assert len(trusts) == 3, "what is not the person's word weighs the same, wherever it is from"
    for lower, higher in pairwise(trusts):
        assert lower * (1 + a / 2) <= higher * (1 - a / 2)


def test_m13_an_ignored_memory_stays_ahead_of_a_useful_one_that_is_trusted_less(make_hit, context):
    counts = {1: (0, 50), 2: (50, 0), 3: (50, 0)}
    hits = [
        make_hit("external", pk=3, trust=Trust.EXTERNAL),
        make_hit("learned", pk=2, trust=Trust.LEARNED),
        make_hit("system", pk=1, trust=Trust.SYSTEM),
    ]
    ranked = Boosts()(context(), useful(counts, below_trust(2.0, 0.1))(context(), hits))
    assert [hit.id for hit in ranked] == ["system", "learned", "external"]


def test_among_equals_the_useful_one_rises(make_hit, context):
    hits = [make_hit("a", pk=1), make_hit("b", pk=2)]
    ranked = Boosts()(context(), useful({1: (0, 1), 2: (1, 0)})(context(), hits))
    assert [hit.id for hit in ranked] == ["b", "a"]
