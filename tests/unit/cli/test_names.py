"""Names are listed, merged, split and told apart, and whatever is refused says why."""

import pytest


@pytest.fixture
def sailors(loci):
    loci("remember", "Bob Smith sails on Sundays")
    loci("remember", "I met Robert Smith in Ghent")


def listed(loci):
    return {
        one["name"]: (one["also"], one["memories"]) for one in loci("names", "list", "--json").data
    }


def test_names_are_merged_and_split_again(loci, sailors):
    before = listed(loci)
    assert before["Bob Smith"] == ([], 1)
    assert "Ghent: 1 memory" in loci("names", "list").out
    said = loci("names", "merge", "bob smith", "Robert Smith").out
    assert said.startswith("Robert Smith, also Bob Smith: 2 memories.")
    assert listed(loci)["Robert Smith"] == (["Bob Smith"], 2)
    assert loci("names", "split", "Bob Smith").out == "Bob Smith: 1 memory.\n"
    assert listed(loci) == before


def test_a_shared_name_is_told_apart(loci, sailors):
    memory = next(m for m in loci("memories", "list", "--json").data if "Ghent" in m["text"])
    loci("names", "move", "Ghent", "Ghent, Kentucky", memory["id"])
    assert "Ghent, Kentucky" in listed(loci)
    assert "Ghent" not in listed(loci)


def test_what_cannot_be_done_is_a_sentence(loci, sailors):
    assert "No memory mentions “Hanna”." in loci("names", "merge", "Hanna", "Ghent", code=1).err
    assert "was not merged" in loci("names", "split", "Ghent", code=1).err
    assert listed(loci)


def test_no_names_yet(loci):
    assert loci("names", "list").out == "No memory mentions a name yet.\n"
