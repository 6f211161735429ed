"""Word what became of statements, for the answers, the window and the command line alike."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from app.domain.language.text import clipped, verbatim
from app.domain.reply import SET_ASIDE, Became, StatementOutcome

LONGEST_QUOTE = 400
ONLY_HERE = "Kept in this conversation only."
# What stands in a memory for what must not be stored.
_LEFT_OUT = re.compile(
    r"\[((?:private|API) key|password|PIN|IBAN|recovery phrase|card security code"
    r"|(?:card|passport|national|social security) number)\]"
)
_TOGETHER = frozenset({StatementOutcome.REMEMBERED})
_WORDLESS = frozenset({StatementOutcome.REFUSED, StatementOutcome.ONLY_HERE})
_BECAME = {
    StatementOutcome.REMEMBERED: "Remembered: ",
    StatementOutcome.UPDATED: "Updated: ",
    StatementOutcome.KNOWN: "I knew that already: ",
    StatementOutcome.WAITS: "To review: ",
    StatementOutcome.SET_ASIDE: SET_ASIDE,
    StatementOutcome.REFUSED: "Not kept.",
    StatementOutcome.ONLY_HERE: ONLY_HERE,
}


class Whose(Enum):
    """Whose words a piece of a receipt is in."""

    OURS = auto()
    NOW = auto()  # a memory's
    BEFORE = auto()  # those of what it took the place of


def receipt_text(one: Became) -> str:
    """Return what became of a statement, in Markdown."""
    return "".join(text if whose is Whose.OURS else quoted(text) for text, whose in pieces([one]))


def pieces(found: Sequence[Became]) -> Iterator[tuple[str, Whose]]:
    """Yield what became of statements as sentences, in pieces, with whose words each is.

    What was remembered is one sentence; what took the place of something or is doubted has its own.
    """
    sentences: dict[int | StatementOutcome, list[Became]] = {}
    for number, one in enumerate(found):
        alone = one.outcome not in _TOGETHER or one.why
        sentences.setdefault(number if alone else one.outcome, []).append(one)
    for number, alike in enumerate(sentences.values()):
        yield " " if number else "", Whose.OURS
        yield from _sentence(alike)


def _sentence(alike: Sequence[Became]) -> Iterator[tuple[str, Whose]]:
    """Yield one sentence on statements of which the same became."""
    for one in alike:
        yield _BECAME[one.outcome] if one is alike[0] else "; ", Whose.OURS
        if one.outcome in _WORDLESS:
            yield f" {one.why}" if one.why else "", Whose.OURS
            continue
        yield one.text, Whose.NOW
        if one.was:
            yield " (was ", Whose.OURS
            yield one.was, Whose.BEFORE
            yield ")", Whose.OURS
        whys = dict.fromkeys([*map(_why, alike), _left_out(each.text for each in alike)])
        yield "" if one is not alike[-1] else " ".join([".", *filter(None, whys)]), Whose.OURS


def _why(one: Became) -> str:
    """Return why something became of a statement, without what was said before it."""
    why = one.why.removeprefix(_BECAME[one.outcome])
    return f"{why[:1].upper()}{why[1:]}"


def _left_out(texts: Iterable[str]) -> str:
    """Return which secrets and numbers are not stored, by the marks in their place."""
    found = [f"the {mark}" for mark in dict.fromkeys(_LEFT_OUT.findall(" ".join(texts)))]
    if not found:
        return ""
    told = " and ".join([*filter(None, [", ".join(found[:-1])]), found[-1]])
    return f"{told[:1].upper()}{told[1:]} {'was' if len(found) == 1 else 'were'} left out."


def quoted(text: str) -> str:
    """Return words as a quotation, without a full stop that would end the sentence around it."""
    return f"“{verbatim(clipped(text, LONGEST_QUOTE)).rstrip(' .')}”"
