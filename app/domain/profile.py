"""A profile: one person's vault."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

OLDER_COPIES = (
    "Older copies of the profile's folder still open with what opened them before: delete those"
    " that you do not need."
)


class SlotKind(StrEnum):
    """A way in to the vault."""

    KEYRING = "keyring"
    PASSPHRASE = "passphrase"
    RECOVERY = "recovery"
    KEY_FILE = "key_file"


@dataclass(frozen=True, slots=True)
class Profile:
    """One vault on this computer.

    Attributes:
        slug: The name of its folder; never changes.
        name: What the person calls it.
        slots: The ways in.
        bytes: Size of the vault with its write-ahead log.
    """

    slug: str
    name: str
    slots: tuple[SlotKind, ...] = ()
    bytes: int = 0
    created_at: datetime | None = None
