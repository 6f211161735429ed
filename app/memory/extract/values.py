"""Read the value of a fact out of the words around it: a place, an employer, a trade, a name."""

import re

from app.memory.extract.subjects import CAPITALISED, is_name
from app.memory.extract.vocabulary import (
    COUNTRIES,
    JOB_ENDINGS,
    JOB_TITLES,
    LANGUAGES,
    NATIONALITIES,
    NOT_JOBS,
    listed,
)
from app.memory.when.words import MONTHS, WEEKDAYS

_SMALL = "of|de|la|le|les|du|des|di|da|do|dos|upon|on|the|der|den|am|an|aan|sur|y|and"
_PROPER = re.compile(rf"(?:the |The )?{CAPITALISED}(?:(?: (?:{_SMALL}))? {CAPITALISED})*")
_AFTER = re.compile(
    r"(?:,| \(|(?: (?:as|in|since|for|from|on|with|where|when|and|until|at|near|by|which|because|"
    r"now|these|while|after|before|around|full|part|to|during|alone|together|next|last|this|"
    r"again)\b)).*$"
)
_VAGUE = re.compile(
    r"^(?:an?|my|our|this|that|these|those|some|one|two|his|her|their|here|there|same|fear|peace|"
    r"love|denial|pain|bed|town|general|particular|case|style|shared|rural|luxury|it|them)\b",
    re.IGNORECASE,
)
_NO_PLACE = re.compile(
    r"\b(?:times|world|age|era|society|bubble|dream|lie|mess|house|flat|boat)$", re.I
)
_LITTLE = frozenset(("of", "de", "la", "le", "the", "du", "di", "da", "upon", "on", "der", "am"))


def place(words: str) -> str | None:
    """Return the place that ``words`` begin with, or None where it has no name."""
    if (words.split() or [""])[0].lower().strip(",") in (*MONTHS, *WEEKDAYS):
        return None
    if found := _PROPER.match(words):
        name = found.group()
        return name.split(" and ")[0] if " and " in name and name not in COUNTRIES else name
    rest = _AFTER.sub("", words).strip()
    if rest.lower() in COUNTRIES:
        return titled(rest)
    if _VAGUE.match(rest) or not 0 < len(rest.split()) <= 3 or not re.fullmatch(r"[\w' -]+", rest):
        return None
    if rest.split()[0] in ("the", "and") or not rest[:1].isalpha() or _NO_PLACE.search(rest):
        return None
    return titled(rest)


def titled(words: str) -> str:
    """Return a name typed in small letters with its capitals."""
    return " ".join(w if w in _LITTLE else w[:1].upper() + w[1:] for w in words.split())


def home(words: str) -> tuple[str, str] | None:
    """Return key and value of where somebody lives: a country or a town."""
    where = place(words)
    if where is None:
        return None
    return ("home_country" if where.lower() in COUNTRIES else "home_city", where)


def organisation(words: str) -> str | None:
    """Return the employer or school that ``words`` begin with."""
    if re.match(r"(?:an?|my|our|this|home|night|the moment|least|once|it|them|free|money|him|"
                r"her)\b",
                words):  # fmt: skip
        return None
    if (found := _PROPER.match(words)) and not words.lower().startswith("the "):
        return found.group()
    rest = _AFTER.sub("", words).strip()
    return rest if 0 < len(rest.split()) <= 5 else None


def job(words: str) -> str | None:
    """Return the trade named after "I am a" or "as a", or None where it is none."""
    rest = re.sub(r"^(?:an?|the) ", "", words)
    rest = re.split(
        r",| (?:at|in|for|with|from|by|who|and|on|since|so|but|specialising|working|near|of)\b",
        rest,
    )[0]
    rest = rest.strip()
    if not rest or len(rest.split()) > 4:
        return None
    last = rest.split()[-1].lower()
    if rest.split()[0].lower() in ("beginner", "amateur", "hobby", "keen", "aspiring", "would-be"):
        return None
    if last in NOT_JOBS or last in NATIONALITIES:
        return None
    known = rest.lower() in JOB_TITLES or last in JOB_TITLES
    return rest if known or (len(last) > 4 and last.endswith(JOB_ENDINGS)) else None


def person_name(words: str, *, sure: bool) -> str | None:
    """Return the name that ``words`` are.

    Args:
        words: What follows "I am" or "my name is".
        sure: Whether the words around it say that a name follows.
    """
    rest = re.split(r",| (?:and|from|but|by|with|in|at|the)\b", words)[0].strip()
    parts = rest.split()
    if not 1 <= len(parts) <= 4 or not all(re.fullmatch(r"[^\W\d_][\w'.-]*", p) for p in parts):
        return None
    low = parts[0].lower()
    if low in NATIONALITIES or low in LANGUAGES or low in _NEVER_NAMES:
        return None
    if sure or is_name(parts[0]):
        return titled(rest)
    return None


_NEVER_NAMES = frozenset(
    listed(
        "not, a, an, the, my, your, here, there, back, done, ok, okay, sorry, sure, "
        "happy, sad, tired, hungry, fine, good, bad, new, old, in, on, at, from, to, so, "
        "very, too, just, really, going, coming, ready, free, busy, late, early, glad, "
        "difficult, hard, unusual, common, weird, funny, long, short, double, "
        "afraid, able, lost, stuck, curious, interested, alone, home"
    )
)
