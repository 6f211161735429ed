"""Make marked stretches statements that stand alone: whole sentences, with what they lean on.

What gives a fact its meaning often stands beside it. Stretches of one sentence about one person
are one; a stretch that is most of its sentence, or that matters for safety, is all of it; and a
sentence that begins with "she" or "that" goes with the one before it, unless it is known whom or
what that means.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from app.domain.question import wants_work
from app.memory.reading.marks import LAST_WORD, WORD, Stretch, chances, joined, safety
from app.memory.reading.words import words
from app.memory.when.words import NUMBERS
from app.providers.reading import Tags

BETWEEN, BETWEEN_SAFE = 5, 12  # words
CLEARLY = 0.5  # logit
LONGEST, LONGEST_SAFE = 28, 40  # words
MOST_OF_IT = 0.5
LEANS = 5  # words
SHORT = 3  # words
LEADS_IN = 3  # words
TAIL = 6  # words
ASIDE = 3  # words
PERHAPS = 0.1
_STOP = re.compile(
    r"(?:(?<!\b[A-Z])(?<!\b(?:Dr|Mr|Ms|St))(?<!\bMrs)[.!?…;]+[\"”')]*(?=\s|$)|\n)\s*"
)
_POINT = re.compile(r"(?<=\d)[.](?=\d)")


def whole(
    text: str,
    tags: Tags,
    marked: Sequence[Stretch],
    resolved: Callable[[Stretch], bool] = lambda one: False,
) -> list[Stretch]:
    """Return stretches as statements that stand alone, as far as the message allows.

    Args:
        text: The message.
        tags: What the reader says of it.
        marked: The stretches it marks.
        resolved: Tells whether it is known whom or what "she" or "that" means in a stretch.
    """
    sentences = _sentences(text)
    found = _of_one_sentence(text, tags, marked, sentences)
    found = [_sentence(text, tags, one, found, sentences) for one in found]
    return _with_what_they_lean_on(text, tags, found, sentences, resolved)


def _sentences(text: str) -> list[tuple[int, int]]:
    """Return where sentences begin and end, without the stops and blanks behind them."""
    found, at = [], 0
    for stop in _STOP.finditer(_POINT.sub("_", text)):
        found.append((at, stop.start()))
        at = stop.end()
    return [*found, (at, len(text))]


def _of_one_sentence(
    text: str, tags: Tags, marked: Sequence[Stretch], sentences: Sequence[tuple[int, int]]
) -> list[Stretch]:
    """Return stretches with those of one sentence as one, where they are of one person."""
    found: list[Stretch] = []
    for one in marked:
        last = found[-1] if found else None
        if last is not None:
            safe = safety(tags, last) or safety(tags, one)
            between = text[last.end : one.start].split()
            size = len(text[last.start : one.end].split())
            near = len(between) <= (BETWEEN_SAFE if safe else BETWEEN)
            short = size <= (LONGEST_SAFE if safe else LONGEST)
            within = _at(sentences, last.end - 1) == _at(sentences, one.start)
            if near and short and within and not _of_another(text, tags, last, one):
                found[-1] = joined(last, one)
                continue
        found.append(one)
    return found


def _sentence(
    text: str,
    tags: Tags,
    one: Stretch,
    marked: Sequence[Stretch],
    sentences: Sequence[tuple[int, int]],
) -> Stretch:
    """Return a stretch as its whole sentence, where it stands there alone.

    What stands before "I" or "my" only leads in: "By the way: I live in Ghent".
    """
    start = sentences[_at(sentences, one.start)][0]
    end = sentences[_at(sentences, max(one.start, one.end - 1))][1]
    said, safe = text[start:end], safety(tags, one)
    size = len(said.split())
    most = len(text[one.start : one.end].split()) >= MOST_OF_IT * size
    alone = not any(o.start < end and start < o.end for o in marked if o is not one)
    plain = text[end : end + 1] != "?" and not wants_work(said)
    if alone and plain and (safe or most) and size <= (LONGEST_SAFE if safe else LONGEST):
        first = WORD.search(text, one.start, one.end)
        begins = first is not None and first[0].lower() in words().subjects | words().my
        leads_in = not safe or len(text[start : one.start].split()) <= LEADS_IN
        start = one.start if begins and leads_in else min(start, one.start)
        return replace(one, start=start, end=max(end, one.end))
    return one


def _with_what_they_lean_on(
    text: str,
    tags: Tags,
    marked: Sequence[Stretch],
    sentences: Sequence[tuple[int, int]],
    resolved: Callable[[Stretch], bool],
) -> list[Stretch]:
    """Return stretches, each with what stands before it where it says little without."""
    found: list[Stretch] = []
    for one in marked:
        last = found[-1] if found else None
        at = _at(sentences, one.start)
        start, end = sentences[at - 1] if at else (0, 0)
        before = text[start:end]
        if not at or one.start > sentences[at][0] or not _leans(text, one, resolved):
            found.append(one)
        elif last is not None and start < last.end:
            short = len(text[last.start : one.end].split()) <= LONGEST_SAFE
            next_to = not text[last.end : one.start].strip(" .!;,…\n")
            found = [*found[:-1], joined(last, one)] if short and next_to else [*found, one]
        else:
            tells = len(before.split()) >= ASIDE and text[end : end + 1] != "?"
            tells = tells and (safety(tags, one) or _marked(tags, start, end) >= PERHAPS)
            short = len(text[start : one.end].split()) <= LONGEST_SAFE
            told = tells and short and not wants_work(before)
            found.append(replace(one, start=start) if told else one)
    return found


def _marked(tags: Tags, start: int, end: int) -> float:
    """Return how likely what stands between two places states something."""
    rows = (tags.spans[:, 0] >= start) & (tags.spans[:, 1] <= end)
    return float(1 - chances(tags.statement)[rows, 0].mean()) if rows.any() else 0.0


def _leans(text: str, one: Stretch, resolved: Callable[[Stretch], bool]) -> bool:
    """Return whether a stretch says little without what stands before it, as far as is known.

    It points back, or has no subject: "I'm pregnant. 13 weeks. My first".
    """
    said = text[one.start : one.end]
    spoken = [word.lower() for word in WORD.findall(said)]
    says = words().subjects if len(spoken) < SHORT else words().subjects | words().my
    bare = len(spoken) <= TAIL and says.isdisjoint(spoken)
    return (bare or points_back(said)) and not resolved(one)


def points_back(said: str) -> bool:
    """Return whether words begin with "she" or "that", or with a number: "Eight are outside"."""
    written = WORD.findall(said)
    spoken = [word.lower() for word in written]
    named = next((n for n, w in enumerate(written) if n and w[0].isupper() and len(w) > 1), LEANS)
    begin = spoken[: min(named, LEANS)]
    return not words().leaning.isdisjoint(begin) or (bool(begin) and begin[0] in NUMBERS)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without their stops."""
    return [text[start:end] for start, end in _sentences(text) if text[start:end].strip()]


def _at(sentences: Sequence[tuple[int, int]], place: int) -> int:
    """Return the number of the sentence in which a place of the text lies."""
    return max((n for n, (start, _) in enumerate(sentences) if start <= place), default=0)


def _of_another(text: str, tags: Tags, one: Stretch, other: Stretch) -> bool:
    """Return whether a stretch is about somebody else than the one before it."""
    mine, theirs = (float(tags.own[list(s.tokens)].mean()) for s in (one, other))
    if mine * theirs < 0:
        return min(abs(mine), abs(theirs)) > CLEARLY
    first = WORD.search(text, other.start, other.end)
    last = LAST_WORD.search(text[one.start : one.end])
    if last is not None and last[1].lower() in words().dangling - words().joining:
        return False  # "I have asthma and for this"
    if mine > 0:
        joint = text[one.end : other.start].strip(" ,").lower()
        opening = WORD.search(text, one.start, one.end)
        each = (word is not None and word[0].lower() for word in (opening, first))
        anew = words().first_person.issuperset(each)
        return anew and (not joint or joint in words().listing)
    named = first is not None and (first[0][:1].isupper() or first[0].lower() in words().my)
    return named and first is not None and first[0] not in text[one.start : one.end].split()
