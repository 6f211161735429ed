"""Who is met in a sentence: people and animals that it names or speaks of in passing."""

import re
from collections.abc import Collection

from app.memory.extract.common_words import COMMON, is_common
from app.memory.extract.subjects import (
    CAPITALISED,
    KIN,
    NOT_NOUN,
    PET,
    Kind,
    Subject,
    antecedent,
    kind_of,
)

_MET = re.compile(
    rf"\b(?P<whose>(?i:my|our)) (?P<adj>(?:{NOT_NOUN}[A-Za-z-]+ ){{0,2}}?)(?P<noun>(?i:{KIN}|"
    rf"{PET}))\b,? "
    rf"(?:called |named )?(?P<name>(?:(?:Mr|Mrs|Ms|Dr|Frau|Herr|Madame|Monsieur|Señora?|"
    rf"Signora?)\.? )?{CAPITALISED}(?: and (?!I\b)"
    rf"{CAPITALISED})?)(?!'s)\b"
)

_THAT_IS = re.compile(
    rf"\b(?P<name>{CAPITALISED}),? (?:(?:that|this|who|he|she) is) (?P<whose>(?:my|our) "
    rf"(?:[\w-]+ ){{0,2}}?"
    rf"(?:{KIN}|{PET}))\b"
)


def introduced(sentence: str) -> Subject | None:
    """Return somebody of theirs whom a sentence names in passing: "my late husband Gordon"."""
    if found := _THAT_IS.search(sentence):
        return Subject(
            Kind.PERSON, found["whose"], found["whose"].split()[-1].lower(), found["name"]
        )
    met = list(_MET.finditer(sentence))
    found = met[0] if len(met) == 1 else None
    if found is None or is_common(found["name"]) or found["name"].lower() in COMMON:
        return None
    noun, name = found["noun"].lower(), found["name"].removesuffix("'s")
    return Subject(kind_of(noun), f"my {found['adj'] or ''}{noun}", noun, name)


def pronouns_named(predicate: str, people: Collection[Subject]) -> str | None:
    """Return what is said with "him" and "their" replaced by whom they mean, or None."""

    def named(said: re.Match[str]) -> str:
        low = said.group().lower()
        owned = low in ("his", "their") or (
            low == "her"
            and said.string[said.end() :].strip()[:1].isalpha()
            and not _NO_NOUN.match(said.string[said.end() :].strip())
        )
        meant = antecedent({"his": "he", "him": "he", "her": "she"}.get(low, "they"), people)
        if meant is None:
            raise LookupError
        return f"{meant.text}'s" if owned else meant.text

    try:
        return _OBJECT.sub(named, predicate)
    except LookupError:
        return None


_OBJECT = re.compile(r"\b(?:him|her|his|them|their)\b", re.IGNORECASE)

_NO_NOUN = re.compile(
    r"(?:every|each|on|in|at|to|and|with|for|once|twice|daily|weekly|about)\b", re.IGNORECASE
)
