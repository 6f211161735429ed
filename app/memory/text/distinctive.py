"""Tell what is distinctive in a text, and how another text stands to it, by words alone.

Distinctive are names, numbers and words that few rows of the vault hold, in whatever letters they
are written; an everyday word of English has to be rarer than others. A number of three digits, or
of four that may be a year, is so only where it is what a statement comes to ("My PIN is 1987").
One statement is distinguished by several perhaps; another text is taken for telling of the same
where it holds half of them or more, a number counting twice, or where it holds every word that says
something. What merely shares ordinary words may be about the same, which only the person can tell;
so may what is plainly said of somebody else, whatever words it has in common, and what holds words
that only an answer said.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property

from app.domain.language.everyday import everyday
from app.domain.language.text import ERASED, normalise, stem
from app.memory.text import scripts
from app.memory.text.names import capitalised
from app.memory.text.novelty import content
from app.memory.text.query import SMALL_TALK, STOPWORDS
from app.memory.text.whom import of_another
from app.memory.word_lists import word_list

LEAST_RARE = 6  # rows
RARE, EVERYDAY_RARE = 0.01, 0.001  # of all rows
SHARE = 0.5
OF_ANOTHER = "is about somebody else"
FEWEST_WORDS = 2
LONGEST_SOURCE = 2_000  # characters
_ENDS = "。！？؟।"  # of sentences in other scripts, where no space has to follow
_SENTENCE = re.compile(
    rf"[^\s.!?…{_ENDS}][^\n.!?…{_ENDS}]*(?:[.!?…]+(?![\s\"”’')\]]|$)[^\n.!?…{_ENDS}]*)*"
    rf"(?:[.!?…{_ENDS}]+[\"”’')\]]*)?"
)
_NUMBER = re.compile(r"(?<!\w)(?:\+?\d[\d .:/-]*\d|(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[\w-]{4,})(?!\w)")
_ADDRESS = re.compile(r"(?<![\w@./-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_NO_NUMBER = re.compile(r"(?:19|20)\d\d(?:-\d\d-\d\d)?|\d\d?:\d\d(?::\d\d)?")
_FEW_DIGITS = re.compile(r"(?<![\w.,:/+-])\d{2,4}(?![\w/-]|[.,:]\d)")
_BEFORE_VALUE = re.compile(
    r"(?:\b(?:is|was|are|were|be|pin|code|password|number|combination|no\.?)|[=:#])[\s\"'“‘(]*$",
    re.IGNORECASE,
)
_AFTER_VALUE = re.compile(r"[\s\"'”’)]*(?:$|[,;.!?]|(?:and|but|or|not)\b)", re.IGNORECASE)
_DATED = re.compile(r"\b(?:year|born|date)\b", re.IGNORECASE)
_TWO_LETTERS = re.compile(r"(?<![\w'’])[^\W\d_]{2}(?![\w'’])")
_PIECE = re.compile(r"[^\W_]+")
_CLOSING = f" \t.!?…\"”’'){_ENDS}"
_SHORTEST_NAME, _FEWEST_DIGITS, _SHORTEST_WORD, _SHORTEST_VALUE = 3, 4, 3, 3
_STEM = 5  # letters of a word that are enough to know it by, whatever its ending
_OFTEN = 3  # times in the words of our conversations


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


@dataclass(frozen=True)
class ErasedStatement:
    """One statement that goes.

    Attributes:
        marks: Names and numbers in it, with their weight.
        words: What it says, as stems.
        ordinary: Its other words as they are written, which may prove to be rare.
        slight: What of it is too short to be sought alone, or may be a year.
        heard: Whether only an answer said so, which nobody can take for the person's words.
        alone: Whether a single word is enough of a statement.
    """

    text: str
    marks: Mapping[str, int] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    alone: bool = False
    ordinary: tuple[str, ...] = ()
    slight: tuple[str, ...] = ()
    heard: bool = False

    def rare(self, marks: frozenset[str]) -> "ErasedStatement":
        """Return it with only those of its names, numbers and words as marks."""
        weighed = dict.fromkeys(self.ordinary, 1) | dict(self.marks)
        return replace(self, marks={m: w for m, w in weighed.items() if m in marks})

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        return {mark: pattern(mark) for mark in self.marks}

    def match(self, text: str) -> Match | None:
        """Return how a sentence stands to it; None where it has nothing to do with it."""
        if ERASED in text and not text.replace(ERASED, "").strip(" .!?"):
            return None
        if self._is_quoted(text):
            return Match("quotes it", sure=True, whole=True)
        found = self._match(text)
        if found is not None and self.heard:
            return replace(found, why=f"{found.why}, as an answer did", sure=False)
        if found is None or not of_another(self.text, text):
            return found
        return replace(found, why=f"{found.why}, but {OF_ANOTHER}", sure=False, another=True)

    def _match(self, text: str) -> Match | None:
        words = said(text)
        enough = FEWEST_WORDS - self.alone
        if len(self.words) >= enough and self.words <= words:
            return Match("says the same", sure=True, whole=True)
        held = tuple(mark for mark, found in self._patterns.items() if found.search(text))
        shared = self.words & words
        if held:
            weight = sum(self.marks[mark] for mark in held) / sum(self.marks.values())
            named = " and ".join(f"“{mark}”" for mark in _joined(held))
            whole = len(shared) >= enough and len(shared) > len(self.words) / 2
            return Match(f"holds {named}", weight >= SHARE, held, whole)
        if len(shared) >= enough and len(shared) >= SHARE * len(self.words):
            return Match("shares words with it", sure=False, whole=True)
        return None

    def _is_quoted(self, text: str) -> bool:
        mine = normalise(self.text)
        return mine.count(" ") >= FEWEST_WORDS and mine in normalise(text)


def sources(text: str, *, alone: bool = False, heard: bool = False) -> list[ErasedStatement]:
    """Return the statements of a text, each with its marks before any is known to be common."""
    found = [
        ErasedStatement(one, marks(one), said(one), alone, tuple(words(one)), slight(one), heard)
        for _, _, sentence in sentences(text)
        for one in _stretches(sentence)
    ]
    return [one for one in found if one.words or one.marks]


def _stretches(sentence: str) -> Iterator[str]:
    """Yield a sentence in stretches that are short enough to be looked up."""
    while len(sentence) > LONGEST_SOURCE:
        cut = sentence.rfind(" ", 1, LONGEST_SOURCE)
        cut = cut if cut > 0 else LONGEST_SOURCE
        yield sentence[:cut].strip()
        sentence = sentence[cut:].strip()
    yield sentence


def sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each sentence of a text stands, and the sentence without what closes it."""
    for found in _SENTENCE.finditer(text):
        if told := found.group().rstrip(_CLOSING):
            yield found.start(), found.start() + len(told), told


def marks(text: str) -> dict[str, int]:
    """Return the names and numbers in a text with their weight; a number counts twice."""
    found: dict[str, int] = {}
    for one in (*_ADDRESS.findall(text), *_numbers(text), *_values(text)):
        found.setdefault(one, 2)
    for name in capitalised(text):
        if len(name) >= _SHORTEST_NAME and all(name not in known for known in found):
            found.setdefault(name, 1)
    return found


def slight(text: str) -> tuple[str, ...]:
    """Return the words of two letters and the short numbers and years that are no marks of it."""
    known = {piece.lower() for mark in marks(text) for piece in _PIECE.findall(mark)}
    words = (word.lower() for word in _TWO_LETTERS.findall(scripts.latin(text)))
    telling = (word for word in words if word not in STOPWORDS | _idle())
    found = (*telling, *_FEW_DIGITS.findall(text))
    return tuple(one for one in dict.fromkeys(found) if one not in known)


def said(text: str) -> frozenset[str]:
    """Return what a text says, as stems; without the single letters that vowel signs part."""
    found = content(text).words
    return found if not scripts.foreign(text) else frozenset(w for w in found if len(w) > 1)


def words(text: str) -> list[str]:
    """Return the words of a text, beside names and numbers, that may be distinctive.

    Of scripts without spaces these are short stretches, for nothing tells where a word ends.
    """
    known = {piece.lower() for mark in marks(text) for piece in _PIECE.findall(mark)}
    idle = _idle()
    here = [
        word
        for word in plain_words(scripts.latin(text))
        if len(word) >= _SHORTEST_WORD and word not in idle and not word.isdigit()
    ]
    there = [form for term in scripts.terms(text[:LONGEST_SOURCE]) for form in term.forms]
    return [w for w in dict.fromkeys((*here, *there)) if w not in known and len(w) > 1]


def _idle() -> frozenset[str]:
    return SMALL_TALK | word_list("comparing", "idle") | word_list("comparing", "measures")


def is_everyday(word: str) -> bool:
    """Return whether an English word is of those that everybody uses every day."""
    return stem(word) in _everyday()


@cache
def _everyday() -> frozenset[str]:
    return frozenset(stem(word) for word, number in everyday().items() if number >= _OFTEN)


def most_rows(word: str, rows: int) -> int:
    """Return in how many other rows of a vault a word may stand that is rare there."""
    return int(rows * EVERYDAY_RARE) if is_everyday(word) else few(rows)


def few(rows: int) -> int:
    """Return in how many other rows of a vault a name or a number may stand that is rare there."""
    return max(LEAST_RARE, int(rows * RARE))


def rare(
    wanted: Sequence[str], rows: int, count: Callable[[str], int]
) -> tuple[frozenset[str], dict[str, int]]:
    """Return which words few rows hold, and in how many rows those stand that are common.

    Args:
        wanted: Words.
        rows: How many rows there are.
        count: Returns in how many rows a word stands, but for those that go.
    """
    most = few(rows)
    found = {word: count(word) for word in dict.fromkeys(wanted)}
    common = {word: number for word, number in found.items() if number > most}
    return frozenset(found.keys() - common.keys()), common


def pattern(mark: str) -> re.Pattern[str]:
    """Return what finds a mark in a text, whatever its case and spacing, with its plural."""
    pieces = _PIECE.findall(mark)
    if mark[0].isdigit() or mark[0] == "+":
        digits = "".join(pieces)
        return re.compile(r"(?<!\w)\+?" + r"[\s.:/-]{0,2}".join(map(re.escape, digits)) + r"(?!\w)")
    if scripts.unspaced(mark):
        return re.compile(re.escape(mark))
    if mark.islower() or scripts.foreign(mark):
        return _word_pattern(mark)
    body = r"[\W_]{1,3}".join(map(re.escape, pieces))
    return re.compile(rf"(?<!\w){body}(?:['’]s|s|es)?(?!\w)", re.IGNORECASE)


def _word_pattern(word: str) -> re.Pattern[str]:
    """Return what finds a word that is no name, with other endings than its own."""
    if scripts.foreign(word):
        before = "|".join(map(re.escape, scripts.before(word)))
        known = word[:-2] if len(word) > _STEM and word.isalpha() else word
        return re.compile(rf"(?<!\w)(?:{before})?{re.escape(known)}\w{{0,4}}(?!\w)", re.IGNORECASE)
    root = stem(word)
    known = root if word.startswith(root) else root[:-1]  # "y" becomes "i" there
    ending = r"\w{0,4}" if len(known) >= _STEM else "(?:['’]s|s|es)?"
    known = known if len(known) >= _STEM and word.startswith(known) else word
    return re.compile(rf"(?<!\w){re.escape(known)}{ending}(?!\w)", re.IGNORECASE)


def _joined(held: Sequence[str]) -> list[str]:
    """Return marks with the stretches of one word in a script without spaces put together."""
    found: list[str] = []
    for mark in held:
        if found and scripts.unspaced(mark) and found[-1].endswith(mark[:-1]):
            found[-1] += mark[-1]
        else:
            found.append(mark)
    return found


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


def _values(text: str) -> list[str]:
    """Return the numbers of three digits, and those that may be years, that a text comes to."""
    if _DATED.search(text):
        return []
    return [
        found.group()
        for found in _FEW_DIGITS.finditer(text)
        if len(found.group()) >= _SHORTEST_VALUE
        and _BEFORE_VALUE.search(text, 0, found.start())
        and _AFTER_VALUE.match(text, found.end())
    ]
