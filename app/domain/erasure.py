"""What an erasure would remove, and the proof that it did."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.domain.changes import Changes

MOST_AT_ONCE = 100  # memories that are erased together


@dataclass(frozen=True, slots=True)
class Copy:
    """One place where the text lies.

    Attributes:
        key: What a ticked copy is named by, such as ``message:ID``.
        kind: ``memory``, ``another``, ``evidence``, ``answer``, ``message``, ``document``,
            ``title``, ``draft``, ``trace``, ``journal``, ``backup``, ``export``, ``file``, ``key``,
            ``fixed``.
        label: What the person reads.
        ticked: Whether it is ticked to begin with.
        required: Whether it cannot be unticked.
        bytes: Size, for files.
        follows: Keys of other copies; it goes exactly where one of them does, and is not ticked by
            itself.
        why: Why it is listed, where it is none of the rows that were asked to go, such as ``says
            the same``.
        fixed: Whether Loci cannot erase it, so that it is only told.
    """

    key: str
    kind: str
    label: str
    ticked: bool = True
    required: bool = False
    bytes: int = 0
    follows: frozenset[str] = frozenset()
    why: str = ""
    fixed: bool = False

    @property
    def line(self) -> str:
        """What it is and why it is listed, on one line."""
        return f"{self.label} ({self.why})" if self.why else self.label


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything an erasure concerns, before anything is touched."""

    title: str
    copies: Sequence[Copy]


@dataclass(frozen=True, slots=True)
class Proof:
    """What was done, and what the decrypting scan found.

    Attributes:
        removed: One line for each thing that is gone.
        scanned_bytes: How much was decrypted and searched.
        found_before: Copies of the text that the scan saw before (it must see a live one).
        found_after: Copies left; 0 is the proof.
        remaining: Sentences on what lies outside our reach (exports, file system snapshots).
        left: One line for each place that still holds or says it, and why it was left.
        changes: What views have to refresh.
        owed: What is still to be done, and why, in a sentence; it will be done by itself.
    """

    removed: Sequence[str]
    scanned_bytes: int = 0
    found_before: int = 0
    found_after: int = 0
    remaining: Sequence[str] = ()
    changes: Changes = field(default_factory=Changes)
    left: Sequence[str] = ()
    owed: str = ""

    @property
    def good(self) -> bool:
        """Whether all of it is gone."""
        return not (self.found_after or self.owed)
