"""What was changed in a vault by something else than Loci."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Sign(StrEnum):
    """What gives it away."""

    EDITED = "edited"
    FORGED = "forged"
    REMOVED = "removed"
    RETURNED = "returned"
    UNCHAINED = "unchained"
    OTHER = "other"
    UNKNOWN = "unknown"


class TamperingKind(StrEnum):
    """What it concerns."""

    MEMORY = "memory"
    ENTRY = "entry"
    VAULT = "vault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not fit what Loci itself did.

    Attributes:
        sign: A row was edited, written or removed, or an earlier state of it was put back; or the
            chain is gone; or another copy of the vault lies in its place, or that cannot be told
            because the mark beside the vault is missing or unreadable.
        kind: A memory, an entry of a memory's history, or the vault.
        memory_id: The memory, where it is known.
        fields: What of it was changed, in words for people.
        since: When all was still as Loci left it; None where that is not known.
    """

    sign: Sign
    kind: TamperingKind
    since: datetime | None
    memory_id: str = ""
    fields: tuple[str, ...] = ()
