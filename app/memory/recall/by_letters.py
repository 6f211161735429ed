"""Compare letter by letter what an embedder cannot read.

An embedder's vectors say nothing of a word that its vocabulary spells in single letters, or not at
all; yet the vectors of any two such texts are near to each other. Such words of a question are
looked for in the texts themselves: a text has them or has them not.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.domain.language.text import stem
from app.domain.recall import Hit
from app.memory.recall.late import Likeness, Matrix
from app.memory.text import query, scripts
from app.memory.text.scripts import Term

UNKNOWN = frozenset({"[UNK]", "<unk>"})
READ = 1.5  # letters in a piece, at least, where another script is read
HARDLY, PER_WORD = 2.5, 1.4  # letters in a piece, and pieces in a word, where Latin ones hardly are
COMPARED = 6144  # characters of a text, about as many as are embedded
SAMPLE = "疫苗怎样烤面包螃蟹"
Flags = NDArray[np.bool_]

_BEGINS = "▁"
_A_WORD_EACH = re.compile(f"[{scripts.HAN}\uac00-\ud7af]")
_PART_OF_ONE = re.compile("[\u1100-\u11ff]")
_SENTENCE = re.compile(r"[^.!?。！？؟।;\n]*[.!?。！？؟।;\n]*")
_ASKING = ("?", "？", "؟")


class TextWords:
    """The words of a text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def has(self, term: Term) -> bool:
        """Return whether a term stands in it, maybe with another ending."""
        if not term.spaced:
            return any(form in self._composed for form in term.forms)
        forms = scripts.variants(scripts.bare(term.forms[0]))
        return any(
            alike(form, word) for form in forms for word in self._near[form[: scripts.LEAST]]
        )

    def has_latin(self, word: str) -> bool:
        """Return whether a word in Latin letters, which is no stop word, stands in it."""
        return word not in query.STOPWORDS and stem(word) in self._stems

    @cached_property
    def _composed(self) -> str:
        return scripts.composed(self._text)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return query.stems(scripts.apart(self._text))

    @cached_property
    def _near(self) -> defaultdict[str, list[str]]:
        """The words in other scripts by how they begin."""
        words = defaultdict[str, list[str]](list)
        for one in scripts.bare_words(self._composed):
            words[one[: scripts.LEAST]].append(one)
        return words


def alike(one: str, other: str) -> bool:
    """Return whether two words are the same but for their endings."""
    shorter, longer = sorted((one, other), key=len)
    differing = (at for at, letter in enumerate(shorter) if letter != longer[at])
    common = next(differing, len(shorter))
    return one == other or common >= max(scripts.LEAST, scripts.OF_WORD * len(longer))


def unread(pieces: Sequence[str], sample: Callable[[], Sequence[str]]) -> Flags | None:
    """Return which pieces are of words that the embedder cannot read; None if it can read them.

    Args:
        pieces: A question with words in other scripts, in pieces; none where that is not known.
        sample: Returns ``SAMPLE`` in pieces. Who reads Chinese may spell it in single characters,
            but misses none.
    """
    if not pieces:
        return None
    strange = [piece in UNKNOWN or scripts.foreign(piece) for piece in pieces]
    spelled = [piece for piece, other in zip(pieces, strange, strict=True) if other]
    if sum(map(_letters, spelled)) >= READ * max(1, len(spelled)):
        chinese = any(_A_WORD_EACH.search(piece) for piece in spelled)
        if not chinese or UNKNOWN.isdisjoint(sample()):
            return None
    return np.array(strange, bool)


def _letters(piece: str) -> float:
    if piece in UNKNOWN:
        return 0.0
    letters = piece.removeprefix(_BEGINS)
    words, parts = len(_A_WORD_EACH.findall(letters)), len(_PART_OF_ONE.findall(letters))
    return len(letters) + words - parts / 2


def in_fragments(text: str, pieces: Sequence[str]) -> bool:
    """Return whether a question in Latin letters is hardly known to the embedder.

    English with rare names has small English words between them; Polish or Turkish has not.
    """
    words = query.every_word(text)
    if scripts.latin(text) != text or 3 * sum(w in query.STOPWORDS for w in words) >= len(words):
        return False
    letters = [sum(map(str.isalpha, piece)) for piece in pieces if piece not in UNKNOWN]
    spelled = [count for count in letters if count]
    many = len(spelled) >= PER_WORD * len(words)
    return many and sum(spelled) < HARDLY * len(spelled)


def shared(text: str, others: Sequence[str]) -> Matrix:
    """Return the share of a text's words that stand in each of the others, in any form."""
    words = {query.plain(word) for word in query.every_word(text)}
    found = []
    for other in others:
        near = defaultdict(list)
        for word in map(query.plain, query.every_word(other)):
            near[word[: scripts.LEAST]].append(word)
        had = sum(any(alike(word, o) for o in near[word[: scripts.LEAST]]) for word in words)
        found.append(had / max(1, len(words)))
    return np.array(found, np.float32)


def with_letters(
    like: Likeness, words: Sequence[str], terms: Sequence[Term], hits: Sequence[Hit]
) -> Likeness:
    """Return likeness that is 1 where a text has a word, with a row more for each term.

    Args:
        like: The likeness of the tokens that the embedder can read.
        words: The word that each of these is part of.
        terms: The words that it cannot read.
        hits: The texts.
    """
    told = np.zeros((len(words) + len(terms), len(hits)), np.float32)
    asked = told.copy()
    for at, hit in enumerate(hits):
        for row, text in zip((told, asked), _parts(hit), strict=True):
            said = TextWords(text)
            row[:, at] = [*map(said.has_latin, words), *map(said.has, terms)]
    below = np.zeros((len(terms), len(hits)), np.float32)
    return Likeness(
        np.maximum(np.concatenate([like.said, below]), np.maximum(told, asked)),
        np.maximum(np.concatenate([like.told, below]), told),
        np.maximum(np.concatenate([like.asked, below]), asked),
    )


def _parts(hit: Hit) -> tuple[str, str]:
    """Return what tells in a text, with who speaks, and what asks."""
    told, asked = [hit.speaker], list[str]()
    for sentence in _SENTENCE.findall(hit.text[:COMPARED]):
        (asked if sentence.rstrip().endswith(_ASKING) else told).append(sentence)
    return "\n".join(told), "\n".join(asked)
