"""Leave one thing out of a list: "nuts, eggs and latex" without the eggs.

What is said of several things at once holds on of the others when one of them changes. A list is
what "and" or "or" joins, perhaps with commas before, or what stands behind a colon, each with a
note in brackets. Each of its items must name something, and those of three and more must begin
alike, so that "apixaban, 5 mg" is none.
"""

import re
from collections.abc import Callable, Collection
from enum import StrEnum
from functools import cache
from itertools import pairwise

from app.memory.reading.words import words

_JOINT = re.compile(r",?\s+(?:and|or|und|oder|y|o|et|ou|en|of)\s+", re.IGNORECASE)
_COMMA = re.compile(r",\s+")
_END = re.compile(r"[;!?]\s|(?<!\bMr)(?<!\bDr)(?<!\bMs)(?<!\bMrs)[.]\s|\s[–—-]\s|:\s")
_WORD = re.compile(r"\[[^\]]*\]|[^\s,()]+")
_WITH_NOTE = re.compile(r"[^\W\d_][^,()]*\([^()]*\)")
_LIMITS = frozenset(("only", "just", "both", "either", "nur", "solo", "seulement", "alleen"))
_ARTICLES = frozenset(("a", "an", "the", "der", "die", "das", "el", "la", "le", "het"))

Span = tuple[int, int]
Tells = Callable[[str], frozenset[str]]


class _Begins(StrEnum):
    """How an item of a list begins."""

    NUMBER = "number"
    NAMED = "a name, or whose it is"
    ARTICLE = "article"
    WORD = "word"


def without_items(text: str, changed: Collection[str], tells: Tells) -> str:
    """Return a statement without the items of a list that a newer one is about; else nothing.

    Args:
        text: The statement.
        changed: The words by which the newer one names what it is about.
        tells: Returns those words of a text.
    """
    ends = [0, *(found.end() for found in _END.finditer(text)), len(text)]
    for start, end in pairwise(ends):
        if left := _left(text, _counted_up(text, start, end), changed, tells):
            return left
        for joint in _JOINT.finditer(text, start, end):
            items = _items(text, start, joint.start(), joint.end(), end)
            if left := _left(text, items, changed, tells):
                return left
    return ""


def _counted_up(text: str, start: int, end: int) -> list[Span]:
    """Return where the items stand of a list behind a colon: "my team: Sam (sales), Oli (QA)"."""
    if text[:start].rstrip()[-1:] != ":":
        return []
    ends = [start, *(found.end() for found in _COMMA.finditer(text, start, end)), end]
    items = [(a, a + len(text[a:b].rstrip(" ,.;!"))) for a, b in pairwise(ends)]
    return items if all(_WITH_NOTE.fullmatch(text, a, b) for a, b in items) else []


def _items(text: str, start: int, ahead: int, behind: int, end: int) -> list[Span]:
    """Return where the items of a list stand, of which the last two stand around a joint.

    Nowhere where these are clauses, or do not begin alike.
    """
    kind = _begins(text[behind:end])
    commas = [found.span() for found in _COMMA.finditer(text, start, ahead)]
    last = _tail(text, behind, end, kind)
    items, stop = [(behind, last)], ahead
    while commas and _begins(text[commas[-1][1] : stop]) is kind:
        items.insert(0, (commas[-1][1], stop))
        stop = commas.pop()[0]
    if commas and len(items) == 1:
        return []  # "Ana, a nurse, and her husband"
    begin = commas[-1][1] if commas else start
    first = _head(text, begin, stop, kind)
    items = [(first, stop), *items] if first is not None else items
    lead, tail = text[start : items[0][0]], text[last:end]
    clauses = _verbs_in(lead) and _verbs_in(tail)
    return [] if clauses or any(_verbs_in(text[a:b]) for a, b in items) else items


def _left(text: str, items: list[Span], changed: Collection[str], tells: Tells) -> str:
    """Return a text without those items that are about what changed, if some are and some not."""
    named = [tells(text[a:b]) for a, b in items]
    goes = [not one.isdisjoint(changed) for one in named]
    if len(items) < 2 or not all(named) or all(goes) or not any(goes):
        return ""
    stays = [text[a:b] for (a, b), gone in zip(items, goes, strict=True) if not gone]
    joint = text[items[-2][1] : items[-1][0]]
    listed = f"{', '.join(stays[:-1])}{joint if len(stays) > 1 else ''}{stays[-1]}"
    left = f"{text[: items[0][0]]}{listed}{text[items[-1][1] :]}".strip()
    return left[:1].upper() + left[1:]


def _head(text: str, start: int, stop: int, kind: _Begins) -> int | None:
    """Return where the first item begins: as the others do, or behind a verb; None if nowhere."""
    spoken = list(_WORD.finditer(text, start, stop))
    if kind is _Begins.WORD:
        leads = [n for n, found in enumerate(spoken) if found[0].lower() in _leading()]
        bare = spoken and spoken[0][0].lower() not in words().subjects  # "Eggs and latex"
        at = leads[-1] + 1 if leads else 0 if bare else len(spoken)
        if at == len(spoken):
            return None
        first = spoken[at]  # whose capital tells nothing where it begins the text
        return first.start() if first.start() == 0 or _begins(first[0]) is kind else None
    alike = [n for n, found in enumerate(spoken) if _begins(found[0]) is kind]
    if not alike:
        return None
    at = alike[-1]
    while at and _begins(spoken[at - 1][0]) is kind and spoken[at - 1][0].lower() not in _LIMITS:
        at -= 1
    return spoken[at].start()


def _tail(text: str, start: int, end: int, kind: _Begins) -> int:
    """Return where the last item ends: before what goes on with all of them."""
    before = ""
    for found in _WORD.finditer(text, start, end):
        word = found[0]
        goes_on = before[:1].isupper() and word.islower() and word.endswith("s")  # "Dan collects"
        apart = kind is _Begins.WORD and word.lower() in _prepositions()  # "every morning"
        if before and (word.lower() in _verbs() or goes_on or apart):
            return len(text[: found.start()].rstrip())
        before = word
    return len(text[:end].rstrip(" .;!?"))


def _verbs_in(text: str) -> bool:
    """Return whether a text has a verb."""
    return not _verbs().isdisjoint(found[0].lower() for found in _WORD.finditer(text))


def _begins(text: str) -> _Begins:
    """Return how a text begins."""
    first = next((found[0] for found in _WORD.finditer(text)), "")
    if first[:1].isdigit():
        return _Begins.NUMBER
    if first.lower() in _ARTICLES:
        return _Begins.ARTICLE
    named = first[:1].isupper() or first[:1] == "[" or first.lower() in words().my
    return _Begins.NAMED if named and first != "I" else _Begins.WORD


@cache
def _leading() -> frozenset[str]:
    """Return the words behind which a list begins: verbs, prepositions, "only"."""
    return words().doing | words().saying | _LIMITS


@cache
def _verbs() -> frozenset[str]:
    """Return those of these words that are verbs."""
    return (words().doing | words().saying) - _prepositions() - _ARTICLES


@cache
def _prepositions() -> frozenset[str]:
    """Return those of these words that are no verbs."""
    return words().leading_on | frozenset(("at", "because", "into", "that", "which", "who"))
