"""What commands print as JSON of a real vault is what resources/docs/json.md says."""

import pytest

from tests.unit.serialisers.page import COMMANDS, expect_shape

TALK = b"I live in Ghent.\nI'm allergic to walnuts.\nWhere do I live?\n"


@pytest.fixture
def printed(loci):
    """Run a command and hold what it prints against the page, which names one or more shapes."""

    def check(command, *more, nth=0):
        many, shape = COMMANDS[f"loci {command}"][nth]
        data = loci(*command.split(), *more, "--json").data
        for one in data if many else [data]:
            expect_shape(one, shape)
        return data

    return check


def test_talk_and_memories(loci, printed):
    for line in loci("chat", "--typed", "--json", say=TALK).lines:
        expect_shape(line, "answer")
    assert printed("remember", "I moved to Leeds")
    assert printed("recall", "Where do I live?")
    assert printed("recall", "Where do I live?", "--explain", nth=1)["hits"]
    first, *_, last = [one["id"] for one in printed("memories list")]
    for memory_id in (first, last):
        assert printed("memories show", memory_id)["history"]
        assert printed("memories history", memory_id)
        printed("memories lineage", memory_id)
    printed("memories edit", first, "I moved to Bath")
    assert printed("undo")["undone"] == printed("redo")["done"] == [first]
    assert printed("memories sources")
    assert printed("audit")["writers"]
    assert printed("names list")
    printed("memories forget", last)
    assert printed("memories erase", first, "--list", nth=1)
    assert printed("memories erase", first, "--yes")["removed"]


def test_work_data_models_and_profiles(loci, printed, tmp_path):
    loci("remember", "I like tea")
    assert printed("upkeep run", "compact")
    assert printed("upkeep status")["work"]
    printed("upkeep history")
    printed("consolidate")
    printed("settings set", "extraction.learn_from", "notebook")
    assert printed("doctor")["ok"]
    assert printed("models")["models"]
    printed("profiles list")
    printed("profiles backup")
    assert printed("profiles backups")
    assert printed("export", tmp_path / "all.zip")["counts"]["memories"] == 1
    assert printed("import", tmp_path / "all.zip")["verified"]
    loci("settings", "set", "models.embedder", "file:gone.gguf")
    assert printed("doctor")["embedder"]["problem"]


def test_a_vault_that_does_not_open(loci, monkeypatch):
    monkeypatch.setenv("LOCI_PASSPHRASE", "open it")
    loci("profiles", "create", "Ana")
    monkeypatch.setenv("LOCI_PASSPHRASE", "another one")
    expect_shape(loci("doctor", "--profile", "Ana", "--json", code=1).data, "unopened")
