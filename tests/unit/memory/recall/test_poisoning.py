"""Planted memories, each at rank one of a lane of its own: a dozen attacks, and what comes of them.

With ``-s`` the figures are printed, those with external memories included as well.
"""

import os

import pytest

from app.store.vault.file import Vault
from tests.evals.poisoning import ATTACKS, NOW, Field, outcomes, report


@pytest.fixture(scope="module")
def planted(tmp_path_factory, embedder):
    vault = Vault(tmp_path_factory.mktemp("field") / "vault.db", os.urandom(32), lambda: NOW)
    yield Field(vault, embedder)
    vault.close()


@pytest.mark.parametrize("everything", [False, True], ids=["default lanes", "every lane"])
def test_by_default_no_attack_reaches_the_prompt_and_every_truth_does(planted, everything):
    found = outcomes(planted, included=False, everything=everything)
    assert len(found) == len(ATTACKS) == 12
    assert [o.attack.name for o in found if o.reached or o.first] == []
    assert [o.attack.name for o in found if not o.truth] == []


@pytest.mark.parametrize("everything", [False, True], ids=["default lanes", "every lane"])
def test_included_they_are_marked_wherever_they_stand_and_crowd_out_nothing(planted, everything):
    found = outcomes(planted, included=True, everything=everything)
    assert [o.attack.name for o in found if not o.flagged] == []
    assert [o.attack.name for o in found if not o.truth] == []
    assert sum(o.reached for o in found) > 0, "else this would prove nothing"


def test_the_figures_are_printed_with_the_filter_on_and_off(planted):
    figures = report(planted)
    print(f"\n{figures}")
    assert [line.split(",")[0] for line in figures.splitlines()[1:]] == [
        "external left out",
        "external left out",
        "external included",
        "external included",
    ]
