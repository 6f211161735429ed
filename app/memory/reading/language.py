"""Tell the messages that are in a language the reader was not taught.

It was taught five. A message is in another only where that is beyond doubt: it has words enough
besides names and quotations, none of it shows the everyday words of the five, and the library that
knows 139 languages leaves next to no chance to the five and to what is written much like them.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.assets import resource

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

SURE = 0.9
ALIKE = 3  # so many languages may be too much alike to be told apart, as Indonesian and Malay are
FEWEST = 5  # words
LONGEST = 4000  # characters, as many as the reader reads
ENOUGH = 1000  # characters for the library
_BY_CHANCE = 1 / 12  # of the words so many at most are everyday ones of the five by chance
_ASIDE = re.compile(r"https?://\S+|[\"“”„][^\"“”„]{8,}[\"“”]|[«»][^«»]{8,}[«»]")
_SENTENCE = re.compile(r"[^.!?:;…\n]+")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Taught:
    """What shows that words are in one of the five languages.

    Attributes:
        near: The library's codes of the five and of what is written much like them.
        everyday: Their everyday words, in small letters.
    """

    near: frozenset[str]
    everyday: frozenset[str]

    def count(self, words: Sequence[str]) -> int:
        """Return how many words are everyday ones; an English "I" is one within a sentence."""
        return sum(word.lower() in self.everyday for word in words) + words[1:].count("I")


def is_foreign(text: str) -> bool:
    """Return whether a text is surely in a language that the reader was not taught."""
    talk = _ASIDE.sub(" ", text[:LONGEST]).replace("’", "'")
    words, taught = _WORD.findall(talk), _taught()
    if sum(map(_weight, set(words))) < FEWEST or taught.count(words) >= _BY_CHANCE * len(words):
        return False
    if any(taught.count(_WORD.findall(one)) > 1 for one in _SENTENCE.findall(talk)):
        return False
    likely = _library().rank(talk[:ENOUGH])[:ALIKE]
    return sum(float(chance) for code, chance in likely if code not in taught.near) > SURE


def _weight(word: str) -> float:
    """Return as how many words one counts: a name as none; some scripts part no words."""
    return len(_UNSPACED.findall(word)) / 2 or float(not word[0].isupper())


@cache
def _taught() -> Taught:
    told = tomllib.loads(resource("reading/languages.toml").read_text("utf-8"))
    return Taught(
        frozenset(told["near"].split()), frozenset(" ".join(told["everyday"].values()).split())
    )


@cache
def _library() -> "LanguageIdentifier":
    """Return what tells languages: it takes a second to open and 75 MB, so only where needed."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
