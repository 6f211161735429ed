"""How well a model would run here, and which of several comes first."""

import pytest

from app.domain.catalogue import CatalogueModel, Fit, Machine, Offered, fit, parameter_words, ranked
from app.domain.model import ModelRole
from app.providers.library import CONTEXT_TOKENS
from app.providers.local import catalogue
from app.providers.local.gguf import memory_needed

GB = 1_000_000_000
SMALL = Machine(4 * GB, 2_600_000_000, 2)
MIDDLE = Machine(8 * GB, 6 * GB, 4)
LARGE = Machine(64 * GB, 50 * GB, 16)


@pytest.mark.parametrize(
    ("size", "needed", "machine", "expected"),
    [
        (500_000_000, 1 * GB, SMALL, Fit.WELL),
        (1_400_000_000, 2 * GB, SMALL, Fit.WELL),
        (1_400_000_001, 2 * GB, SMALL, Fit.SLOW),
        (1 * GB, 2_600_000_000, SMALL, Fit.WELL),
        (1 * GB, 2_600_000_001, SMALL, Fit.BUSY),
        (1 * GB, 3 * GB, SMALL, Fit.BUSY),
        (1 * GB, 3 * GB + 1, SMALL, Fit.NONE),
        (6 * GB, 10 * GB, LARGE, Fit.WELL),
        (6 * GB + 1, 10 * GB, LARGE, Fit.SLOW),
    ],
)
def test_what_is_said_of_a_model_on_a_machine(size, needed, machine, expected):
    assert fit(size, needed, machine, ModelRole.CHAT) is expected


@pytest.mark.parametrize("role", [ModelRole.EMBED, ModelRole.RERANK])
def test_what_writes_nothing_is_judged_by_its_memory_alone(role):
    assert fit(60 * GB, 2 * GB, SMALL, role) is Fit.ENOUGH
    assert fit(GB, 3 * GB, SMALL, role) is Fit.BUSY
    assert fit(GB, 4 * GB, SMALL, role) is Fit.NONE


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (493_900_000, "494 million parameters"),
        (999_600_000, "1.0 billion parameters"),
        (7_620_000_000, "7.6 billion parameters"),
    ],
)
def test_parameters_in_words(count, said):
    assert parameter_words(count) == said


def seen(machine):
    """Return the chat models of the real catalogue as they are on a machine."""
    found = []
    for one in catalogue.read():
        if one.role is ModelRole.CHAT:
            needed = memory_needed(
                one.role, one.bytes, one.context_bytes, one.context_length, CONTEXT_TOKENS
            )
            found.append(CatalogueModel(one, needed, fit(one.bytes, needed, machine, one.role)))
    return ranked(found)


@pytest.mark.parametrize(
    ("machine", "best"),
    [(SMALL, "qwen2.5-1.5b"), (MIDDLE, "qwen3-4b"), (LARGE, "qwen2.5-7b")],
)
def test_the_best_that_runs_well_comes_first(machine, best):
    first = seen(machine)[0]
    assert (first.offered.id, first.fit) == (best, Fit.WELL)


def test_after_what_runs_well_comes_the_fastest_of_the_slow_then_what_needs_room():
    found = seen(Machine(8 * GB, 5 * GB, 1))
    fits = [c.fit for c in found]
    assert fits == sorted(fits, key=list(Fit).index)
    slow = [c.offered.bytes for c in found if c.fit is Fit.SLOW]
    assert len(slow) > 1
    assert slow == sorted(slow)
    assert {Fit.BUSY, Fit.NONE} <= set(fits)


def test_a_licence_of_a_makers_own_is_told_apart():
    by_id = {one.id: one for one in catalogue.read()}
    assert not by_id["qwen3-4b"].own_licence
    assert by_id["qwen3-4b"].licence_name == "Apache-2.0"
    llama: Offered = by_id["llama-3.2-3b"]
    assert llama.own_licence
    assert llama.licence_name == "Llama 3.2"
