"""Cut a message into the sentences its writer meant as their own words.

Code, letters, quoted speech and pasted transcripts are blanked out, character for character, so
that every sentence still knows its place in the message.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.memory.reading.own_words import material

_BLANK = "\x00"
_QUOTED = re.compile(
    r"[\"“„«][^\"“”„«»]*[\"”“»]|(?<![\w])['‘](?=\S)(?:[^'‘’\n]|['’](?=\w))*['’](?!\w)"
)
_SAYING = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|wr(?:ote|ites?)|reads?|told|ask(?:ed|s)?|go|goes|translate|shout(?:ed)?)"
    r"\W*$",
    re.IGNORECASE,
)
_A_NAME, _A_TITLE = 2, 6  # words
_TRANSCRIPT = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{3,25}\][ \t]*)?[A-Z]\w*(?: \w+)?:[ \t].*$", re.MULTILINE
)
# Who speaks next in a text that was pasted as one line: "WITNESS: …", "[12:04] anna: …".
_SPEAKER = re.compile(
    r"(?:^|(?<=[.!?:] ))(?P<who>[A-Z]{3,}): |\[\d{1,2}:\d\d(?::\d\d)?\] (?P<by>\w+): "
)
_ROLE = re.compile(
    r"WITNESS|COUNSEL|JUDGE|COURT|OFFICER|INTERVIEWER|CANDIDATE|SPEAKER|HOST|GUEST|NARRATOR|AGENT|"
    r"CUSTOMER|CALLER|OPERATOR|DOCTOR|PATIENT|TEACHER|STUDENT|USER|BOT"
)
_BREAK = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|\n[ \t]*(?:[-*•]|\d+[.)])[ \t]+|\n\s*\n|\n")
_TITLE = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|rev|col|capt|sgt|lt|gen|hon|fr|sr|st|e\.g|i\.e|vs|approx|ca|cf)\.$",
    re.IGNORECASE,
)
# "Wilhelmina T. Thackeray" is one name.
_INITIAL = re.compile(r"(?:^|[\s\"'(])[A-Z][a-z]+ (?:[A-Z]\. ?)*[A-Z]\.$")
_SHORT = re.compile(
    r"(?:\b(?:jr|sr|no|inc|incl|excl|min|max|tel|ext|vol|fig|est|avg|ltd|dept|etc|[ap]\.m|u\.s|"
    r"[a-z]|jan|feb|mar|apr|jun|jul|aug|sept|sep|"
    r"oct|nov|dec))\.$",
    re.IGNORECASE,
)
_PICTURES = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]")
_TURN = str.maketrans("’‘`´", "''''")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence.

    Attributes:
        text: Its words on one line, apostrophes straight, without pictures.
        quote: The same stretch of the message, verbatim.
        start, end: Where it stands in the message.
        question: Whether it ends in a question mark.
        foreign: Whether somebody else's words were blanked out of it.
    """

    text: str
    quote: str
    start: int
    end: int
    question: bool
    foreign: bool


def sentences(message: str) -> list[Sentence]:
    """Return the sentences of ``message`` in order."""
    own = _own_words(message)
    found = []
    for start, end in _spans(own):
        line = " ".join(_PICTURES.sub(" ", own[start:end]).translate(_TURN).split())
        text = line.replace(_BLANK, " ").strip(" -*•").rstrip(".!?… ")
        if text:
            found.append(
                Sentence(
                    text=" ".join(text.split()),
                    quote=message[start:end].strip(),
                    start=start,
                    end=end,
                    question="?" in line[-4:],
                    foreign=_BLANK in line,
                )
            )
    return found


def _own_words(message: str) -> str:
    text = message
    for start, end in material(message):
        text = text[:start] + _blanked(text[start:end]) + text[end:]
    if len(_TRANSCRIPT.findall(text)) > 1:
        text = _TRANSCRIPT.sub(lambda found: _blanked(found[0]), text)
    text = "\n".join(map(_without_speakers, text.split("\n")))
    return _QUOTED.sub(_unquoted, text)


def _without_speakers(line: str) -> str:
    """Return a line without the talk between others that is pasted into it."""
    said = list(_SPEAKER.finditer(line))
    names = [one["who"] or "" for one in said]
    talk = len(said) > 1 and (
        any(one["by"] for one in said)
        or any(map(_ROLE.fullmatch, names))
        or len(set(names)) < len(names)
    )
    return line[: said[0].start()] + _BLANK * (len(line) - said[0].start()) if talk else line


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", _BLANK, text)


def _unquoted(found: re.Match[str]) -> str:
    """Return a title as part of the sentence, and speech blanked out."""
    inside = found[0][1:-1]
    length = len(inside.split())
    said = length > _A_NAME and _SAYING.search(
        found.string, max(0, found.start() - 40), found.start()
    )
    return _blanked(found[0]) if said or length > _A_TITLE else f" {inside} "


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in _BREAK.finditer(text):
        before, after = text[start : found.start() + 1], text[found.end() :].lstrip()
        if "\n" not in found.group() and (
            _TITLE.search(before)
            or (_INITIAL.search(before) and after[:1].isupper())
            or (_SHORT.search(before) and not after[:1].isupper())
        ):
            continue
        if before.strip():
            yield start, found.start() if "\n" in found.group() else found.end()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)
