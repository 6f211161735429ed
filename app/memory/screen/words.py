"""Everything about a memory that is made of words, as the screen reads it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one memory.

    Attributes:
        quotes: What it rests on.
        names: The entities it mentions.
    """

    text: str
    quotes: tuple[str, ...] = ()
    value: Any = None
    key: str | None = None
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
