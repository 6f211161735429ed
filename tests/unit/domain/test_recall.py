from dataclasses import replace

import pytest

from app.domain.ids import utc_now
from app.domain.memory import Memory, Status
from app.domain.recall import Hit, HitKind, Recall, TraceStep

NOW = utc_now()


def hit(name, **memory):
    kept = Memory(name, name, NOW, NOW, **{"agent_pk": 1, **memory})
    return Hit(name, HitKind.MEMORY, name, NOW, superseded_by=kept.superseded_by, memory=kept)


def steps(*counts):
    return tuple(TraceStep(name, before, after, 1.0) for name, before, after in counts)


@pytest.mark.parametrize(
    ("counts", "lost"),
    [
        ([], 1),
        ([("fts", 0, 30), ("fusion", 90, 40), ("rows", 40, 38)], 1),
        ([("rows", 40, 40), ("floor", 40, 12), ("scoring", 12, 12), ("budget", 12, 1)], 39),
        ([("rows", 40, 40), ("late interaction", 40, 90), ("floor", 90, 1)], 89),
    ],
)
def test_how_much_was_lost_is_counted_by_the_steps_after_the_rows_were_read(counts, lost):
    recall = Recall((hit("a"),), (hit("b"),), steps(*counts))
    assert (recall.lost, recall.found) == (lost, lost + 1)


def test_what_was_replaced_knows_since_when():
    old = hit("a", status=Status.SUPERSEDED, superseded_by="b", valid_to=NOW)
    assert old.replaced
    assert old.replaced_at == NOW
    restored = hit("a", superseded_by="b", valid_to=NOW)
    assert not restored.replaced
    assert replace(restored, superseded_by=None).replaced_at is None
    assert Hit("m", HitKind.MESSAGE, "m", NOW).replaced_at is None
