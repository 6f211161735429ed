"""A person, place or thing that memories mention by name."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """One named thing.

    Attributes:
        name: As it was spelled first.
        also: Other names that the person said mean the same.
        mentions: How many memories mention it, under any of these names.
    """

    id: str
    name: str
    also: Sequence[str]
    mentions: int
