"""Bring an export back in: the same data where this vault signed it, claims where it did not.

A file that this vault wrote, and nobody changed, restores every row it holds that is missing. Any
other file is treated as something a stranger may have written, unless the person says that it is
their own (see ``claims``). Neither brings in history or settings. From any, what was erased or
rejected here stays out; so does what was forgotten here.
"""

import os
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from app.domain.foreign import read_json
from app.domain.ids import Clock
from app.domain.progress import Progress
from app.domain.text import clipped
from app.errors import TransferError
from app.exchange.claims import Claims, Keep, Tally
from app.exchange.format import FORMAT, SIGNING_KEY, VERSION, Report, digest, holds
from app.exchange.rows import Row, Rows
from app.store.archive import TABLES, Archive
from app.store.meta import Meta
from app.store.tombstones import Tombstones
from app.store.vault import Vault

MAX_BYTES = 4 << 30
MAX_MANIFEST = 64 << 20
FOREIGN = (
    "This file was not written by this vault, or was changed: its memories are trusted as far as"
    " “learned” and marked as imported."
)
OWN = "You said that this is your own: pins, instructions and trust are as they were."
OWNERS = {
    "message_parts": "message",
    "memory_groups": "memory",
    "evidence": "memory",
    "entity_links": "memory",
    "recall_hits": "recall",
    "usefulness": "memory",
}


class Written(NamedTuple):
    """Who wrote an export, as far as it can be told before it is read.

    Attributes:
        profile: The name of the profile that it says wrote it.
        here: Whether this vault signed it.
    """

    profile: str
    here: bool


class Importer:
    """Reads exports into one vault.

    Args:
        vault: The vault.
        clock: The present.
        canonical: Returns what a text says, by which tombstones know it in other words.
        keep: Stores what a stranger claims, as far as it is let in.
    """

    def __init__(
        self, vault: Vault, clock: Clock, canonical: Callable[[str], str], keep: Keep
    ) -> None:
        self._vault = vault
        self._archive = Archive(vault)
        self._keep = keep
        self._meta = Meta(vault)
        self._tombstones = Tombstones(vault)
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

    def run(self, path: Path, *, own: bool = False) -> Generator[Progress, None, Report]:
        """Import the file at ``path``, whole or not at all.

        Args:
            path: Where it lies.
            own: Whether the person says that what another vault wrote is their own.

        Raises:
            TransferError: It is no export, or it is damaged.
        """
        tally = Tally()
        with _read(path) as bundle:
            manifest = _manifest(bundle)
            yield Progress("Checking the file", 0, len(TABLES))
            unchanged = yield from self._unchanged(bundle, manifest)
            with self._vault.write():
                lines = partial(_lines, bundle)
                if unchanged:
                    rows = Rows(lines, self._archive.needed)
                    yield from self._restore(rows, tally)
                else:
                    rows = Rows(lines)
                    claims = Claims(self._vault, self._clock, self._out, self._keep, own=own)
                    yield from claims.run(rows.of, tally)
                tally.unreadable = rows.unreadable
        return _report(path, tally, unchanged, own=own)

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
            if digest(bundle.read(name)) != listed[name]["sha256"]:
                return False
        return True

    def _restore(self, read: Rows, tally: Tally) -> Generator[Progress, None, None]:
        tips: list[Row] = []
        fresh: dict[str, set[str]] = {}
        gone: dict[str, set[str]] = {}
        for number, table in enumerate(TABLES):
            yield Progress("Importing", number, len(TABLES))
            known = {r["id"] for r in self._archive.rows(table) if "id" in r}
            rows = self._wanted(table, list(read.of(table)), known, gone, tally)
            if owner := OWNERS.get(table):
                home = {"message": "messages", "memory": "memories", "recall": "recalls"}[owner]
                rows = [r for r in rows if r.get(owner) in fresh.get(home, ())]
            tally.counts[table] = self._archive.restore(table, rows)
            fresh[table] = {r["id"] for r in rows if "id" in r} - known
            if table == "conversations":
                tips = rows
            if table == "messages":
                self._archive.set_tips(tips)
        tally.memory_ids += fresh["memories"]
        tally.conversation_ids += fresh["conversations"]

    def _wanted(
        self, table: str, rows: list[Row], known: set[str], gone: dict[str, set[str]], tally: Tally
    ) -> list[Row]:
        """Return the rows but those of what was erased or rejected here since; count these."""
        away = gone.setdefault(table, set())
        if table == "conversations":
            away |= {r["id"] for r in rows if self._tombstones.has_conversation(r["id"])} - known
            tally.erased += len(away)
        if table == "memories":
            agents = self._archive.numbers("agents")
            new = [r for r in rows if r["id"] not in known]
            away |= {r["id"] for r in new if self._out(r["text"], tally, agents.get(r["agent"], 1))}
        if table == "messages":
            return [r for r in rows if r["conversation"] not in gone["conversations"]]
        if table == "journal":
            return [r for r in rows if r["memory_id"] not in gone["memories"]]
        return [r for r in rows if r.get("id") not in away] if away else rows

    def _out(self, text: str, tally: Tally, agent_pk: int = 1) -> bool:
        """Say whether a text was erased here, or rejected from an agent, in whatever words."""
        says = self._canonical(text)
        if self._tombstones.has(text, says):
            tally.erased += 1
        elif self._tombstones.has_rejected(text, says, agent_pk):
            tally.rejected += 1
        else:
            return False
        return True


@contextmanager
def _read(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open an export; what goes wrong with the file becomes a sentence."""
    try:
        with zipfile.ZipFile(path) as bundle:
            yield bundle
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise TransferError("This file is damaged or is no export of Loci.") from error
    except OSError as error:
        raise TransferError(f"The file could not be read: {error.strerror}.") from error


def _report(path: Path, tally: Tally, unchanged: bool, *, own: bool) -> Report:
    notes = [] if unchanged else [OWN if own else FOREIGN]
    if tally.skipped:
        notes.append(f"{tally.skipped:,} entries were already there or no longer current.")
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
    if tally.refused:
        notes.append(f"Left out, because no memory should hold them: {tally.refused:,}.")
    return replace(
        Report(str(path), tally.counts, unchanged, tuple(notes)),
        memory_ids=tuple(tally.memory_ids),
        conversation_ids=tuple(tally.conversation_ids),
    )


def _lasting(what: str, number: int) -> str:
    if number == 1:
        return f"1 entry was {what} here before and stays {what}."
    return f"{number:,} entries were {what} here before and stay {what}."


def _manifest(bundle: zipfile.ZipFile) -> Row:
    if sum(i.file_size for i in bundle.infolist()) > MAX_BYTES:
        raise TransferError("This file is too large to be an export of Loci.")
    try:
        if bundle.getinfo("manifest.json").file_size > MAX_MANIFEST:
            raise TransferError("This file is damaged or is no export of Loci.")
        manifest = read_json(bundle.read("manifest.json"))
    except (KeyError, ValueError):
        raise TransferError("This file is damaged or is no export of Loci.") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise TransferError("This file is no export of Loci.")
    if not isinstance(manifest.get("files"), dict):
        raise TransferError("This file is damaged or is no export of Loci.")
    version = manifest.get("version")
    if not isinstance(version, int):
        raise TransferError("This file is damaged or is no export of Loci.")
    if version > VERSION:
        raise TransferError("This export was written by a newer version of Loci.")
    return manifest


def _lines(bundle: zipfile.ZipFile, table: str) -> Iterator[bytes]:
    try:
        file = bundle.open(f"data/{table}.jsonl")
    except KeyError:
        return
    with file:
        yield from file
