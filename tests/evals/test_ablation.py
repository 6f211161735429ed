"""The ablation leaves everything as it was, and takes out what it says."""

import pytest

from app.bench import recall as bench
from app.cli.program import run
from app.main.program import Program
from app.memory.recall import interaction
from tests.evals import ablation
from tests.evals.ablation import STEPS, Step

SHIPPED = STEPS[9]
SETTINGS = {"models.embedder": "hash", "rag.floor": "0"}


def test_every_step_is_measured(file):
    steps = [Step("shipped", SETTINGS), Step("no messages", {**SETTINGS, "rag.messages": "false"})]
    figures = ablation.measured(file, steps)
    assert list(figures) == ["shipped", "no messages"]
    assert figures["shipped"]["recall@20"] > figures["no messages"]["recall@20"] == 0
    table = ablation.table({"a": figures}).splitlines()
    assert table[0] == "| | a |"
    assert table[2].startswith("| shipped | ")


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_is_over_when_it_is_over(file, step):
    talk = bench.load(file)[0]
    before = dict(vars(interaction))
    with Program().temporary(bench.at_the_end(talk)) as (services, _):
        values = services.preferences.values()
        with ablation.tried(services, step):
            assert step is SHIPPED or (
                services.preferences.values() != values or vars(interaction) != before
            )
        assert services.preferences.values() == values
    assert vars(interaction) == before


def test_parts_are_taken_out(file):
    step = next(step for step in STEPS if step.name == "without neighbours")
    talk = bench.load(file)[0]
    with Program().temporary(bench.at_the_end(talk)) as (services, _):
        run(bench.ingest(services, talk, bench.RecallTally()))
        with ablation.tried(services, step):
            assert interaction.AROUND == 0
            assert services.memories.recall("What am I allergic to?", 3).hits
