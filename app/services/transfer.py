"""Everything out, and back in: exports, imports, transcripts."""

from collections.abc import Generator, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from app.domain.ids import Clock
from app.domain.jobs.progress import Progress
from app.domain.memory import DEFAULT_SCOPE
from app.domain.provenance import Written
from app.domain.transfer import TransferReport
from app.exchange import transcript
from app.exchange.exporting import Exporter, is_export
from app.exchange.importing import Importer
from app.memory.screen.gate import Gate
from app.memory.text.novelty import canonical
from app.services.upkeep.queue import QueueService
from app.store.store import Store


class TransferService:
    """Exports and imports one profile."""

    def __init__(
        self,
        store: Store,
        queue: QueueService,
        profile_name: str,
        clock: Clock,
    ) -> None:
        self._store = store
        self._messages = store.messages
        self._exporter = Exporter(store, DEFAULT_SCOPE, clock)
        self._importer = Importer(
            store, DEFAULT_SCOPE.agent_pk, clock, canonical, Gate(store).insert
        )
        self._queue = queue
        self._name = profile_name

    def export(self, path: Path) -> Generator[Progress, None, TransferReport]:
        """Write everything into one ZIP, whole or not at all."""
        report = yield from self._exporter.run(path, self._name)
        return report

    @staticmethod
    def would_replace(path: Path) -> bool:
        """Return whether something lies there that is no export, and would be lost."""
        return path.is_file() and not is_export(path)

    def written(self, path: Path) -> Written:
        """Say who wrote an export, before it is brought in."""
        return self._importer.written(path)

    def import_file(
        self, path: Path, *, own: bool = False
    ) -> Generator[Progress, None, TransferReport]:
        """Bring in an export, whole or not at all.

        Args:
            path: Where it lies.
            own: Whether the person says that it is their own, from another of their profiles.
        """
        report = yield from self._importer.run(path, own=own)
        if not (report.verified or own):  # one's own brings along what was learnt
            self._enqueue_read(report.conversation_ids)
        self._queue.enqueue_index()
        return report

    def add_transcript(
        self, turns: Iterable[tuple[str, str, str, datetime, str]], *, own: bool = False
    ) -> dict[str, str]:
        """Store conversations that took place elsewhere.

        Args:
            turns: Of each its id, session, speaker, time and text.
            own: Whether what "User" says was typed by the person themselves; then it is learnt
                from, in the background.

        Returns:
            Their ids by the vault's.
        """
        lines = (transcript.TranscriptTurn(*turn) for turn in turns)
        stored = transcript.store(self._store, DEFAULT_SCOPE.agent_pk, lines, own=own)
        self._enqueue_read(stored.conversations)
        self._queue.enqueue_index()
        return stored.ids

    def _enqueue_read(self, conversation_ids: Sequence[str]) -> None:
        """Queue the reading of what was brought in, where the person typed any of it."""
        if self._messages.typed_in(conversation_ids):
            self._queue.enqueue_read(conversation_ids)
