"""How the vault and the models are: what ``loci doctor`` prints."""

import platform
import sys
from typing import Any

from app import __version__
from app.domain.profile import Profile
from app.errors import AppError, StoreError, VaultCorrupt
from app.memory.learn.index import Indexer
from app.services.library import LibraryService
from app.services.upkeep.backups import BackupsService
from app.services.upkeep.scrub import SCRUB
from app.services.upkeep.tampering import ACCEPT, TamperingService
from app.services.upkeep.tidying import TidyingService
from app.store import health
from app.store.store import Store
from app.store.vault import backup, word_index
from app.store.vault.scratch import left, sweep
from app.store.work.jobs import JobState

CARD = (
    "The file profile.json, with the profile's name and age, was missing or damaged. `loci profiles"
    " rename` writes it anew."
)
BACKUP = "{} could not be restored: it is damaged. `loci profiles backup` makes another one."
MORE = "{:,} more {} are damaged, {:,} in all; restore an earlier backup."
MOST_NAMED = 20
RESTORE = "The vault is damaged: restore an earlier backup, with `loci profiles restore`."
REBUILD = "`loci doctor --rebuild` rebuilds the word indexes and drops summaries that do not fit."
_ADVICE = {
    **dict.fromkeys(("pages", "rows", "links"), RESTORE),
    **dict.fromkeys((*word_index.WORD_INDEXES, "summaries"), REBUILD),
    "tampering": ACCEPT,
}


class DoctorService:
    """Examines one open profile."""

    def __init__(
        self,
        store: Store,
        library: LibraryService,
        indexer: Indexer,
        tidying: TidyingService,
        backups: BackupsService,
        tampering: TamperingService,
        profile: Profile,
    ) -> None:
        self._profile = profile
        self._tampering = tampering
        self._backups = backups
        self._tidying = tidying
        self._store = store
        self._library = library
        self._indexer = indexer
        self._job_monitor = store.job_monitor
        self._restriction = store.restriction

    def report(self, *, thorough: bool = False) -> dict[str, Any]:
        """Return everything worth knowing, as plain values."""
        report = {
            "loci": __version__,
            "python": sys.version.split()[0],
            "platform": platform.platform(),
            **health.report(self._store.vault, thorough=thorough),
        }
        report["processing_restricted"] = self._restriction.is_on
        report["chat_model"] = self._library.current().id
        report["embedder"] = self._embedder()
        report["dream"] = self._tidying.metrics()
        report["backups"] = self._kept()
        report["problems"]["erasure"] = self._owed()
        report["problems"]["missing"] = list(self._tampering.missing())
        report["problems"]["tampering"] = list(self._tampering.examine())
        for name, damaged in self._damaged().items():
            report["problems"][name] = damaged
        report["problems"]["card"] = [] if self._profile.created_at else [CARD]
        kept = self._backups.problems()
        report["problems"]["backups"] = [*self._unfit_backups(thorough), *kept]
        report["temporary_files"], report["problems"]["temporary"] = self._temporary()
        problems = report["problems"]
        report["ok"] = not any(problems.values())
        report["advice"] = list(dict.fromkeys(v for k, v in _ADVICE.items() if problems[k]))
        report["jobs"] = {str(k): n for k, n in self._job_monitor.counts().items()}
        return report

    def _damaged(self) -> dict[str, list[str]]:
        """Return what of each kind something else left unreadable, the first of them by name."""
        talks = self._store.conversations
        kinds = {
            "memories": self._store.memories.damaged,
            "conversations": talks.damaged,
            "messages": self._store.messages.damaged,
            "summaries": lambda: [*self._store.summaries.problems().values()],
            "jobs": self._store.unsound_jobs.sentences,
            "runs": self._store.runs.damaged,
        }
        told = {}
        for name, damaged in kinds.items():
            try:
                found = damaged()
            except VaultCorrupt:  # which the rows tell by then
                found = []
            rest = len(found) - MOST_NAMED
            more = [MORE.format(rest, name, len(found))] * (rest > 0)
            told[name] = [*found[:MOST_NAMED], *more]
        return told

    def _temporary(self) -> tuple[dict[str, Any], list[str]]:
        """Sweep temporary files; return what there was, and sentences on what has to be done."""
        home = self._store.vault.path.parent
        removed, rest = sweep(home), left(home)
        counts = {"removed": len(removed), "in_use": rest.in_use, "away": rest.to_come()}
        return counts, rest.to_do()

    def _owed(self) -> list[str]:
        """Return what an erasure left to be done, in a sentence."""
        job = self._job_monitor.by_key(SCRUB)
        if job is None or job.state in (JobState.DONE, JobState.CANCELLED, JobState.RUNNING):
            return []
        return [
            " ".join(["An erasure is not finished; the next start goes on.", job.error]).strip()
        ]

    def _unfit_backups(self, thorough: bool) -> list[str]:
        """Return the backups that could not be restored; only the newest is tried at once."""
        found = self._backups.list()
        told = []
        for one in found if thorough else found[:1]:
            try:
                backup.verify(one.path, self._store.vault.key)
            except StoreError:
                told.append(BACKUP.format(one.path.name))
        return told

    def _kept(self) -> dict[str, Any]:
        found = self._backups.list()
        newest = found[0].made_at.isoformat(timespec="seconds") if found else None
        return {"number": len(found), "newest": newest, "bytes": sum(b.bytes for b in found)}

    def _embedder(self) -> dict[str, Any]:
        try:
            status = self._indexer.status()
        except AppError as error:
            return {"problem": str(error)}
        return {
            "id": status.embedder,
            "rows": status.total,
            "missing": status.missing,
            "stale": status.stale,
        }
