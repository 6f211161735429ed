"""Bring an export back in: the same data where this vault signed it, claims where it did not.

A file that this vault wrote, and nobody changed, restores every row it holds that is missing. Any
other file is treated as something a stranger may have written: conversations come in with every
part marked as pasted (so that nothing is learnt from them), memories with origin "import" and a
trust of at most "learned", as far as they pass the screen, without pins, history or settings. From
either, what was erased or rejected here stays out; so does what was forgotten here.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import Clock, from_ms, new_id
from app.domain.memory import Evidence, Memory, MemoryType, Origin, Status, Trust
from app.domain.progress import Progress
from app.errors import Conflict, Refused, TransferError
from app.exchange.format import FORMAT, SIGNING_KEY, VERSION, Report, digest, holds
from app.store.archive import TABLES, Archive
from app.store.conversations import Conversations
from app.store.forgotten import Forgotten
from app.store.memories import Note
from app.store.meta import Meta
from app.store.tombstones import Tombstones
from app.store.vault import Vault

ERASED = "[erased]"
MAX_BYTES = 4 << 30
MAX_MANIFEST = 64 << 20
OWNERS = {
    "message_parts": "message",
    "memory_groups": "memory",
    "evidence": "memory",
    "entity_links": "memory",
    "recall_hits": "recall",
    "usefulness": "memory",
}

Row = dict[str, Any]
Keep = Callable[[Memory, Sequence[Evidence], Note], Memory]
E = TypeVar("E", bound=StrEnum)


@dataclass(slots=True)
class Tally:
    """What was brought in so far, and how much was left out, and why."""

    counts: dict[str, int]
    memory_ids: list[str]
    conversation_ids: list[str]
    skipped: int = 0
    erased: int = 0
    rejected: int = 0
    forgotten: int = 0
    refused: int = 0
    aside: int = 0


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
        self._conversations = Conversations(vault)
        self._keep = keep
        self._meta = Meta(vault)
        self._tombstones = Tombstones(vault)
        self._forgotten = Forgotten(vault)
        self._clock = clock
        self._canonical = canonical

    def run(self, path: Path) -> Generator[Progress, None, Report]:
        """Import the file at ``path``, whole or not at all.

        Raises:
            TransferError: It is no export, or it is damaged.
        """
        try:
            with zipfile.ZipFile(path) as bundle:
                manifest = _manifest(bundle)
                yield Progress("Checking the file", 0, len(TABLES))
                unchanged = yield from self._unchanged(bundle, manifest)
                tally = Tally({}, [], [])
                with self._vault.write():
                    if unchanged:
                        yield from self._restore(bundle, tally)
                    else:
                        yield from self._claims(bundle, tally)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise TransferError("This file is damaged or is no export of Loci.") from error
        except OSError as error:
            raise TransferError(f"The file could not be read: {error.strerror}.") from error
        return self._report(path, tally, unchanged)

    def _unchanged(self, bundle: zipfile.ZipFile, manifest: Row) -> Generator[Progress, None, bool]:
        key = self._meta.once(SIGNING_KEY, lambda: os.urandom(32))
        if not holds(manifest, key):
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

    def _restore(self, bundle: zipfile.ZipFile, tally: Tally) -> Generator[Progress, None, None]:
        fresh: dict[str, set[str]] = {}
        gone: dict[str, set[str]] = {}
        for number, table in enumerate(TABLES):
            yield Progress("Importing", number, len(TABLES))
            known = {r["id"] for r in self._archive.rows(table) if "id" in r}
            rows = self._wanted(table, list(_lines(bundle, table)), known, gone, tally)
            if owner := OWNERS.get(table):
                home = {"message": "messages", "memory": "memories", "recall": "recalls"}[owner]
                rows = [r for r in rows if r.get(owner) in fresh.get(home, ())]
            tally.counts[table] = self._archive.restore(table, rows)
            fresh[table] = {r["id"] for r in rows if "id" in r} - known
            if table == "messages":
                self._archive.set_tips(list(_lines(bundle, "conversations")))
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

    def _claims(self, bundle: zipfile.ZipFile, tally: Tally) -> Generator[Progress, None, None]:
        parts: dict[str, list[Row]] = {}
        for row in _lines(bundle, "message_parts"):
            parts.setdefault(str(row.get("message")), []).append(row)
        messages: dict[str, list[Row]] = {}
        for row in _lines(bundle, "messages"):
            messages.setdefault(str(row.get("conversation")), []).append(row)
        talks = list(_lines(bundle, "conversations"))
        for number, talk in enumerate(talks):
            yield Progress("Importing conversations", number, len(talks))
            self._claimed_talk(talk, messages.get(str(talk.get("id")), []), parts, tally)
        batch = new_id(self._clock())
        claimed = list(_lines(bundle, "memories"))
        for number, row in enumerate(claimed):
            if number % 100 == 0:
                yield Progress("Importing memories", number, len(claimed))
            self._claimed_memory(row, batch, tally)

    def _claimed_talk(
        self, talk: Row, rows: list[Row], parts: dict[str, list[Row]], tally: Tally
    ) -> None:
        source = f"loci:{talk.get('id')}"
        if self._tombstones.has_conversation(str(talk.get("id"))):
            tally.erased += 1
            return
        if self._conversations.by_source(source) is not None:
            tally.skipped += 1
            return
        hurt = {one for row in rows if self._tombstones.spans(one := str(row.get("id")))}
        made = self._conversations.create(
            title="" if hurt else str(talk.get("title") or "")[:200],
            created_at=self._moment(talk.get("created_at")),
            source_key=source,
        )
        tally.conversation_ids.append(made.id)
        ids: dict[str, str] = {}
        for row in rows:
            role = _one_of(Role, row.get("role"), Role.USER)
            spans = [str(p.get("text") or "") for p in parts.get(str(row.get("id")), [])]
            text = "".join(spans) or str(row.get("text") or "")
            if str(row.get("id")) in hurt:  # something in it was erased here
                text = ERASED
            stored = self._conversations.add_message(
                made.id,
                role,
                (Part(text, PartOrigin.MODEL if role is Role.ASSISTANT else PartOrigin.PASTED),),
                parent_id=ids.get(str(row.get("parent"))),
                speaker=str(row.get("speaker") or "")[:100],
                model=str(row.get("model") or "")[:200],
                created_at=self._moment(row.get("created_at")),
                source_key=f"{source}:{row.get('id')}",
            )
            ids[str(row.get("id"))] = stored.id
        for name in ("conversations", "messages"):
            added = 1 if name == "conversations" else len(rows)
            tally.counts[name] = tally.counts.get(name, 0) + added

    def _claimed_memory(self, row: Row, batch: str, tally: Tally) -> None:
        text = str(row.get("text") or "").strip()
        if not text or row.get("status", Status.ACTIVE) != Status.ACTIVE:
            tally.skipped += 1
            return
        if self._out(text, tally):
            return
        if self._forgotten.saying(text):
            tally.forgotten += 1
            return
        now = self._clock()
        kind = _one_of(MemoryType, row.get("type"), MemoryType.SEMANTIC)
        trust = Trust.EXTERNAL if row.get("trust") == Trust.EXTERNAL else Trust.LEARNED
        memory = Memory(
            id=new_id(now),
            text=text,
            created_at=self._moment(row.get("created_at")),
            updated_at=now,
            type=kind,
            trust=trust,
            origin=Origin.IMPORT,
            actor="import",
            source_id=str(row.get("id")),
        )
        note = Note(actor="import", op="insert", batch=batch, reason="import")
        try:
            stored = self._keep(memory, (), note)
        except Conflict:
            tally.skipped += 1
            return
        except Refused:
            tally.refused += 1
            return
        tally.aside += stored.status is Status.QUARANTINED
        tally.memory_ids.append(stored.id)
        tally.counts["memories"] = tally.counts.get("memories", 0) + 1

    def _moment(self, value: Any) -> Any:
        now = self._clock()
        try:
            moment = from_ms(int(value))
        except (TypeError, ValueError, OverflowError):
            return now
        return moment if moment <= now + timedelta(days=1) else now

    def _report(self, path: Path, tally: Tally, unchanged: bool) -> Report:
        notes = []
        if not unchanged:
            notes.append(
                "This file was not written by this vault, or was changed: "
                "its memories are trusted as far as “learned” and marked as imported."
            )
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


def _one_of(kind: type[E], value: Any, otherwise: E) -> E:
    """Return the member a stranger named, or another where it is none."""
    return kind(value) if isinstance(value, str) and value in set(kind) else otherwise


def _manifest(bundle: zipfile.ZipFile) -> Row:
    if sum(i.file_size for i in bundle.infolist()) > MAX_BYTES:
        raise TransferError("This file is too large to be an export of Loci.")
    try:
        if bundle.getinfo("manifest.json").file_size > MAX_MANIFEST:
            raise TransferError("This file is damaged or is no export of Loci.")
        manifest = json.loads(bundle.read("manifest.json"))
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


def _lines(bundle: zipfile.ZipFile, table: str) -> Iterator[Row]:
    try:
        file = bundle.open(f"data/{table}.jsonl")
    except KeyError:
        return
    with file:
        for line in file:
            try:
                row = json.loads(line)
            except ValueError:
                raise TransferError(f"The export is damaged: {table}.jsonl is no JSON.") from None
            if isinstance(row, dict):
                yield row
