"""Files made to fill the memory, or to have no end: each is a sentence, and changes nothing."""

import json
import os
import socket
import zipfile
from threading import Event

import pytest

from app.domain.jobs.operation import drive
from app.domain.jobs.stopping import stoppable
from app.domain.limits import LONGEST_MEMORY, LONGEST_MESSAGE
from app.domain.memory import DEFAULT_SCOPE, MemoryFilter
from app.errors import Cancelled, TransferError
from app.exchange import importing
from app.exchange.format import FORMAT
from app.store.vault.scratch import Left, left
from app.store.work.staging import Staging
from tests.unit.exchange.test_round_trip import Home, fill, home

__all__ = ("home",)

MANIFEST = json.dumps({"format": FORMAT, "version": 1, "files": {}}).encode()
MEGABYTE = 1_000_000


def packed(path, files, manifest=MANIFEST, how=zipfile.ZIP_DEFLATED):
    """Write a ZIP of files, each a block of bytes and how often it comes."""
    with zipfile.ZipFile(path, "w", how, compresslevel=1) as bundle:
        bundle.writestr("manifest.json", manifest)
        for name, (block, times) in files.items():
            with bundle.open(name, "w", force_zip64=True) as file:
                for _ in range(times):
                    file.write(block)
    return path


def lines(*rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.mark.parametrize(
    ("block", "times", "sentence"),
    [
        (b"\0" * MEGABYTE, 300, "a line of messages.jsonl is longer"),
        (b'{"text": "' + b"x" * MEGABYTE, 20, "a line of messages.jsonl is longer"),
        (b"[{}," * 10_000, 200, "a line of messages.jsonl is longer"),
        (b'{"a":1}\n' * 10_000, 1, "has more than 5,000 entries in messages.jsonl"),
    ],
    ids=["zeros", "one line", "values", "rows"],
)
def test_a_file_of_more_than_any_export_holds_is_a_sentence(
    home, tmp_path, monkeypatch, block, times, sentence
):
    monkeypatch.setattr(importing, "MOST_ROWS", 5_000)
    before = home.everything()
    path = packed(tmp_path / "bomb.zip", {"data/messages.jsonl": (block, times)})
    assert path.stat().st_size < 3 * MEGABYTE
    with pytest.raises(TransferError, match=sentence):
        home.bring_in(path)
    assert home.everything() == before
    assert left(home.vault.path.parent) == Left()


@pytest.mark.parametrize("blank", [b" " * 10_000_000, b"[{}," * 1_000_000], ids=["long", "crowded"])
def test_a_manifest_of_more_than_any_export_holds_is_a_sentence(home, tmp_path, blank):
    manifest = MANIFEST[:-1] + b', "more": ' + blank * 2 + b"0}"
    path = packed(tmp_path / "bomb.zip", {}, manifest)
    for read in (home.bring_in, home.importer.written):
        with pytest.raises(TransferError, match="damaged or is not a Loci export"):
            read(path)


def test_an_endless_list_of_files_is_a_sentence(home, tmp_path, monkeypatch):
    monkeypatch.setattr(importing, "MOST_AT_ONCE", 70_000)
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w") as bundle:
        for at in range(2_000):
            bundle.writestr(f"readable/{at}", b"")
    with pytest.raises(TransferError, match="damaged or is not a Loci export"):
        home.bring_in(path)


def test_a_list_of_more_files_than_any_export_has_is_a_sentence(home, tmp_path, monkeypatch):
    monkeypatch.setattr(importing, "MOST_FILES", 1_000)
    path = packed(tmp_path / "bomb.zip", {f"readable/{at}": (b"", 0) for at in range(1_000)})
    with pytest.raises(TransferError, match="damaged or is not a Loci export"):
        home.bring_in(path)


def test_a_stop_is_heard_while_the_list_of_files_is_read(home, tmp_path):
    stop = Event()
    stop.set()
    with stoppable(stop), pytest.raises(Cancelled):
        home.importer.written(packed(tmp_path / "in.zip", {}))


def test_of_a_long_line_no_more_is_kept_than_a_message_may_have(home, tmp_path, monkeypatch):
    kept = []
    monkeypatch.setattr(Staging, "put", lambda _, kind, owner, data: kept.append(len(data)))
    row = {"id": "m", "conversation": "c", "text": "x" * (4 * LONGEST_MESSAGE)}
    home.bring_in(packed(tmp_path / "long.zip", {"data/messages.jsonl": (lines(row), 1)}))
    assert kept[0] < LONGEST_MESSAGE + 100


@pytest.mark.parametrize("how", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_what_is_packed_as_no_export_is_is_a_sentence(home, tmp_path, how):
    path = packed(tmp_path / "odd.zip", {"data/messages.jsonl": (b"{}\n", 1)}, how=how)
    with pytest.raises(TransferError, match="damaged or is not a Loci export"):
        home.bring_in(path)


@pytest.mark.parametrize(
    "line",
    [b'{"message":"m","text":"x"}\n', b"no JSON at all\n", b"\n"],
    ids=["good", "unreadable", "blank"],
)
def test_a_stop_is_heard_while_a_bomb_is_read(home, tmp_path, line):
    bomb = {"data/message_parts.jsonl": (line * 10_000, 100)}
    stop, heard = Event(), []

    def hear(progress):
        heard.append(progress)
        if len(heard) == 10:
            stop.set()

    with pytest.raises(Cancelled):
        drive(home.importer.run(packed(tmp_path / "bomb.zip", bomb)), stop, hear)
    assert len(heard) == 10
    assert left(home.vault.path.parent) == Left()


def test_a_signed_file_that_was_swollen_since_is_told_from_a_whole_one(home, tmp_path):
    fill(home)
    home.export(tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as bundle:
        manifest = bundle.read("manifest.json")
        names = [n for n in bundle.namelist() if n not in ("manifest.json", "data/agents.jsonl")]
        files = {name: (bundle.read(name), 1) for name in names}
    files["data/agents.jsonl"] = (b"\n" * MEGABYTE, 10)
    report = home.bring_in(packed(tmp_path / "swollen.zip", files, manifest))
    assert not report.verified


def test_rows_in_any_order_find_one_another(home, tmp_path):
    says = [{"id": f"m{at}", "conversation": "c", "text": f"Number {at}"} for at in range(50)]
    parts = [{"message": f"m{at}", "text": f"Part {at}", "origin": "typed"} for at in range(50)]
    files = {
        "data/message_parts.jsonl": (lines(*reversed(parts)), 1),
        "data/messages.jsonl": (lines(*says), 1),
        "data/conversations.jsonl": (lines({"id": "c", "tip": "m49"}), 1),
        "data/memories.jsonl": (
            lines({"id": "y", "text": "You own a boat", "status": "active"}),
            1,
        ),
        "data/evidence.jsonl": (lines({"memory": "y", "message": "m7", "quote": "Part 7"}), 1),
    }
    report = home.bring_in(packed(tmp_path / "own.zip", files), own=True)
    assert (report.counts["messages"], report.counts["memories"]) == (50, 1)
    (talk,) = home.talks.list(1)
    found = home.messages.after(talk.id, 0, 100)
    assert [message.text for message in found] == [f"Part {at}" for at in range(50)]
    (memory,) = home.memories.list(DEFAULT_SCOPE, MemoryFilter())
    (evidence,) = home.memories.evidence(memory.id)
    assert evidence.message_id == found[7].id


def test_of_rows_far_apart_that_have_one_id_the_first_comes_in(home, tmp_path):
    says = [{"id": f"m{at}", "conversation": "c", "text": f"Number {at}"} for at in range(500)]
    files = {
        "data/conversations.jsonl": (lines({"id": "c"}), 1),
        "data/messages.jsonl": (lines(*says, says[0] | {"text": "Once more"}), 1),
    }
    report = home.bring_in(packed(tmp_path / "twice.zip", files))
    assert report.counts["messages"] == 500
    assert "Left out, because they could not be read: 1." in report.notes
    (talk,) = home.talks.list(1)
    assert home.messages.after(talk.id, 0, 1)[0].text == "Number 0"


def test_what_is_too_long_is_cut_or_left_out_and_that_is_said(home, tmp_path):
    files = {
        "data/conversations.jsonl": (lines({"id": "c"}), 1),
        "data/messages.jsonl": (
            lines({"id": "m", "conversation": "c", "text": "é" * (LONGEST_MESSAGE + 1)}), 1,
        ),
        "data/memories.jsonl": (
            lines({"id": "y", "text": "x " * LONGEST_MEMORY, "status": "active"}, {"id": "z"}), 1,
        ),
    }  # fmt: skip
    report = home.bring_in(packed(tmp_path / "long.zip", files))
    (talk,) = home.talks.list(1)
    assert home.messages.branch(talk.id)[0].text == "é" * LONGEST_MESSAGE
    assert home.memories.list(DEFAULT_SCOPE, MemoryFilter()) == []
    told = " ".join(report.notes)
    assert "Left out, because they could not be read: 1." in told
    assert "Cut, because they had over 2,500,000 characters: 1." in told
    assert "no memory should hold them: 1." in told


def test_only_an_ordinary_file_is_read(tmp_path):
    home = Home(tmp_path / "ada")
    os.mkfifo(tmp_path / "pipe.zip")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for name, what in (
            (tmp_path / "pipe.zip", "it is not an ordinary file"),
            (tmp_path / "socket", "it is not an ordinary file"),
            ("/dev/zero", "it is not an ordinary file"),
            (tmp_path, "it is a folder"),
        ):
            with pytest.raises(TransferError, match=what):
                home.bring_in(type(tmp_path)(name))
    home.vault.close()
