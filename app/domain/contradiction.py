"""Two memories that can hardly both be true, and what the person decides about them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.domain.memory import Memory


class Clash(StrEnum):
    """How two memories contradict each other.

    ``KEY``: they give one key different values. ``SLOT``: they fill the same place in a sentence
    differently. ``CLOSING``: one says that the other is over.
    """

    KEY = "key"
    SLOT = "slot"
    CLOSING = "closing"


class Settlement(StrEnum):
    """What was decided; ``GONE`` decided itself, because they agree or one is not in use."""

    KEEP_BOTH = "keep_both"
    KEEP_OLDER = "keep_older"
    KEEP_NEWER = "keep_newer"
    EDIT = "edit"
    MERGE = "merge"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two memories that wait for the person.

    Attributes:
        older, newer: By when they were learnt; both stay in use until the person decides, unless
            the newer one waits because the older one is pinned or trusted more.
        found_at: When it was noticed.
    """

    id: str
    older: Memory
    newer: Memory
    kind: Clash
    found_at: datetime
