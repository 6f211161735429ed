"""Two hostile inputs: what is read costs no more memory than it may, and a Stop is obeyed."""

import json
import os
import subprocess
import sys

import pytest

from tests.end2end.program import ROOT

LINE, SILENCE = "import: 16 MB line of values", "/models: silence"
RUN = f"""
import json
from tests.evals.endless import measured
found = dict(measured(["{LINE}"], stops=0)) | dict(measured(["{SILENCE}"], patience=0.5, stops=0))
print(json.dumps(found))
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs pipes and terminals")


def test_a_crowded_line_takes_little_memory_and_a_silent_server_hears_of_a_stop():
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = json.loads(done.stdout)
    assert found[LINE]["came"].startswith("TransferError")
    assert "memory" not in found[LINE]["problems"]
    assert found[SILENCE]["after_stop"] == ["Cancelled: Stopped."]
