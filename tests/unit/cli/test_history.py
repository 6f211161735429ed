"""The past from a terminal: as of a date, field by field, back and forth, and from what."""

from datetime import timedelta

import pytest

from app.domain.ids import utc_now

HOME = "I live in Ghent"
WALNUTS = "I'm allergic to walnuts"
NURSE = "I work as a nurse in Leeds"
MIDWIFE = "I work as a midwife in Leeds"


@pytest.fixture
def known(loci):
    """Tell Loci three things; return their ids by their texts."""
    loci("chat", "--typed", say=f"{HOME}.\n{WALNUTS}.\n{NURSE}.\n".encode())
    return {m["text"]: m["id"] for m in loci("memories", "list", "--json").data}


def test_the_list_can_be_read_as_of_a_date(loci, known):
    today = f"{utc_now().astimezone():%Y-%m-%d}"
    loci("memories", "edit", known[NURSE], MIDWIFE)
    loci("memories", "forget", known[HOME])
    assert len(loci("memories", "list", "--as-of", today, "--json").data) == 3
    assert len(loci("memories", "list", "--as-of", "today", "--status", "active").out) > 0
    assert loci("memories", "list", "--as-of", "2020-01-01").out == "No memory matches.\n"
    assert loci("memories", "list", "--as-of", "last year", "--json").data == []
    assert "is not a date" in loci("memories", "list", "--as-of", "tuna", code=1).err


def test_one_memory_is_shown_as_it_was(loci, known):
    loci("memories", "edit", known[NURSE], *MIDWIFE.split())
    made = loci("memories", "show", known[NURSE], "--json").data["history"][0]
    then = ("memories", "show", known[NURSE], "--as-of")
    assert loci(*then, made["at"], "--json").data["text"] == NURSE
    assert NURSE in loci(*then, made["at"]).out
    assert loci(*then, "today", "--json").data["text"] == MIDWIFE
    assert loci(*then, "2020-01-01", code=1).err.endswith("not known then.\n")


def test_the_list_as_of_a_moment_shows_each_memory_as_it_was(loci, known):
    (made,) = loci("memories", "history", known[NURSE], "--json").data
    loci("memories", "edit", known[NURSE], MIDWIFE)
    loci("memories", "erase", known[HOME], "--yes")
    then = loci("memories", "list", "--as-of", made["at"], "--json").data
    assert [m["text"] for m in then] == [NURSE, WALNUTS]
    narrowed = ("memories", "list", "--as-of", made["at"], "--text", "nurse", "--json")
    assert [m["revision"] for m in loci(*narrowed).data] == [1]


def test_history_tells_each_change_field_by_field(loci, known):
    memory_id = known[NURSE]
    loci("memories", "edit", memory_id, MIDWIFE)
    loci("undo")
    first, edited, undone = loci("memories", "history", memory_id, "--json").data
    assert (first["kind"], first["undone"], edited["undone"]) == ("remembered", False, True)
    assert edited["differences"] == [{"field": "text", "before": NURSE, "after": MIDWIFE}]
    assert undone["sentence"] == f"Undid “Edited: {MIDWIFE}”"
    page = loci("memories", "history", memory_id).out
    assert f"  text: {NURSE} → {MIDWIFE}\n" in page
    assert f"batch {edited['batch']}" in page
    assert loci("memories", "history", "nobody", code=1).err.endswith(".\n")


def test_undo_goes_back_and_redo_forth(loci, known, texts):
    loci("memories", "forget", *known.values())
    assert texts() == []
    assert loci("undo").out == f"Taken back: “{NURSE}” and 2 more are in use again.\n"
    assert loci("redo").out == f"Done again: “{NURSE}” and 2 more are forgotten again.\n"
    assert texts() == []
    assert loci("redo").out == "There is nothing to redo.\n"
    assert sorted(loci("undo", "--json").data["undone"]) == sorted(known.values())
    assert sorted(loci("redo", "--json").data["done"]) == sorted(known.values())
    batch = loci("memories", "history", known[NURSE], "--json").data[0]["batch"]
    loci("undo")
    assert loci("undo", batch).out == "Undone in 1 memory.\n"
    assert len(texts()) == 2
    assert loci("undo", "nothing", code=1).err == "There is nothing left to undo.\n"


def test_lineage_leads_to_the_messages(loci, known):
    found = loci("memories", "lineage", known[NURSE], "--json").data
    assert [s["text"] for s in found["sources"]] == [NURSE]
    page = loci("memories", "lineage", known[NURSE]).out.splitlines()
    assert "from conversation, written by user" in page[0]
    assert page[1].startswith("  ")
    assert f"“{NURSE}”, said in" in page[1]


def test_a_source_is_listed_and_everything_from_it_forgotten(loci, known, texts):
    loci("chat", "--once", "I love hiking in the hills.")
    loci("memories", "edit", known[NURSE], MIDWIFE)
    listed = loci("memories", "sources", "--json").data
    assert [s["memories"] for s in listed] == [1, 3]
    name = listed[1]["source"]
    assert name in loci("memories", "sources").out
    assert "Forget 3 memories?" in loci("memories", "forget", "--source", name, code=1).err
    assert len(texts()) == 4
    done = loci("memories", "forget", "--source", name, "--yes", "--json").data
    assert sorted(done["forgotten"]) == sorted(known.values())
    assert texts() == ["I love hiking in the hills"]
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
    assert "user, conversation: 3, 100% in use" in page
    assert "No bursts" in page


def test_an_empty_vault_has_a_past_too(loci):
    assert loci("memories", "sources").out == "No memories yet.\n"
    assert loci("audit").out.startswith("0 memories, 0 in use; 0 changes.\n")
    assert loci("undo").out == "There is nothing to undo.\n"
    tomorrow = f"{utc_now() + timedelta(days=1):%Y-%m-%d}"
    assert loci("memories", "list", "--as-of", tomorrow, "--json").data == []
