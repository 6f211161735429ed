"""A backup: an encrypted copy of a vault."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Backup:
    """One copy of a vault.

    Attributes:
        path: The file.
        made_at: When it was made.
        bytes: How big it is.
        unchecked: Why what opens it could not be checked when it was made, in a sentence.
    """

    path: Path
    made_at: datetime
    bytes: int
    unchecked: str = ""
