"""Who or what a clause is about: the person, somebody of theirs, an animal, or a thing."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from app.memory.extract import lives
from app.memory.extract.common_words import is_common
from app.memory.extract.given_names import GIVEN_NAMES
from app.memory.extract.verbs import Form, finite_at, verb_of
from app.memory.extract.vocabulary import (
    ATTRIBUTES,
    FEMALE,
    KIN_NAMES,
    LANGUAGES,
    MALE,
    NATIONALITIES,
    OCCASIONS,
    PEOPLE,
    PETS,
    UNIQUE_PEOPLE,
    listed,
)
from app.memory.when.words import MONTHS, WEEKDAYS, any_of

_UPPER = "".join(c for c in map(chr, range(0x41, 0x530)) if c.isupper())
CAPITALISED = rf"[{_UPPER}][\w'-]*"
NAME = rf"{CAPITALISED}(?: {CAPITALISED}){{0,2}}"


OURS = "ours"  # the noun of what is only called "mine" or "ours"


class Kind(StrEnum):
    """What sort of subject it is."""

    SELF = "self"
    PERSON = "person"
    PET = "pet"
    THING = "thing"
    HOUSEHOLD = "household"


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


KIN = "|".join(sorted(PEOPLE, key=len, reverse=True))
PET = "|".join(sorted(PETS, key=len, reverse=True))
NOT_NOUN = (
    r"(?!(?:is|are|was|were|and|has|have|with|who|of|in|at|to|for|from|on)\b|"
    r"(?:password|package|file|task|window) manager|gran(?:ny|dad) (?:flat|annexe))"
)
_OWNED = re.compile(
    rf"(?P<whose>(?i:my|our|his|her|their|(?:my|our) [\w-]+'s)) (?P<adj>(?:{NOT_NOUN}[\w-]+ "
    rf"){{0,3}}?)(?P<noun>(?i:{KIN}|{PET}))\b(?!['-])(?:(?:,| called|"
    rf" named)? (?P<name>{NAME})(?!'s)\b,?)?(?P<with> and (?:I\b|(?:my|her|his|their|"
    rf"our) (?:[\w-]+ ){{0,2}}?(?:{KIN}|{PET})\b(?: {NAME})?))?"
)
FEATURES = re.compile(
    r"^(?:[\w-]+ ){0,3}(?:code|pin|password|combination|alarm|number|key|wifi|wi-fi|allotment|plot)"
    r"(?: (?:for|to|of|at) .+)?$",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"(?P<name>{CAPITALISED})(?!'s)\b(?P<with> and {CAPITALISED}\b)?")
_TITLED = re.compile(
    rf"(?P<title>(?i:aunt|auntie|aunty|uncle|grandma|grandpa|granny|gran|nana|grandad|granddad|"
    rf"mr|mrs|ms|"
    rf"miss|dr|prof|professor|father|coach|cousin))\.? (?P<name>{CAPITALISED}(?: "
    rf"{CAPITALISED})?)(?!'s)"
)
_TITLES = any_of(KIN_NAMES)
_KIN_NAME = re.compile(rf"(?P<noun>{_TITLES})\b(?!')(?=,? \w)", re.IGNORECASE)
_APPOSED = re.compile(
    rf"^(?P<name>{CAPITALISED}), (?P<whose>(?i:my|our) (?:[\w-]+ ){{0,2}}?(?i:{KIN}|{PET})),? "
    rf"(?=\w)"
)
_IS_MY = re.compile(
    rf"(?P<name>(?!(?:this|that|it|he|she|who|what|here|there|which|one|mine|yours|"
    rf"and)\b)[^\W\d_][\w'-]+"
    rf"(?: {CAPITALISED})?) (?=(?:is|was) (?:my|our) (?:[\w-]+ ){{0,2}}?(?:{KIN}|{PET})\b)",
    re.IGNORECASE,
)
_WITH_US = re.compile(
    r"(?:(?:is|are) (?:also )?(?:coming|staying|living|travelling|moving|visiting|going)\b[^,"
    r"]*\b(?:with|at) |"
    r"(?:live|stay|work)s? with |visits? |(?:is|are) visiting )(?:me|us|ours|mine)\b|"
    r"(?:is|starts|goes) (?:in|into|to) (?:(?:year|grade|form|class|primary|p) ?\d|reception|"
    r"nursery|preschool|"
    r"kindergarten)\b|is teething\b"
)
_OF_SOMEBODY = re.compile(
    rf"(?P<whose>(?:{_TITLES}|{CAPITALISED}))'s (?P<noun>(?i:{any_of(ATTRIBUTES | OCCASIONS)}|"
    rf"\d\dth|name))"
    r"(?= (?:is|are|was|will|has|starts?|expires?|falls)\b)"
)
_THE = re.compile(
    rf"the (?P<noun>{any_of((PEOPLE - UNIQUE_PEOPLE) | PETS)}|in-laws|wee one|little one)\b(?!['-])"
    rf"(?:, (?P<name>(?-i:{CAPITALISED}(?: and {CAPITALISED})?)),)?",
    re.IGNORECASE,
)
_AMONG_US = re.compile(
    r"(?:(?:nobody|no one|everyone|everybody|each of us|all of us|most of us|none of us|half of "
    r"us) in (?:our|my) "
    r"(?:family|house|household|home)|(?:all|both|none|most|two|three|four) of us|the whole "
    r"family|the (?:two|three|"
    r"four|five) of us)\b",
    re.IGNORECASE,
)
_OF_MINE = re.compile(
    rf"(?P<whose>(?:an? |one |some )?(?:\w+ )?(?P<noun>{KIN}) of (?:mine|ours))(?:,? "
    rf"(?P<name>(?-i:{CAPITALISED})))?,?",
    re.IGNORECASE,
)
# Whoever says "the little one" has one.
_CHILDREN = frozenset(("little one", "wee one", "twins", "grandkids", "grandchildren"))
_THE_OWN = re.compile(r"the (?P<noun>wife|husband|missus|hubby|girlfriend|boyfriend|fianc[eé]e?|"
                      r"mother-in-law|"
                      r"father-in-law|boss|other half|ex)\b(?!['-])", re.IGNORECASE)  # fmt: skip
_OUR_NAME = re.compile(
    rf"(?i:our|my) (?P<name>{CAPITALISED})(?!'s)(?= (?:turns|turned|has|will|starts|started|is|"
    rf"was|loves|hates|goes|"
    r"plays|gets|got|broke|lost|moved|works|lives|does|needs|wants)\b)"
)
_PLACES = re.compile(r"^(?:my|our|the|this|these|those)$", re.IGNORECASE)
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
    clause = _APPOSED.sub(r"\g<whose> \g<name> ", clause)
    if found := _WITH_ME.match(clause):
        return Subject(Kind.SELF, found.group().strip()), clause[found.end() :]
    if found := re.match(r"(?:I|we)\b ?", clause, re.IGNORECASE):
        return Subject(Kind.SELF, found.group().strip()), clause[found.end() :]
    if found := _PRONOUN.match(clause):
        meant = antecedent(found["word"].lower(), people)
        return (meant, clause[found.end() :].strip()) if meant else None
    if (found := _OWNED.match(clause)) and (owned := _owned(found, people)):
        return _with_small_name(owned, clause[found.end() :].strip(" ,"))
    if found := _NAMED.match(clause):
        names = [name for name in found.group().split(" and ") if name != "I"]
        if names and all(is_name(name, known) for name in names):
            name = "" if found["with"] else found["name"]
            return Subject(Kind.PERSON, found.group(), "", name), clause[found.end() :].strip()
    if found := re.match(r"(?:mine|ours) (?=is\b|are\b|has\b)", clause, re.IGNORECASE):
        return Subject(Kind.THING, found.group().strip(), OURS), clause[found.end() :]
    return _somebody(clause) or _thing(clause)


def _somebody(clause: str) -> tuple[Subject, str] | None:
    """Read "Aunt Philippa …", "Papa …", "Mireille is my landlady", "the kids …"."""
    if found := _TITLED.match(clause):
        subject = Subject(Kind.PERSON, found.group(), "", found["name"])
    elif (found := _KIN_NAME.match(clause)) and finite_at(clause.split()[:6], 1, sure=True):
        noun = found["noun"].lower()
        subject = Subject(Kind.PERSON, f"my {found['noun']}", noun)
    elif found := _IS_MY.match(clause):
        name = found["name"].strip()
        name = name if name[:1].isupper() else name.capitalize()
        subject = Subject(Kind.PERSON, name, "", name)
    elif (found := _NAMED.match(clause)) and _WITH_US.match(clause[found.end() :].strip()):
        subject = Subject(Kind.PERSON, found["name"], "", found["name"])
    elif found := _OF_MINE.match(clause):
        name = found["name"] or ""
        said = f"{found['whose']} {name}".strip()
        subject = Subject(Kind.PERSON, said, found["noun"].lower(), name)
    elif found := _THE_OWN.match(clause):
        noun = found["noun"].lower()
        subject = Subject(Kind.PERSON, f"my {noun}", noun)
    elif (found := _OUR_NAME.match(clause)) and (
        is_name(found["name"]) or re.match(r" turn(?:s|ed) ", clause[found.end() :])
    ):
        subject = Subject(Kind.PERSON, found.group(), "", found["name"])
    elif found := _AMONG_US.match(clause):
        subject = Subject(Kind.PERSON, found.group(), "family")
    elif found := _THE.match(clause):
        noun, name = found["noun"].lower(), found["name"] or ""
        one_pet = noun in PETS and not noun.endswith("s")
        own = name or noun in _CHILDREN
        kind = Kind.PET if one_pet else Kind.PERSON if own else Kind.HOUSEHOLD
        subject = Subject(kind, found.group().strip(" ,"), noun, name)
    elif found := _OF_SOMEBODY.match(clause):
        subject = Subject(Kind.THING, found.group(), f"{found['whose']}'s {found['noun']}".lower())
    else:
        return None
    return subject, clause[found.end() :].strip(" ,")


def _thing(clause: str) -> tuple[Subject, str] | None:
    """Read what belongs to them, "my shift at the bakery …", and "the bins …"."""
    words = clause.split()
    if len(words) < 3:
        return None
    if not _PLACES.match(words[0]):
        return _unowned(clause, words)
    at = finite_at(words[:10], 2, sure=True)
    if at is None:
        return None
    own = words[0].lower() in ("my", "our")
    kind = Kind.THING if own or FEATURES.search(" ".join(words[1:at])) else Kind.HOUSEHOLD
    text = " ".join(words[:at])
    if at > 2 and all(word[:1].isupper() for word in words[1:3]):  # "My Fair Lady"
        return None
    return Subject(kind, text, " ".join(words[1:at]).lower()), " ".join(words[at:])


def _unowned(clause: str, words: list[str]) -> tuple[Subject, str] | None:
    """Read "transfer is on 3 June" and "heating is by stove only in our place"."""
    at = finite_at(words[:8], 1, sure=False)
    if at is None or words[0].lower() in ("i", "you", "it", "there", "that", "this", "what", "who"):
        return None
    text = " ".join(words[:at])
    if not (lives.EXPECTED.search(text) and at < 4) and not lives.AT_HOME.search(clause):
        return None
    return Subject(Kind.HOUSEHOLD, text, text.lower()), " ".join(words[at:])


_WITH_ME = re.compile(
    rf"(?:(?:my|our) [\w -]{{2,25}}?|(?i:the (?:wife|husband|missus|kids|boys|girls))|"
    rf"{CAPITALISED}|[a-z]+) and I\b ?"
)


def _owned(found: re.Match[str], people: Collection[Subject]) -> Subject | None:
    whose, noun, name = found["whose"], found["noun"].lower(), found["name"] or ""
    text = found.group().strip(" ,")
    if whose.lower() in ("his", "her", "their"):
        owner = antecedent({"his": "he", "her": "she", "their": "they"}[whose.lower()], people)
        if owner is None:
            return None
        return Subject(kind_of(noun), f"{owner.name or owner.text}'s{text[len(whose) :]}", "", name)
    if name and (is_common(name) or found["with"]):
        name = ""
    own = whose.lower() in ("my", "our") and not found["with"] and "ex" not in (found["adj"] or "")
    text = re.sub(rf",? {re.escape(name)}$", f" {name}", text) if name else text
    return Subject(kind_of(noun), text, noun if own else "", name)


def _with_small_name(subject: Subject, rest: str) -> tuple[Subject, str]:
    """Read a name typed without its capital: "my sister ruth is a nurse"."""
    word, _, more = rest.partition(" ")
    if subject.name or not more or not word.isalpha() or not word.islower():
        return subject, rest
    if word not in GIVEN_NAMES and not _stands_for_a_name(word, more, subject):
        return subject, rest
    name = word.capitalize()
    return replace(subject, text=f"{subject.text} {name}", name=name), more


def _stands_for_a_name(word: str, more: str, subject: Subject) -> bool:
    """Return whether an unknown word between "my sister" and a verb can only be her name."""
    if subject.noun not in MALE | FEMALE | _NAMEABLE or len(word) < 3 or word in _BETWEEN:
        return False
    if verb_of(word) is not None or word.endswith(("ly", "ing", "ed", "'s")):
        return False
    following = more.split()[0].lower().strip(",")
    verb = verb_of(following)
    return following in _FINITE or (verb is not None and bool(verb.forms & {Form.THIRD, Form.PAST}))


_NAMEABLE = frozenset(
    listed(
        "partner, cousin, neighbour, neighbor, flatmate, roommate, housemate, boss, colleague, "
        "friend, mate, manager, godson, goddaughter, fiance, fiancee"
    )
)
_FINITE = frozenset(("is", "was", "has", "had", "does", "did", "will", "cannot", "can"))
_BETWEEN = frozenset(
    listed(
        "and, also, just, still, never, always, often, now, then, who, that, which, of, in, at, "
        "on, to, from, "
        "with, for, not, only, both, once, soon, here, there, already, even, really, sometimes, "
        "usually, too, "
        "there, group, school, job, house, friend, side, team, today, yesterday, tomorrow, "
        "tonight, again, flat, annexe, house, dog, cat, food, bed, car, phone, room, knot"
    )
)


def kind_of(noun: str) -> Kind:
    """Return whether a noun is a person's or an animal's."""
    return Kind.PET if noun in PETS else Kind.PERSON


def antecedent(pronoun: str, people: Collection[Subject]) -> Subject | None:
    """Return the one person a pronoun can mean, or None where there is none or a choice."""
    if pronoun == "they":
        fitting = {p for p in people if _PLURAL.search(p.noun) or " and " in p.text}
    else:
        other = MALE if pronoun == "she" else FEMALE
        fitting = {p for p in people if p.noun not in other and not _PLURAL.search(p.noun or "x")}
    return fitting.pop() if len(fitting) == 1 else None


_INTRODUCED = re.compile(
    rf"\b(?i:a|an|one|my|our) (?P<adj>(?:{NOT_NOUN}[\w-]+ ){{0,2}}?)(?P<noun>{KIN}|{PET})\b"
    rf"(?!['-])(?:(?:,| called| named|,? whose name is)? (?P<name>{NAME})(?!'s))?"
)

_POSSESSOR = re.compile(rf"\b(?:my|our) (?P<noun>{KIN}|{PET})'s (?=\w)", re.IGNORECASE)


def people_in(clause: str, known: Collection[str] = ()) -> list[Subject]:
    """Return the people and animals that a clause introduces or speaks of."""
    found = []
    for hit in _POSSESSOR.finditer(clause):
        noun = hit["noun"].lower()
        found.append(Subject(kind_of(noun), f"my {noun}", noun))
    for hit in _INTRODUCED.finditer(clause):
        name = hit["name"] if hit["name"] and not is_common(hit["name"]) else ""
        noun = hit["noun"].lower()
        said = f"my {hit['adj'] or ''}{noun}" + (f" {name}" if name else "")
        found.append(Subject(kind_of(noun), said, noun, name))
    return found


def owners_in(subject: Subject) -> list[Subject]:
    """Return whose thing it is: "my mother's name" speaks of "my mother"."""
    found = re.match(rf"(?:my|our) ({KIN}|{PET})'s ", subject.text, re.IGNORECASE)
    noun = found[1].lower() if found else ""
    return [Subject(kind_of(noun), f"my {noun}", noun)] if noun else []
