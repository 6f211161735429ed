"""What is done of a vault's own accord before anybody uses it.

One that an older version left is sealed, and then it shows whether it is the one that was here
last.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from app.domain.ids import Clock, to_ms
from app.domain.jobs.progress import Progress
from app.errors import VaultCorrupt
from app.store.vault import chain, mark, sealing, tampering
from app.store.vault.chain import Chain
from app.store.vault.connection import Connection, plain_errors
from app.store.vault.mark import Mark, MarkContent


@dataclass(frozen=True, slots=True)
class Settling:
    """The first moments of an open vault.

    Attributes:
        writer: Its writing connection.
        path: Its file.
        key: Its key.
        clock: The present.
        links: Its chain.
        counted: The mark beside it, to be written.
    """

    writer: Connection
    path: Path
    key: bytes
    clock: Clock
    links: Chain
    counted: Mark

    def steps(self) -> Generator[Progress, None, None]:
        """Seal page by page what never was; then look whether it fits its mark.

        It may be stopped at every step, and goes on there the next time. A damaged vault is left to
        the doctor.
        """
        with suppress(VaultCorrupt), plain_errors(self.path):
            while not chain.head(self.writer) and (progress := self._sealed_page()):
                yield progress
            kept = self._kept()
            behind = mark.is_behind(self.writer, kept)
            if behind or not tampering.is_same(self.writer, kept) or tampering.is_bent(self.writer):
                self._notice()

    def _sealed_page(self) -> Progress | None:
        """Seal one page; return how far it is, or None where nothing is being sealed."""
        progress = None
        with self._writing():
            kept = self._kept()
            if sealing.is_under_way(self.writer, self.links, kept):
                if kept is None:
                    mark.begin(self._marked, self.key)
                progress = sealing.advance(self.writer, self.links, to_ms(self.clock()))
            if chain.head(self.writer):  # until then the mark names nothing
                self.counted.count(self.writer, None)
        return progress

    def _notice(self) -> None:
        """Keep in the vault that it is not the one that was here last, or not as that was."""
        with self._writing():
            kept = self._kept()
            lost = mark.is_behind(self.writer, kept)
            tampering.notice(self.writer, kept, lost=lost)
            mark.notice(self.writer, kept)
            self.counted.count(self.writer, None)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self.writer.execute("BEGIN IMMEDIATE")
        try:
            self.counted.begin(self.writer)
            yield
            self.writer.execute("COMMIT")
            self.counted.keep()
        finally:
            if self.writer.in_transaction:
                self.writer.execute("ROLLBACK")

    def _kept(self) -> MarkContent | None:
        return mark.read(self._marked, self.key)

    @property
    def _marked(self) -> Path:
        return self.path.with_suffix(".mark")
