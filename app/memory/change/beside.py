"""Tell what may be so beside what is known, so that neither takes the place of the other."""

import re
from functools import cache

from app.domain.memory import Memory
from app.memory.text import novelty
from app.memory.text.things import content_words, names, stems, things
from app.memory.word_lists import word_list

_NUMBERED = re.compile(r"\d[\d.,]*\s?([^\W\d_]+)")


def is_besides(said: str) -> bool:
    """Return whether a sentence tells something beside what is known: "I work at Acme as well"."""
    return _beside().search(said) is not None


@cache
def _beside() -> re.Pattern[str]:
    """Return what finds such words; "too" and the like only at the end, as in "me too"."""
    anywhere, ending = (
        "|".join(map(re.escape, sorted(word_list("comparing", name), key=len, reverse=True)))
        for name in ("beside", "beside_at_the_end")
    )
    return re.compile(rf"\b(?:{anywhere})\b|\b(?:{ending})(?=\s*(?:[.,;:!?)]|$))", re.IGNORECASE)


def may_hold_beside(text: str, older: Memory) -> bool:
    """Return whether an older memory may well be so beside a statement that ends nothing.

    "I also have a dentist in Lille, Dr. Claes" says so itself, and by its names which one. Of what
    matters for safety, "Aunt Ruth may collect Mia" says nothing of Grandma, who may as well, and 2
    units at breakfast nothing of those at dinner; of two doses of one thing the newer is right.
    """
    mine, theirs = names(text), names(older.text)
    if is_besides(older.text) and len(theirs - mine) > len(mine - theirs):
        return True
    if not older.safety or _is_newer_dose(text, older.text):
        return False
    if _at_other_times(text, older.text):
        return True
    said, held = content_words(text), content_words(older.text)
    return bool(said - held) and bool(held - said)


def _is_newer_dose(text: str, older: str) -> bool:
    """Return whether both say how much of the same, and not at other times."""
    mine, theirs = things(text), things(older)
    alike = mine <= theirs or theirs <= mine
    dosed = _units(text) and _units(older)
    return bool(dosed and alike and mine & theirs) and not _at_other_times(text, older)


def _units(text: str) -> frozenset[str]:
    """Return the units of the doses in a text."""
    return frozenset(map(str.lower, _NUMBERED.findall(text))) & word_list("comparing", "dose_units")


def _at_other_times(text: str, older: str) -> bool:
    """Return whether both name days or times of day, and none in common."""
    when = novelty.calendar() | stems(word_list("comparing", "times_of_day"))
    mine, theirs = (novelty.content(one).words & when for one in (text, older))
    return bool(mine) and bool(theirs) and not mine & theirs
