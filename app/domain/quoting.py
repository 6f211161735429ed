"""Which lines of a message are plainly another's words, however they were put in.

A letter with its head, one that is passed on or quoted, a chat with names and times, a block
between fences: a person may have typed them, or a terminal may not tell a paste from typing, but
they are nothing that the person says. They are told by their form alone; the words are data.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.domain.conversation import Part, PartOrigin

Spans = list[tuple[int, int]]


def _vocabulary(text: str) -> str:
    return "|".join(re.escape(word.strip()) for word in text.strip().split(","))


_SENDERS = _vocabulary("from, von, de, van")
_SUBJECTS = _vocabulary("subject, betreff, objet, asunto, onderwerp")
_HEADERS = _vocabulary(
    "to, cc, bcc, date, sent, reply-to, an, datum, gesendet, à, envoyé, para, fecha, enviado, aan,"
    " verzonden"
)
_ABOVE = _vocabulary(
    "original message, forwarded message, begin forwarded message, ursprüngliche nachricht,"
    " weitergeleitete nachricht, message d'origine, message transféré, mensaje original,"
    " mensaje reenviado, oorspronkelijk bericht, doorgestuurd bericht"
)
_WROTE = _vocabulary("wrote, schrieb, escribió, a écrit, schreef")
_PASSED_ON = _vocabulary("fw, fwd, wg, rv, tr, doorst")

_HEAD = re.compile(
    rf"^[ \t]*+(?:(?P<sender>{_SENDERS})|{_SUBJECTS}|{_HEADERS}):[ \t]\S.*$", re.I | re.M
)
_IN_LINE = re.compile(
    rf"(?:^|(?<=\s))(?=[A-ZÀ])(?P<name>(?i:{_SENDERS}|(?P<subject>{_SUBJECTS})|{_HEADERS})):\s"
)
_PASSES_ON = re.compile(
    rf"^[ \t]*+(?:{_PASSED_ON}):[ \t]\S"
    rf"|^[ \t>]*+(?:[-_*]++[ \t]*+)?(?:{_ABOVE})[ \t]*+(?:[-_*]++|:)?[ \t]*+$",
    re.I | re.M,
)
_ANSWERS = re.compile(
    rf"(?<!\bI )(?<!\bich )(?<!\bik )\b(?:{_WROTE})\b(?! ich\b| ik\b).*:\s*$", re.IGNORECASE
)
_ADDRESS = re.compile(r"\S@\S")
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
_LONGEST_LEAD = 200  # what stands above an answer: "On 3 May 2026, at 12:04, Bob wrote:"


def others(text: str) -> Spans:
    """Return the stretches of a typed text that are plainly another's words, in order."""
    found = [match.span() for form in (_FENCED, _QUOTED) for match in form.finditer(text)]
    found += _chat(text)
    if (head := _head(text)) is not None:
        found.append((head, len(text)))  # a whole letter follows its head
    merged: Spans = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(merged.pop()[1], end)
        merged.append((start, end))
    return merged


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


def begins_head(text: str) -> bool:
    """Return whether a line begins as one of a letter's head does: "From: Karel <karel@…"."""
    return _HEAD.match(text) is not None


def _head(text: str) -> int | None:
    """Return where a letter begins that somebody else wrote; None where there is none."""
    heads = list(_HEAD.finditer(text))
    starts = [heads[0].start()] if heads and (len(heads) > 1 or heads[0]["sender"]) else []
    starts += [found.start() for found in [_PASSES_ON.search(text)] if found]
    said = list(_IN_LINE.finditer(text))
    names = {one["name"].casefold() for one in said}
    if len(names) > 1 and (any(one["subject"] for one in said) or _ADDRESS.search(text)):
        starts.append(said[0].start())
    at = 0
    for line in text.splitlines(keepends=True):
        lead = len(line) <= _LONGEST_LEAD and any(map(str.isdigit, line))
        if lead and _ANSWERS.search(line):
            starts.append(at)
        at += len(line)
    return min(starts, default=None)


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
