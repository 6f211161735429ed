"""Bring an export back in: the same data where this vault signed it, claims where it did not.

A file that this vault wrote, and nobody changed, restores every row it holds that is missing. Any
other file is treated as something a stranger may have written, unless the person says that it is
their own (see ``claims``). Neither brings in history or settings. From any, what was erased or
rejected here stays out; so does what was forgotten here.

Whatever a file claims to be, it is read in pieces, and never more of it at once than fits.
"""

import hashlib
import io
import os
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import cast

from app.domain.ids import Clock
from app.domain.jobs.progress import Progress
from app.domain.jobs.stopping import apart, stop_of_work
from app.domain.language.foreign import read_json
from app.domain.language.text import clipped, counted
from app.domain.limits import LONGEST_MESSAGE, is_crowded
from app.domain.provenance import Written
from app.domain.transfer import TransferReport
from app.errors import TransferError
from app.exchange.claims import OWNED_BY, Claims, ImportTally, Keep
from app.exchange.format import FORMAT, SIGNING_KEY, VERSION, holds
from app.exchange.rows import Row, Rows
from app.files import open_file, reason
from app.store.archive import TABLES
from app.store.store import Store
from app.store.vault.rows import dumps
from app.store.work.staging import Staging, staging

MAX_BYTES = 4 << 30
MAX_MANIFEST = 16 << 20
LONGEST_LINE = 16 << 20  # of a stranger; what this vault wrote may be longer
LONGEST_OWN_LINE = 64 << 20
MOST_ROWS = 2_000_000
MOST_AT_ONCE = 16 << 20
MOST_FILES = 100_000
STEP = 1 << 20
ROWS = 200
DAMAGED = "This file is damaged or is not a Loci export."
TOO_LONG = "The export is damaged: a line of {}.jsonl is longer than any entry can be."
TOO_MANY = "This file has more than {:,} entries in {}.jsonl; Loci does not take in so many."
_LISTED = b"PK\x01\x02"  # how an entry of the list of files begins
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
FOREIGN = (
    "This file was not written by this vault, or was changed: its memories are marked as claimed by"
    " an import and trusted less than what you said, until you say that they are yours."
)
OWN = "You said that this is your own: pins, instructions and trust are as they were."
SAID = ("text", "quote")
OWNERS = {
    "message_parts": "message",
    "document_passages": "document",
    "memory_groups": "memory",
    "evidence": "memory",
    "entity_links": "memory",
    "recall_hits": "recall",
    "usefulness": "memory",
}


_HOMES = {
    "message": "messages",
    "memory": "memories",
    "recall": "recalls",
    "document": "documents",
}


class Importer:
    """Reads exports into one vault.

    Args:
        store: What is kept.
        agent_pk: Whose a stranger's claims are to be.
        clock: The present.
        canonical: Returns what a text says, by which tombstones know it in other words.
        keep: Stores what a stranger claims, as far as it is let in.
    """

    def __init__(
        self,
        store: Store,
        agent_pk: int,
        clock: Clock,
        canonical: Callable[[str], str],
        keep: Keep,
    ) -> None:
        self._store = store
        self._agent_pk = agent_pk
        self._archive = store.archive
        self._keep = keep
        self._meta = store.meta
        self._tombstones = store.tombstones
        self._clock = clock
        self._canonical = canonical

    def written(self, path: Path) -> Written:
        """Say who wrote the file at ``path``.

        Raises:
            TransferError: It is no export, or it is damaged.
        """
        with _read(path) as bundle:
            manifest = _manifest(bundle)
            return Written(clipped(str(manifest.get("profile") or ""), 60), self._signed(manifest))

    def run(self, path: Path, *, own: bool = False) -> Generator[Progress, None, TransferReport]:
        """Import the file at ``path``, whole or not at all; ``own`` where it is theirs.

        Raises:
            TransferError: It is no export, or it is damaged.
        """
        tally = ImportTally()
        with _read(path) as bundle:
            manifest = _manifest(bundle)
            yield Progress("Checking the file", 0, len(TABLES))
            unchanged = yield from self._unchanged(bundle, manifest)
            with staging(self._store.vault.path.parent) as stage:
                if unchanged:
                    yield from self._restore(bundle, stage, tally)
                else:
                    yield from self._take(bundle, stage, tally, own=own)
        return _report(path, tally, unchanged, own=own)

    def _take(
        self, bundle: zipfile.ZipFile, stage: Staging, tally: ImportTally, *, own: bool
    ) -> Generator[Progress, None, None]:
        """Bring in claims, once all of them have been looked through."""
        rows = Rows(stage.is_new)
        yield from _staged(bundle, rows, stage)
        tally.unreadable = rows.unreadable
        with self._store.transaction(stop_of_work()):
            claims = Claims(
                self._store, self._agent_pk, self._clock, self._out, self._keep, stage, own=own
            )
            yield from claims.run(tally)

    def _signed(self, manifest: Row) -> bool:
        return holds(manifest, self._meta.once(SIGNING_KEY, lambda: os.urandom(32)))

    def _unchanged(self, bundle: zipfile.ZipFile, manifest: Row) -> Generator[Progress, None, bool]:
        if not self._signed(manifest):
            return False
        listed = manifest["files"]
        names = {i.filename for i in bundle.infolist()} - {"manifest.json"}
        if names != set(listed):
            return False
        for number, name in enumerate(sorted(names)):
            yield Progress("Checking the file", number, len(names))
            digest = hashlib.sha256()
            with _member(bundle, name) as file:
                while chunk := file.read(STEP):
                    digest.update(chunk)
                    yield Progress("Checking the file", number, len(names))
            if digest.hexdigest() != listed[name]["sha256"]:
                return False
        return True

    def _restore(
        self, bundle: zipfile.ZipFile, stage: Staging, tally: ImportTally
    ) -> Generator[Progress, None, None]:
        rows = Rows(stage.is_new, cache(self._archive.needed))
        fresh: dict[str, set[str]] = {}
        gone: dict[str, set[str]] = {}
        tips: list[Row] = []
        with self._store.transaction(stop_of_work()):
            for number, table in enumerate(TABLES):
                yield Progress("Importing", number, len(TABLES))
                new, tally.counts[table] = fresh.setdefault(table, set()), 0
                for page in _pages(bundle, rows, table):
                    ids = {r["id"] for r in page if "id" in r}
                    known = self._archive.there(table, ids) if ids else set()
                    found = _owned(table, self._wanted(table, page, known, gone, tally), fresh)
                    tally.counts[table] += self._archive.restore(table, found)
                    new |= {r["id"] for r in found if "id" in r} - known
                    if table == "conversations":
                        tips += [{"id": r["id"], "tip": r.get("tip")} for r in found]
                    yield Progress("Importing", number, len(TABLES))
                if table == "messages":
                    self._archive.set_tips(tips)
                if table == "entity_links":
                    self._archive.drop_unmentioned(fresh["entities"])
            self._archive.seal()
        tally.unreadable = rows.unreadable
        tally.memory_ids += fresh["memories"]
        tally.conversation_ids += fresh["conversations"]

    def _wanted(
        self,
        table: str,
        rows: list[Row],
        known: set[str],
        gone: dict[str, set[str]],
        tally: ImportTally,
    ) -> list[Row]:
        """Return the rows but those of what was erased or rejected here since; count these."""
        away = gone.setdefault(table, set())
        if table == "conversations":
            lost = {r["id"] for r in rows if self._tombstones.has_conversation(r["id"])} - known
            away |= lost
            tally.erased += len(lost)
        if table == "memories":
            agents = self._archive.numbers("agents")
            new = [r for r in rows if r["id"] not in known]
            away |= {
                r["id"]
                for r in new
                if self._out(r["text"], tally, agents.get(r["agent"], self._agent_pk))
            }
        if table == "messages":
            return [r for r in rows if r["conversation"] not in gone["conversations"]]
        if table == "journal":
            return [r for r in rows if r["memory_id"] not in gone["memories"]]
        return [r for r in rows if r.get("id") not in away] if away else rows

    def _out(self, text: str, tally: ImportTally, agent_pk: int) -> bool:
        """Say whether a text was erased here, or rejected from an agent, in whatever words."""
        says = self._canonical(text)
        if self._tombstones.has(text, says):
            tally.erased += 1
        elif self._tombstones.has_rejected(text, agent_pk, says):
            tally.rejected += 1
        else:
            return False
        return True


@contextmanager
def _read(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an export; what goes wrong with the file becomes a sentence."""
    try:
        with _Bounded(open_file(path)) as file, apart(lambda: zipfile.ZipFile(file)) as bundle:
            yield bundle
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise TransferError(DAMAGED) from error
    except OSError as error:
        raise TransferError(f"The file could not be read: {reason(error)}.") from error


def _report(path: Path, tally: ImportTally, unchanged: bool, *, own: bool) -> TransferReport:
    notes = [] if unchanged else [OWN if own else FOREIGN]
    if tally.skipped:
        notes.append(f"{_entries(tally.skipped)} already there or no longer current.")
    left_out = {
        "erased": tally.erased,
        "rejected": tally.rejected,
        "forgotten": tally.forgotten,
    }
    notes += [_lasting(what, number) for what, number in left_out.items() if number]
    if tally.aside:
        notes.append(f"Set aside, because they may be an attack: {tally.aside:,}.")
    if tally.unreadable:
        notes.append(f"Left out, because they could not be read: {tally.unreadable:,}.")
    if tally.cut:
        notes.append(f"Cut, because they had over {LONGEST_MESSAGE:,} characters: {tally.cut:,}.")
    if tally.refused:
        notes.append(f"Left out, because no memory should hold them: {tally.refused:,}.")
    return replace(
        TransferReport(str(path), tally.counts, unchanged, tuple(notes)),
        memory_ids=tuple(tally.memory_ids),
        conversation_ids=tuple(tally.conversation_ids),
    )


def _lasting(what: str, number: int) -> str:
    stay = "stays" if number == 1 else "stay"
    return f"{_entries(number)} {what} here before and {stay} {what}."


def _entries(number: int) -> str:
    return f"{counted(number, 'entry')} {'was' if number == 1 else 'were'}"


def _manifest(bundle: zipfile.ZipFile) -> Row:
    if sum(i.file_size for i in bundle.infolist()) > MAX_BYTES:
        raise TransferError("This file is too large to be a Loci export.")
    try:
        with _member(bundle, "manifest.json") as file:
            data = file.read(MAX_MANIFEST + 1)
        if len(data) > MAX_MANIFEST or is_crowded(data):
            raise TransferError(DAMAGED)
        manifest = read_json(data)
    except (KeyError, ValueError):
        raise TransferError(DAMAGED) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise TransferError("This file is not a Loci export.")
    if not isinstance(manifest.get("files"), dict):
        raise TransferError(DAMAGED)
    version = manifest.get("version")
    if not isinstance(version, int):
        raise TransferError(DAMAGED)
    if version > VERSION:
        raise TransferError("This export was written by a newer version of Loci.")
    return manifest


def _staged(bundle: zipfile.ZipFile, rows: Rows, stage: Staging) -> Generator[Progress, None, None]:
    """Read all that a stranger claims, so that nothing is brought in of a file without an end."""
    for number, (table, column) in enumerate(OWNED_BY.items()):
        progress = Progress("Reading the file", number, len(OWNED_BY))
        came = 0
        yield progress
        for at, line in enumerate(_lines(bundle, table, LONGEST_LINE)):
            if at >= MOST_ROWS:
                raise TransferError(TOO_MANY.format(MOST_ROWS, table))
            if (row := rows.read(table, line)) is not None:
                stage.put(table, row[column], dumps(_clipped(row)).encode())
            came += len(line)
            if at % ROWS == 0 or came > STEP:
                came = 0
                yield progress


def _clipped(row: Row) -> Row:
    """Return a row in which what was said is no longer than tells that it is too long."""
    return {n: v[: LONGEST_MESSAGE + 1] if n in SAID else v for n, v in row.items()}


def _pages(bundle: zipfile.ZipFile, rows: Rows, table: str) -> Iterator[list[Row]]:
    read = (rows.read(table, line) for line in _lines(bundle, table, LONGEST_OWN_LINE))
    found = (row for row in read if row is not None)
    while page := list(islice(found, ROWS)):
        yield page


def _owned(table: str, rows: list[Row], fresh: dict[str, set[str]]) -> list[Row]:
    """Return the rows but those of an owner that was here before, and kept what it had."""
    if (owner := OWNERS.get(table)) is None:
        return rows
    home = _HOMES[owner]
    return [row for row in rows if row.get(owner) in fresh.get(home, ())]


def _lines(bundle: zipfile.ZipFile, table: str, longest: int) -> Iterator[bytes]:
    """Yield the lines of a table.

    Raises:
        TransferError: One is longer than that, or holds more values than any entry can.
    """
    try:
        file = _member(bundle, f"data/{table}.jsonl")
    except KeyError:
        return
    with file:
        while line := file.readline(longest + 1):
            if len(line) > longest or is_crowded(line):
                raise TransferError(TOO_LONG.format(table))
            yield line


def _member(bundle: zipfile.ZipFile, name: str) -> io.BufferedReader:
    """Open a file of an export, to be read little by little.

    Raises:
        KeyError: There is none of this name.
        TransferError: It is packed in a way that no export is.
    """
    found = bundle.getinfo(name)
    if found.compress_type not in PACKED or found.flag_bits & 1:
        raise TransferError(DAMAGED)
    return io.BufferedReader(cast("io.RawIOBase", bundle.open(found)), STEP)


class _Bounded(io.BufferedReader):
    """A file of which nobody reads a lot at once, such as a list of files that has no end."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most so many bytes."""
        wanted = MOST_AT_ONCE + 1 if size is None or size < 0 else size
        data = super().read(min(wanted, MOST_AT_ONCE + 1))
        if len(data) > MOST_AT_ONCE or data.count(_LISTED) > MOST_FILES:
            raise zipfile.BadZipFile
        return data
