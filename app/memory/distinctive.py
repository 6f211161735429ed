"""Tell what is distinctive in a text, and how another text stands to it, by words alone.

Distinctive are names and numbers that few rows of the vault hold. One statement is distinguished
by several perhaps; another text is taken for telling of the same where it holds half of them or
more, a number counting twice, or where it holds every word that says something. What merely shares
ordinary words may be about the same, which only the person can tell; so may what is plainly said of
somebody else, whatever words it has in common.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from app.domain.text import ERASED, normalise
from app.memory.names import capitalised
from app.memory.novelty import content
from app.memory.recall.query import STOPWORDS
from app.memory.whom import of_another

LEAST_RARE = 6  # rows
RARE = 0.01  # of all rows
SHARE = 0.5
OF_ANOTHER = "is about somebody else"
FEWEST_WORDS = 2
LONGEST_SOURCE = 2_000  # characters
_SENTENCE = re.compile(
    r"[^\s.!?…][^\n.!?…]*(?:[.!?…]+(?![\s\"”’')\]]|$)[^\n.!?…]*)*(?:[.!?…]+[\"”’')\]]*)?"
)
_NUMBER = re.compile(r"(?<!\w)(?:\+?\d[\d .:/-]*\d|(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[\w-]{4,})(?!\w)")
_ADDRESS = re.compile(r"(?<![\w@./-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_NO_NUMBER = re.compile(r"(?:19|20)\d\d(?:-\d\d-\d\d)?|\d\d?:\d\d(?::\d\d)?")
_PIECE = re.compile(r"[^\W_]+")
_CLOSING = " \t.!?…\"”’')"
_SHORTEST_NAME, _FEWEST_DIGITS = 3, 4


@dataclass(frozen=True, slots=True)
class Match:
    """How a text stands to what goes.

    Attributes:
        why: In words for the person.
        sure: Whether it tells of the same; else it may.
        marks: The distinctive words in it.
        whole: Whether all of it says so, rather than only hold a word.
        another: Whether it is plainly about somebody else.
    """

    why: str
    sure: bool
    marks: tuple[str, ...] = ()
    whole: bool = False
    another: bool = False

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """What the better of two matches is known by."""
        return self.sure, self.whole, len(self.marks)


@dataclass(frozen=True, slots=True)
class Source:
    """One statement that goes.

    Attributes:
        marks: Names and numbers in it, with their weight.
        words: What it says, as stems.
        alone: Whether a single word is enough of a statement.
    """

    text: str
    marks: Mapping[str, int] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    alone: bool = False

    def rare(self, marks: frozenset[str]) -> "Source":
        """Return it with only those of its marks."""
        return replace(self, marks={m: w for m, w in self.marks.items() if m in marks})

    def match(self, text: str) -> Match | None:
        """Return how a sentence stands to it; None where it has nothing to do with it."""
        if ERASED in text and not text.replace(ERASED, "").strip(" .!?"):
            return None
        if self._is_quoted(text):
            return Match("quotes it", sure=True, whole=True)
        found = self._match(text)
        if found is None or not of_another(self.text, text):
            return found
        return replace(found, why=f"{found.why}, but {OF_ANOTHER}", sure=False, another=True)

    def _match(self, text: str) -> Match | None:
        words = content(text).words
        enough = FEWEST_WORDS - self.alone
        if len(self.words) >= enough and self.words <= words:
            return Match("says the same", sure=True, whole=True)
        held = tuple(mark for mark in self.marks if pattern(mark).search(text))
        shared = self.words & words
        if held:
            weight = sum(self.marks[mark] for mark in held) / sum(self.marks.values())
            named = " and ".join(f"“{mark}”" for mark in held)
            whole = len(shared) > len(self.words) / 2
            return Match(f"holds {named}", weight >= SHARE, held, whole)
        if len(shared) >= enough and len(shared) >= SHARE * len(self.words):
            return Match("shares words with it", sure=False, whole=True)
        return None

    def _is_quoted(self, text: str) -> bool:
        said = normalise(self.text)
        return said.count(" ") >= FEWEST_WORDS and said in normalise(text)


def sources(text: str, *, alone: bool = False) -> list[Source]:
    """Return the statements of a text, each with its marks before any is known to be common."""
    found = [Source(one, marks(one), content(one).words, alone) for _, _, one in sentences(text)]
    return [one for one in found if one.words or one.marks]


def sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each sentence of a text stands, and the sentence without what closes it."""
    for found in _SENTENCE.finditer(text):
        if said := found.group().rstrip(_CLOSING):
            yield found.start(), found.start() + len(said), said


def marks(text: str) -> dict[str, int]:
    """Return the names and numbers in a text with their weight; a number counts twice."""
    found: dict[str, int] = {}
    for one in (*_ADDRESS.findall(text), *_numbers(text)):
        found.setdefault(one, 2)
    for name in capitalised(text):
        if len(name) >= _SHORTEST_NAME and all(name not in known for known in found):
            found.setdefault(name, 1)
    return found


def rare(
    wanted: Sequence[str], rows: int, count: Callable[[str], int]
) -> tuple[frozenset[str], dict[str, int]]:
    """Return which words few rows hold, and in how many rows those stand that are common.

    Args:
        wanted: Words.
        rows: How many rows there are.
        count: Returns in how many rows a word stands, but for those that go.
    """
    most = max(LEAST_RARE, int(rows * RARE))
    found = {word: count(word) for word in dict.fromkeys(wanted)}
    common = {word: number for word, number in found.items() if number > most}
    return frozenset(found.keys() - common.keys()), common


@lru_cache(128)  # what is erased is soon forgotten here
def pattern(mark: str) -> re.Pattern[str]:
    """Return what finds a mark in a text, whatever its case and spacing, with its plural."""
    pieces = _PIECE.findall(mark)
    if mark[0].isdigit() or mark[0] == "+":
        digits = "".join(pieces)
        return re.compile(r"(?<!\w)\+?" + r"[\s.:/-]{0,2}".join(map(re.escape, digits)) + r"(?!\w)")
    body = r"[\W_]{1,3}".join(map(re.escape, pieces))
    return re.compile(rf"(?<!\w){body}(?:['’]s|s|es)?(?!\w)", re.IGNORECASE)


def plain_words(text: str) -> list[str]:
    """Return the words of a text by which rows are looked up."""
    found = (piece.lower() for piece in _PIECE.findall(text[:LONGEST_SOURCE]))
    return [w for w in dict.fromkeys(found) if len(w) >= _SHORTEST_NAME and w not in STOPWORDS]


def _numbers(text: str) -> list[str]:
    found = (one.strip() for one in _NUMBER.findall(text))
    return [
        one
        for one in found
        if sum(letter.isdigit() for letter in one) >= _FEWEST_DIGITS - any(map(str.isalpha, one))
        and not _NO_NUMBER.fullmatch(one)
    ]
