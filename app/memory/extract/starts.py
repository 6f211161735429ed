"""Tell whether words begin a clause: a subject with its verb."""

import re

from app.memory.extract.leads import straightened
from app.memory.extract.verbs import (
    AUXILIARIES,
    BOUND,
    OWNED,
    PRONOUNS,
    Form,
    finite_at,
    verb_of,
)
from app.memory.extract.vocabulary import listed
from app.memory.when.words import MONTHS, WEEKDAYS

_DETERMINERS = frozenset(
    listed(
        "my, our, his, her, their, the, a, an, both, one, two, three, four, five, six, some, many, "
        "most, all, every, each, your, no, its"
    )
)

_TASTES = re.compile(r"(?:taste|make|give|keep|get|need|cause|trigger|hurt|mean|sound|run)s")

ADVERBS = frozenset(
    listed(
        "also, still, just, now, always, never, usually, often, sometimes, only, mostly, mainly, "
        "really, actually, even, already, recently, finally, normally, rarely, no, longer, both, "
        "then, hardly, ever, currently, therefore, basically, all, probably, certainly"
    )
)

_EVERYONE = frozenset(listed("everyone, everybody, nobody, someone, somebody, people, those"))

_SUBORDINATE = frozenset(
    listed("when, if, because, although, though, while, unless, until, after, before, since")
)

_FIRST_DATE = (
    frozenset(
        listed(
            "in, on, at, every, each, last, next, since, this, tomorrow, yesterday, today, "
            "most, when, as, until, from, for, on, these, nowadays, once, twice, currently, "
            "during, "
            "after, before, ever, years"
        )
    )
    | set(WEEKDAYS)
    | set(MONTHS)
)


def has_verb(text: str) -> bool:
    """Return whether any word of a text can be a finite verb or ends like one."""
    for word in text.split():
        low = word.lower().strip(",")
        if low in AUXILIARIES or low.endswith(("ed", "ing")):
            return True
        verb = verb_of(low)
        if verb is not None and verb.finite:
            return True
    return False


def opens_clause(text: str, *, sure: bool = False) -> bool:
    """Return whether a text begins with a subject and its verb.

    Args:
        text: The words.
        sure: Whether to count only subjects that nothing but a clause begins with.
    """
    words = text.split()[:10]
    if len(words) < 2:
        return False
    first = words[0].lower()
    if first.rstrip("s") in _FIRST_DATE:  # once: two dates may take turns to stand first
        words = straightened(text).split()[:10]
        first = words[0].lower()
    if first in _SUBORDINATE:
        return False
    if first.strip(",") in ADVERBS and len(words) > 2:
        return opens_clause(" ".join(words[1:]), sure=sure)
    if first in PRONOUNS or words[0] == "I":
        if _verb_follows(words, 1, pronoun=True):
            return True
        return first in _EVERYONE and finite_at(words, 2, sure=True) is not None
    if first in _DETERMINERS or words[0][:1].isupper():
        start = 2 if first in _DETERMINERS else 1
        return finite_at(words, start, sure=first in OWNED or first not in _DETERMINERS) is not None
    if _bare_plural(words):
        return True
    if sure:
        return (
            not _is_auxiliary(words[0])
            and _is_auxiliary(words[1])
            and words[1].lower() not in ("do", "will", "can", "have")
        )
    return _early_auxiliary(words) or bool(_TASTES.fullmatch(words[1]))


def _bare_plural(words: list[str]) -> bool:
    """Return whether things do something: "calls never sound right", "long ones put him off"."""
    for at in (1, 2):
        if at + 1 >= len(words):
            return False
        noun, word = words[at - 1].lower(), words[at].lower()
        if not noun.endswith("s") or noun.endswith(("ss", "us", "is", "'s")) or not noun.isalpha():
            continue
        if word in _OFTEN:
            return True
        verb = verb_of(word)
        plain = verb is not None and Form.BASE in verb.forms and word not in _NO_VERB
        if plain and _OBJECT.match(words[at + 1]):
            return verb_of(noun) is None or noun in ("ones", "calls")
    return False


_OFTEN = frozenset(listed("never, always, usually, rarely, sometimes"))
_NO_VERB = frozenset(
    listed("like, back, in, on, at, to, for, with, from, love, work, rest, down, up")
)
_OBJECT = re.compile(r"(?:me|him|her|us|them|my|our|his|a|an|the)$", re.IGNORECASE)


def _verb_follows(words: list[str], at: int, *, pronoun: bool) -> bool:
    while at < len(words) - 1 and words[at].lower().strip(",") in ADVERBS:
        at += 1
    word = words[at].lower().strip(",")
    verb = verb_of(word)
    if word in AUXILIARIES or (verb is not None and verb.finite):
        return True
    return words[0] in ("I", "we", "We") and word.isalpha() and word not in BOUND


def _early_auxiliary(words: list[str]) -> bool:
    """Return whether a short bare subject is followed by its verb: "typing is slow"."""
    for at in range(1, min(4, len(words))):
        if words[at - 1].endswith(",") or words[at].lower() in PRONOUNS:
            return False
        if _is_auxiliary(words[at]) and words[at].lower() != "may":
            return True
    return False


def _is_auxiliary(word: str) -> bool:
    return word.lower().strip(",") in AUXILIARIES
