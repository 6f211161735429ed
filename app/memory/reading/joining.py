"""Make marked stretches statements that stand alone: whole sentences, with what they lean on.

What gives a fact its meaning often stands beside it. A sentence of which a stretch is marked is
stated as a whole, unless it is very long, asks something or wants work done; where two of its
clauses speak of two persons, each is one. A sentence that says little alone ("The next is on 3
July") goes with what stands before it; whether it does, the reader tells.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from app.domain.language.question import wants_work
from app.memory.reading.marks import LAST_WORD, WORD, MarkedSpan, chances, joined, safety
from app.memory.reading.own_words import overlaps
from app.memory.reading.words import words
from app.memory.when.words import NUMBERS
from app.providers.reading import Tags

BETWEEN, BETWEEN_SAFE = 5, 12  # words between clauses of a very long sentence
CLEARLY = 0.5  # logit
LEANS, LEANS_ON_FACT, LEANS_SAFE, SURELY = -1.2, 0.0, 1.0, 2.0  # log odds
BRIEF, ITEM = 3, 2  # words
POINTS = 0.5  # chance
LONGEST, TOGETHER = 40, 50  # words
LEAST = 0.1  # of a sentence
LEADS_IN = 4  # words
CLAUSE = 3  # words
BEGUN = 5  # words
FIRST = 4  # tokens
_STOP = re.compile(
    r"(?:(?<!\b[A-Z])(?<!\b(?:Dr|Mr|Ms|St))(?<!\bMrs)[.!?…;]+[\"”')]*(?=\s|$)|\n)\s*"
)
_POINT = re.compile(r"(?<=\d)[.](?=\d)")
_MONTH = "januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
_ORDINAL = re.compile(  # "am 12. Dezember", "auf den 19. verschoben"; not "I am 52. she is 50"
    rf"\b\d{{1,2}}[.](?=\s+(?:{_MONTH})\b)"
    r"|(?<!\bi\s)\b(?:am|den|dem|vom|zum|bis|ab)\s\d{1,2}[.](?=\s+(?-i:[a-zäöü]{3,}))",
    re.IGNORECASE,
)

Place = tuple[int, int]


def whole(
    text: str, tags: Tags, marked: Sequence[MarkedSpan], foreign: Sequence[Place] = ()
) -> list[MarkedSpan]:
    """Return stretches as statements that stand alone, as far as the message allows.

    Args:
        text: The message.
        tags: What the reader says of it.
        marked: The stretches it marks, in order.
        foreign: What in it is not the person's own talk; nothing is widened over it.
    """
    places = sentence_places(text)
    found: list[MarkedSpan] = []
    marked = [clause for one in marked for clause in _anew(text, tags, one)]
    for number, place in enumerate(places):
        within = [one for one in marked if _at(places, one.start) == number]
        if within:
            end = places[_at(places, max(one.end for one in within) - 1)][1]
            wide = _of_sentence(text, tags, within, (place[0], end))
            found += within if any(overlaps(o.start, o.end, foreign) for o in wide) else wide
    return _with_what_they_lean_on(text, tags, found, places, foreign)


def _anew(text: str, tags: Tags, one: MarkedSpan) -> Iterator[MarkedSpan]:
    """Yield the clauses of a stretch that the person begins anew of themselves: "and I'm vegan"."""
    spoken = list(WORD.finditer(text, one.start, one.end))
    first = words().first_person
    if spoken and spoken[0][0].lower() in first:
        for joint, other in pairwise(spoken):
            if joint[0].lower() not in words().listing or other[0].lower() not in first:
                continue
            if len(text[one.start : joint.start()].split()) >= CLAUSE:
                rows = [row for row in one.tokens if tags.spans[row, 0] < joint.start()]
                end = len(text[: joint.start()].rstrip(" ,"))
                yield replace(one, end=end, tokens=tuple(rows), votes=())
                rest = [row for row in one.tokens if tags.spans[row, 0] >= other.start()]
                one = replace(one, start=other.start(), tokens=tuple(rest), votes=())
    yield one


def sentence_places(text: str) -> list[Place]:
    """Return where sentences begin and end, without the stops and blanks behind them."""
    found, at = [], 0
    masked = _ORDINAL.sub(lambda found: f"{found[0][:-1]}_", _POINT.sub("_", text))
    for stop in _STOP.finditer(masked):
        found.append((at, stop.start()))
        at = stop.end()
    return [*found, (at, len(text))]


def _of_sentence(
    text: str, tags: Tags, marked: Sequence[MarkedSpan], place: Place
) -> list[MarkedSpan]:
    """Return the stretches of one sentence as the sentence, or as its clauses.

    Of what asks, and of what is very long, only what is marked states something.
    """
    start, end = place
    said = text[start:end]
    size = len(said.split())
    told = sum(len(text[one.start : one.end].split()) for one in marked)
    asked = text[end : end + 1] == "?" and not _requests(said)
    if asked or size > LONGEST or told < LEAST * size:
        return list(_clauses(text, tags, marked))
    parted = [marked[0]]
    for one in marked[1:]:
        alone = _parts_cleanly(text, parted[-1], one) and _named(text, tags, one) == one.start
        if alone and _of_another(text, tags, parted[-1], one):
            parted.append(one)
        else:
            parted[-1] = joined(parted[-1], one)
    starts = [_led_in(text, start, parted[0].start), *(one.start for one in parted[1:])]
    ends = [*(one.end for one in parted[:-1]), max(end, parted[-1].end)]
    return [
        replace(one, start=min(a, one.start), end=b)
        for one, a, b in zip(parted, starts, ends, strict=True)
    ]


def _requests(said: str) -> bool:
    """Return whether a sentence wants something done, which it tells about: "Can you write …"."""
    start = " ".join(said.lower().split()[:2])
    return wants_work(said) or start in words().requesting


def _led_in(text: str, start: int, at: int) -> int:
    """Return where a sentence begins that is led in: "By the way: I live in Ghent", "As I said".

    "Nia, that's our daughter, has started nights" is about whom it begins with, and "The parish
    called, they've moved it" says so.
    """
    before = text[start:at].rstrip()
    spoken = [word.lower() for word in WORD.findall(before)]
    if not 0 < len(spoken) <= LEADS_IN or spoken[0] in words().joining:
        return start
    leading = words().leads | words().polite | words().agreeing | words().leading_in
    leads = before.endswith(":") or (before.endswith(",") and leading.issuperset(spoken))
    return at if leads else start


def _parts_cleanly(text: str, one: MarkedSpan, other: MarkedSpan) -> bool:
    """Return whether nothing but a comma or "and" stands between two clauses with subjects."""
    between = text[one.end : other.start]
    first = WORD.search(text, other.start, other.end)
    begins = first is not None and (
        first[0][:1].isupper() or first[0].lower() in words().subjects | words().my
    )
    joint = between.strip(" ,;–—-").lower()
    return begins and bool(between.strip()) and (not joint or joint in words().listing)


def _clauses(text: str, tags: Tags, marked: Sequence[MarkedSpan]) -> Iterator[MarkedSpan]:
    """Yield the stretches of one sentence, those of one person that are near as one."""
    last = marked[0]
    for one in marked[1:]:
        between = text[last.end : one.start].split()
        size = len(text[last.start : one.end].split())
        safe = safety(tags, last) or safety(tags, one)
        near = len(between) <= (BETWEEN_SAFE if safe else BETWEEN)
        if near and size <= LONGEST and not _of_another(text, tags, last, one):
            last = joined(last, one)
        else:
            yield last
            last = one
    yield last


def _with_what_they_lean_on(
    text: str,
    tags: Tags,
    stated: Sequence[MarkedSpan],
    places: Sequence[Place],
    foreign: Sequence[Place],
) -> list[MarkedSpan]:
    """Return statements, each with the sentences before it where it says little without."""
    found: list[MarkedSpan] = []
    for marked in stated:
        alone = _in_list(text, marked, places)
        end = _taken_back(text, tags, alone, places)
        one = replace(alone, start=_leant_on(text, tags, alone, places), end=end)
        one = alone if overlaps(one.start, one.end, foreign) else one
        last = found[-1] if found else None
        if last is not None and _is_left_over(text, last, alone, places):
            found[-1] = joined(last, alone)
        elif last is None or one.start >= last.end:
            found.append(one)
        elif alone.start < last.end or _says_little(text, tags, last, alone, places):
            found[-1] = joined(last, one)
        else:
            after = (start for start, _ in places if last.end <= start <= alone.start)
            found.append(replace(one, start=next(after, alone.start)))
    return found


def _in_list(text: str, one: MarkedSpan, places: Sequence[Place]) -> MarkedSpan:
    """Return a word or two with those beside it: "Kofi. 24. Bass. Melbourne." is one statement."""
    first, last = _at(places, one.start), _at(places, one.end - 1)
    if first == last and _is_item(text, places[first]):
        while first and _is_item(text, places[first - 1]):
            first -= 1
        while last + 1 < len(places) and _is_item(text, places[last + 1]):
            last += 1
        return replace(one, start=places[first][0], end=places[last][1])
    return one


def _is_item(text: str, place: Place) -> bool:
    """Return whether a sentence is a bare word or two, as of a list."""
    spoken = {word.lower() for word in WORD.findall(text, *place)}
    clause = words().subjects | words().saying | words().my
    bare = len(text[slice(*place)].split()) <= ITEM and clause.isdisjoint(spoken)
    aside = bool(spoken) and _is_aside(text, place)
    return bare and not aside and text[place[1] : place[1] + 1] != "?"


def _is_left_over(text: str, last: MarkedSpan, one: MarkedSpan, places: Sequence[Place]) -> bool:
    """Return whether a statement is a word or two that go with the one right before them."""
    number = _at(places, one.start)
    room = len(text[last.start : one.end].split()) <= TOGETHER
    beside = number == _at(places, last.end - 1) + 1 == _at(places, one.end - 1)
    return room and beside and _is_item(text, places[number])


def _says_little(
    text: str, tags: Tags, last: MarkedSpan, one: MarkedSpan, places: Sequence[Place]
) -> bool:
    """Return whether a statement is one with the statement before it, as far as there is room.

    What gives way later goes with all that is one with it, so that what matters for safety is one
    with another statement only where it says next to nothing alone.
    """
    if len(text[last.start : one.end].split()) > TOGETHER:
        return False
    place = places[_at(places, one.start)]
    leaning, named = _leaning(tags, place), _named(text, tags, one) < one.start
    if safety(tags, last) or safety(tags, one):
        unknown = points_back(text[slice(*place)]) and not named  # no name can be filled in
        return leaning > LEANS_SAFE or unknown
    return leaning > LEANS_ON_FACT or named


def _leant_on(text: str, tags: Tags, one: MarkedSpan, places: Sequence[Place]) -> int:
    """Return where that begins without which a statement says little, as far as there is room."""
    number = _at(places, one.start)
    named, first = _at(places, _named(text, tags, one)), number
    if one.start <= _begins(text, places[number]):
        while first and leans(tags, places[first]):
            first -= 1
    if named < first and len(text[places[named][0] : one.end].split()) <= TOGETHER:
        first = named  # where that is too far away, the name is filled in
    spoken = {word.lower() for word in WORD.findall(text, one.start, one.end)}
    alone = words().pronouns.isdisjoint(spoken)  # "Write me a list. Ruth is vegan now"
    for start, end in places[first:number]:
        room = len(text[start : one.end].split()) <= TOGETHER
        wanted = alone and _requests(text[start:end])
        if room and not (wanted or _is_aside(text, (start, end))):
            return start
    return one.start


def _taken_back(text: str, tags: Tags, one: MarkedSpan, places: Sequence[Place]) -> int:
    """Return the end of a statement with a few words behind it that are all about it: "its NOT"."""
    number = _at(places, one.end - 1)
    following = places[number + 1 : number + 2]
    for start, end in following if one.end >= places[number][1] else ():
        brief = len(text[start:end].split()) <= BRIEF and text[end : end + 1] != "?"
        if brief and not _is_aside(text, (start, end)) and _leaning(tags, (start, end)) > SURELY:
            return end
    return one.end


def _named(text: str, tags: Tags, one: MarkedSpan) -> int:
    """Return where that is named for which "she" or "it" stands in a statement, if before it."""
    before, at = len(tags.context), one.start
    rows = (tags.spans[:, 0] >= one.start) & (tags.spans[:, 1] <= one.end)
    for row in np.flatnonzero(rows).tolist():
        start, end = tags.spans[row]
        if text[start:end].lower() not in words().pronouns:
            continue
        begin = chances(tags.refers[row])[0]
        token = int(begin.argmax()) - before
        if token > 0 and begin.max() >= POINTS and tags.spans[token, 0] >= 0:
            at = min(at, int(tags.spans[token, 0]))
    return at if at == one.start or not _wants(text, at) else one.start


def _wants(text: str, at: int) -> bool:
    """Return whether the sentence around a place asks something or wants something done."""
    place = next(one for one in reversed(sentence_places(text)) if one[0] <= at)
    return text[place[1] : place[1] + 1] == "?" or _requests(text[slice(*place)])


def _is_aside(text: str, place: Place) -> bool:
    """Return whether a sentence only leads in: "Hello", "Ok", "Yes"."""
    spoken = {word.lower() for word in WORD.findall(text, *place)}
    return spoken <= words().leads | words().polite | words().agreeing


def _begins(text: str, place: Place) -> int:
    """Return the latest place at which a statement begins with its sentence."""
    led = WORD.search(text, *place)
    return led.end() if led else place[0]


def leans(tags: Tags, place: Place) -> bool:
    """Return whether a sentence says little without the one before it.

    The reader's marks are averaged over all of it and over its first words.
    """
    return _leaning(tags, place) > LEANS


def _leaning(tags: Tags, place: Place) -> float:
    """Return how much a sentence leans on the one before it, as log odds."""
    rows = (tags.spans[:, 0] >= place[0]) & (tags.spans[:, 1] <= place[1])
    if not rows.any():
        return LEANS
    marks = tags.leans[rows]
    return float(marks[:FIRST, 0].mean() + marks[:, 1].mean())


def points_back(said: str) -> bool:
    """Return whether words begin with "she" or "that", or with a number: "Eight are outside"."""
    written = WORD.findall(said)
    spoken = [word.lower() for word in written]
    named = next((n for n, w in enumerate(written) if n and w[0].isupper() and len(w) > 1), BEGUN)
    begin = spoken[: min(named, BEGUN)]
    return not words().leaning.isdisjoint(begin) or (bool(begin) and begin[0] in NUMBERS)


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without their stops."""
    return [text[start:end] for start, end in sentence_places(text) if text[start:end].strip()]


def passages(text: str) -> list[str]:
    """Return a text as passages that can each be read alone, in its own words and stops.

    What points back comes with what stands before it, and an answer with its question.
    """
    found: list[Place] = []
    for start, end in sentence_places(text):
        said = text[start:end]
        if not WORD.search(said):
            continue
        asked = bool(found) and text[found[-1][1] : start].lstrip().startswith("?")
        goes_on = points_back(said) and said.split()[0].lower() not in NUMBERS
        begin = found[-1][0] if found and (asked or goes_on) else start
        if asked:
            found.pop()
        found.append((begin, end))
    return [text[start:end] for start, end in found]


def _at(places: Sequence[Place], place: int) -> int:
    """Return the number of the sentence in which a place of the text lies."""
    return max((n for n, (start, _) in enumerate(places) if start <= place), default=0)


def _of_another(text: str, tags: Tags, one: MarkedSpan, other: MarkedSpan) -> bool:
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
