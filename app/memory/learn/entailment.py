"""Tell whether what a model wrote is supported by what the person typed.

Three things must hold. Every number and name that was written stands in what was typed; the written
text is negated where the clause it is from is, and only there; and the judge, who reads both, finds
nothing changed (polarity, modality, predicate, who does what to whom). Where the judge does not
answer, nothing that a model wrote is believed.
"""

import logging
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache

from app.domain.language.reading import StatementKind
from app.domain.memory import Candidate
from app.errors import ModelError
from app.memory.reading.wording import with_dates
from app.memory.text.novelty import content
from app.memory.when.words import NUMBERS
from app.memory.word_lists import word_list
from app.providers.base import Understanding
from app.providers.judging import Task

log = logging.getLogger(__name__)

FAITHFUL = 0.82
SUMMED_UP = 0.6  # chance, where all that it was made of stays
LONGEST = 1000
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SPELLED = re.compile(r"(?<!\d)\d(?:\s\d)+(?!\d)")
_BLANK = re.compile(r"\s")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LETTERS = re.compile(r"[^\W\d_]+")
_LATER_WORD = re.compile(r"(?:(?<=[^\W_] )|(?<=[^\W_][,;] ))[^\W\d_]{2,}")
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|no|none|nothing|nobody|without|neither|nor|cannot|stopped|quit|"
    r"nicht|kein\w*|nie|niemals|ohne|nadie|nunca|jamás|pas|jamais|sans|aucune?|niet|geen|nooit|"
    r"zonder|(?:do|ca|wo|is|are|does|did|was)nt)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[.;!?,\n:–—()]+|\b(?:but|and|so|because|since|though|although|while|which|who|aber|und|weil|"
    r"pero|y|porque|mais|et|parce|maar|en|want)\b",
    re.IGNORECASE,
)
_OWN = frozenset(["the", "user", "you", "your", "user's", "he", "she", "it", "they", "i", "my"])


class Entailment:
    """Compares what was written with what was typed."""

    def __init__(self, models: Callable[[], Understanding]) -> None:
        self._models = models

    def believed(self, proposed: Sequence[Candidate], typed: str, at: datetime) -> list[Candidate]:
        """Return what a model proposes and what a message supports.

        Args:
            proposed: What it proposes.
            typed: The message; of a long one, what each proposal quotes of it counts.
            at: When it was typed, in the person's time zone.
        """
        said = [typed if len(typed) <= LONGEST else one.quote for one in proposed]
        pairs = [(_dated(w, at, one), one.text) for w, one in zip(said, proposed, strict=True)]
        held = self.supported(pairs)
        return [one for one, holds in zip(proposed, held, strict=True) if holds]

    def supported(self, pairs: Sequence[tuple[str, str]]) -> list[bool]:
        """Return for each pair (typed, written) whether it is known to be supported."""
        try:
            return self.judged(pairs)
        except ModelError as error:
            log.info("what a model wrote could not be checked (%s)", type(error).__name__)
            return [False] * len(pairs)

    def judged(self, pairs: Sequence[tuple[str, str]], least: float = FAITHFUL) -> list[bool]:
        """Return for each pair (typed, written) whether the written text is supported.

        Args:
            pairs: The pairs.
            least: How likely it must be that nothing was changed.

        Raises:
            ModelError: The judge does not answer.
        """
        plain = [pair for pair in pairs if keeps(*pair)]
        if not plain:
            return [False] * len(pairs)
        bare = [(typed, written.rstrip(" .")) for typed, written in plain]  # a list ends anyhow
        found = self._models().judge(Task.ENTAIL, bare)
        faithful = {pair: float(row[1]) >= least for pair, row in zip(plain, found, strict=True)}
        return [faithful.get(pair, False) for pair in pairs]


def keeps(typed: str, written: str) -> bool:
    """Return whether a text has no number, name or negation that the typed words lack."""
    if not _numbers(written) <= _numbers(typed):
        return False
    if not _names(written) <= {word.casefold() for word in _LETTERS.findall(typed)}:
        return False
    if _NEGATION.search(written):
        return bool(_NEGATION.search(typed))
    return not _only_denied(typed, written)


def _only_denied(typed: str, written: str) -> bool:
    """Return whether what a text says is typed in negated clauses alone: "I'm not allergic".

    Nothing is told of a text that may say the same without the word: "avoids", "unable".
    """
    new = {*_LETTERS.findall(written.casefold())} - {*_LETTERS.findall(typed.casefold())}
    if any(word.startswith(_denying()) for word in new):
        return False
    said = content(written).words
    clauses = [clause for clause in _CLAUSE.split(typed) if clause.strip()]
    shared = [len(said & content(clause).words) for clause in clauses]
    most = max(shared, default=0)
    of_these = (clause for clause, n in zip(clauses, shared, strict=True) if n == most)
    return most > 0 and all(_NEGATION.search(clause) for clause in of_these)


@cache
def _denying() -> tuple[str, ...]:
    return tuple(word_list("comparing", "denying"))


def _dated(words: str, at: datetime, proposed: Candidate) -> str:
    """Return typed words with the dates that they come to, which a model writes out."""
    ahead = proposed.occurred_at is not None and proposed.occurred_at > at
    return with_dates(words, at, StatementKind.PLAN if ahead else StatementKind.EVENT)


def _numbers(text: str) -> set[str]:
    """Return the numbers in a text, written in digits; "1 5 8" is one more."""
    found = {_THOUSANDS.sub("", n).replace(",", ".") for n in _NUMBER.findall(text)}
    found |= {_BLANK.sub("", spelled) for spelled in _SPELLED.findall(text)}
    return found | {str(NUMBERS[w.lower()]) for w in _WORD.findall(text) if w.lower() in NUMBERS}


def _names(text: str) -> set[str]:
    """Return the words with a capital that do not begin a sentence."""
    return {name.casefold() for name in _LATER_WORD.findall(text) if name[0].isupper()} - _OWN
