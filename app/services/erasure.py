"""Erase for good, and prove it: one memory, one conversation, or everything.

The inventory comes first. Then the rows go in one transaction; the vault is rewritten, its log cut
to nothing, and the same is erased from backups; and every page is decrypted and searched. Erasing
everything destroys the key before the files.
"""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.changes import Changes
from app.domain.erasure import Copy, Inventory, Proof
from app.domain.jobs.progress import Progress, outcome
from app.errors import DiskFull, NotFound, Refused, SettingsError, StoreError
from app.files import size
from app.paths import Paths, ProfilePaths
from app.services.upkeep.remains import work_lock
from app.services.upkeep.scrub import Scrubber
from app.settings import computer
from app.store.store import Store
from app.store.vault import backup, scratch, wipe
from app.store.vault.locks import CLOSING_SECONDS, FileLock

if TYPE_CHECKING:
    from app.memory.erasure.erase import Eraser, ErasureOutcome
    from app.memory.erasure.restated import Restated
    from app.memory.erasure.stock import ErasurePlan

OUT_OF_REACH = (
    "Copies that your file system or disk keeps by itself (snapshots, worn cells of an SSD) are "
    "out of reach; what they hold of the vault is encrypted."
)
NOT_ERASED = "The disk is full. Nothing was erased; free some space and try again."
OWED = (
    "The rows are gone, but the erasure is not finished: {}. Until it is, traces of them may lie in"
    " the vault's file, its log and its backups. It goes on by itself, at the latest when Loci is"
    " started next, and says when it is done."
)
MOST_TEXTS = 500
Subject = tuple[str, ...]
Planned = Callable[["Eraser"], "ErasurePlan"]
LAST_PROFILE = "computer.last_profile"


class ErasureService:
    """Takes inventories, erases, and shows the proof.

    Args:
        destroy: Closes the profile and removes it, given the lock that asks all others to stay
            away; returns a line for each thing that is gone.
        patience: How many seconds others who have it open are given to close it.
        enqueue_index: Queues the indexing of what was written anew.
        forget: Has models and recall drop what they keep of texts that they read.
        restated: Returns what looks for what says the same in other words.
    """

    def __init__(
        self,
        store: Store,
        paths: ProfilePaths,
        profile_name: str,
        scrubber: Scrubber,
        destroy: Callable[[FileLock], Sequence[str]],
        patience: float = CLOSING_SECONDS,
        enqueue_index: Callable[[], Changes] = Changes,
        forget: Callable[[], None] = lambda: None,
        restated: "Callable[[], Restated | None]" = lambda: None,
    ) -> None:
        self._store = store
        self._vault = store.vault
        self._paths = paths
        self._data = Paths(paths.folder.parents[1])
        self._name = profile_name
        self._restated = restated
        self._scrubber = scrubber
        self._exports = store.exports
        self._erasures = store.erasures
        self._destroy = destroy
        self._patience = patience
        self._enqueue_index = enqueue_index
        self._forget = forget
        self._shown: dict[Subject, frozenset[str]] = {}

    @cached_property
    def _eraser(self) -> "Eraser":
        from app.memory.erasure.erase import Eraser

        return Eraser(self._store, self._restated())

    def of_memory(self, memory_id: str) -> Inventory:
        """Return every copy of a memory, and every other place that holds or says it."""
        return outcome(self.looking_for_memories([memory_id]))

    def of_conversation(self, conversation_id: str) -> Inventory:
        """Return what erasing a conversation would remove, and what it leaves elsewhere."""
        return outcome(self.looking_for_conversation(conversation_id))

    def looking_for_memories(
        self, memory_ids: Sequence[str], about: Sequence[str] = ()
    ) -> Generator[Progress, None, Inventory]:
        """Return the inventory of one or more memories; it can be stopped at any time.

        Args:
            memory_ids: The memories.
            about: The names of whom they are about, where every mention is to go.
        """
        planned = _of_memories(memory_ids, about)
        found = yield from self._looking((*memory_ids, *about), planned)
        return found

    def looking_for_conversation(
        self, conversation_id: str
    ) -> Generator[Progress, None, Inventory]:
        """Return the inventory of a conversation; it can be stopped at any time."""
        planned = _of_conversation(conversation_id)
        found = yield from self._looking((conversation_id,), planned)
        return found

    def of_everything(self) -> Inventory:
        """Return every file of the profile, and the exports that were made of it."""
        folder = self._paths.folder
        files = sorted(f for f in folder.rglob("*") if f.is_file())
        copies = [
            Copy(
                f"file:{f.relative_to(folder)}",
                "backup" if f.parent == self._paths.backups else "file",
                _file_label(str(f.relative_to(folder))),
                required=True,
                bytes=f.stat().st_size,
            )
            for f in files
        ]
        copies.append(Copy("key", "key", "The key, wherever it is kept", required=True))
        if logs := self._logs():
            size = sum(f.stat().st_size for f in logs)
            label = "The log: events of every profile, no content"
            copies.append(Copy("log", "file", label, required=True, bytes=size))
        return Inventory(f"Erase {self._name}", (*copies, *self._export_copies()))

    def erase_memory(
        self, memory_id: str, ticked: frozenset[str]
    ) -> Generator[Progress, None, Proof]:
        """Erase a memory with what is ticked, and prove it."""
        proof = yield from self.erase_memories([memory_id], ticked)
        return proof

    def erase_memories(
        self, memory_ids: Sequence[str], ticked: frozenset[str], about: Sequence[str] = ()
    ) -> Generator[Progress, None, Proof]:
        """Erase memories, or somebody they are about, with what is ticked, and prove it."""
        planned = _of_memories(memory_ids, about)
        proof = yield from self._erase((*memory_ids, *about), planned, ticked)
        return proof

    def erase_conversation(
        self, conversation_id: str, ticked: frozenset[str]
    ) -> Generator[Progress, None, Proof]:
        """Erase a conversation with what is ticked, and prove it."""
        planned = _of_conversation(conversation_id)
        proof = yield from self._erase((conversation_id,), planned, ticked)
        return proof

    def erase_everything(self, typed_name: str) -> Generator[Progress, None, Proof]:
        """Erase the profile; the services are of no use afterwards.

        Raises:
            Refused: The name that was typed is not the profile's.
            VaultBusy: Another program was asked to close it and did not; nothing was erased.
        """
        if typed_name.strip() != self._name:
            raise Refused(f"Type {self._name} to erase it. Nothing was erased.")
        yield Progress("Looking at what there is")
        remaining = self._remaining()
        with self._vault.asking() as asking:
            yield from self._vault.expect_alone(self._patience)
            yield Progress("Erasing", stoppable=False)
            removed = self._destroy(asking)
        return Proof((*removed, *self._clear_computer()), remaining=remaining)

    def told(self) -> Sequence[str]:
        """Return in a sentence, once, that an erasure was finished later than the person saw."""
        return self._erasures.told()

    def _logs(self) -> list[Path]:
        return sorted(self._data.logs.glob("loci.log*"))

    def _clear_computer(self) -> list[str]:
        """Empty the log and forget the profile's name; return a line for each."""
        lines = []
        values = computer.load(self._data.settings)
        computer.set_aside(self._data.settings).unlink(missing_ok=True)
        if values.get(LAST_PROFILE) in (self._paths.slug, self._name):
            with suppress(SettingsError):
                computer.save(
                    self._data.settings, {k: v for k, v in values.items() if k != LAST_PROFILE}
                )
                lines.append("Removed: its name among the settings of this computer")
        if logs := self._logs():
            with suppress(OSError):
                for file in logs:  # the running program keeps writing to the first
                    os.truncate(file, 0)
                lines.append("Emptied: the log")
        return lines

    def _looking(self, subject: Subject, planned: Planned) -> Generator[Progress, None, Inventory]:
        yield Progress("Looking for every copy")
        plan = yield from self._eraser.with_elsewhere(planned(self._eraser))
        self._shown = {subject: plan.keys}
        return self._with_backups(plan)

    def _erase(
        self, subject: Subject, planned: Planned, ticked: frozenset[str]
    ) -> Generator[Progress, None, Proof]:
        plan = yield from self._eraser.with_elsewhere(planned(self._eraser))
        with closing(work_lock(self._vault)) as working:
            working.acquire(exclusive=False)  # else the next start would take it for interrupted
            proof = yield from self._carried_out(plan, subject, planned, ticked)
        return proof

    def _carried_out(
        self, plan: "ErasurePlan", subject: Subject, planned: Planned, ticked: frozenset[str]
    ) -> Generator[Progress, None, Proof]:
        wanted = _bytes(plan.needles[:MOST_TEXTS])
        swept = scratch.sweep(self._paths.folder)
        yield Progress("Looking for every copy")
        before = yield from wipe.scan(self._vault.path, self._vault.key, wanted)
        yield Progress("Erasing", stoppable=False)
        removed, changes = self._remove(plan, ticked)
        outcome = self._eraser.outcome(plan, ticked, self._shown.get(subject))
        needles = _bytes(outcome.needles)
        owed = ""
        self._scrubber.owe(needles)
        try:
            yield Progress("Rewriting the vault", stoppable=False)
            self._scrubber.rewrite()
            removed += yield from self._redact_backups(planned, plan, ticked, needles)
            self._scrubber.settle()
        except StoreError as error:
            owed = OWED.format(self._why(error))
        self._forget()
        self._shown.clear()
        after = yield from wipe.scan(self._vault.path, self._vault.key, needles)
        removed += [f"Left unfinished by a program that was ended: {name}" for name in swept]
        remaining = (*_missed(outcome, after.found), *self._remaining())
        return Proof(
            removed=tuple(removed),
            scanned_bytes=after.bytes,
            found_before=before.found,
            found_after=after.found,
            remaining=remaining,
            changes=changes,
            left=(*outcome.left, *_counted_in_part(len(plan.needles))),
            owed=owed,
        )

    def _remove(self, plan: "ErasurePlan", ticked: frozenset[str]) -> tuple[list[str], Changes]:
        """Remove the rows, and note in the same transaction what is owed then."""
        try:
            with self._store.transaction():
                removed, changes = self._eraser.carry_out(plan, ticked)
                self._scrubber.begin()
                self._erasures.add()
                return removed, changes | self._enqueue_index()
        except DiskFull as error:
            raise DiskFull(NOT_ERASED) from error

    def _why(self, error: StoreError) -> str:
        """Return in words why an erasure could not be finished."""
        if not isinstance(error, DiskFull):
            return str(error).rstrip(".")
        files = [self._vault.path, *backup.copies(self._vault.path)]
        most = max(file.stat().st_size for file in files)
        return f"the disk is full, and about {size(2 * most)} are needed"

    def _redact_backups(
        self,
        planned: Planned,
        plan: "ErasurePlan",
        ticked: frozenset[str],
        needles: Sequence[bytes],
    ) -> Generator[Progress, None, list[str]]:
        """Erase the same from backups; return a line for each thing that is gone."""
        vault, copies = self._vault, backup.copies(self._vault.path)
        known = frozenset(c.key for c in plan.inventory.copies)
        from app.services.redaction import redact

        redacted = yield from redact(
            copies, vault.key, vault.clock, _in_copy(planned, plan), ticked, known, needles
        )
        unreadable = backup.drop_others(vault.path)
        return [*redacted.lines(), *(f"Set aside as damaged: {name}" for name in unreadable)]

    def _with_backups(self, plan: "ErasurePlan") -> Inventory:
        copies = list(plan.inventory.copies)
        if number := len(backup.copies(self._vault.path)):
            label = f"The same in {number} older backup{'s' if number > 1 else ''}"
            copies.append(Copy("backups", "backup", label, required=True))
        return replace(plan.inventory, copies=(*copies, *self._export_copies()))

    def _export_copies(self) -> list[Copy]:
        return [
            Copy(f"export:{path}", "export", f"Not erased: the export {path}", ticked=False)
            for path in self._exports.paths()
        ]

    def _remaining(self) -> tuple[str, ...]:
        exports = [f"The export {path} is yours to delete." for path in self._exports.paths()]
        rest = scratch.left(self._paths.folder)
        used = f"{rest.in_use} temporary file{'s' if rest.in_use > 1 else ''} of another program"
        writing = [f"{used} could not be searched: it is writing. Erase again later."] * bool(
            rest.in_use
        )
        return (*writing, *rest.to_come(), *rest.to_do(), *exports, OUT_OF_REACH)


def _counted_in_part(number: int) -> list[str]:
    """Say that more texts went than are counted before."""
    line = f"What was found before counts the first {MOST_TEXTS:,} of its {number:,} texts alone."
    return [line] if number > MOST_TEXTS else []


def _of_memories(memory_ids: Sequence[str], about: Sequence[str]) -> Planned:
    return lambda eraser: eraser.of_memories(memory_ids, about)


def _of_conversation(conversation_id: str) -> Planned:
    return lambda eraser: eraser.of_conversation(conversation_id)


def _missed(outcome: "ErasureOutcome", found: int) -> list[str]:
    """Return a sentence on what should be gone and is not."""
    where = f" in its {', '.join(outcome.places)}" if outcome.places else ""
    return [f"Not everything is gone: the vault still holds these words{where}."] * bool(found)


def _in_copy(planned: Planned, made: "ErasurePlan") -> Planned:
    """Return how the same is planned in a copy of the vault, which may be of before some of it."""

    def plan_there(eraser: "Eraser") -> "ErasurePlan":
        try:
            plan = planned(eraser)
        except NotFound:
            plan = replace(made, inventory=replace(made.inventory, copies=()), passages={})
        found = outcome(eraser.with_elsewhere(plan, frozenset(made.marks)))
        return eraser.like(found, made)

    return plan_there


def _bytes(texts: Sequence[str]) -> list[bytes]:
    return [form for text in texts for form in wipe.needles(text)]


def _file_label(name: str) -> str:
    known = {
        "vault.db": "The vault: conversations, memories, vectors, settings",
        "vault.db-wal": "Its write-ahead log",
        "vault.db-shm": "Its shared index",
        "slots.json": "The wrapped keys",
        "slots.bak": "The wrapped keys, a second copy",
        "vault.key": "The key file",
        "vault.key.bak": "The key file, a second copy",
        "profile.json": "The profile's name",
        "vault.mark": "How far the vault has come: a number",
    }
    return known.get(name, "A lock, empty" if name.endswith(".lock") else name)
