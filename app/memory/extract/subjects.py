"""Who or what a clause is about: the person, somebody of theirs, an animal, or a thing."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from app.memory.extract.given_names import GIVEN_NAMES
from app.memory.extract.vocabulary import (
    FEMALE,
    LANGUAGES,
    MALE,
    NATIONALITIES,
    PEOPLE,
    PETS,
    UNIQUE_PEOPLE,
)
from app.memory.when.words import MONTHS, WEEKDAYS

_UPPER = "".join(c for c in map(chr, range(0x41, 0x530)) if c.isupper())
CAPITALISED = rf"[{_UPPER}][\w'-]*"
NAME = rf"{CAPITALISED}(?: {CAPITALISED}){{0,2}}"


class Kind(StrEnum):
    """What sort of subject it is."""

    SELF = "self"
    PERSON = "person"
    PET = "pet"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause.

    Attributes:
        text: As it is said, pronouns resolved: ``my sister Ruth``.
        noun: What they are to the person (``sister``), or what the thing is (``birthday``).
        name: Their name, where it was said.
    """

    kind: Kind
    text: str
    noun: str = ""
    name: str = ""

    @property
    def key_prefix(self) -> str | None:
        """How keys about it begin: empty for the person, None where it may be one of several."""
        if self.kind is Kind.SELF:
            return ""
        if self.name:
            return slug(self.name) + "_"
        if self.noun in UNIQUE_PEOPLE and " and " not in self.text:
            return slug(self.noun) + "_"
        return None


def slug(text: str) -> str:
    """Return ``text`` as part of a key: small letters, digits and underscores."""
    return re.sub(r"\W+", "_", text.lower().replace("'s", "")).strip("_")


def is_name(word: str, known: Collection[str] = ()) -> bool:
    """Return whether ``word`` is what somebody is called, not a place, month or language."""
    low = word.lower()
    if low in NATIONALITIES or low in LANGUAGES or low in MONTHS or low in WEEKDAYS:
        return False
    return low.split()[0] in GIVEN_NAMES or word in known


_KIN = "|".join(sorted(PEOPLE, key=len, reverse=True))
_PET = "|".join(sorted(PETS, key=len, reverse=True))
_NOT_NOUN = r"(?!(?:is|are|was|were|and|has|have|with|who|of|in|at|to|for|from|on)\b)"
_OWNED = re.compile(
    rf"(?P<whose>(?i:my|our|his|her|their|(?:my|our) [\w-]+'s)) (?P<adj>(?:{_NOT_NOUN}[\w-]+ "
    rf"){{0,3}}?)(?P<noun>(?i:{_KIN}|{_PET}))\b(?!['-])(?:(?:,| called|"
    rf" named)? (?P<name>{NAME})(?!'s)\b,?)?(?P<with> and (?:I\b|(?:my|her|his|their|"
    rf"our) (?:[\w-]+ ){{0,2}}?(?:{_KIN}|{_PET})\b(?: {NAME})?))?"
)
_INTRODUCED = re.compile(
    rf"\b(?i:a|an|one|my|our) (?P<adj>(?:{_NOT_NOUN}[\w-]+ ){{0,2}}?)(?P<noun>{_KIN}|{_PET})\b"
    rf"(?!['-])(?:(?:,| called| named|,? whose name is)? (?P<name>{NAME})(?!'s))?"
)
_NAMED = re.compile(rf"(?P<name>{CAPITALISED})(?!'s)\b(?P<with> and {CAPITALISED}\b)?")
_THING = re.compile(
    r"(?:my|our) (?P<noun>(?:[\w'-]+ ){0,5}?[\w'-]+)(?= (?:is|are|was|were|will|has|starts?|"
    r"leaves?|begins?|ends?|takes|runs|expires?|departs?|arrives?|got|turned|comes)\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"(?P<word>he|she|they)\b", re.IGNORECASE)
_PLURAL = re.compile(r"(?:s|children|twins|family|team)$")


def read_subject(
    clause: str, known: Collection[str], people: Collection[Subject]
) -> tuple[Subject, str] | None:
    """Split a clause into its subject and what is said of it.

    Args:
        clause: One clause, contractions written out.
        known: Names of people met before.
        people: Who was spoken of just before, for pronouns.
    """
    if found := re.match(r"(?:I|we)\b ?", clause, re.IGNORECASE):
        return Subject(Kind.SELF, found.group().strip()), clause[found.end() :]
    if found := _PRONOUN.match(clause):
        meant = _antecedent(found["word"].lower(), people)
        return (meant, clause[found.end() :].strip()) if meant else None
    if (found := _OWNED.match(clause)) and (owned := _owned(found, people)):
        return _with_small_name(owned, clause[found.end() :].strip(" ,"))
    if found := _NAMED.match(clause):
        names = [name for name in found.group().split(" and ") if name != "I"]
        if names and all(is_name(name, known) for name in names):
            name = "" if found["with"] else found["name"]
            return Subject(Kind.PERSON, found.group(), "", name), clause[found.end() :].strip()
    if found := _THING.match(clause):
        return Subject(Kind.THING, found.group(), found["noun"].lower()), clause[
            found.end() :
        ].strip()
    return None


def people_in(clause: str, known: Collection[str] = ()) -> list[Subject]:
    """Return the people and animals that a clause introduces or speaks of."""
    found = []
    for hit in _INTRODUCED.finditer(clause):
        name = hit["name"] if hit["name"] and not _is_common(hit["name"]) else ""
        noun = hit["noun"].lower()
        said = f"my {hit['adj'] or ''}{noun}" + (f" {name}" if name else "")
        found.append(Subject(_kind(noun), said, noun, name))
    return found


def owners_in(subject: Subject) -> list[Subject]:
    """Return whose thing it is: "my mother's name" speaks of "my mother"."""
    found = re.match(rf"(?:my|our) ({_KIN}|{_PET})'s ", subject.text, re.IGNORECASE)
    noun = found[1].lower() if found else ""
    return [Subject(_kind(noun), f"my {noun}", noun)] if noun else []


def _owned(found: re.Match[str], people: Collection[Subject]) -> Subject | None:
    whose, noun, name = found["whose"], found["noun"].lower(), found["name"] or ""
    text = found.group().strip(" ,")
    if whose.lower() in ("his", "her", "their"):
        owner = _antecedent({"his": "he", "her": "she", "their": "they"}[whose.lower()], people)
        if owner is None:
            return None
        return Subject(_kind(noun), f"{owner.name or owner.text}'s{text[len(whose) :]}", "", name)
    if name and (_is_common(name) or found["with"]):
        name = ""
    own = whose.lower() in ("my", "our") and not found["with"] and "ex" not in (found["adj"] or "")
    text = re.sub(rf",? {re.escape(name)}$", f" {name}", text) if name else text
    return Subject(_kind(noun), text, noun if own else "", name)


def _with_small_name(subject: Subject, rest: str) -> tuple[Subject, str]:
    """Read a name typed without its capital: "my sister ruth is a nurse"."""
    word, _, more = rest.partition(" ")
    if subject.name or not more or word not in GIVEN_NAMES:
        return subject, rest
    name = word.capitalize()
    return replace(subject, text=f"{subject.text} {name}", name=name), more


def _is_common(word: str) -> bool:
    low = word.lower()
    return not word[:1].isupper() or low in MONTHS or low in WEEKDAYS or low in NATIONALITIES


def _kind(noun: str) -> Kind:
    return Kind.PET if noun in PETS else Kind.PERSON


def _antecedent(pronoun: str, people: Collection[Subject]) -> Subject | None:
    """Return the one person a pronoun can mean, or None where there is none or a choice."""
    if pronoun == "they":
        fitting = {p for p in people if _PLURAL.search(p.noun) or " and " in p.text}
    else:
        other = MALE if pronoun == "she" else FEMALE
        fitting = {p for p in people if p.noun not in other and not _PLURAL.search(p.noun or "x")}
    return fitting.pop() if len(fitting) == 1 else None
