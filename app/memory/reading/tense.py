"""Tell which way a day looks that a statement names without its year, by the words around it.

"I put the car away in March" looks back and "the course starts in May" ahead; a birthday in May and
"flights cost a fortune in July" are of no year. Past forms that are spelt like the present, such as
"put", count by the word before them.
"""

import re
from collections.abc import Iterator

from app.domain.language.reading import StatementKind
from app.memory.reading.words import words
from app.memory.when.meanings import Tense
from app.memory.when.words import MONTHS

CLAUSE = 3  # words that make one
SHORTEST = 5  # letters of what its ending makes past
_WORD = re.compile(r"[^\W\d_]+")
_BREAK = re.compile(r"[,;:.!?()–—]\s")
_LAST_WORD = re.compile(r"([^\W\d_]+)\s+(?:the\s+)?$")
_OWN = ("my", "myself", "up")  # "cut my hand in April", "split up in March"
_NO_VERB = {"let": ("s",), "set": ("for", "to")}  # "let's", "the date set for May"
_OPEN = ("cost", "shut", "hurt")  # "flights cost a fortune in July", "we shut in August"
_ENGLISH_TOO = ("car", "want")  # French and Dutch for "because", where a comma parts them anyway
_MANY = ("we", "they", "you")
_PLURAL = re.compile(r"\w{2}[^su]s$")
_AS_ANY_YEAR = 3  # words between "my birthday" and its day
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})", re.IGNORECASE)


def tense(text: str, kind: StatementKind, start: int, end: int) -> Tense | None:
    """Return which way a day looks that is named without its year, by the clause it stands in.

    "It's been pushed back, it opens on 11 June now" looks ahead. None where only the day itself can
    tell: the nearest is meant. A habit where not even that does: no year is.
    """
    before, beside = _clause(text, start, end)
    if _looks_ahead(text, start) or not words().now.isdisjoint(beside):
        return Tense.FUTURE
    if _is_yearly(text, start, end) or not words().habitual.isdisjoint(beside):
        return Tense.HABIT
    told = [_told(beside, number, before) for number in range(len(beside))]
    if kind is StatementKind.PLAN and words().past.isdisjoint(beside):
        return next(_of_verbs(beside), Tense.FUTURE)
    if len(beside) < CLAUSE and Tense.PAST not in told:
        beside = [word.lower() for word in _WORD.findall(text)]
        told += [_told(beside, number, []) for number in range(len(beside))]
    found = next((one for one in (Tense.PAST, Tense.HABIT) if one in told), None)
    return found or (Tense.FUTURE if kind is StatementKind.FACT else None)


def follows_past(text: str, start: int, *, long: bool) -> bool:
    """Return whether a day stands behind a verb of the past: "she turned five in July".

    Args:
        text: The statement.
        start: Where the day begins.
        long: Whether it is more than one day. What was arranged on a single day may be for it:
            "she has been given days from 8 July".
    """
    before, beside = _clause(text[:start], start, start)
    past = any(_told(beside, n, before) is Tense.PAST for n in range(len(beside)))
    return past and (long or words().arranging.isdisjoint(beside))


def _told(beside: list[str], number: int, before: list[str]) -> Tense | None:
    """Return what a word of a clause tells of its day; mostly nothing.

    Args:
        beside: The words of the clause.
        number: Which of them.
        before: What the sentence says before the clause.
    """
    word = beside[number]
    ends = len(word) >= SHORTEST and word.endswith(tuple(words().past_endings))
    if ends or word in words().past:
        return Tense.PAST
    following = next(iter(beside[number + 1 :]), "")
    if word not in words().past_or_present or following in _NO_VERB.get(word, ()):
        return None
    ahead = [one for one in beside[:number] if one not in words().adverbs and one[-2:] != "ly"]
    if ahead:
        return _of_subject(word, ahead)
    told = word == "quit" or following in _OWN or not words().past.isdisjoint(before)
    return Tense.PAST if told else Tense.HABIT


def _of_verbs(beside: list[str]) -> Iterator[Tense]:
    """Yield what the verbs of a clause tell that are spelt alike in past and present."""
    for number in range(1, len(beside)):
        if beside[number] in words().past_or_present and (one := _told(beside, number, [])):
            yield one


def _of_subject(word: str, ahead: list[str]) -> Tense | None:
    """Return what a word that is spelt alike in past and present tells behind its subject."""
    subject = ahead[-1]
    if subject in words().no_subject:
        return None  # "to quit", "the cut"
    if ahead[-2:-1] in (["a"], ["an"]) and len(ahead) > CLAUSE:
        return None  # "I have a hair cut"
    many = any(_PLURAL.search(one) for one in ahead)
    many = many or (subject in _MANY and word != "hurt")
    return Tense.HABIT if word in _OPEN and many else Tense.PAST


def _looks_ahead(text: str, start: int) -> bool:
    """Return whether what stands before a date tells that it is to come: "moved to 3 December"."""
    before = _LAST_WORD.search(text[:start])
    return before is not None and before[1].lower() in words().ahead


def _is_yearly(text: str, start: int, end: int) -> bool:
    """Return whether a day is that of a birthday: "my birthday is in May", "3 May is Ana's"."""
    if not _MONTH.search(text[start:end]):
        return False
    ahead = [word.lower() for word in _WORD.findall(_BREAK.split(text[:start])[-1])]
    behind = [word.lower() for word in _WORD.findall(_BREAK.split(text[end:])[0])]
    last = next((n for n, word in enumerate(reversed(ahead)) if word in words().yearly), None)
    between = ahead[len(ahead) - last :] if last is not None else []
    if last is not None and last <= _AS_ANY_YEAR and words().being.issuperset(between):
        return True
    return bool(behind) and behind[0] in words().being and behind[-1] in words().yearly


def _clause(text: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """Return the words around a day in small letters, without the day itself.

    Returns:
        Those of the sentence before its clause, and those of the clause.
    """
    before, after = _BREAK.split(text[:start])[-1], _BREAK.split(text[end:])[0]
    ahead = [word.lower() for word in _WORD.findall(before)]
    behind = [word.lower() for word in _WORD.findall(after)]
    joining = words().joining.difference(_ENGLISH_TOO)
    opening = joining | {"that"}  # "I heard that she leaves in October"
    joint = max((n + 1 for n, word in enumerate(ahead) if word in opening), default=0)
    stop = next((n for n, word in enumerate(behind) if word in joining), len(behind))
    return ahead[:joint], ahead[joint:] + behind[:stop]
