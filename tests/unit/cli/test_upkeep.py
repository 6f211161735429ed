"""``loci upkeep``: what runs by itself, when, what it did, and what it cost."""

from app.errors import ModelError
from app.memory.dream.guardrails import Guardrails
from app.store.work.jobs import JobQueue


def test_the_status_names_every_kind_of_nightly_work(loci):
    told = loci("upkeep", "status", "--json").data
    assert told["paused"] is False
    for work in told["work"]:
        assert work["title"]
        assert work["about"].endswith(".")
        assert (work["next_at"] is None) == (not work["enabled"])


def test_pausing_holds_until_it_is_resumed(loci):
    assert loci("upkeep", "pause").out == "Everything is paused.\n"
    status = loci("upkeep", "status", "--json").data
    assert status["paused"]
    assert not any(work["enabled"] for work in status["work"])
    assert loci("upkeep", "status").out.startswith("Everything is paused.")
    loci("upkeep", "resume")
    assert not loci("upkeep", "status", "--json").data["paused"]


def test_work_that_does_not_exist_is_a_sentence(loci):
    assert "There is no work called 'nonsense'" in loci("upkeep", "run", "nonsense", code=1).err


def test_nothing_ran_and_nothing_was_spent_at_first(loci):
    assert loci("upkeep", "history").out == "Nothing has run yet.\n"
    assert loci("upkeep", "costs").out == "No model was used.\n"
    assert loci("upkeep", "costs", "--month", "2026-05").out == "No model was used.\n"


def test_what_would_be_done_is_told_without_doing_it(loci):
    assert loci("upkeep", "run", "dream", "--dry-run").out == "Nothing to do.\n"
    loci("remember", "I live in Ghent.")
    loci("remember", "I own a boat.")
    loci("remember", "I work in Bruges.")
    loci("remember", "My sister is called Eva.")
    for setting, value in (("enabled", "true"), ("target_size", "3"), ("threshold", "3")):
        loci("settings", "set", f"memory.compaction.{setting}", value)
    told = loci("upkeep", "run", "compact", "--dry-run", "--json").data
    assert [one["does"] for one in told] == ["Archive", "Archive"]
    assert told[0]["text"] == "I live in Ghent."
    assert len(loci("memories", "list", "--json").data) == 4
    assert "cannot say beforehand" in loci("upkeep", "run", "review", "--dry-run", code=1).err


def test_a_run_that_failed_is_told_and_is_no_success(loci, monkeypatch):
    def fail(*_arguments):
        raise ModelError("The model did not answer.")
        yield

    monkeypatch.setattr(Guardrails, "run", fail)
    failed = loci("upkeep", "run", "compact", code=1)
    assert failed.err.strip().endswith("The model did not answer.")
    assert "The model did not answer." in loci("upkeep", "history").out


def test_while_another_program_is_at_work_no_earlier_run_is_shown_as_this_one(loci, monkeypatch):
    loci("upkeep", "run", "compact")
    monkeypatch.setattr(JobQueue, "claim", lambda *_arguments, **_more: None)
    waits = loci("upkeep", "run", "compact", code=1)
    assert "waits for its turn" in waits.err
    assert waits.out == ""


def test_reading_without_anything_to_read_is_a_sentence(loci):
    assert "Starts when you import conversations." in loci("upkeep", "status").out
    assert "nothing to do" in loci("upkeep", "run", "read", code=1).err
