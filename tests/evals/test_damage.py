"""A small run of the damage: each state is noticed, and a way out works."""

import json
import os
import subprocess
import sys

import pytest

from tests.end2end.program import ROOT

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
    "rolled_back",
    "card_removed",
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_each_state_is_noticed_and_has_a_way_out():
    script = RUN % (KINDS, len(KINDS))
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found["states"] == len(KINDS)
    assert found["problems"] == []
