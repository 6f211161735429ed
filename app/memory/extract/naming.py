"""Which words are names, and which of them a memory's own text mentions."""

import re

from app.memory.extract.given_names import GIVEN_NAMES
from app.memory.extract.vocabulary import LANGUAGES, NATIONALITIES
from app.memory.when.words import MONTHS, WEEKDAYS

_UPPER = "".join(c for c in map(chr, range(0x41, 0x530)) if c.isupper())
CAPITALISED = rf"[{_UPPER}][\w'-]*"
NOT_ENTITIES = frozenset(MONTHS) | frozenset(WEEKDAYS) | LANGUAGES | NATIONALITIES | {
    "i", "you", "your", "the", "a", "reminder", "one", "two", "three", "loci",
}  # fmt: skip
_TO_THE_PERSON = re.compile(r"\byour?\b", re.IGNORECASE)
_RUN = re.compile(rf"{CAPITALISED}(?: {CAPITALISED})*")


def is_name(word: str) -> bool:
    """Return whether a word is what somebody is called, not a place, month or language."""
    low = word.lower()
    if low in NATIONALITIES or low in LANGUAGES or low in MONTHS or low in WEEKDAYS:
        return False
    return low.split()[0] in GIVEN_NAMES


def entities(text: str, name: str = "") -> tuple[str, ...]:
    """Return the names in a memory's text; "user" stands for the person it speaks to."""
    found = ["user"] if _TO_THE_PERSON.search(text) else []
    found += [name] if name else []
    for hit in _RUN.finditer(text):
        words = hit.group().split()
        while words and words[0].lower() in NOT_ENTITIES:
            words = words[1:]
        first = hit.start() == 0 and len(words) == len(hit.group().split())
        whole = " ".join(words).removesuffix("'s")
        if (
            not words
            or len(whole) < 2
            or words[0].lower() in NOT_ENTITIES
            or (first and not is_name(words[0]))
        ):
            continue
        found.append(whole)
    return tuple(dict.fromkeys(found))
