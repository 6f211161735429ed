"""Which parts of a typed message are the person's own talk, and which are material.

Code, logs and quoted speech are material however they came in, and so is what is plainly another's
(``app.domain.language.quoting``): nothing in them is said by the person. They are told by their
form alone.
"""

import re
from collections.abc import Sequence

from app.domain.language.letters import signature
from app.domain.language.quoting import others
from app.memory.reading.words import words

_MATERIAL = (
    re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL),
    re.compile(r"`[^`\n]+`"),
    re.compile(
        r"^[ \t]*(?:\||\$ |#include|def \w+\(|class \w+[:(]|import [\w.]+$|from [\w.]+ import "
        r"|at [\w.$]+\(|Traceback \(|File \"|SELECT |INSERT |UPDATE \w+ SET|DELETE FROM"
        r"|CREATE ).*$",
        re.MULTILINE,
    ),
    re.compile(r"^.*\b(?:WARN(?:ING)?|ERROR|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b.*$", re.MULTILINE),
    re.compile(r"https?://\S+"),
)
# A line that ends as only code does; a list with a semicolon after each entry is talk.
_CODE = re.compile(
    r"(?<![:;])[{}];?[ \t]*$|^[^=\n]*=[^;\n]*;[ \t]*$|\w\([^()\n]{0,200}\)+;[ \t]*$"
    r"|^[ \t]*return\b[^;\n]*;[ \t]*$|\breturn\b.{0,200}[=<>(]|=>|\w\([^)]{0,200}\):|</?\w+>",
    re.MULTILINE,
)
_QUOTED = re.compile(r"(?<!\w)['‘](?=\w)[^'‘\n]{8,}?['’](?!\w)|[\"“„«][^\"“”„«»]{8,}[\"”“»]")
_SPEECH = re.compile(
    r"\b(?:i|i['’]m|my|me|we|our|you|your|ich|mein|yo|mi|je|mon|ma|ik|mijn)\b", re.I
)
_PIECE = re.compile(r"[^\W_]+")
_BREAK = re.compile(r"[ \t]*\n[ \t>]*(?=(\w))")


def material(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text that are no talk of the person's, in order."""
    found = [match.span() for form in _MATERIAL for match in form.finditer(text)]
    found += others(text)
    found += [said.span() for said in _QUOTED.finditer(text) if _SPEECH.search(said[0])]
    if signed := signature(text):
        found.append(signed)
    if len(_CODE.findall(text)) > 1:
        found.append((0, len(text)))
    return sorted(found)


def overlaps(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a stretch touches one of some spans."""
    return any(start < b and a < end for a, b in spans)


def speaks_of_self(text: str) -> bool:
    """Return whether whoever says a text speaks of themselves in it."""
    own = words().first_person | words().my | words().me
    return any(one != "US" and one.lower() in own for one in _PIECE.findall(text))


def unwrapped(text: str) -> str:
    """Return a text with the lines of each sentence put together that were broken to fit a page."""
    return _BREAK.sub(lambda found: " " if found[1].islower() else found[0], text)
