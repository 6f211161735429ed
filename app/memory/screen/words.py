"""Everything about a memory that is made of words, as the screen reads it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ScreenedWords:
    """The words of one memory.

    Attributes:
        quotes: What it rests on.
        names: The entities it mentions.
        around: What was said around it; a secret that is named there is one in the memory as well.
    """

    text: str
    quotes: tuple[str, ...] = ()
    value: Any = None
    key: str | None = None
    tags: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    around: str = ""
