"""Set the marks of an answer that has none: which sentence tells what which line says.

To ask a model for marks costs a small one its answer, so they are set afterwards. Those that it
makes itself are kept. How much a sentence has of a line is not told here but given.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from app.conversation import citations

MOST = 3  # marks behind one sentence

# Says which words a sentence has of a line; none where it does not tell what the line says.
Likeness = Callable[[str, str], frozenset[str]]

_CODE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
# Not after "Dr", "St", "p" or a number that orders ("1." of a list).
_OWN = r"(?:[ \t]*\[\d[\d\s,]*\])*"  # marks that the model set behind the full stop
_END = re.compile(
    rf"(?<!\b[A-Z])(?<!\b[A-Z]\w)(?<!\b[A-Z]\w\w)(?<!\d)[.!?…]+[\"'”’)*_]*{_OWN}(?=\s|$)"
    rf"|(?<=\d)[.!?…]+[\"'”’)*_]*{_OWN}(?=\s+[A-ZÀ-Þ]|\s*$)|[。！？]+[」』”]*{_OWN}|\n|$"
)
_CLOSING = re.compile(r"[.!…。！]+$|$")
_NO_PROSE = re.compile(r"\s*(?:#|\||!\[|<)|.*`")
_ONLY_A_NUMBER = re.compile(r"\s*(?:[-*•]|\d+[.)])\s*")


def marked(answer: str, lines: Sequence[str], likeness: Likeness) -> str:
    """Return an answer in which sentences that tell what a line says end with its number.

    Args:
        answer: The answer, in Markdown.
        lines: What stood in the prompt, numbered from 1 in this order.
        likeness: Takes a line and a sentence.
    """
    if not lines:
        return answer
    shown, at = [], 0
    for code in _CODE.finditer(answer):
        shown += [_prose(answer[at : code.start()], lines, likeness), code[0]]
        at = code.end()
    return "".join([*shown, _prose(answer[at:], lines, likeness)])


def _prose(text: str, lines: Sequence[str], likeness: Likeness) -> str:
    return "".join(_with_marks(one, lines, likeness) for one in _sentences(text))


def _sentences(text: str) -> Iterator[str]:
    """Yield a text in pieces that each end with a sentence or a line; together they are it."""
    at = 0
    for end in _END.finditer(text):
        if end.end() > at:
            yield text[at : end.end()]
            at = end.end()


def _with_marks(sentence: str, lines: Sequence[str], likeness: Likeness) -> str:
    said = sentence.rstrip()
    asks = said.endswith(("?", "？"))
    bare = _NO_PROSE.match(said) or _ONLY_A_NUMBER.fullmatch(said)
    if not said or asks or bare or citations.numbers(said, len(lines)):
        return sentence
    numbers = _told(said, lines, likeness)
    if not numbers:
        return sentence
    closing = _CLOSING.search(said)
    at = closing.start() if closing else len(said)
    return f"{said[:at]} {''.join(f'[{one}]' for one in numbers)}{sentence[at:]}"


def _told(sentence: str, lines: Sequence[str], likeness: Likeness) -> list[int]:
    """Return the numbers of the lines that a sentence tells, each for words no other accounts for.

    Of two lines that differ in what the sentence does not have, one is told and not the other.
    """
    found = [(number, likeness(line, sentence)) for number, line in enumerate(lines, start=1)]
    found.sort(key=lambda one: -len(one[1]))
    told: list[int] = []
    accounted = frozenset[str]()
    for number, words in found:
        if words - accounted and len(told) < MOST:
            told.append(number)
            accounted |= words
    return sorted(told)
