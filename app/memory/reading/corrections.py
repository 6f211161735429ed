"""Tell what a correction is of and what it takes back: in "at 07:15, not 07:45" that is "07:45"."""

import re
from collections.abc import Callable, Sequence

from app.memory.reading.words import words
from app.memory.when.words import CALENDAR, MONTHS, WEEKDAYS

LONGEST = 5  # words
LED_IN = 12  # characters
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
_DATED = re.compile(r"\[[^\]]*\]")
_SENTENCES = re.compile(r"[^.!?…\n]+(?:[.:](?=\S)[^.!?…\n]*)*[.!?…]*")
_KINDS = (
    re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE),
    re.compile(rf"\b(?:{'|'.join(MONTHS)})\b", re.IGNORECASE),
    re.compile(r"(?<![\w.:])\d+(?:[.:]\d+)?(?![\w:])"),
)
_BREAK = re.compile(r"[,;!?()–—]|[.:](?!\d)")


def without_the_old(text: str, *, corrects: bool = False) -> str:
    """Return a correction without what it takes back: "at 07:15", not "not 07:45".

    Args:
        text: The correction.
        corrects: Whether it does no more than put something right, so that any word behind "not"
            is what was wrong.
    """
    first, *others = text.split(", ")
    held = [part for part in others if not _takes_back(part, corrects)]
    return _NO_MORE_NUMBER.sub("", _OLD_NUMBER.sub("", ", ".join([first, *held])))


def _takes_back(part: str, corrects: bool) -> bool:
    """Return whether a part of a correction is "not" with a former value: a number, a name, a day.

    "I can have paracetamol, not ibuprofen" says two things.
    """
    value = any(char.isdigit() or char.isupper() for char in part) or _names_a_day(part)
    if not (value or corrects):
        return False
    no, *old = part.lower().split() or [""]
    named = 0 < len(old) < LONGEST and old[0] not in words().any_more
    clause = not words().subjects.isdisjoint(old)
    return no in words().not_any_more and named and not clause


def _names_a_day(text: str) -> bool:
    """Return whether a text has the name of a day or a month."""
    return any(word.strip(".!?").rstrip("s") in CALENDAR for word in text.lower().split())


def corrected(
    text: str, before: str, old: Sequence[str] = (), dated: Callable[[str], str] = str
) -> tuple[str, tuple[str, ...]]:
    """Return a correction with what it is of, and the former value, where that was said before.

    "No, it's A negative" after "My blood type is O negative" is "[My blood type] is A negative",
    in place of "O negative"; "I meant Thursday" after "We meet on Tuesday at 10" is "[We meet on]
    Thursday [at 10]", in place of "Tuesday".

    Args:
        text: The correction, as a statement.
        before: The message before.
        old: What it takes back.
        dated: Returns a text with the date behind each day that is named in it.
    """
    if put := _put_in_place(text, before, old, dated):
        return put
    it, told = _IT.search(text), [*_SUBJECT.finditer(before)]
    if it is None or len(text[: it.start()].split()) > LONGEST or not told:
        return text, ()
    subject, value = told[-1]["subject"], told[-1]["value"].split()
    ends = next((n for n, w in enumerate(value) if n and w.lower() in _goes_on()), len(value))
    verb = "was" if it["verb"].strip().lower() == "was" else "is"
    whole = f"[{subject[:1].upper()}{subject[1:]}] {verb} {text[it.end() :]}"
    return whole, (" ".join(value[:ends][:LONGEST]),)


def _put_in_place(
    text: str, before: str, old: Sequence[str], dated: Callable[[str], str]
) -> tuple[str, tuple[str, ...]] | None:
    """Return what was said before with a new value in place; None where none is plainly meant."""
    value, says_so = _value(text, old)
    said = _DATED.sub(" ", value).split()
    clause = words().subjects | words().doing | (frozenset() if says_so else words().my)
    if not 0 < len(said) <= LONGEST or not clause.isdisjoint(map(str.lower, said)):
        return None
    for sentence in _SENTENCES.findall(before):
        whole = sentence.strip()
        found = _first(whole, old) or (_alike(whole, said) if says_so else None)
        if found is None or whole.endswith("?"):
            continue
        ahead, behind = _around(whole, found, said)
        if not (ahead or behind.strip()):
            continue
        new = value if ahead else f"{value[:1].upper()}{value[1:]}"
        new += "" if _DATED.search(new) else _date(ahead, new, behind, dated)
        rest = [f"[{behind.strip()}]"] if behind.strip() else []
        return " ".join([*([f"[{ahead}]"] if ahead else []), new, *rest]), (found[0],)
    return None


def _around(text: str, old: re.Match[str], value: Sequence[str]) -> tuple[str, str]:
    """Return what stands before and behind a former value, without what the new one repeats."""
    ahead, behind = text[: old.start()].split(), text[old.end() :].rstrip(" .!…\n")
    spoken, after = [word.lower() for word in value], behind.split()
    counts = range(len(value), 0, -1)
    twice = (n for n in counts if [word.lower() for word in ahead[-n:]] == spoken[:n])
    ahead = ahead[: len(ahead) - next(twice, 0)]
    again = (n for n in counts if [word.lower() for word in after[:n]] == spoken[-n:])
    if repeated := next(again, 0):
        behind = " ".join(["", *after[repeated:]])
    return " ".join(ahead), behind


def _date(ahead: str, value: str, behind: str, dated: Callable[[str], str]) -> str:
    """Return the date in brackets that belongs behind a value; empty where it names no day."""
    begins = f"{ahead} {value}".strip()
    found = _DATED.match(dated(f"{begins}{behind}"), len(begins) + 1)
    return f" {found[0]}" if found else ""


def _value(text: str, old: Sequence[str]) -> tuple[str, bool]:
    """Return what a correction puts in place of something, and whether it says "I meant"."""
    before = words().polite | words().leads | words().not_any_more
    left = text.split()
    while len(left) > 1 and left[0].lower().strip(",;:.!–—-") in before:
        if any(" ".join(left[1:]).lower().startswith(one.lower()) for one in old):
            left = left[len(old[0].split()) + 1 :]  # "not Tuesday, Thursday"
        else:
            left = left[1:]
    value = " ".join(left)
    at = (re.search(rf"\b{re.escape(way)}\b", value, re.IGNORECASE) for way in words().meaning)
    way = next((one for one in at if one and one.start() < LED_IN), None)
    value = value[way.end() :].lstrip(" ,:") if way else value
    noes = "|".join(map(re.escape, words().not_any_more | words().instead_of))
    for one in old:
        behind = rf"[,;]?\s+(?:(?:and|but)\s+)?(?:{noes})\s+{re.escape(one)}$"
        value = re.sub(behind, "", value, flags=re.IGNORECASE)
    return value, bool(way)


def _first(text: str, wanted: Sequence[str]) -> re.Match[str] | None:
    """Return where any of some words first stand in a text."""
    found = (re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE) for one in wanted)
    return next((one for one in found if one), None)


def _alike(text: str, value: Sequence[str]) -> re.Match[str] | None:
    """Return the one word of a text that is of a value's kind: a weekday, a month or a number."""
    kinds = [kind for kind in _KINDS if kind.fullmatch(value[-1])]
    found = [one for kind in kinds for one in kind.finditer(text)]
    return found[0] if len(value) == 1 and len(found) == 1 else None


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
