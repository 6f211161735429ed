"""The past from a terminal: as of a date, field by field, back and forth, and from what."""

from datetime import timedelta

import pytest

from app.domain.ids import utc_now


@pytest.fixture
def known(loci):
    """Tell Loci three things; return their ids by their texts."""
    loci("chat", "--typed", say=b"I live in Ghent.\nI am allergic to walnuts.\nI own a boat.\n")
    return {m["text"]: m["id"] for m in loci("memories", "list", "--json").data}


def test_the_list_can_be_read_as_of_a_date(loci, known):
    today = f"{utc_now().astimezone():%Y-%m-%d}"
    loci("memories", "edit", known["You own a boat"], "You own a canoe")
    loci("memories", "forget", known["You live in Ghent"])
    assert len(loci("memories", "list", "--as-of", today, "--json").data) == 3
    assert len(loci("memories", "list", "--as-of", "today", "--status", "active").out) > 0
    assert loci("memories", "list", "--as-of", "2020-01-01").out == "No memory is like that.\n"
    assert loci("memories", "list", "--as-of", "last year", "--json").data == []
    assert "is no date" in loci("memories", "list", "--as-of", "tuna", code=1).err


def test_one_memory_is_shown_as_it_was(loci, known):
    loci("memories", "edit", known["You own a boat"], "I", "own", "a", "canoe")
    made = loci("memories", "show", known["You own a boat"], "--json").data["history"][0]
    then = ("memories", "show", known["You own a boat"], "--as-of")
    assert loci(*then, made["at"], "--json").data["text"] == "You own a boat"
    assert "You own a boat" in loci(*then, made["at"]).out
    assert loci(*then, "today", "--json").data["text"] == "I own a canoe"
    assert loci(*then, "2020-01-01", code=1).err.endswith("not known then.\n")


def test_the_list_as_of_a_moment_shows_each_memory_as_it_was(loci, known):
    (made,) = loci("memories", "history", known["You own a boat"], "--json").data
    loci("memories", "edit", known["You own a boat"], "You own a canoe")
    loci("memories", "erase", known["You live in Ghent"], "--yes")
    then = loci("memories", "list", "--as-of", made["at"], "--json").data
    assert [m["text"] for m in then] == ["You own a boat", "You are allergic to walnuts"]
    narrowed = ("memories", "list", "--as-of", made["at"], "--text", "boat", "--json")
    assert [m["revision"] for m in loci(*narrowed).data] == [1]


def test_history_tells_each_change_field_by_field(loci, known):
    memory_id = known["You own a boat"]
    loci("memories", "edit", memory_id, "You own a canoe")
    loci("undo")
    first, edited, undone = loci("memories", "history", memory_id, "--json").data
    assert (first["kind"], first["undone"], edited["undone"]) == ("remembered", False, True)
    assert edited["differences"] == [
        {"field": "text", "before": "You own a boat", "after": "You own a canoe"}
    ]
    assert undone["sentence"] == "Undid “Edited: You own a canoe”"
    page = loci("memories", "history", memory_id).out
    assert "  text: You own a boat → You own a canoe\n" in page
    assert f"batch {edited['batch']}" in page
    assert loci("memories", "history", "nobody", code=1).err.endswith(".\n")


def test_undo_goes_back_and_redo_forth(loci, known, texts):
    loci("memories", "forget", *known.values())
    assert texts() == []
    assert loci("undo").out == "Undone: Forgot: You own a boat and 2 more.\n"
    assert loci("redo").out == "Done again: Forgot: You own a boat and 2 more.\n"
    assert texts() == []
    assert loci("redo").out == "There is nothing to do again.\n"
    assert sorted(loci("undo", "--json").data["undone"]) == sorted(known.values())
    assert sorted(loci("redo", "--json").data["done"]) == sorted(known.values())
    batch = loci("memories", "history", known["You own a boat"], "--json").data[0]["batch"]
    loci("undo")
    assert loci("undo", batch).out == "Undone in 1 memory.\n"
    assert len(texts()) == 2
    assert loci("undo", "nothing", code=1).err == "There is nothing left to undo.\n"


def test_lineage_leads_to_the_messages(loci, known):
    found = loci("memories", "lineage", known["You own a boat"], "--json").data
    assert [s["text"] for s in found["sources"]] == ["I own a boat."]
    page = loci("memories", "lineage", known["You own a boat"]).out.splitlines()
    assert "from conversation, written by user" in page[0]
    assert page[1].startswith("  ")
    assert "“I own a boat.”, said in" in page[1]


def test_a_source_is_listed_and_everything_from_it_forgotten(loci, known, texts):
    loci("chat", "--once", "I like jazz.")
    loci("memories", "edit", known["You own a boat"], "You own a canoe")
    listed = loci("memories", "sources", "--json").data
    assert [s["memories"] for s in listed] == [1, 3]
    name = listed[1]["source"]
    assert name in loci("memories", "sources").out
    assert "Forget 3 memories?" in loci("memories", "forget", "--source", name, code=1).err
    assert len(texts()) == 4
    done = loci("memories", "forget", "--source", name, "--yes", "--json").data
    assert sorted(done["forgotten"]) == sorted(known.values())
    assert texts() == ["You like jazz"]
    loci("undo")
    assert len(texts()) == 4
    asked = loci("memories", "forget", "--source", name, say=b"y\n")
    assert "Forgot 3 memories. `loci undo` takes it back.\n" in asked.out
    assert loci("memories", "forget", "--source", name, "--yes").out == "Forgot 0 memories.\n"


@pytest.mark.parametrize("arguments", [(), ("x", "--source", "conversation:x")])
def test_what_to_forget_is_said_in_one_way(loci, arguments):
    assert "Say what to forget" in loci("memories", "forget", *arguments, code=2).err


def test_an_unknown_source_is_a_sentence(loci, known):
    done = loci("memories", "forget", "--source", "import:none", "--yes", code=1)
    assert done.err == "No memory comes from “import:none”.\n"


def test_audit_tells_who_wrote_what(loci, known):
    report = loci("audit", "--json").data
    assert (report["memories"], report["active"], report["changes"]) == (3, 3, 3)
    assert [(w["actor"], w["written"]) for w in report["writers"]] == [("user", 3)]
    assert report["bursts"] == []
    assert [s["kind"] for s in report["sources"]] == ["conversation"]
    page = loci("audit").out
    assert page.startswith("3 memories, 3 in use; 3 changes.\n")
    assert "user, conversation: 3, 100 % in use" in page
    assert "No bursts" in page


def test_an_empty_vault_has_a_past_too(loci):
    assert loci("memories", "sources").out == "No memories yet.\n"
    assert loci("audit").out.startswith("0 memories, 0 in use; 0 changes.\n")
    assert loci("undo").out == "There is nothing to undo.\n"
    tomorrow = f"{utc_now() + timedelta(days=1):%Y-%m-%d}"
    assert loci("memories", "list", "--as-of", tomorrow, "--json").data == []
