"""Which lines of a message are plainly another's words, however they were put in.

A letter with its head, one that is passed on or quoted, a chat with names and times, a block
between fences: a person may have typed them, or a terminal may not tell a paste from typing, but
they are nothing that the person says. They are told by their form alone; the words are data.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.domain.conversation import Part, PartOrigin
from app.domain.language.letters import begun

Spans = list[tuple[int, int]]


_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"^[ \t]*>.*(?:\n[ \t]*>.*)*", re.MULTILINE)
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?:[ \u202f]?[APap]\.?[Mm]\.?)?"
_NAME = r"[^\s:\[\]<>][^\n:\[\]<>]{0,39}"
# How each line of a chat begins; with the day in it one line is plain enough.
_DATED = re.compile(
    rf"^[ \t]*(?:\[{_DAY},?[ \t]+{_TIME}\][ \t]*{_NAME}:"
    rf"|{_DAY},?[ \t]+{_TIME}[ \t]*[-–][ \t]*{_NAME}:|{_NAME},[ \t]*\[{_DAY},?[ \t]+{_TIME}\])",
    re.MULTILINE,
)
_TIMED = re.compile(
    rf"(?:^|(?<=\s))\[{_TIME}\][ \t]*(?:{_NAME}:|<{_NAME}>)"
    rf"|^[ \t]*(?:{_TIME}[ \t]*)?<{_NAME}>[ \t]",
    re.MULTILINE,
)
_SPOKEN = re.compile(rf"^[ \t]*{_TIME}[ \t]+({_NAME}):[ \t]", re.MULTILINE)
_LINE, _PARAGRAPH = re.compile(r"\n"), re.compile(r"\n[ \t]*\n")


def others(text: str) -> Spans:
    """Return the stretches of a typed text that are plainly another's words, in order."""
    found = [match.span() for form in (_FENCED, _QUOTED) for match in form.finditer(text)]
    found += _chat(text)
    found += [(one.start, one.end) for one in begun(text) if one.plain]
    return _merged(found)


def doubtful(text: str) -> Spans:
    """Return the stretches of a typed text that may be another's words or the person's, in order.

    What they state must change nothing that is known of the person before they agree.
    """
    return _merged([(one.start, one.end) for one in begun(text) if not one.plain])


def parted(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the parts of a message, and what is plainly another's of what was typed as pasted.

    Nothing is left out or added; a second time changes nothing.
    """
    return tuple(one for part in parts for one in _parted(part))


def _parted(part: Part) -> Iterator[Part]:
    spans = others(part.text) if part.origin is PartOrigin.TYPED else []
    at = 0
    for start, end in [*spans, (len(part.text), len(part.text))]:
        if part.text[at:start].strip() or not spans:
            yield replace(part, text=part.text[at:start])
        else:
            start = at
        if start < end:
            yield replace(part, text=part.text[start:end], origin=PartOrigin.PASTED)
        at = end


def _merged(found: Spans) -> Spans:
    merged: Spans = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(merged.pop()[1], end)
        merged.append((start, end))
    return merged


def _chat(text: str) -> Spans:
    """Return where a chat between others stands; with days in it, to the end of its paragraph."""
    dated = list(_DATED.finditer(text))
    timed, spoken = list(_TIMED.finditer(text)), list(_SPOKEN.finditer(text))
    said = [*dated, *(timed if len(timed) > 1 else [])]
    said += spoken if len({one[1] for one in spoken}) < len(spoken) else []
    if not said:
        return []
    ends = _PARAGRAPH if dated else _LINE
    after = ends.search(text, max(one.end() for one in said))
    return [(min(one.start() for one in said), after.start() if after else len(text))]
