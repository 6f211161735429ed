"""What the vault lacks or holds though Loci did not do it, as it was noticed and is accepted."""

from collections.abc import Sequence

from app.domain.ids import to_ms
from app.domain.tampering import Finding
from app.store.vault import mark, tampering
from app.store.vault.file import Vault
from app.store.vault.mark import Lost


class Integrity:
    """The losses and findings of one vault; each question raises ``VaultCorrupt`` of a damaged one.

    They are found by ``vault/mark.py`` and ``vault/tampering.py``.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def lost(self) -> Lost | None:
        """Return which commits are missing and were not accepted."""
        with self._vault.read() as connection:
            return mark.lost(connection)

    def accept_loss(self) -> None:
        """Take it that what is missing is gone."""
        with self._vault.write() as connection:
            mark.accept(connection)

    def known(self) -> Sequence[Finding]:
        """Return what was changed by something else, as far as it was noticed; cheap."""
        with self._vault.read() as connection:
            return tampering.recalled(connection)

    def examine(self) -> Sequence[Finding]:
        """Examine every memory and its history, and return as ``known``."""
        with self._vault.read() as connection:
            return tampering.examine(connection, self._vault.chain)

    def keep(self, found: Sequence[Finding]) -> None:
        """Keep what an examination found."""
        with self._vault.write() as connection:
            tampering.keep(connection, found, to_ms(self._vault.clock()))

    def accept(self) -> None:
        """Take everything as it is now for right."""
        with self._vault.write() as connection:
            tampering.accept(connection, self._vault.chain, to_ms(self._vault.clock()))
