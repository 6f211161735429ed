"""Dates from the ends of the calendar are dates like others; numbers past all use are refused."""

import time

import pytest

FIRST, LAST = "0001-01-01", "9999-12-31"


@pytest.fixture(params=["America/Los_Angeles", "Pacific/Kiritimati"])
def away(request, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("away")
def test_far_dates_are_taken_by_every_command(loci):
    loci("remember", "I own a boat.")
    assert "No memory" in loci("memories", "list", "--as-of", FIRST).out
    for moment in (LAST, f"{LAST}T23:59:59", f"{LAST}T23:59:59-12:00"):
        assert "boat" in loci("memories", "list", "--as-of", moment).out
    loci("memories", "list", "--as-of", f"{FIRST}T00:00+14:00")
    for month in ("0001-01", "9999-12"):
        assert "No model" in loci("upkeep", "costs", "--month", month).out
    assert "Forgot 0" in loci("memories", "clear", "--until", FIRST, "--yes").out
    assert "Forgot 0" in loci("memories", "clear", "--since", LAST, "--yes").out
    assert "Forgot 1" in loci("memories", "clear", "--since", FIRST, "--until", LAST, "--yes").out


@pytest.mark.parametrize(
    "command", ["memories list --limit", "names list --limit", "upkeep history -n", "audit --limit"]
)
def test_a_number_that_nobody_means_is_wrong_usage(loci, command):
    done = loci(*command.split(), "9" * 23, code=2)
    assert "is not in the range" in done.err
