"""A lane is a file and a row; one whose weight is missing is left out and said to be."""

from types import SimpleNamespace

import pytest

from app.domain import trace
from app.memory.recall import compose, lane_table
from app.memory.recall.lane_table import ASKED, LINKED, LaneSpec
from app.memory.recall.pipeline import NO_WEIGHT
from app.settings.spec import Settings
from app.settings.table import entries, replace

ROWS = [*ASKED, *LINKED]
KEYS = {entry.key for entry in entries()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_has_settings_that_exist_and_words_for_people(row):
    assert row.weight in KEYS
    assert row.setting in KEYS | {""}
    assert row.name in trace.LANES
    assert row.name in trace.STEPS


def test_no_two_rows_have_one_name():
    assert len({row.name for row in ROWS}) == len(ROWS)


def mistyped(monkeypatch, table, name):
    rows = [
        LaneSpec(row.name, "rag.lanes.ftss.weight", row.build, row.setting)
        if row.name == name
        else row
        for row in getattr(lane_table, table)
    ]
    monkeypatch.setattr(lane_table, table, rows)


@pytest.mark.parametrize(("table", "name"), [("ASKED", "fts"), ("LINKED", "entity")])
def test_a_lane_without_a_weight_is_left_out_with_a_notice(world, monkeypatch, table, name):
    for key in ("rag.entity_lane.enabled", "rag.lanes.pinned.enabled"):
        world.settings = replace(world.settings, key, True)
    sister = world.learn("Ana is your sister")
    world.learn("You gave Ana a lamp", pinned=True)
    world.index()
    mistyped(monkeypatch, table, name)
    found = world.recall("Who is Ana?")
    assert sister.id in {hit.id for hit in found.hits}
    assert not any(name in hit.lanes for hit in (*found.hits, *found.dropped))
    notice = NO_WEIGHT.format(trace.lane_name(name))
    assert notice in found.degraded
    (step,) = [step for step in found.steps if step.name == name]
    assert (step.before, step.after, step.note) == (0, 0, notice)


def test_settings_that_lack_a_whole_section_leave_its_lanes_out():
    rag = Settings().rag
    later = SimpleNamespace(lanes=SimpleNamespace(fts=rag.lanes.fts), time=None)
    assert lane_table.weights(later) == {"base": 1.0, "fts": 1.0, "message_fts": 1.0}


def test_one_more_lane_takes_one_row(world, monkeypatch):
    class Oldest:
        name = "the_oldest"

        def search(self, context, limit):
            return [compose.Fused(compose.HitKind.MEMORY, 1, 1.0)]

    row = LaneSpec(Oldest.name, "rag.lanes.fts.weight", lambda parts: Oldest())
    monkeypatch.setattr(lane_table, "ASKED", [*ASKED, row])
    first = world.learn("You sail a boat")
    world.learn("You keep bees")
    world.index()
    found = world.recall("boat")
    assert found.hits[0].id == first.id
    assert found.hits[0].lanes["the_oldest"] == 1
    assert "the oldest #1" in trace.places(found.hits[0])
