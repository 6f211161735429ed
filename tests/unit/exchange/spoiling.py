"""Exports in which one field of a row is spoiled, and a look at what an import made of them."""

import hashlib
import io
import json
import sys
import time
import zipfile
from contextlib import contextmanager

from app.cli.main import run
from app.cli.text import minute
from app.exchange.format import SIGNING_KEY, sign
from app.main.build import build
from app.paths import Paths
from app.store.archive import TABLES
from app.store.profiles import Profiles
from app.store.vault.meta import Meta
from tests.unit.exchange.test_round_trip import NOW

YEAR_1, YEAR_9999 = -62_135_596_800_000, 253_402_300_799_999
MISSING = ""
DEEP = "[" * 100_000 + "]" * 100_000
# Each is the text of a JSON value, for some of them are none that Python would write.
NASTY = (
    MISSING,
    "null",
    "true",
    "[]",
    "{}",
    '"x"',
    '""',
    "0",
    "-1",
    "2.5",
    str(YEAR_1),
    str(YEAR_9999),
    str(2**62),
    str(10**30),
    str(-(10**30)),
    "9" * 5_000,
    "NaN",
    "-Infinity",
    "1e400",
    DEEP,
    json.dumps(DEEP),
    json.dumps("[" * 500 + "]" * 500),
    '"\\ud800"',
    '"a\\u0000b"',
    json.dumps("long " * 20_000),
    '"[1, null, {}]"',
    '"{\\"occurred_at\\": 1e400, \\"tags\\": 7, \\"text\\": []}"',
    '"[\\"\\\\ud800\\"]"',
)
_OWN = frozenset({"id", "text", "quote", "source_key", "key", "canonical_key"})
ZONES = ("America/Los_Angeles", "Pacific/Kiritimati")


class Home:
    """A profile that is open, and the command line over it."""

    def __init__(self, folder, name, capsys, monkeypatch):
        self._capsys, self._monkeypatch = capsys, monkeypatch
        profiles = Profiles(Paths(folder), lambda: NOW, lambda: None)
        self.vault, self.profile = profiles.create(name)
        self._opened = build(profiles, self.profile, self.vault, lambda: NOW)
        self.services = self._opened.services
        self.services.preferences.set("chat.model", "notebook")
        self.services.preferences.set("models.embedder", "hash")

    def close(self):
        self._opened.close()

    def which(self, _folder, _name):
        return self.profile

    @contextmanager
    def open(self, *_how):
        yield self.services

    def call(self, *arguments):
        """Run a command, which has to succeed; return what it printed."""
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b""), "utf-8"))
        self._capsys.readouterr()
        code = run(self, [str(one) for one in arguments])
        printed = self._capsys.readouterr()
        assert code == 0, (arguments, printed.err[:500])
        return printed.out

    def key(self):
        return Meta(self.vault).get(SIGNING_KEY)


@contextmanager
def zone(name, monkeypatch):
    """Be somewhere else for a while."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", name)
        time.tzset()
        yield
    time.tzset()


def rows_of(path):
    """Return the rows of an export by table."""
    with zipfile.ZipFile(path) as bundle:
        return {
            table: [json.loads(line) for line in bundle.read(f"data/{table}.jsonl").splitlines()]
            for table in TABLES
        }


def spoiled(rows, table):
    """Yield the lines of a table: copies of its fullest row, each with one spoiled column.

    Times are spoiled with every value; other columns with every third, in turn, to save time. A
    copy has an identity and words of its own, so that nothing is left out for being there twice.
    """
    whole = max(rows[table], key=lambda row: len(json.dumps(row)))
    pairs = [
        (column, value)
        for place, column in enumerate(whole)
        for value in (NASTY if column.endswith("_at") else NASTY[place % 3 :: 3])
    ]
    for number, (column, value) in enumerate(pairs):
        row = {
            name: f"{held} {number}" if name in _OWN and held else held
            for name, held in whole.items()
        }
        row |= {name: f"{number:064x}" for name in ("hmac", "content_hash") if name in row}
        row |= {"ordinal": 100 + number} if "ordinal" in row else {}
        yield _line({name: json.dumps(held) for name, held in row.items()} | {column: value})


def _line(raw):
    held = (f"{json.dumps(name)}: {value}" for name, value in raw.items() if value != MISSING)
    return "{" + ", ".join(held) + "}"


def spoil(path, target, lines, *, key=None):
    """Copy an export with more lines before those of some tables; sign it where a key is given.

    Args:
        lines: By table.
    """
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        held = {i.filename: old.read(i) for i in old.infolist()}
        manifest = json.loads(held.pop("manifest.json"))
        for table, more in lines.items():
            held[f"data/{table}.jsonl"] = (
                "\n".join(more).encode() + b"\n" + (held[f"data/{table}.jsonl"])
            )
        for name, data in held.items():
            new.writestr(name, data)
            digest = hashlib.sha256(data).hexdigest()
            manifest["files"][name] = manifest["files"].get(name, {}) | {"sha256": digest}
        if key is not None:
            del manifest["signature"]
            manifest = sign(manifest, key)
        new.writestr("manifest.json", json.dumps(manifest))


def look(home):
    """Do what front ends do with all there is, and return the texts of all memories."""
    listed = json.loads(home.call("memories", "list", "--json"))
    home.call("memories", "list")
    home.call("memories", "list", "--as-of", "2026-11-20T11:00")
    for memory in listed:
        detail = home.services.memories.detail(memory["id"])
        [minute(e.created_at) for e in detail.evidence]
        home.services.sources.lineage(memory["id"])
        home.services.history.of_memory(memory["id"])
    for memory in (listed[0], listed[-1]):
        for command in ("show", "history", "lineage"):
            home.call("memories", command, memory["id"])
    for command in (
        ["memories", "sources"],
        ["audit"],
        ["names", "list"],
        ["doctor"],
        ["settings", "list"],
    ):
        home.call(*command)
    home.call("recall", "walnuts tea")
    home.call("recall", "walnuts", "--explain")
    _look_at_talks(home.services)
    _look_at_time(home.services)
    return [memory["text"] for memory in listed]


def _look_at_talks(services):
    for talk in services.conversations.list():
        minute(talk.created_at), minute(talk.updated_at)
        for message in services.conversations.messages(talk.id):
            minute(message.created_at)
        services.conversations.recalls(talk.id)
        services.conversations.receipts(talk.id)
    services.conversations.search("walnuts")
    services.watch.look()


def _look_at_time(services):
    services.history.timeline(limit=10_000)
    services.history.days()
    services.undo.can_undo()
    services.attention.proposals()
    services.attention.contradictions()
    services.upkeep.standings()
    services.spending.month()
    if span := services.history.span():
        [minute(moment) for moment in span]
