"""Cut a message into the sentences its writer meant as their own words.

Code, block quotes, quoted speech and pasted transcripts are blanked out, character for character,
so that every sentence still knows its place in the message.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

BLANK = "\x00"

_FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_QUOTED = re.compile(
    r"[\"“„«][^\"“”„«»]*[\"”“»]|(?<![\w])['‘](?=\S)(?:[^'‘’\n]|['’](?=\w))*['’](?!\w)"
)
_BLOCK = re.compile(
    r"^[ \t]*(?:>|\||\$ |#include|def \w+\(|class \w+[:(]|import [\w.]+$|from [\w.]+ import ).*$",
    re.MULTILINE,
)
_LOG = re.compile(r"^.*\b(?:WARN(?:ING)?|ERROR|INFO|DEBUG|FATAL|TRACE|CRITICAL)\b.*$", re.MULTILINE)
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
_URL = re.compile(r"https?://\S+")
# A title in quotation marks is part of the sentence; speech in them is somebody else's.
_SPEECH = re.compile(r"\b(?:i|i'm|me|my|we|our|you|your|he|she|they)\b", re.IGNORECASE)
_SAYING = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|wr(?:ote|ites?)|read|reads|told|ask(?:ed|s)?|go|goes|"
    r"translate|word|phrase|called me|shout(?:ed)?)\W*$",
    re.IGNORECASE,
)
_A_WORD = re.compile(
    r"\b(?:(?:use|say|write|avoid|drop|ban|start with|end with) (?:the )?(?:word|phrase|term)s?|"
    r"I (?:write|say|type|mean)) $",
    re.I,
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
    for start, end in (part for span in _spans(own) for part in _apart(own, *span)):
        line = " ".join(_PICTURES.sub(" ", own[start:end]).translate(_TURN).split())
        text = line.replace(BLANK, " ").strip(" -*•").rstrip(".!?… ")
        if text:
            found.append(
                Sentence(
                    text=" ".join(text.split()),
                    quote=message[start:end].strip(),
                    start=start,
                    end=end,
                    question="?" in line[-4:],
                    foreign=BLANK in line,
                )
            )
    return found


def _own_words(message: str) -> str:
    text = message
    for pattern in (_FENCE, _CODE, _BLOCK, _LOG, _URL):
        text = pattern.sub(_blanked, text)
    if len(_TRANSCRIPT.findall(text)) > 1:
        text = _TRANSCRIPT.sub(_blanked, text)
    text = "\n".join(map(_without_speakers, text.split("\n")))
    return _QUOTED.sub(_unquoted, text)


def _apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Part a sentence that holds somebody else's words at its semicolons."""
    for found in _SEMICOLON.finditer(text, start, end if BLANK in text[start:end] else start):
        yield start, found.start()
        start = found.end()
    yield start, end


_SEMICOLON = re.compile(r";(?= )")


def _without_speakers(line: str) -> str:
    """Return a line without the talk between others that is pasted into it."""
    said = list(_SPEAKER.finditer(line))
    names = [one["who"] or "" for one in said]
    talk = len(said) > 1 and (
        any(one["by"] for one in said)
        or any(map(_ROLE.fullmatch, names))
        or len(set(names)) < len(names)
    )
    return line[: said[0].start()] + BLANK * (len(line) - said[0].start()) if talk else line


def _blanked(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", BLANK, found.group())


def _unquoted(found: re.Match[str]) -> str:
    inside = found.group()[1:-1]
    if len(inside.split()) <= 2 and _A_WORD.search(
        found.string[max(0, found.start() - 40) : found.start()]
    ):
        return f" {inside} "
    speech = _SPEECH.search(inside) or _SAYING.search(
        found.string[max(0, found.start() - 40) : found.start()]
    )
    if speech or len(inside.split()) > 6:
        return _blanked(found)
    return f" {inside} "


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
