"""Which parts of a typed message are the person's own talk, and which are material.

Code, quoted blocks, logs and mail headers are material however they came in: nothing in them is
said by the person. They are told by their form alone.
"""

import re
from collections.abc import Sequence

_MATERIAL = (
    re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL),
    re.compile(r"`[^`\n]+`"),
    re.compile(
        r"^[ \t]*(?:>|\||\$ |#include|def \w+\(|class \w+[:(]|import [\w.]+$|from [\w.]+ import "
        r"|at [\w.$]+\(|Traceback \(|File \"|SELECT |INSERT |UPDATE \w+ SET|DELETE FROM"
        r"|CREATE ).*$",
        re.MULTILINE,
    ),
    re.compile(r"^.*\b(?:WARN(?:ING)?|ERROR|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b.*$", re.MULTILINE),
    re.compile(r"https?://\S+"),
)
_MAIL = re.compile(
    r"^[ \t]*(?:from|to|cc|subject|date|sent|von|an|betreff|de|para|asunto|à|objet|van|aan"
    r"|onderwerp):[ \t]\S.*$",
    re.IGNORECASE | re.MULTILINE,
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


def material(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text that are no talk of the person's, in order."""
    found = [match.span() for form in _MATERIAL for match in form.finditer(text)]
    headers = list(_MAIL.finditer(text))
    if len(headers) > 1 or (headers and headers[0][0].lower().startswith(("from:", "von:"))):
        found.append((headers[0].start(), len(text)))  # a whole letter follows its head
    found += [said.span() for said in _QUOTED.finditer(text) if _SPEECH.search(said[0])]
    if len(_CODE.findall(text)) > 1:
        found.append((0, len(text)))
    return sorted(found)


def overlaps(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a stretch touches one of some spans."""
    return any(start < b and a < end for a, b in spans)
