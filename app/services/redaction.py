"""Erase from backups what is erased from the vault.

A backup is copied, opened as a vault of its own, erased from, rewritten, searched for
what should be gone, and only then put back. One that cannot be changed so, or still holds the
words, is removed: an erasure leaves no copy that it does not know to be clean.
"""

import logging
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.domain.ids import Clock
from app.domain.jobs.progress import Progress
from app.errors import AppError, DiskFull, NotFound
from app.memory.erasure.erase import Eraser
from app.memory.erasure.stock import ErasurePlan
from app.store.store import Store
from app.store.vault import mark, wipe
from app.store.vault.file import Vault
from app.store.vault.files import file_errors, sync_folder
from app.store.vault.scratch import room

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackupRedaction:
    """What became of older backups.

    Attributes:
        clean: How many hold what they did, but for what was erased.
        removed: How many were removed.
    """

    clean: int = 0
    removed: int = 0

    def lines(self) -> list[str]:
        """Return a line for each."""
        told = []
        if self.clean:
            told.append(f"The same in {_backups(self.clean)}")
        if self.removed:
            told.append(f"{_backups(self.removed).capitalize()}, from which it could not be taken")
        return told


def redact(
    copies: Sequence[Path],
    key: bytes,
    clock: Clock,
    planned: Callable[[Eraser], ErasurePlan],
    ticked: frozenset[str],
    known: frozenset[str],
    needles: Sequence[bytes],
) -> Generator[Progress, None, BackupRedaction]:
    """Erase from backups what was erased from their vault.

    Args:
        copies: The backups.
        key: Their key.
        clock: The present.
        planned: Returns from an eraser of a backup what is to go from it.
        ticked: Keys of what the person chose to erase.
        known: Keys of what they could choose; what only a backup holds goes where it is ticked to
            begin with.
        needles: What must be found nowhere afterwards.

    Raises:
        DiskFull: There is no room for the copy that is worked on; the rest stays as it was.
    """
    clean = removed = 0
    for number, copy in enumerate(copies):
        yield Progress("Erasing from backups", number, len(copies), stoppable=False)
        try:
            with room(copy.parent.parent) as made:
                draft = _Draft(copy, made / "vault.db", key, clock)
                draft.erase(planned, ticked, known)
                found = yield from draft.scanned(needles)
                if not found:
                    draft.put_back()
        except DiskFull:  # which says nothing of this backup
            raise
        except (AppError, OSError) as error:
            _log.warning("a backup could not be erased from (%s)", type(error).__name__)
            found = 1
        if found:
            copy.unlink(missing_ok=True)
        clean, removed = clean + (not found), removed + bool(found)
    return BackupRedaction(clean, removed)


class _Draft:
    """A copy of a backup that is being changed, in a folder of its own."""

    def __init__(self, copy: Path, path: Path, key: bytes, clock: Clock) -> None:
        self._copy, self._path, self._key, self._clock = copy, path, key, clock
        with file_errors(path.parent):
            shutil.copyfile(copy, path)
        mark.begin(path.with_suffix(".mark"), key)

    def erase(
        self,
        planned: Callable[[Eraser], ErasurePlan],
        ticked: frozenset[str],
        known: frozenset[str],
    ) -> None:
        """Erase what is planned, and rewrite the file."""
        with closing(Vault(self._path, self._key, self._clock, wal=False, create=False)) as vault:
            eraser = Eraser(Store(vault))
            try:
                plan = planned(eraser)
            except NotFound:  # it is of before; the search tells whether it holds the words
                return
            only_here = {c.key for c in plan.inventory.copies if c.ticked and c.key not in known}
            eraser.carry_out(plan, ticked | only_here)
            wipe.scrub(vault)

    def scanned(self, needles: Sequence[bytes]) -> Generator[Progress, None, int]:
        """Return how often what should be gone is still found."""
        seen = yield from wipe.scan(self._path, self._key, needles)
        return seen.found

    def put_back(self) -> None:
        """Put it in the backup's place."""
        with file_errors(self._copy.parent):
            self._path.replace(self._copy)
            sync_folder(self._copy.parent)


def _backups(number: int) -> str:
    return f"{number} older backup{'s' if number > 1 else ''}"
