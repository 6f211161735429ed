import pytest

from app.settings.docs import render
from app.settings.table import entries


def test_a_setting_is_listed_read_and_changed(loci):
    assert loci("settings", "get", "rag.max_results").out == "5\n"
    assert loci("settings", "set", "rag.max_results", "7").out == "rag.max_results = 7\n"
    assert loci("settings", "get", "rag.max_results", "--json").data == {
        "key": "rag.max_results",
        "value": 7,
    }
    listed = loci("settings", "list", "--json").data
    assert set(listed) == {declared.key for declared in entries()}
    assert listed["rag.max_results"] == 7
    assert "rag.enabled = on\n" in loci("settings", "list").out


def test_switches_and_negative_numbers_are_taken_as_people_write_them(loci):
    assert loci("settings", "set", "rag.enabled", "off").out == "rag.enabled = off\n"
    assert loci("settings", "get", "rag.enabled", "--json").data["value"] is False
    assert loci("settings", "set", "models.gpu_layers", "-1", "--json").data["value"] == -1


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("no.such", "1", "There is no setting called 'no.such'."),
        ("rag.enabled", "maybe", "either on or off"),
        ("chat.temperature", "warm", "takes a number"),
        ("chat.temperature", "nan", "takes a number"),
        ("chat.temperature", "9", "must be between 0 and 2"),
        ("rag.max_results", "2.5", "takes a whole number"),
        (
            "memory.compaction.threshold",
            "100",
            "“Most memories” must not be below “Memories left”, which is 500.\n",
        ),
    ],
)
def test_what_cannot_be_set_is_a_sentence(loci, key, value, sentence):
    assert sentence in loci("settings", "set", key, value, code=1).err


def test_an_unknown_key_cannot_be_read(loci):
    assert "no setting" in loci("settings", "get", "no.such", code=1).err


def test_the_reference_preset_is_used_after_a_yes_and_given_back(loci):
    before = loci("settings", "list", "--json").data
    refused = loci("settings", "preset", "reference", code=1)
    assert "deletes the oldest of too many memories for good" in refused.err
    assert loci("settings", "list", "--json").data == before
    used = loci("settings", "preset", "reference", "--yes")
    assert "memory.compaction.delete = on\n" in used.out
    assert "rag.fusion = ranks\n" in used.out
    given_back = loci("settings", "preset", "default", "--json").data
    assert given_back["memory.compaction.delete"] is False
    assert loci("settings", "list", "--json").data == before


def test_the_reference_is_printed(loci):
    assert loci("settings", "docs").out == render()
