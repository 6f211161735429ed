"""What a mutation touched, so that every view can decide whether to refresh."""

from dataclasses import dataclass, field, fields
from typing import Self


@dataclass(frozen=True, slots=True)
class Changes:
    """The outcome of one committed mutation.

    Attributes:
        memories: Ids of memories added, edited or removed.
        conversations: Ids of conversations that gained, lost or changed messages or titles.
        batches: Journal batches that were written (what "Undo" may undo).
        settings: Keys of settings that changed.
        jobs: Whether the queue of background jobs changed.
        models: Whether the list of models or the choice among them changed.
        profile: Whether the open profile itself was replaced, renamed or emptied.
        said: What the person should know about it, in whole sentences.
        everything: Whether anything may be gone, so that every list has to be read anew.
    """

    memories: frozenset[str] = field(default_factory=frozenset)
    conversations: frozenset[str] = field(default_factory=frozenset)
    batches: frozenset[str] = field(default_factory=frozenset)
    settings: frozenset[str] = field(default_factory=frozenset)
    jobs: bool = False
    models: bool = False
    profile: bool = False
    said: frozenset[str] = field(default_factory=frozenset)
    everything: bool = False

    def __or__(self, other: Self) -> "Changes":
        return Changes(
            **{f.name: getattr(self, f.name) | getattr(other, f.name) for f in fields(Changes)}
        )

    def __bool__(self) -> bool:
        return any(getattr(self, f.name) for f in fields(self))
