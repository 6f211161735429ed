"""Cut a statement into parts that can each hold without the others.

"I have atrial fibrillation and take apixaban, 5 mg" says two things; when the dose changes, the
first goes on holding. What is too short to say anything stays with what stands before it.
"""

import re

from app.memory.reading.words import words

SHORTEST = 3  # words
BEGUN = 4  # words
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BETWEEN = re.compile(
    r"(?P<stop>[;.!?]\s+|\s+[–—-]\s+)|(?P<joint>,?\s+(?:and|but|und|aber|y|pero|et|mais|en|maar)\s+)"
    r"|(?P<comma>,\s+)",
    re.IGNORECASE,
)


def parts(text: str) -> list[str]:
    """Return the parts of a statement in order; one where it cannot be cut."""
    found, at = [], 0
    for between in _BETWEEN.finditer(text):
        left, right = text[at : between.start()], text[between.end() :]
        if _parts_here(left, right, comma=bool(between["comma"])):
            found.append(left)
            at = between.end()
    found.append(text[at:])
    return [part[:1].upper() + part[1:] for part in (one.strip(" ,;") for one in found)]


def without(found: list[str], over: list[bool]) -> str:
    """Return what holds on of the parts of a statement; empty where nothing can stand alone.

    Args:
        found: The parts.
        over: Whether each holds no more. What points back to such a part goes with it.
    """
    held: list[str] = []
    gone = False
    for part, ends in zip(found, over, strict=True):
        begun = _words(part)[:SHORTEST]
        gone = ends or (gone and not words().pronouns.isdisjoint(begun))
        if not gone:
            held.append(part)
    if not held or held == found:
        return ""
    return "; ".join(
        [held[0], *(one[:1].lower() + one[1:] if one[1:2].islower() else one for one in held[1:])]
    )


def _parts_here(left: str, right: str, *, comma: bool) -> bool:
    """Return whether a statement can be cut between two halves of it."""
    ahead, behind = _words(left), _words(right)
    if min(len(ahead), len(behind)) < SHORTEST:
        return False
    if comma and behind[0] not in words().subjects:
        return behind[0] in words().doing
    subject = not words().subjects.isdisjoint(behind[:BEGUN])
    return subject or (behind[0] not in words().leading_on and not behind[0].isdigit())


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
