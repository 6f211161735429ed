import pytest

from app.errors import ModelError
from app.memory.consolidate.job import Consolidation
from app.store.work.jobs import JobQueue

GHENT = "I live in Ghent"
STATION = "I live in Ghent near the station"


@pytest.fixture
def told(loci):
    """Two statements of which one says all that the other says."""
    loci("settings", "set", "upkeep.consolidation.similarity_threshold", "0.5")
    for text in (GHENT, STATION, "I sail"):
        loci("remember", text)


def test_a_dry_run_shows_what_would_be_folded_and_does_nothing(loci, told, texts):
    shown = loci("consolidate", "--dry-run")
    assert shown.out.splitlines()[0] == STATION
    (cluster,) = loci("consolidate", "--dry-run", "--json").data
    assert [source["text"] for source in cluster["sources"]] == [GHENT, STATION]
    assert len(texts()) == 3


def test_folding_lists_what_it_did_and_how_to_take_it_back(loci, told, texts):
    done = loci("consolidate", "--json").data
    (fold,) = done["folds"]
    assert (fold["after"], fold["new"], fold["undone"]) == (STATION, True, False)
    assert sorted(fold["added"]) == sorted(source["id"] for source in fold["sources"])
    assert done["figures"] == {"created": 1, "statements": 2}
    assert len(texts()) == 4
    reverted = loci("consolidate", "--revert", done["batch"], "--json").data
    assert (len(reverted["reverted"]), reverted["refused"]) == (3, [])
    assert len(texts()) == 3
    assert "nothing to fold" in loci("consolidate").out


def test_in_words_it_says_what_became_of_what(loci, told):
    out = loci("consolidate").out
    assert f"new  {STATION}" in out
    assert f"from  {GHENT}" in out
    assert "loci consolidate --revert" in out


def test_what_is_no_run_cannot_be_reverted(loci, told):
    assert "no such run" in loci("consolidate", "--revert", "nonsense", code=1).err
    loci("consolidate", "--revert", "x", "--dry-run", code=2)


def test_the_failure_of_an_earlier_run_is_not_told_as_this_one(loci, told, monkeypatch):
    def fail(*_arguments):
        raise ModelError("The embedder did not answer.")
        yield

    with monkeypatch.context() as broken:
        broken.setattr(Consolidation, "run", fail)
        assert "The embedder did not answer." in loci("consolidate", code=1).err
    with monkeypatch.context() as elsewhere:  # somebody else is at work
        elsewhere.setattr(JobQueue, "claim", lambda *_arguments, **_more: None)
        waits = loci("consolidate", code=1)
    assert "waits for its turn" in waits.err
    assert "The embedder" not in waits.err
    assert f"new  {STATION}" in loci("consolidate").out


def test_what_an_earlier_run_did_is_not_told_as_this_one(loci, told, monkeypatch):
    loci("consolidate")
    monkeypatch.setattr(JobQueue, "claim", lambda *_arguments, **_more: None)
    waits = loci("consolidate", code=1)
    assert (waits.out, "waits for its turn" in waits.err) == ("", True)
