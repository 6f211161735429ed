"""A small run of the damage: each state is noticed, and a way out loses nothing it promises."""

import json
import os
import subprocess
import sys

import pytest

from tests.end2end.program import ROOT
from tests.evals.damaging import State

RUN = """
import json
from tests.evals import damage
damage.KINDS = {name: damage.KINDS[name] for name in %r}
print(json.dumps(damage.measured(%d, 5)))
"""
KINDS = (
    "vault_page",
    "log_cut",
    "slots_spare_noise",
    "settings_cut",
    "rolled_back_with_mark",
    "row_trusted",
    "bent_messages_created_at",
    "bent_journal_after",
    "bent_meta_changes_0",
    "bent_meta_changes_lost_3",
    "bent_jobs_payload",
    "bent_runs_figures",
    "slots_older",
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_what_was_promised_and_is_missing_is_counted():
    held = State({"a": ("Ann.", "system", False), "b": ("Ben.", "system", False)}, {"T": ("Hi.",)})
    left = State({"a": ("Ann.", "system", True)}, {"T": ("Hi.", "Ho.")})
    assert held.lacks(held) == 0
    assert left.lacks(held) == 3


def test_each_state_is_noticed_and_has_a_way_out():
    script = RUN % (KINDS, len(KINDS))
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["states"] == len(KINDS)
    assert found["problems"] == []
    assert found["solved"] == len(KINDS)
    assert found["unnoticed_as_documented"] == 1
