"""Compare statements word by word: which says all that another says, and which contradict.

Likeness in meaning only nominates. One statement holds another where it is the same in the same or
in known other words, or goes on where the other ends: "You live in Ghent near the station" holds
"You live in Ghent". What only shares words holds nothing: "Your sister sails" is no proof of "You
sail", nor "You quit smoking" of "You smoke".
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from app.domain.language.text import stem
from app.domain.memory import Memory
from app.memory.text import novelty
from app.memory.text.contractions import expanded
from app.memory.text.names import mentioned
from app.memory.when.words import NUMBERS
from app.memory.word_lists import word_groups, word_list

_LONGEST = 120
_MIDDLE = 4
_WORD = re.compile(r"[^\W_]+(?:['’/.,:-][^\W_]+)*")
_GLUED = re.compile(r"(?<=\d)(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class StatementWords:
    """What a statement says, for comparison.

    Attributes:
        tokens: Its words in order, each in one form; articles and stress left out.
        turns: What negates, dates or bounds it.
        words: The words that carry meaning.
        facts: Names and numbers in it.
    """

    tokens: tuple[str, ...]
    turns: frozenset[str]
    words: frozenset[str]
    facts: frozenset[str]


def said(text: str) -> StatementWords:
    """Return what a statement says."""
    plain = _GLUED.sub(" ", expanded(text).replace("’", "'"))
    tokens: list[str] = []
    turns: set[str] = set()
    words: set[str] = set()
    for raw in _WORD.findall(plain):
        low = raw.casefold()
        if low in word_list("comparing", "stress"):
            continue
        found = novelty.content(low).words
        meaning = {_one_form(word) for word in found if not word.startswith("<")}
        turns |= {word for word in found if word.startswith("<")}
        turns |= {low} & word_list("comparing", "turning")
        words |= meaning
        owned = "'s" if low.endswith("'s") else ""
        tokens.append("-".join(sorted(meaning)) + owned if meaning else low)
    return StatementWords(tuple(tokens), frozenset(turns), frozenset(words), _facts(plain))


def holds(fuller: str, other: str) -> bool:
    """Return whether ``fuller`` says all that ``other`` says, and at most adds to it."""
    a, b = said(fuller), said(other)
    if a.turns != b.turns or not b.words or len(a.tokens) > _LONGEST:
        return fuller == other
    return _continues(a.tokens, b.tokens, {"with"})


def contains(whole: str, part: str) -> bool:
    """Return whether an observation says what a statement that it was drawn from says.

    Unlike in ``holds``, anything that adds may stand in the middle: other statements said it.
    """
    a, b = said(whole), said(part)
    if a.turns != b.turns or not b.words or len(a.tokens) > _LONGEST:
        return whole == part
    return _continues(a.tokens, b.tokens, _adding())


def joins(whole: str, parts: Sequence[str]) -> bool:
    """Return whether one statement says all that several say, and nothing that none of them says.

    What is added to one of them may stand in the middle, because another one says it.
    """
    read, members = said(whole), [said(part) for part in parts]
    words = frozenset[str]().union(*(part.words for part in members))
    facts = frozenset[str]().union(*(part.facts for part in members))
    spoken = frozenset[str]().union(*(part.tokens for part in members)) | _adding()
    return (
        read.words <= words
        and read.facts <= facts
        and frozenset(read.tokens) <= spoken
        and all(contains(whole, part) for part in parts)
        and _adds_whole_parts(read.tokens, [part.tokens for part in members])
    )


def _adds_whole_parts(whole: Sequence[str], parts: Sequence[Sequence[str]]) -> bool:
    """Return whether all that is added is added as it was said: no "and" joins it to anything else.

    Of "my son is allergic to pears" nobody may make "I like apples, and allergic to pears".
    """
    beside = {pair for part in parts for pair in pairwise(part)}
    begin = {part[0] for part in parts if part}
    return all(
        pair in beside or pair[1] in _adding() or (pair[0] in _adding() and pair[1] in begin)
        for pair in pairwise(whole)
    )


def agree(one: Memory, other: Memory) -> bool:
    """Return whether two memories may be about one thing: nothing in them contradicts."""
    if one.key and other.key and not _same_fact(one, other):
        return False
    then = {m.occurred_at.date() for m in (one, other) if m.occurred_at}
    if len(then) > 1:
        return False
    a, b = said(one.text), said(other.text)
    if a.turns != b.turns or novelty.rivals(one.text, other.text):
        return False
    return not (a.facts - b.facts and b.facts - a.facts)


def fullest(members: Sequence[Memory]) -> Memory:
    """Return the memory that says most; of equals the one met most often, then the newest."""
    return max(members, key=lambda m: (len(said(m.text).words), m.seen_count, m.created_at, m.id))


def _same_fact(one: Memory, other: Memory) -> bool:
    return one.key == other.key and novelty.same_value(one.value, other.value)


def _facts(text: str) -> frozenset[str]:
    names = {name.casefold() for name in mentioned(text) if name != "user"}
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(names | {w for w in words if w[0].isdigit() or w in NUMBERS})


def _continues(fuller: Sequence[str], other: Sequence[str], openers: Collection[str]) -> bool:
    """Return whether ``fuller`` is ``other`` with more at its end.

    Args:
        fuller: Words in order.
        other: Words in order.
        openers: What an addition in the middle may begin with; it ends before another one.
    """
    adding = _adding()
    reached = {(0, 0)}
    todo = [(0, 0)]
    while todo:
        i, j = todo.pop()
        if i == len(other):
            if j == len(fuller) or fuller[j] in adding:
                return True
            continue
        if j == len(fuller):
            continue
        steps = [(i + 1, j + 1)] if other[i] == fuller[j] else []
        if i and fuller[j] in openers and other[i] in adding:
            ends = range(j + 2, min(len(fuller), j + 1 + _MIDDLE))
            steps += [(i + 1, k + 1) for k in ends if fuller[k] == other[i]]
        todo += [step for step in steps if step not in reached]
        reached.update(steps)
    return False


@cache
def _adding() -> frozenset[str]:
    """Return what may follow a whole statement, as tokens."""
    words = word_list("comparing", "adding")
    return words | frozenset(map(stem, words))


def _one_form(root: str) -> str:
    return _forms().get(root, root)


@cache
def _forms() -> Mapping[str, str]:
    """Return for each word of a group, as a stem, the first one of the group."""
    found: dict[str, str] = {}
    for words in word_groups("comparing", "alike"):
        stems = list(map(stem, words))
        found |= dict.fromkeys(stems, stems[0])
    return found
