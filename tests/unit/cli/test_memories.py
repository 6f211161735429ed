from datetime import timedelta

import pytest

from app.domain.ids import utc_now

SHAPE = {
    *("id", "text", "key", "value", "type", "trust", "origin", "status", "created_at"),
    *("tags", "pinned", "seen_count", "revision", "superseded_by", "occurred_at", "updated_at"),
}


HOME = "I live in Ghent"
WALNUTS = "I'm allergic to walnuts"
NURSE = "I work as a nurse in Leeds"
MIDWIFE = "I work as a midwife in Leeds"


@pytest.fixture
def known(loci):
    """Tell Loci three things; return their ids, oldest first."""
    loci("chat", "--typed", say=f"{HOME}.\n{WALNUTS}.\n{NURSE}.\n".encode())
    return [m["id"] for m in reversed(loci("memories", "list", "--json").data)]


def test_what_an_import_claimed_is_taken_over_by_its_source_and_lowered_again(loci, tmp_path):
    loci("remember", "I own a boat.")
    loci("remember", "I play the cello.")
    loci("export", tmp_path / "all.zip")
    ann = ("--profile", "ann")
    loci("profiles", "create", "Ann")
    loci("remember", "I keep bees.", *ann)
    loci("import", tmp_path / "all.zip", *ann)

    def trusts():
        listed = loci("memories", "list", "--json", *ann).data
        return {memory["text"]: memory["trust"] for memory in listed}

    before = trusts()
    assert sorted(before.values()) == ["claimed", "claimed", "learned"]
    loci("memories", "trust", *ann, code=2)
    listed = loci("memories", "sources", "--json", *ann).data
    (source,) = {one["source"] for one in listed if one["source"].startswith("import:")}
    done = loci("memories", "trust", "--source", source, "--yes", *ann)
    assert done.out == "Trusted 2 memories. `loci undo` takes it back.\n"
    assert set(trusts().values()) == {"learned"}
    loci("undo", *ann)
    assert trusts() == before
    (boat,) = loci("memories", "list", "--text", "boat", "--json", *ann).data
    assert loci("memories", "trust", boat["id"], "--json", *ann).data == {"trusted": [boat["id"]]}
    assert "Only what an import claimed" in loci("memories", "trust", boat["id"], *ann).out


def test_the_list_has_every_status_and_every_field(loci, known):
    loci("chat", "--once", "I don't work as a nurse in Leeds any more.")
    loci("memories", "forget", known[0])
    listed = loci("memories", "list", "--json").data
    assert all(set(memory) >= SHAPE for memory in listed)
    assert {m["status"] for m in listed} == {"active", "superseded", "forgotten"}
    newest = [m["created_at"] for m in listed]
    assert newest == sorted(newest, reverse=True)
    told = next(m for m in listed if m["text"] == WALNUTS)
    assert (told["origin"], told["trust"], told["tags"]) == ("conversation", "learned", ["safety"])
    (line,) = (one for one in loci("memories", "list").out.splitlines() if WALNUTS in one)
    assert line.endswith("(safety)")


def test_the_list_can_be_narrowed(loci, known, texts):
    assert texts("--text", "walnuts") == [WALNUTS]
    assert len(texts("--type", "semantic", "--trust", "learned")) == 3
    assert texts("--type", "WORKING") == []
    assert len(texts("--limit", "2")) == 2
    assert texts("--text", 'a "b* OR (') == []
    assert loci("memories", "list", "--text", "zebra").out == "No memory matches.\n"
    assert NURSE in loci("memories", "list").out


def test_the_same_fact_said_a_hundred_times_is_one_memory(loci):
    loci("chat", "--typed", say=f"{WALNUTS}.\n".encode() * 100)
    (memory,) = loci("memories", "list", "--json").data
    assert memory["text"] == WALNUTS
    assert memory["seen_count"] == 100
    assert len(loci("memories", "show", memory["id"], "--json").data["evidence"]) == 100


def test_show_tells_what_it_rests_on_and_what_happened(loci, known):
    loci("memories", "edit", known[2], *MIDWIFE.split())
    shown = loci("memories", "show", known[2], "--json").data
    assert shown["text"] == MIDWIFE
    assert [e["quote"] for e in shown["evidence"]] == [NURSE]
    assert [h["op"] for h in shown["history"]] == ["insert", "edit"]
    page = loci("memories", "show", known[2]).out
    for part in (MIDWIFE, NURSE, known[2], "edit by user"):
        assert part in page


@pytest.mark.parametrize(
    "command", [("show",), ("edit", "text"), ("forget",), ("erase", "--yes"), ("undo",)]
)
def test_an_unknown_id_is_a_sentence(loci, known, command):
    name, *rest = command
    done = loci("memories", name, "no-such-id", *rest, code=1)
    assert done.err.endswith(".\n")


def test_undo_goes_one_change_further_back_each_time(loci, known, texts):
    loci("memories", "edit", known[0], "I live by the sea")
    loci("memories", "forget", known[1], known[2])
    assert texts() == ["I live by the sea"]
    assert "in use again" in loci("memories", "undo").out
    assert len(texts()) == 3
    assert "the change to" in loci("memories", "undo").out
    assert HOME in texts()
    assert loci("memories", "undo", "--json").data["undone"] == [known[2]]
    loci("memories", "undo")
    loci("memories", "undo")
    assert loci("memories", "undo").out == "There is nothing to undo.\n"
    assert texts() == []


def test_a_named_change_is_undone_and_done_again(loci, known, texts):
    loci("memories", "forget", known[0])
    (batch,) = {
        h["batch"]
        for h in loci("memories", "show", known[0], "--json").data["history"]
        if h["op"] == "forget"
    }
    loci("memories", "undo", batch)
    assert len(texts()) == 3
    undo = loci("memories", "show", known[0], "--json").data["history"][-1]["batch"]
    loci("memories", "undo", undo)
    assert len(texts()) == 2


def test_clear_asks_first_and_counts(loci, known, texts):
    asked = loci("memories", "clear", "--type", "semantic", say=b"n\n", code=1)
    assert "Forget 3 memories?" in asked.err
    assert "--yes" in loci("memories", "clear", "--type", "semantic", code=1).err
    assert len(texts()) == 3
    tomorrow = f"{utc_now() + timedelta(days=2):%Y-%m-%d}"
    assert loci("memories", "clear", "--since", tomorrow).out == "Forgot 0 memories.\n"
    assert loci("memories", "clear", "--until", tomorrow, "--json", say=b"y\n").out == (
        '{\n  "forgotten": 3\n}\n'
    )
    assert texts() == []
    loci("memories", "undo")
    assert len(texts()) == 3


def test_erase_lists_what_goes_and_proves_it(loci, known, texts):
    refused = loci("memories", "erase", known[1], code=1)
    assert f"erases  The memory “{WALNUTS}”" in refused.err
    assert len(texts()) == 3
    proof = loci("memories", "erase", known[1], "--yes", "--json").data
    assert proof["found_before"] > 0
    assert proof["found_after"] == 0
    assert len(texts()) == 2
    assert loci("recall", "walnuts", "--json").data == []
    assert "Scanned" in loci("memories", "erase", known[2], "--yes").out


def test_places_are_numbered_and_can_be_kept_by_number(loci, known, texts):
    places = loci("memories", "erase", known[1], "--list", "--json").data
    assert len(texts()) == 3
    assert [place["number"] for place in places] == list(range(1, len(places) + 1))
    said = next(p for p in places if p["kind"] == "evidence")
    done = loci("memories", "erase", known[1], "--keep", str(said["number"]), "--yes")
    assert f"keeps   {said['label']}" in done.err
    assert f"left    You kept it: {said['label']}" in done.out
    assert (
        "cannot be chosen"
        in loci("memories", "erase", known[2], "--keep", "1", "--yes", code=2).err
    )
    assert len(texts()) == 2
