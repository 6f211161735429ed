"""The words that what was read is put in order with, from ``resources/reading/words.toml``."""

import tomllib
from dataclasses import dataclass
from functools import cache

from app.assets import resource


@dataclass(frozen=True, slots=True)
class Words:
    """Words by what they do; all in small letters."""

    pronouns: frozenset[str]
    owning: frozenset[str]
    not_owned: frozenset[str]
    leads: frozenset[str]
    joining: frozenset[str]
    subjects: frozenset[str]
    dangling: frozenset[str]
    past: frozenset[str]
    past_endings: frozenset[str]


@cache
def words() -> Words:
    """Return the words."""
    told = tomllib.loads(resource("reading/words.toml").read_text("utf-8"))
    return Words(**{name: frozenset(_spelled(text).split()) for name, text in told.items()})


def _spelled(text: str) -> str:
    """Return words with either apostrophe."""
    return text + text.replace("'", "’")
