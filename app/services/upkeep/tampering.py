"""What something else than Loci changed in a profile: notice it, say it, and accept it.

Opening looks at the mark beside the vault, which shows another or an older copy; the window then,
the doctor and every day the backup examine all rows. The person accepts what they did themselves.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from app.domain.changes import Changes
from app.domain.language.text import clipped
from app.domain.tampering import Finding, Sign, TamperingKind
from app.errors import DiskFull, VaultBusy, VaultCorrupt, VaultReadOnly
from app.services.upkeep.losses import LossesService
from app.store.store import Store

MOST = 20
WORDS = 80  # letters of a memory
ACCEPT = (
    "If you did this yourself, accept it under “To review” or with `loci doctor --accept`;"
    " otherwise restore an earlier backup."
)
_ABOUT = {
    (Sign.FORGED, TamperingKind.MEMORY): "{} was added outside Loci",
    (Sign.REMOVED, TamperingKind.MEMORY): "{} was removed outside Loci",
    (Sign.RETURNED, TamperingKind.MEMORY): (
        "An earlier state of {} was put back, or its history was removed, outside Loci"
    ),
    (Sign.UNCHAINED, TamperingKind.VAULT): "The record of all changes was removed outside Loci",
    (Sign.OTHER, TamperingKind.VAULT): (
        "Another copy of the vault, which lacks changes made here, was put in its place"
    ),
    (Sign.UNKNOWN, TamperingKind.VAULT): (
        "The file vault.mark, which reveals an old copy of the vault, was removed or damaged"
    ),
}
_HOW = {Sign.EDITED: "changed", Sign.FORGED: "added to", Sign.REMOVED: "removed in part"}


class TamperingService:
    """Looks after what one open profile should be like."""

    def __init__(self, store: Store, losses: LossesService) -> None:
        self._store = store
        self._integrity = store.integrity
        self._losses = losses
        self._journal, self._memories = store.journal, store.memories

    def found(self) -> Sequence[str]:
        """Return in sentences what was changed and is not accepted, as far as it was noticed."""
        try:
            return self._told(self._integrity.known())
        except VaultCorrupt:  # which the doctor tells
            return []

    def missing(self) -> Sequence[str]:
        """Return in a sentence which commits are missing."""
        return self._losses.standing()

    def standing(self) -> Sequence[str]:
        """Return in sentences what is missing or was changed, and is not accepted; cheap."""
        return [*self._losses.standing(), *self.found()]

    def opened(self) -> Sequence[str]:
        """Return what the person should know when the profile opens, and what they can do."""
        found = self.found()
        more = [f"And {len(found) - 2:,} more."] * (len(found) > 2)
        return [*self._losses.standing(), *found[:2], *more, *([ACCEPT] if found else [])]

    def examine(self) -> Sequence[str]:
        """Examine every memory and its history; return as ``found``.

        What is damaged is left to the doctor, and on a disk where nothing can be kept it is only
        told.
        """
        try:
            found = self._integrity.examine()
        except VaultCorrupt:
            return []
        with suppress(DiskFull, VaultReadOnly, VaultBusy):
            self._integrity.keep(found)
        return self._told(found)

    def look(self) -> Changes:
        """Examine everything, for a front end that shows what was found."""
        before = self.found()
        if self.examine() == before:
            return Changes()
        return Changes(profile=True, said=frozenset([" ".join(self.opened())]))

    def accept(self) -> Changes:
        """Take everything as it is now for right, because the person says so."""
        self._integrity.accept()
        return self._losses.accept()

    def _told(self, findings: Sequence[Finding]) -> list[str]:
        """Return a sentence for each finding, and one for all entries of histories alike."""
        now = self._store.clock()
        single = [one for one in findings if one.kind is not TamperingKind.ENTRY]
        told = [_sentence(one, self._named(one.memory_id), now) for one in single[:MOST]]
        if len(single) > MOST:
            more = len(single) - MOST
            were = "memory was" if more == 1 else "memories were"
            told.append(f"{more:,} more {were} changed outside Loci.")
        return [
            *told,
            *_histories([one for one in findings if one.kind is TamperingKind.ENTRY], now),
        ]

    def _named(self, memory_id: str) -> str:
        """Return a memory by the last words that Loci knows of it, else by those it has now."""
        written = (entry.after.get("text") for entry in self._journal.of_memory(memory_id))
        known = [str(text) for text in written if text]
        now = [memory.text for memory in self._memories.by_ids([memory_id])]
        words = (known[-1:] or now or [""])[0]
        return f"the memory “{clipped(words, WORDS)}”" if words else "a memory"


def _histories(entries: Sequence[Finding], now: datetime) -> list[str]:
    told = []
    for sign, number in Counter(one.sign for one in entries).items():
        since = [one.since for one in entries if one.sign is sign and one.since]
        first = min(since) if len(since) == number else None
        what = "The history of a memory was"
        if number > 1:
            what = f"The histories of {number:,} memories were"
        told.append(f"{what} {_HOW[sign]} outside Loci {_at(first, now)}.")
    return told


def _sentence(one: Finding, name: str, now: datetime) -> str:
    fields = " and ".join(f"the {field}" for field in one.fields)
    of = f" of {name}" if one.kind is TamperingKind.MEMORY else ""
    what = f"{fields}{of}" if fields else name
    changed = f"{{}} {'were' if len(one.fields) > 1 else 'was'} changed outside Loci"
    told = _ABOUT.get((one.sign, one.kind), changed).format(what)
    return f"{told[:1].upper()}{told[1:]} {_at(one.since, now)}."


def _at(since: datetime | None, now: datetime) -> str:
    """Say after when something happened, where that is a moment which can be believed."""
    if since is None or since > now:
        return "at an unknown time"
    local = since.astimezone()
    return f"after {local.day} {local:%B %Y, %H:%M}"
