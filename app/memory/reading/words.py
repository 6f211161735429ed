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
    not_any_more: frozenset[str]
    now: frozenset[str]
    remembering: tuple[str, ...]
    past_endings: frozenset[str]


@cache
def words() -> Words:
    """Return the words."""
    told = tomllib.loads(resource("reading/words.toml").read_text("utf-8"))
    phrases = _spelled(told.pop("remembering")).replace("\n", "|").split("|")
    ways = tuple(phrase.strip() for phrase in phrases if phrase.strip())
    sets = {name: frozenset(_spelled(text).split()) for name, text in told.items()}
    return Words(**sets, remembering=ways)


def _spelled(text: str) -> str:
    """Return words with either apostrophe."""
    return f"{text}\n" + text.replace("'", "’")
