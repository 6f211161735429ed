"""Cut a statement into parts that can each hold without the others.

"I have atrial fibrillation and take apixaban, 5 mg" says two things; when the dose changes, the
first goes on holding. What is too short to say anything stays with what stands before it.
"""

import re
from collections.abc import Sequence
from functools import cache

from app.memory.reading.joining import points_back
from app.memory.reading.words import words
from app.memory.text.whom import PERSON, whom
from app.memory.when.words import CALENDAR, NUMBERS
from app.memory.word_lists import word_list

SHORTEST, SHORTEST_FINE = 3, 2  # words
BEGUN = 4  # words
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ARTICLES = frozenset(("the", "der", "die", "das", "el", "le", "het"))
_TITLE = r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bProf)"
_NO_VERBS = frozenset(("a",))  # it is one in French, and stands everywhere in English
DATED = re.compile(r"\[[^\]]*\d{4}\]")
_STOP = re.compile(rf"[,;!?]\s|{_TITLE}[.]\s")
_BETWEEN = re.compile(
    rf"(?P<stop>(?:[;!?]|{_TITLE}[.])\s+|\s+[–—-]\s+)"
    r"|(?P<joint>,?\s+(?:and|but|und|aber|y|pero|et|mais|en|maar)\s+)"
    r"|(?P<comma>,\s+)",
    re.IGNORECASE,
)


def parts(text: str, *, fine: bool = False) -> list[str]:
    """Return the parts of a statement in order; one where it cannot be cut.

    Args:
        text: The statement.
        fine: Whether to cut at every comma and conjunction, since no part of it may be lost.
    """
    found, at = [], 0
    for between in _BETWEEN.finditer(text):
        left, right = text[at : between.start()], text[between.end() :]
        cut = _parts_finely if fine else _parts_here
        asked = text[between.start()] == "?"
        if _excepts(left, between["joint"]):
            continue
        apart = asked or (between["stop"] and _both_say(left, right))
        if apart or cut(left, right, comma=bool(between["comma"])):
            found.append(f"{left}?" if asked else left)
            at = between.end()
    found.append(text[at:])
    said = [one.strip(" ,;") for one in found]
    return [part[:1].upper() + part[1:] for part in said if part] or [text]


def without(
    text: str,
    found: list[str],
    over: list[bool],
    named: Sequence[str] = (),
    *,
    keeps_all: bool = False,
) -> str:
    """Return what holds on of a statement; empty where nothing can stand alone.

    Args:
        text: The statement.
        found: Its parts.
        over: Whether each holds no more. What points back to such a part goes with it, and so does
            a question to which that was the answer; what only goes on with its verb keeps that.
        named: The parts with the names of whom they point back to, which then stay; empty where
            none are known.
        keeps_all: Whether what points back stays in any case, even where it does not say to whom.
    """
    gone: list[bool] = []
    alone = list(found)
    for number, (part, ends) in enumerate(zip(found, over, strict=True)):
        if not ends and gone[-1:] == [True] and _hangs(found[number - 1], part):
            if led := _lead(found[number - 1], part):
                alone[number] = f"[{led}] {part[:1].lower()}{part[1:]}"
            elif named:
                alone[number] = named[number]
            ends = alone[number] == part and not keeps_all
        gone.append(ends)
    held, at, last, end = "", 0, 0, -1
    for number, part in enumerate(found):
        start = max(text.find(part[1:], at) - 1, at)  # its first letter was made a capital
        at = start + len(part)
        if gone[number] or (part.endswith("?") and all(gone[number + 1 : number + 2])):
            continue
        if held and end == number - 1:
            held += text[last:at]
        else:
            held += f"{'' if not held else ' ' if held.endswith('?') else '. '}{alone[number]}"
        end, last = number, at
    return "" if held == text or not any(gone) else held


def _hangs(before: str, part: str) -> bool:
    """Return whether a part says nothing without the one before it: "works at the aquarium".

    What goes on about the person themselves does: "I have asthma and take 5 mg".
    """
    if points_back(part) or _speaks_of(before, part):
        return True
    begins, whose = _words(part)[:1], _words(before)[:1]
    verb = not (words().doing | words().saying).isdisjoint(begins)
    return verb and words().first_person.isdisjoint(whose)


def _lead(before: str, part: str) -> str:
    """Return the "I'm on" that a part goes on with: "I'm on naproxen and omeprazole for the acid".

    Empty where it does not name by itself what it is about.
    """
    told, begins = _WORD.findall(before)[:2], _words(part)[:1]
    known = words()
    leaning = known.subjects | known.pronouns | known.doing | known.saying | known.leading_on
    if len(told) < 2 or told[0].lower() not in known.first_person or leaning & set(begins):
        return ""
    return " ".join(told) if told[1].lower() in known.saying | known.doing else ""


def _speaks_of(before: str, part: str) -> bool:
    """Return whether a part speaks of whom only the one before it names: "I may get his job"."""
    about = whom(part) - {PERSON}
    return not about and bool(whom(before) - {PERSON}) and not _third().isdisjoint(_words(part))


@cache
def _third() -> frozenset[str]:
    """Return the words that stand for somebody: "he", "her"."""
    return word_list("people", "pronouns")


def _excepts(left: str, joint: str | None) -> bool:
    """Return whether what follows is taken out of what is said: "nobody fetches June but me"."""
    but = bool(joint) and not words().opposing.isdisjoint(_words(joint or ""))
    return but and not words().excepting.isdisjoint(_words(left))


def _both_say(left: str, right: str) -> bool:
    """Return whether neither side of a full stop or a dash is too short to say anything."""
    return min(len(_words(left)), len(_words(right))) >= SHORTEST


def _parts_here(left: str, right: str, *, comma: bool) -> bool:
    """Return whether a statement can be cut between two halves of it."""
    ahead, behind = _words(left), _words(right)
    goes_on = comma and not words().doing.isdisjoint(behind[:1])  # "studies physics"
    if goes_on and not words().joining.isdisjoint(behind[1:2]):
        return False  # "maps, drives and discs"
    own = not words().first_person.isdisjoint(ahead[:1])
    least = SHORTEST_FINE if goes_on and not own else SHORTEST
    if _length(ahead) < SHORTEST or len(behind) < least or _names_days(left, right):
        return False
    if comma and behind[0] not in words().subjects:
        return behind[0] in words().doing or _is_clause(right)
    if behind[0] in word_list("comparing", "times_of_day"):
        return False  # "morning and night"
    if (
        behind[0] in words().first_person
        and words().saying.isdisjoint(ahead)
        and len(ahead) < BEGUN
    ):
        return False  # "my colleague Ana and I"
    subject = not words().subjects.isdisjoint(behind[:BEGUN])
    if behind[0] in _ARTICLES:  # "and the parish wants it", "and the cat"
        subject = subject or not words().doing.isdisjoint(behind[1:BEGUN])
    return subject or (behind[0] not in words().leading_on and not behind[0].isdigit())


def _is_clause(text: str) -> bool:
    """Return whether a text begins with a name or a noun and its verb: "completion is in May"."""
    said = _words(_STOP.split(text)[0])
    if len(said) < SHORTEST or said[0] in words().leading_on or said[0].isdigit():
        return False
    return not (words().doing - _NO_VERBS).isdisjoint(said[1:BEGUN])


def _parts_finely(left: str, right: str, *, comma: bool) -> bool:
    """Return whether a statement can be cut between two halves of which neither may be lost."""
    if _parts_here(left, right, comma=comma):
        return True
    ahead, behind = _words(_STOP.split(left)[-1]), _words(_STOP.split(right)[0])
    least = SHORTEST_FINE if comma else SHORTEST
    if len(ahead) < least and len(behind) > SHORTEST:
        ahead = _words(left)  # "a slipped disc, L5, no lifting over five kilos"
    if min(len(ahead), len(behind)) < least or _names_days(left, right):
        return False
    if not comma:
        return behind[0] in _ARTICLES
    often = word_list("comparing", "how_often")
    return not (behind[0].isdigit() or behind[0] in NUMBERS or behind[0] in often)


def _names_days(left: str, right: str) -> bool:
    """Return whether days stand on both sides: "Tuesdays and Thursdays" is one time."""
    ahead, behind = _words(left)[-1:], _words(right)[:1]
    return all(word.rstrip("s") in CALENDAR for word in (*ahead, *behind))


def _length(said: Sequence[str]) -> int:
    """Return how many words there are; the "I'm" that begins "I'm 41" is two."""
    begins = re.match(r"(?:i|we)['’]", said[0]) if said else None
    return len(said) + bool(begins)


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters, but for the dates that were noted in it."""
    return [word.lower() for word in _WORD.findall(DATED.sub(" ", text))]
