"""Everything out, and back in: exports, imports, transcripts."""

from collections.abc import Generator, Iterable
from datetime import datetime
from pathlib import Path

from app.domain.ids import Clock
from app.domain.progress import Progress
from app.exchange import transcript
from app.exchange.exporting import Exporter
from app.exchange.format import Report
from app.exchange.importing import Importer
from app.services.background import BackgroundService
from app.store.conversations import Conversations
from app.store.vault import Vault


class TransferService:
    """Exports and imports one profile."""

    def __init__(
        self,
        vault: Vault,
        background: BackgroundService,
        profile_name: str,
        clock: Clock,
    ) -> None:
        self._vault = vault
        self._conversations = Conversations(vault)
        self._exporter = Exporter(vault, clock)
        self._importer = Importer(vault, clock)
        self._background = background
        self._name = profile_name

    def export(self, path: Path) -> Generator[Progress, None, Report]:
        """Write everything into one ZIP, whole or not at all."""
        report = yield from self._exporter.run(path, self._name)
        return report

    def import_file(self, path: Path) -> Generator[Progress, None, Report]:
        """Bring in an export, whole or not at all."""
        report = yield from self._importer.run(path)
        self._background.index_soon()
        return report

    def add_transcript(
        self, turns: Iterable[tuple[str, str, str, datetime, str]]
    ) -> dict[str, str]:
        """Store turns (id, session, speaker, time, text); return their ids by the vault's."""
        ids = transcript.store(
            self._vault, self._conversations, (transcript.Line(*turn) for turn in turns)
        )
        self._background.index_soon()
        return ids
