"""Whether the person has restricted the processing of what is remembered (Article 18 of the GDPR).

A memory says so: its beginning and end are journalled, undone and exported like everything else.
It is of system trust, so that nothing thins it out. Whoever is about to process asks here first,
and where the vault does not answer, nothing is processed.
"""

from app.errors import Refused
from app.store.vault.file import Vault

KEY = "_gdpr_processing_restricted"
RESTRICTED = (
    "Processing is restricted, so nothing is answered, recalled or learned. You can lift that in"
    " Settings under “Your data”, or with “loci restrict off”."
)


class Restriction:
    """The restriction of one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    @property
    def is_on(self) -> bool:
        """Whether processing is restricted."""
        found = self._vault.row(
            "SELECT 1 FROM memories WHERE key = ? AND key IS NOT NULL AND status = 'active'"
            " AND visibility = 'global'",
            (KEY,),
        )
        return found is not None

    def expect_none(self) -> None:
        """Go on only where processing is not restricted.

        Raises:
            Refused: It is.
        """
        if self.is_on:
            raise Refused(RESTRICTED)
