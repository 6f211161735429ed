"""A small run of what the chain costs: both sides write the same, and the chain adds no flush."""

import os
import shutil
import tempfile

import pytest

from tests.evals import chain_cost
from tests.evals.chain_cost import Side, filled, measured, summed_up

pytestmark = pytest.mark.tampers  # one side seals nothing

BARE = {f"bare {what}" for what in chain_cost.WRITES}


def test_every_write_is_weighed_on_both_sides(monkeypatch):
    if os.path.isdir("/var/tmp"):  # noqa: PTH112 - a disk, not memory: a write waits for it
        monkeypatch.setattr(tempfile, "tempdir", "/var/tmp")
    found = measured(60, 4)
    assert found["writes"].keys() == {*chain_cost.WRITES, *BARE}
    for of in found["writes"].values():
        assert of["without_us"] >= of["computing_us"] > 0
        assert of.keys() >= {"adds_us", "percent", "percent_of_computing"}
    assert set(found["problems"]) <= set(chain_cost.WRITES)


def test_what_takes_too_long_is_named():
    times = {
        what: {"off": [(1.0, 0.5)], "on": [(1.0, 0.5)]} for what in (*chain_cost.WRITES, *BARE)
    }
    times["edit"]["on"] = times["bare edit"]["on"] = [(1.1, 0.6)]
    found = summed_up(times)
    assert found["writes"]["edit"]["percent"] == 10.0
    assert found["problems"] == ["edit"], "bare transactions are printed and not judged"


def test_the_chain_adds_no_flush(tmp_path, monkeypatch):
    filled(tmp_path / "on", 60)
    shutil.copytree(tmp_path / "on", tmp_path / "off")
    flushed = {}
    for name in ("on", "off"):
        side = Side(tmp_path / name, name == "on", 1)
        seen = flushed[name] = []
        try:
            with side.opened.store.vault.write() as connection:
                pass
            connection.set_trace_callback(lambda text, seen=seen: seen.append(text))
            with monkeypatch.context() as patch:
                patch.setattr(os, "fsync", lambda _descriptor, seen=seen: seen.append("fsync"))
                for _ in range(3):
                    for write in side.writes().values():
                        with side.during():
                            write()
            connection.set_trace_callback(None)
        finally:
            side.opened.close()
    kept = {
        name: [one for one in seen if one in ("COMMIT", "fsync")] for name, seen in flushed.items()
    }
    assert len(kept["on"]) >= 24
    assert kept["on"] == kept["off"]
