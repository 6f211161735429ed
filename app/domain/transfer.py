"""What came of an export or import."""

from dataclasses import dataclass, field

from app.domain.language.text import counted


@dataclass(frozen=True, slots=True)
class TransferReport:
    """What an export or import did.

    Attributes:
        counts: Rows by table.
        verified: Whether the signature held; None for exports.
        notes: Sentences on what was left out or changed.
    """

    path: str
    counts: dict[str, int]
    verified: bool | None = None
    notes: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = field(default=(), repr=False)
    conversation_ids: tuple[str, ...] = field(default=(), repr=False)

    def sentences(self) -> list[str]:
        """Return what a person reads."""
        memories, messages = self.counts.get("memories", 0), self.counts.get("messages", 0)
        talks = self.counts.get("conversations", 0)
        verb = "Exported" if self.verified is None else "Imported"
        first = (
            f"{verb} {counted(memories, 'memory')} and {counted(messages, 'message')}"
            f" in {counted(talks, 'conversation')}"
        )
        return [f"{first}.", *self.notes]
