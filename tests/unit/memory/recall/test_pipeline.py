from dataclasses import dataclass, field

import numpy as np
import pytest

from app.domain.memory import Scope
from app.domain.reason import Reason, ReasonKind, words
from app.domain.recall import HitKind, Query
from app.errors import ModelError, StoreError
from app.memory.recall.fuse import LaneRow, ReciprocalRank
from app.memory.recall.pipeline import TRACED, Pipeline
from app.memory.recall.stages import Budget, lost
from tests.unit.memory.recall.conftest import NOW

QUERY = Query("what?", Scope(1), NOW)


@dataclass
class Lane:
    name: str
    pks: list = field(default_factory=list)
    error: Exception | None = None
    asked: list = field(default_factory=list)

    def search(self, context, limit):
        self.asked.append(limit)
        if self.error is not None:
            raise self.error
        return [LaneRow(HitKind.MEMORY, pk) for pk in self.pks[:limit]]


@dataclass
class Meaning(Lane):
    def search(self, context, limit):
        assert context.vector.shape == (4,)
        return super().search(context, limit)


@dataclass
class Broken:
    error: Exception
    name: str = "broken"

    def __call__(self, context, hits):
        raise self.error


@dataclass
class DropAll:
    name: str = "drop"

    def __call__(self, context, hits):
        return [lost(hit, "below_floor", Reason(ReasonKind.SMALL_TALK)) for hit in hits]


@pytest.fixture
def build(make_hit):
    def make(lanes, stages=(), limit=5, min_score=0.0, embed=lambda _: np.ones(4, np.float32)):
        return Pipeline(
            embed=embed,
            lanes=lanes,
            fuse=ReciprocalRank({"fts": 1.0, "vector": 1.5, "message_vector": 1.5}),
            fetch=lambda fused: {f.key: make_hit(f"m{f.pk}", pk=f.pk) for f in fused if f.pk < 90},
            stages=stages,
            per_lane=2 * limit,
            limit=limit,
            min_score=min_score,
        )

    return make


def test_every_step_is_traced_in_order_and_reasons_begin_with_the_lanes(build):
    found = build([Lane("fts", [1, 2]), Lane("vector", [1])], [Budget(5, None)]).run(QUERY)
    assert [step.name for step in found.steps] == ["fts", "vector", "fusion", "rows", "budget"]
    assert [(step.before, step.after) for step in found.steps] == [
        (0, 2), (0, 1), (3, 2), (2, 2), (2, 2)
    ]  # fmt: skip
    first = found.hits[0]
    assert [*map(words, first.reasons)] == ["fts #1", "vector #1", "fused 1.000"]
    assert first.lanes == {"fts": 1, "vector": 1}
    assert first.base == first.score == pytest.approx(1.0)
    assert found.milliseconds >= sum(step.milliseconds for step in found.steps) * 0.9


def test_a_lane_that_fails_is_skipped_and_said(build):
    lanes = [Lane("vector", error=ModelError("The embedder did not answer.")), Lane("fts", [1, 2])]
    found = build(lanes).run(QUERY)
    assert [hit.id for hit in found.hits] == ["m1", "m2"]
    assert found.degraded == ("The embedder did not answer.",)
    assert found.steps[0].note == "The embedder did not answer."


def test_an_embedder_that_fails_is_asked_once_and_said_once(build):
    asked = []

    def embed(text):
        asked.append(text)
        raise ModelError("The embedder did not answer.")

    lanes = [Meaning("vector", [3]), Meaning("message_vector", [3]), Lane("fts", [1])]
    found = build(lanes, embed=embed).run(QUERY)
    assert asked == ["what?"]
    assert [hit.id for hit in found.hits] == ["m1"]
    assert found.degraded == ("The embedder did not answer.",)


def test_a_stage_that_fails_lets_everything_through(build):
    found = build([Lane("fts", [1])], [Broken(StoreError("The vault is busy."))]).run(QUERY)
    assert [hit.id for hit in found.hits] == ["m1"]
    assert found.degraded == ("The vault is busy.",)


def test_a_bug_is_not_hidden(build):
    with pytest.raises(ZeroDivisionError):
        build([Lane("fts", [1])], [Broken(ZeroDivisionError())]).run(QUERY)


def test_m6_lanes_fetch_their_share_and_the_base_is_cut_at_the_limit(build):
    lane = Lane("fts", list(range(1, 60)))
    found = build([lane], limit=5).run(QUERY)
    assert lane.asked == [10]
    assert [hit.id for hit in found.hits] == ["m1", "m2", "m3", "m4", "m5"]


def test_m6_min_score_is_asked_once_of_the_fused_list(build):
    found = build([Lane("fts", [1, 2, 3])], min_score=0.5).run(QUERY)
    assert [hit.id for hit in found.hits] == ["m1", "m2"]


def test_what_is_dropped_is_kept_with_its_reason_best_first(build):
    lane = Lane("fts", list(range(1, 60)))
    found = build([lane], [DropAll()], limit=40).run(QUERY)
    assert found.hits == ()
    assert len(found.dropped) == TRACED
    assert found.dropped[0].id == "m1"
    assert found.dropped[0].dropped == "below_floor"


def test_all_that_was_dropped_counts_though_only_the_best_is_kept(build):
    lane = Lane("fts", list(range(1, 60)))
    found = build([lane], [Budget(3, None), DropAll()], limit=40).run(QUERY)
    assert len(found.dropped) == TRACED
    assert (found.lost, found.found) == (40, 40)
    found = build([lane], [Budget(3, None)], limit=40).run(QUERY)
    assert (len(found.hits), found.lost, found.found) == (3, 37, 40)


def test_what_fusion_cuts_off_is_noted_and_degrades_nothing(build):
    lanes = [Lane("fts", list(range(1, 11))), Lane("vector", list(range(11, 21)))]
    found = build(lanes, limit=5).run(QUERY)
    notes = {step.name: step.note for step in found.steps}
    assert notes["fusion"] == "Left out: 15 beyond the best 5, which alone are weighed."
    found = build(lanes, limit=5, min_score=0.58).run(QUERY)
    assert found.steps[2].note == "Left out: 17 below the lowest score, 0.58."
    assert found.degraded == ()
    assert build([Lane("fts", [1])]).run(QUERY).steps[1].note == ""


def test_a_row_that_is_gone_is_left_out(build):
    assert build([Lane("fts", [95, 1])]).run(QUERY).hits[0].id == "m1"


def test_a_limit_of_nothing_asks_nobody(build):
    lane = Lane("fts", [1])
    assert build([lane], limit=0).run(QUERY).hits == ()
    assert lane.asked == []
