import json
import os
import zipfile
from contextlib import closing

import pytest

from app.paths import find
from app.store.memories import Memories, Note
from app.store.profiles import Profiles


def opened(slug="personal"):
    return closing(Profiles(find(None), find_keyring=lambda: None).open(slug))


def test_an_own_export_gives_the_same_data_back(loci, texts, tmp_path):
    loci("chat", "--typed", say=b"I'm allergic to walnuts.\nI work as a nurse in Leeds.\n")
    done = loci("export", tmp_path / "all.zip")
    assert done.out == (
        "Exported 2 memories and 4 messages in 1 conversation.\n"
        f"It lies at {tmp_path / 'all.zip'} and is not encrypted: whoever can open the file can"
        " read all of it. Keep it where nobody else can, or delete it when you no longer need it.\n"
    )
    first = loci("memories", "list", "--json").data
    (walnuts,) = (m["id"] for m in first if "walnuts" in m["text"])
    loci("memories", "erase", walnuts, "--yes")
    report = loci("import", tmp_path / "all.zip", "--json").data
    assert report["verified"] is True
    assert report["counts"]["memories"] <= 1


def test_a_foreign_export_is_marked_and_not_trusted_more(loci, tmp_path):
    loci("remember", "I own a boat.")
    loci("export", tmp_path / "all.zip")
    loci("profiles", "create", "Ann")
    report = loci("import", tmp_path / "all.zip", "--profile", "ann", "--json").data
    assert report["verified"] is False
    (memory,) = loci("memories", "list", "--profile", "ann", "--json").data
    assert (memory["origin"], memory["trust"]) == ("import", "claimed")
    assert "(claimed by an import)" in loci("memories", "list", "--profile", "ann").out
    shown = loci("memories", "show", memory["id"], "--profile", "ann").out
    assert "Claimed by an import that this profile did not sign, and not verified." in shown
    assert loci("recall", "boat", "--profile", "ann", "--json").data


def test_an_export_of_ones_own_keeps_its_pins_where_the_person_says_so(loci, tmp_path):
    loci("remember", "I own a boat.")
    (boat,) = loci("memories", "list", "--json").data
    with opened() as vault:
        Memories(vault).update(boat["id"], {"pinned": True}, Note("user", "pin", "pin"))
    loci("export", tmp_path / "all.zip")
    loci("profiles", "create", "Ann")
    report = loci("import", tmp_path / "all.zip", "--own", "--profile", "ann")
    assert "You said that this is your own" in report.out
    (memory,) = loci("memories", "list", "--profile", "ann", "--json").data
    assert (memory["pinned"], memory["origin"]) == (True, boat["origin"])


def test_processing_is_restricted_seen_and_lifted(loci):
    loci("remember", "I own a boat.")
    assert loci("restrict").out == "Processing is not restricted.\n"
    told = "Processing is restricted. `loci restrict off` lifts that.\n"
    assert loci("restrict", "on").out == told
    assert loci("restrict", "--json").data == {"restricted": True}
    for command in (("chat", "--once", "What do I own?"), ("recall", "boat")):
        assert "loci restrict off" in loci(*command, code=1).err
    assert told in loci("doctor").out
    assert "boat" in loci("memories", "list").out
    assert loci("undo").out.startswith("Taken back: processing is not restricted any more.\n")
    assert loci("restrict").out == "Processing is not restricted.\n"
    loci("restrict", "on")
    assert loci("restrict", "off").out == "Processing is not restricted.\n"
    assert "boat" in loci("recall", "boat").out


def test_an_export_that_claims_more_trust_gets_none(loci, tmp_path):
    loci("remember", "I own a boat.")
    loci("export", tmp_path / "all.zip")
    with (
        zipfile.ZipFile(tmp_path / "all.zip") as old,
        zipfile.ZipFile(tmp_path / "edited.zip", "w") as new,
    ):
        for name in old.namelist():
            data = old.read(name)
            if name == "data/memories.jsonl":
                row = json.loads(data) | {"trust": "system", "id": "x", "text": "You met Bob"}
                data = json.dumps(row).encode() + b"\n"
            new.writestr(name, data)
    loci("import", tmp_path / "edited.zip")
    found = {m["text"]: m for m in loci("memories", "list", "--json").data}
    assert found["You met Bob"]["trust"] == "claimed"
    assert found["You met Bob"]["origin"] == "import"


@pytest.mark.parametrize("command", ["import", "export"])
def test_a_place_that_is_not_there_is_a_sentence(loci, tmp_path, command):
    done = loci(command, tmp_path / "no" / "where.zip", code=1)
    assert "No such file or directory" in done.err


def test_what_is_no_export_is_a_sentence(loci, tmp_path):
    (tmp_path / "x.zip").write_text("hello")
    assert "not a Loci export" in loci("import", tmp_path / "x.zip", code=1).err


def test_everything_is_erased_after_the_name_was_typed(loci):
    loci("remember", "I own a boat.")
    folder = find(None).profile("personal").folder
    assert "--yes" in loci("erase", "--all", code=1).err
    assert "That is not Personal" in loci("erase", "--all", say=b"Bob\n", code=1).err
    assert folder.exists()
    done = loci("erase", "--all", say=b"Personal\n")
    assert "erases  The vault" in done.err
    assert "gone" in done.out
    assert not folder.exists()
    assert loci("profiles").out == "No profile yet.\n"
    assert "nothing to erase" in loci("erase", "--all", "--yes", code=1).err


def test_one_profile_is_erased_and_the_others_stay(loci, texts):
    loci("remember", "I own a boat.")
    loci("profiles", "create", "Ann")
    proof = loci("erase", "--all", "--yes", "--profile", "ann", "--json").data
    assert proof["removed"]
    assert texts() == ["I own a boat."]


def garbage(paths):
    paths.vault.write_bytes(b"garbage" * 1000)


def newer(paths):
    with opened() as vault, vault.write() as connection:
        connection.execute("PRAGMA user_version = 99")


def keyless(paths):
    paths.key_file.unlink()
    paths.key_spare.unlink(missing_ok=True)


def slotless(paths):
    for file in paths.folder.glob("slots.*"):
        file.unlink()


def emptied(paths):
    paths.vault.write_bytes(b"")


@pytest.mark.expects_warnings
@pytest.mark.parametrize("harm", [garbage, newer, keyless, slotless, emptied])
def test_a_profile_that_does_not_open_is_a_sentence_and_can_be_erased(loci, harm):
    loci("remember", "I own a boat.")
    paths = find(None).profile("personal")
    harm(paths)
    for command in (("memories", "list"), ("chat", "--once", "Hello."), ("settings", "list")):
        assert loci(*command, code=1).err.endswith(".\n")
    report = loci("doctor", "--json", code=1)
    assert report.data["ok"] is False
    assert report.data["problems"]["vault"]
    loci("profiles")
    assert "It can still be erased" in loci("erase", "--all", "--yes").err
    assert not paths.folder.exists()


def test_doctor_reports_a_sound_vault(loci):
    said = b"I own a boat.\nWhere do I work?\nHello.\nForget that I own a boat.\n"
    loci("chat", "--typed", say=said)
    report = loci("doctor", "--thorough", "--json").data
    assert report["ok"] is True
    for part in ("loci", "python", "platform", "versions", "file", "slots", "models", "jobs"):
        assert report[part]
    assert report["chat_model"] == "notebook"
    assert report["embedder"]["missing"] == 0
    assert report["file"]["free_bytes"] > 0
    for table in report["drift"].values():
        assert [n for name, n in table.items() if name != "rows"] == [0, 0, 0]
    page = loci("doctor").out
    for part in ("Loci ", "vault.db", "no problem found", "GB free", "Answers: notebook", "hash"):
        assert part in page


def test_doctor_finds_what_is_wrong(loci):
    loci("remember", "I own a boat.")
    with opened() as vault, vault.write() as connection:
        connection.execute("DROP TRIGGER memories_fts_insert")
    loci("remember", "I like tea.")
    done = loci("doctor", code=1)
    assert "PROBLEM memories_fts" in done.out
    assert "1 without words" in done.out
    assert done.err == "Something is wrong with this profile.\n"


def test_doctor_and_recall_go_on_without_an_embedder(loci):
    loci("remember", "I own a boat.")
    loci("settings", "set", "models.embedder", "file:gone.gguf")
    report = loci("doctor", "--json").data
    assert "gone.gguf" in report["embedder"]["problem"]
    assert "Finds by meaning: file:gone.gguf: " in loci("doctor").out
    recalled = loci("recall", "boat", "--json")
    assert recalled.data[0]["text"] == "I own a boat."
    assert "gone.gguf" in recalled.err


def test_a_pipe_a_device_and_a_folder_are_no_files_to_import(loci, tmp_path):
    os.mkfifo(tmp_path / "pipe.zip")
    for path in (tmp_path / "pipe.zip", "/dev/zero"):
        done = loci("import", path, code=1)
        assert done.err == "The file could not be read: it is not an ordinary file.\n"
    assert "is a directory" in loci("import", tmp_path, code=2).err


def test_test_cases_are_read_from_ordinary_files_alone(loci, tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    for command in ("recall", "extract", "life"):
        assert "not an ordinary file" in loci("bench", command, tmp_path / "pipe.json", code=1).err


def test_an_export_takes_the_place_of_nothing_but_an_export_unasked(loci, tmp_path):
    place = tmp_path / "notes.zip"
    place.write_text("my own notes")
    done = loci("export", place, code=1)
    assert f"{place} is there already and is not a Loci export." in done.err
    assert "Nothing was changed." in done.err
    assert place.read_text() == "my own notes"
    assert f"It lies at {place}" in loci("export", place, "--yes").out
    assert f"It lies at {place}" in loci("export", place).out, "a newer export may"


def test_an_export_replaces_no_pipe_and_no_device(loci, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    for place in (pipe, link):
        done = loci("export", place, "--yes", code=1)
        assert done.err == f"{place} is not a normal file, so the export was not written there.\n"
    assert pipe.is_fifo()
    assert link.is_symlink()


def test_an_export_may_have_a_name_that_is_no_text(loci, tmp_path):
    place = os.fsdecode(os.fsencode(tmp_path) + b"/x\xff.zip")
    assert "x\ufffd.zip" in loci("export", place).out
    assert loci("import", place).out
