"""Hold an answer back where it repeats what the model was given instead of answering.

Small models copy: the instructions and the sentences above the notes, a note with its number or
date, the day behind it, or nothing but a mark such as ``[1]``. A line of an answer is held back
while it begins like a rule of the block, or like an entry that says what one there says, and left
out where it goes on so; of marks, and of a bare number or date, nothing is passed on before a word
comes. Alone, those of a note are its label, copied ("1" for "how many dogs?"), unless a note speaks
of them. A list of its own, with numbers and dates, is no echo.
"""

import re
from collections.abc import Sequence

from app.conversation.block import BARE, CONFIRMED, NOT_VERIFIED, VITAL, YOU
from app.conversation.context import INSTRUCTIONS

RULE, TEXT = 28, 14  # characters that tell a rule, or what an entry says, from anything alike
_ENTRY = re.compile(r"(\d+)\. (\d{1,2} \w{3} \d{4})(?:, [^:]{0,300})?: ?[“\"]?")
_COPY = re.compile(  # of an entry, with its number or without
    r"(?:\d+[.)] ?)?[*_]*\d{1,2} \w{3} \d{4}[*_]*(?:, [^:]{0,300})?[*_]*:[*_]* ?[“\"]?"
)
_LABELLED = re.compile(  # as only the block words it
    r"[ \t>*_-]*(?:\d+[.)] ?)?[*_]*\d{1,2} \w{3} \d{4}[*_]*, "
    rf"(?:{'|'.join((VITAL, CONFIRMED, NOT_VERIFIED, YOU, 'happened', 'the assistant said'))})\b"
    r"[^:\n]{0,300}:[*_]* ?[“\"]?"
)
_MAY_BE_COPY = re.compile(
    r"(?:\d+[.)]? ?)?[*_]*"
    r"(?:\d{1,2}(?: (?:\w{1,3}(?: (?:\d{1,4}[*_]*(?:,[^:]{0,300})?[*_]*)?)?)?)?)?"
)
_DAY = re.compile(r" ?\(said on [^()\n]{0,60}\)")  # behind a line of the bare list
_MAY_BE_DAY = re.compile(r" ?\((?:s(?:a(?:i(?:d(?: (?:o(?:n(?: [^()\n]{0,60})?)?)?)?)?)?)?)?\Z| \Z")
_A_MARK = re.compile(r"[\[(]\d[\d\s,]{0,40}[\])]")
_NO_WORD = re.compile(
    r"[\s.,;:*_>-]*(?:[\[(][\d\s,]{0,40})?"
)  # the last may be a mark in the making
_MAY_BE_LABEL = re.compile(r"\d*(?: (?:\w{1,3}(?: \d{0,4})?)?)?[\s.*_]*(?:[\[(][\d\s,]{0,40})?")
_APART = re.compile(r"<<<[0-9a-f]{12}\s|[0-9a-f]{12}>>>")  # around what was pasted
_MAY_BE_APART = re.compile(r"<{0,3}|<<<[0-9a-f]{1,12}|[0-9a-f]{1,12}>{0,2}")
_DECORATION = " \t>*_`#\"'“”-•"
_SPACE = re.compile(r"\s+")


class Echo:
    """Passes on what of an answer is no echo, piece by piece.

    Args:
        block: What the model was given of recalled memories; empty for none.
        labels: Whether the number or date of a note, alone, is none either.

    Attributes:
        lost: How many characters were left out, marks among them.
    """

    def __init__(self, block: str, *, labels: bool = True) -> None:
        ours = [_plain(line) for line in block.splitlines() if _is_ours(line)]
        said = [text for text in map(_said, ours) if text]
        self._rules = {line[:RULE] for line in ours if not _ENTRY.match(line)}
        self._rules |= {line[:RULE] for line in _instructions() if block}
        self._texts = {text[:TEXT] for text in said}
        self._labels = _labels(ours, "\n".join(said)) if labels else frozenset()
        self._line = ""  # what came of the line that is not told yet
        self._begun = False  # whether it is known of the present line what becomes of it
        self._leaves_out = False  # and whether it is left out
        self._day = "" if "(said on" in block else None  # held while it may be one of the list
        self._marks = "" if block else None  # held until a word comes; None once one came
        self.lost = 0

    def passed(self, piece: str) -> str:
        """Return what of the answer so far may be shown now, and was not before."""
        shown = []
        for part in re.split(r"(?<=\n)", piece):
            self._line += part
            shown.append(self._ready(whole=part.endswith("\n")))
        return self._worded(self._without_days("".join(shown)))

    def rest(self) -> str:
        """Return what was held back and is no echo, at the end."""
        if self.lost and not self._begun and self._begins_an_entry(_plain(self._line)):
            self._line = ""  # it was cut off while it went on repeating
        shown = self._worded(self._without_days(self._ready(whole=True)) + (self._day or ""))
        if not self._marks:
            return shown
        held, self._marks = self._marks, None
        if held and self._tells_nothing(_A_MARK.sub("", held), held):
            self.lost += len(held)
            return ""
        return held

    def _ready(self, *, whole: bool) -> str:
        """Return what of the present line is certainly none of the block's, and let go of it."""
        line = self._line
        if not self._begun and line.strip():
            began = _plain(line)
            self._leaves_out = self._is_echo(began) or (whole and self._is_part_of_one(began))
            if not (whole or self._leaves_out) and self._may_be_echo(began):
                return ""
        if self._leaves_out:
            self.lost += len(line)
        shown = "" if self._leaves_out else line if self._begun else self._unlabelled(line)
        self._begun = not whole and (self._begun or bool(line.strip()))
        self._leaves_out = self._leaves_out and not whole
        self._line = ""
        return shown

    def _unlabelled(self, line: str) -> str:
        """Return a line in other words than a note's without the label that was copied with it."""
        found = _LABELLED.match(line) if self._texts else None
        self.lost += len(found[0]) if found else 0
        return line[found.end() :] if found else line

    def _begins_an_entry(self, began: str) -> bool:
        return bool(_MAY_BE_COPY.fullmatch(began) or _COPY.fullmatch(began))

    def _is_echo(self, began: str) -> bool:
        if _APART.match(began) or any(map(began.startswith, self._rules)):
            return True
        return any(map(_said(began).startswith, self._texts))

    def _is_part_of_one(self, whole: str) -> bool:
        """Return whether a line is an entry that breaks off before its text is told apart."""
        said = _said(whole).rstrip()
        return bool(said) and any(text.startswith(said) for text in self._texts)

    def _may_be_echo(self, began: str) -> bool:
        if _MAY_BE_APART.fullmatch(began) or any(one.startswith(began) for one in self._rules):
            return True
        if not self._texts:
            return False
        if entry := _COPY.match(began):
            return any(one.startswith(began[entry.end() :]) for one in self._texts)
        return self._begins_an_entry(began)

    def _without_days(self, text: str) -> str:
        """Return a text without the days that a bare list has behind its lines."""
        if self._day is None:
            return text
        whole = self._day + text
        text = _DAY.sub("", whole)
        self.lost += len(whole) - len(text)
        held = _MAY_BE_DAY.search(text)
        self._day = held[0] if held else ""
        return text.removesuffix(self._day)

    def _worded(self, text: str) -> str:
        """Return a text, held back while the answer has nothing but marks."""
        if self._marks is None:
            return text
        self._marks += text
        bare = _A_MARK.sub("", self._marks)
        if _NO_WORD.fullmatch(bare) or (self._labels and _MAY_BE_LABEL.fullmatch(_plain(bare))):
            return ""
        text, self._marks = self._marks, None
        return text

    def _tells_nothing(self, bare: str, whole: str) -> bool:
        """Return whether an answer is marks alone, or the mere label of a note."""
        return bare != whole if _NO_WORD.fullmatch(bare) else _label(bare) in self._labels


def _plain(line: str) -> str:
    return _SPACE.sub(" ", line.lstrip(_DECORATION)).casefold()


def _instructions() -> list[str]:
    return [_plain(one) for one in INSTRUCTIONS.split(". ") if len(one) > RULE]


def _labels(lines: Sequence[str], said: str) -> frozenset[str]:
    """Return the numbers and dates of entries that nothing in what they say speaks of."""
    heads = [entry.groups() for line in lines if (entry := _ENTRY.match(line))]
    return frozenset(
        label
        for head in heads
        for label in head
        if not re.search(rf"(?<!\d){re.escape(label)}(?!\d)", said)
    )


def _label(answer: str) -> str:
    return _plain(answer).strip(" .*_")


def _is_ours(line: str) -> bool:
    """Return whether a line of a block is worded here, and not a bare note."""
    return bool(line.strip()) and not line.startswith(BARE)


def _said(line: str) -> str:
    """Return what an entry says, behind its number and date; nothing of any other line."""
    entry = _COPY.match(line)
    return line[entry.end() :] if entry else ""
