"""See which of the memories and messages that a model was given its answer made use of.

A memory was used where enough of its words, and of its pairs of neighbouring words, stand in the
answer. Words that only hold a sentence together do not count. Where a script has no spaces, or
glues its grammar to the word, words are read in short runs of letters. A memory without a word that
counts, or in another script than the answer, tells nothing either way.

Which single sentence tells what a line says is told apart more finely: by what it has of the line
that the question did not bring, which everything that was found has.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from app.domain.language.text import stem
from app.memory.text.query import STOPWORDS

USED_FROM = 0.15
TOLD_FROM = 0.5
# How many letters make a piece worth comparing, where no space tells where a word or its stem ends.
_PIECES = {"CJK": 2, "HIRAGANA": 2, "KATAKANA": 2, "HANGUL": 2}
_PIECES |= {"THAI": 4, "LAO": 4, "KHMER": 4, "MYANMAR": 4}
_SPACED, _BETWEEN = 0, -1
_NAME = re.compile(r"(?<=[^\s.!?:] )[^\W\d_a-zß-ÿ]\w+|\w*\d\w*")  # a capital within, or a number
_HIRAGANA = ("\u3040", "\u309f")


@dataclass(frozen=True, slots=True)
class Attribution:
    """What an answer made of the memories that it was given.

    Attributes:
        used: Ids of those that it used.
        ignored: Ids of those that it did not.
    """

    used: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def attribution(memories: Iterable[tuple[str, str]], answer: str) -> Attribution:
    """Say which memories an answer used.

    Args:
        memories: Id and text of each memory that stood in the prompt.
        answer: What the model wrote.
    """
    shares = [(memory_id, overlap(text, answer)) for memory_id, text in memories]
    return Attribution(
        tuple(memory_id for memory_id, share in shares if share is not None and share >= USED_FROM),
        tuple(memory_id for memory_id, share in shares if share is not None and share < USED_FROM),
    )


def overlap(memory: str, answer: str) -> float | None:
    """Return the share of a memory's words and pairs of words that an answer has, from 0 to 1.

    None where that tells nothing: no word counts, or the two are in different scripts.
    """
    mine, theirs = tokens(memory), tokens(answer)
    if not mine or not _scripts(mine) & _scripts(theirs):
        return None
    words, pairs = set(mine), _pairs(mine)
    shared = len(words & set(theirs)) + len(pairs & _pairs(theirs))
    return shared / (len(words) + len(pairs))


def told(line: str, sentence: str, asked: str = "") -> frozenset[str]:
    """Return the words that a sentence has of a line, where it tells what that says; else none.

    It does where at least half of what is new in either stands in the other, or the line has every
    word of the sentence. A single word of a longer line has to be a name or a number otherwise,
    where its script tells names apart.

    Args:
        line: A memory or a message that stood in the prompt.
        sentence: A sentence of the answer.
        asked: The question, whose words prove nothing unless the line has no others.
    """
    mine, theirs, given = _stems(line), _stems(sentence), _stems(asked)
    if not mine - given:
        both = mine & theirs
        return both if both and len(both) >= TOLD_FROM * len(mine) else frozenset()
    quoted = len(theirs) > 1 and theirs <= mine
    mine, theirs = mine - given, theirs - given
    both = mine & theirs
    if quoted:
        return both
    names = _stems(" ".join(_NAME.findall(line)))
    telling = len(both) > 1 or all(word in names or not word.islower() for word in both)
    of_sentence = len(both) / len(theirs) if telling and theirs else 0.0
    return both if both and max(of_sentence, len(both) / len(mine)) >= TOLD_FROM else frozenset()


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, tokens(text)))


def tokens(text: str) -> list[str]:
    """Return the words of a text that count, in order and in small letters."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [
        token
        for size, letters in groupby(folded, _letters_per_word)
        if size != _BETWEEN
        for token in _cut("".join(letters), size)
        if _counts(token)
    ]


def _pairs(found: Sequence[str]) -> set[tuple[str, str]]:
    """Return the neighbours among tokens; pieces of one run that overlap are none."""
    return {(a, b) for a, b in pairwise(found) if len(a) == 1 or a[1:] != b[:-1]}


def _cut(run: str, size: int) -> Iterator[str]:
    """Yield a word as it is, and a run without spaces as all its pieces of ``size`` letters."""
    if size == _SPACED or len(run) <= size:
        yield run
        return
    yield from (run[start : start + size] for start in range(len(run) - size + 1))


def _counts(token: str) -> bool:
    """Return whether a token says something; runs of hiragana are mostly grammar."""
    said = any(letter.isalnum() for letter in token)
    grammar = all(_HIRAGANA[0] <= letter <= _HIRAGANA[1] for letter in token)
    alone = len(token) == 1 and token.isalpha() and _letters_per_word(token) == _SPACED
    return said and not (grammar or alone or token in STOPWORDS)


def _letters_per_word(letter: str) -> int:
    """Return how a letter's script is cut into words; ``_BETWEEN`` for what is no letter."""
    if unicodedata.category(letter)[0] not in "LMN":
        return _BETWEEN
    return _SPACED if letter < "\u0e00" else _PIECES.get(_script(letter), _SPACED)


def _scripts(found: Sequence[str]) -> set[str]:
    """Return the scripts of some tokens; digits are one of their own."""
    return {_script(letter) for token in found for letter in token if letter.isalnum()}


def _script(letter: str) -> str:
    name = unicodedata.name(letter, "?")
    return name.replace("-", " ").split()[0]
