"""Tell what a correction is of and what it takes back: in "at 07:15, not 07:45" that is "07:45"."""

import re

from app.memory.reading.words import words
from app.memory.when.words import CALENDAR

LONGEST = 5  # words
_OLD_NUMBER = re.compile(r"(?<=\d)(?: [^\W\d_]+)? not \S*\d\S*$", re.IGNORECASE)
_NO_MORE_NUMBER = re.compile(
    r"[,;]?\s+(?:(?:and|but)\s+)?(?:it|that)\s+"
    r"(?:ain['’]t|isn['’]t|is not|was not|wasn['’]t)\s+\S*\d\S*$",
    re.IGNORECASE,
)
_IT = re.compile(
    r"(?:^|[,;:.!?–—]\s+)(?:it|that)(?P<verb>['’]s| is| was)\s+(?!wrong|not)(?=\S)", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"(?:^|[,;:.!?–—]\s+|\b(?:and|but|so)\s+)"
    r"(?P<subject>(?:my|our|the|his|her|their|[A-Z]\w*['’]s)(?:\s+[\w'’-]+){1,4}?)"
    r"(?:\s+(?:is|was)|['’]s)\s+(?P<value>[^,;:!?–—\n]*)",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,;!?()–—]|[.:](?!\d)")


def without_the_old(text: str) -> str:
    """Return a correction without what it takes back: "at 07:15", not "not 07:45"."""
    first, *others = text.split(", ")
    held = [part for part in others if not _takes_back(part)]
    return _NO_MORE_NUMBER.sub("", _OLD_NUMBER.sub("", ", ".join([first, *held])))


def _takes_back(part: str) -> bool:
    """Return whether a part of a correction is "not" with a former value: a number, a name, a day.

    "I can have paracetamol, not ibuprofen" says two things.
    """
    if not any(char.isdigit() or char.isupper() for char in part) and not _names_a_day(part):
        return False
    no, *old = part.lower().split() or [""]
    named = 0 < len(old) < LONGEST and old[0] not in words().any_more
    clause = not words().subjects.isdisjoint(old)
    return no in words().not_any_more and named and not clause


def _names_a_day(text: str) -> bool:
    """Return whether a text has the name of a day or a month."""
    return any(word.strip(".!?").rstrip("s") in CALENDAR for word in text.lower().split())


def corrected(text: str, before: str) -> tuple[str, tuple[str, ...]]:
    """Return a correction with what it is of, and the former value, where that was said before.

    "No, it's A negative" after "My blood type is O negative" is "[My blood type] is A negative",
    in place of "O negative".

    Args:
        text: The correction, as a statement.
        before: The message before.
    """
    it, told = _IT.search(text), [*_SUBJECT.finditer(before)]
    if it is None or len(text[: it.start()].split()) > LONGEST or not told:
        return text, ()
    subject, value = told[-1]["subject"], told[-1]["value"].split()
    ends = next((n for n, w in enumerate(value) if n and w.lower() in _goes_on()), len(value))
    verb = "was" if it["verb"].strip().lower() == "was" else "is"
    whole = f"[{subject[:1].upper()}{subject[1:]}] {verb} {text[it.end() :]}"
    return whole, (" ".join(value[:ends][:LONGEST]),)


def taken_back(text: str) -> tuple[str, ...]:
    """Return the words behind each "not", "instead of" and the like that name a former value.

    Args:
        text: A sentence that says that something changed or was wrong.
    """
    found = []
    for part in _BREAK.split(text):
        spoken = part.split()
        for at, word in enumerate(spoken):
            pair = f"{word} {spoken[at + 1]}".lower() if at + 1 < len(spoken) else ""
            ahead = 2 if pair in words().instead_of else int(word.lower() in words().not_any_more)
            if not ahead:
                continue
            old = [w for w in spoken[at + ahead :] if w.lower() not in words().any_more]
            ends = next((n for n, w in enumerate(old) if w.lower() in _goes_on()), len(old))
            if 0 < ends <= LONGEST:
                found.append(" ".join(old[:ends]))
            break
    return tuple(found)


def _goes_on() -> frozenset[str]:
    """Return the words with which what holds now begins."""
    return words().joining | words().subjects | words().opposing
