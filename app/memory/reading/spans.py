"""Turn what the reader says of each token into stretches of the message.

The likeliest way through the tokens is taken, where entering or leaving a statement has a price (a
Viterbi path over outside and inside), so that a doubtful word neither breaks one nor makes one; a
new statement begins where "begins" is likelier than not. Stretches are widened to whole words, and
by the few words that lack to whole clauses; ``joining`` makes statements of them.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from app.domain.language.reading import Act
from app.memory.reading.asked import described
from app.memory.reading.joining import whole
from app.memory.reading.marks import LAST_WORD, WORD, MarkedSpan, chances
from app.memory.reading.words import words
from app.providers.reading import Tags

BEGINS = 0.8
PRICE = 1.5
LEAN = 0.0
SHORTEST = 3  # words
WIDENED = 4  # words
NEAR = 60  # characters
WHOLE = 6  # words
SHORT_CLAUSE = 4  # words
PUT_RIGHT = 40  # words
LONG = 8  # words
WISHED = 0.4
NAMED = 0.45
JOINS = frozenset({"and", "but", "und", "aber", "y", "pero", "et", "mais", "en", "maar"})
ALSO_NAMED = 0.8
_BEFORE = re.compile(r"(?:^|(?<=[\s(“\"]))([^\W_]+(?:['’-][^\W_]+)*)[ \t]+$")
_AFTER = re.compile(r"^[ \t]+([^\W_]+(?:['’.:/-][^\W_]+)*)")
_CLAUSE = re.compile(r"(?:^|[.,;:!?…()\n–—-])[\s\"“‘'(]*$")
_ENDED = re.compile(
    r"(?:(?<!\b[A-Z])(?<!\b(?:Dr|Mr|Ms|St))(?<!\bMrs)[.!?…][\"”')]*\s+|\n\s*\n\s*)$"
)
_GOES_ON = re.compile(r"\s*\w")
_OVER = re.compile(r"\s*(?:[.!?…;\n]|$)")
_ENDINGS = (".", "!", "?", "…", ",", ";")
_SENTENCE_END = re.compile(r"[.!?;\n]")
_WITHIN = re.compile(r"(?<=[^\W_])[.@:/’'-][^\W_]+")
_WITHIN_BEFORE = re.compile(r"[^\W_]+-$")


def statements(
    text: str,
    tags: Tags,
    *,
    asked: bool = False,
    foreign: Sequence[tuple[int, int]] = (),
) -> list[MarkedSpan]:
    """Return the stretches that state something, in order.

    Args:
        text: The message.
        tags: What the reader says of it.
        asked: Whether it answers a question, for which one word can be enough.
        foreign: What in it is not the person's own talk.
    """
    found: list[MarkedSpan] = []
    marked = whole(text, tags, list(_stretches(text, tags)), foreign)
    limits = [*(one.start for one in marked[1:]), len(text)]
    for one, limit in zip(marked, limits, strict=False):
        known = described(text, one)
        wide = known or _widened(text, one, found[-1].end if found else 0, limit)
        said = text[wide.start : wide.end]
        answers = asked and not found and not _SENTENCE_END.search(text[: wide.start])
        ends = said.endswith(_ENDINGS) or _ends_at(text, wide.end)
        last = LAST_WORD.search(said)
        over = _OVER.match(text[wide.end :]) is not None  # "of course he is." dangles nowhere
        dangling = words().dangling - words().joining
        dangles = not over and last is not None and last[1].lower() in dangling
        full = not (said.endswith(":") or (dangles and len(said.split()) < LONG)) and (
            len(said.split()) >= SHORTEST or ends
        )
        if (
            full
            and _says_enough(said, answers=answers)
            and (answers or known or _stands(text, wide))
        ):
            found.append(wide)
    return found


def _ends_at(text: str, at: int) -> bool:
    """Return whether a clause is over at a place: nothing goes on there, or "and" another one."""
    after = _AFTER.match(text[at:])
    return not _GOES_ON.match(text[at:]) or (after is not None and after[1].lower() in JOINS)


def _says_enough(said: str, *, answers: bool) -> bool:
    """Return whether words can state something: "I'm diabetic" can, and "Walnuts" as an answer."""
    if len(said.split()) >= SHORTEST or any(letter.isdigit() for letter in said):
        return True
    spoken = [word.lower() for word in WORD.findall(said)]
    if answers:
        return not words().leads.issuperset(spoken)
    return len(spoken) > 1 and spoken[0] in words().subjects


def wished(text: str, tags: Tags, act: Act, sure: float) -> list[MarkedSpan]:
    """Return all of a message that wishes to have something remembered, or put right.

    "Yes, that is right, remember that please" says nothing of its own.

    Args:
        text: The message.
        tags: What the reader says of it.
        act: What the person does with it.
        sure: How likely that is.
    """
    size = len(text.split())
    if words().agreeing.issuperset(word.lower() for word in WORD.findall(text)):
        return []
    rights = act is Act.CORRECT and size <= PUT_RIGHT and "?" not in text
    if not (act is Act.REMEMBER or rights) or sure < WISHED or size <= SHORTEST:
        return []
    return [MarkedSpan(0, len(text), sure, tuple(np.flatnonzero(tags.spans[:, 0] >= 0).tolist()))]


def _stands(text: str, one: MarkedSpan) -> bool:
    """Return whether a stretch is no mere piece of a clause: "guests of the choir" is one."""
    said = text[one.start : one.end]
    spoken = WORD.findall(said)
    if spoken and len(spoken) < SHORT_CLAUSE and spoken[0].lower() in words().leading_on:
        return False
    if len(spoken) >= WHOLE or _CLAUSE.search(text[: one.start]) or any(c.isdigit() for c in said):
        return True
    before = _BEFORE.search(text[: one.start])
    parted = before is not None and before[1].lower() in words().joining
    named = any(word[:1].isupper() for word in spoken[1:])
    return parted or named or not words().subjects.isdisjoint(w.lower() for w in spoken[:1])


def target(text: str, tags: Tags) -> str:
    """Return the words that name what an order is about; several are joined by commas.

    One word can be enough ("all about Pavel"), so each counts by itself; what is much less likely
    than the likeliest is left out.
    """
    inside = 1 - chances(tags.target)[:, 0]
    runs: list[list[int]] = []
    for row in np.flatnonzero((inside >= NAMED) & (tags.spans[:, 0] >= 0)).tolist():
        if runs and runs[-1][-1] == row - 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    best = max((inside[rows].max() for rows in runs), default=0.0)
    likely = [rows for rows in runs if inside[rows].max() >= ALSO_NAMED * best]
    whole = (_whole(text, rows, tags.spans, inside) for rows in likely)
    return ", ".join(text[one.start : one.end] for one in whole)


def _stretches(text: str, tags: Tags) -> Iterator[MarkedSpan]:
    spans = tags.spans
    places = np.flatnonzero(spans[:, 0] >= 0)
    if not len(places):
        return
    found = chances(tags.statement)
    inside, begins = found[:, 1] + found[:, 2], found[:, 1]
    rows: list[int] = []
    for row, within in zip(places.tolist(), _path(inside[places]), strict=True):
        start = int(spans[row, 0])
        starts_word = not (start and _joined(text, start))
        begun = (begins[row] > BEGINS and starts_word) or _ENDED.search(text[:start])
        if rows and (not within or begun):
            yield _whole(text, rows, spans, inside)
            rows = []
        if within:
            rows.append(row)
    if rows:
        yield _whole(text, rows, spans, inside)


def _path(inside: NDArray[np.float32]) -> list[bool]:
    """Return the likeliest way through tokens, where each change of side has a price."""
    chance = np.clip(inside, 1e-4, 1 - 1e-4)
    score = np.stack([np.log(1 - chance), np.log(chance) + LEAN], 1)
    best, back = score[0] - (0.0, PRICE), []
    for row in score[1:]:
        moved = best[::-1] - PRICE
        back.append(moved > best)
        best = np.maximum(best, moved) + row
    side = int(best[1] - PRICE > best[0])
    path = [bool(side)]
    for crossed in reversed(back):
        side = 1 - side if crossed[side] else side
        path.append(bool(side))
    return path[::-1]


def _joined(text: str, at: int) -> bool:
    """Return whether two characters belong to one word: of "drawer_2", all do."""
    return all(letter.isalnum() or letter == "_" for letter in text[at - 1 : at + 1])


def _whole(
    text: str, rows: list[int], spans: NDArray[np.int32], inside: NDArray[np.float32]
) -> MarkedSpan:
    start, end = int(spans[rows[0], 0]), int(spans[rows[-1], 1])
    while start and _joined(text, start):
        start -= 1
    while end < len(text) and _joined(text, end):
        end += 1
    while inner := _WITHIN_BEFORE.search(text[:start]):  # of "ex-wife" and "twenty-six", too
        start = inner.start()
    while inner := _WITHIN.match(text, end):  # of "c@d.org", all is one word
        end = inner.end()
    return MarkedSpan(start, end, float(np.mean(inside[rows])), tuple(rows))


def _widened(text: str, one: MarkedSpan, floor: int, limit: int) -> MarkedSpan:
    """Return a stretch as whole clauses, where their ends are near; nothing of its neighbours."""
    start, end = one.start, one.end
    if start > floor and (text[start - 1] in "'’" or text[start] in "'’"):
        joined = re.search(r"\S+$", text[floor:start])
        start = floor + joined.start() if joined else start
    start, end = _begun(text, start, floor), _ended(text, start, end, limit)
    return MarkedSpan(start, _closed(text, start, end, limit), one.sure, one.tokens)


def _begun(text: str, start: int, floor: int) -> int:
    """Return where the clause begins in which a stretch begins, if that is near."""
    first = WORD.match(text, start)
    if first is not None and first[0].lower() in words().subjects:
        return start
    if first is not None and first[0][:1].isupper():  # of "Craig Doolan", all is one name
        while (named := _BEFORE.search(text[floor:start])) and named[1][:1].isupper():
            if not named.start() or named[1].lower() in words().joining:
                break
            start = floor + named.start(1)
    at = start
    for _ in range(WIDENED):
        before = _BEFORE.search(text[floor:at])
        if before is None or before[1].lower() in words().joining:
            return at
        at = floor + before.start(1)
        if before[1].lower() in words().subjects:
            return at
    return start


def _closed(text: str, start: int, end: int, limit: int) -> int:
    """Return the end of a stretch with the bracket that closes what it opened, if that is near."""
    if text.count("(", start, end) <= text.count(")", start, end):
        return end
    closing = text.find(")", end, min(limit, end + NEAR))
    return closing + 1 if closing >= 0 else end


def _ended(text: str, start: int, end: int, limit: int) -> int:
    """Return where the clause ends in which a stretch ends, if that is near."""
    at = end
    for _ in range(WIDENED):
        last, after = LAST_WORD.search(text[start:at]), _AFTER.match(text[at:])
        dangles = last is not None and last[1].lower() in words().dangling - words().joining
        if after is None:
            return at
        parted = after[1].lower() in words().joining or after[1].lower() in words().subjects
        if parted and not dangles:
            return at
        if at + after.end() > limit:
            return at
        at += after.end()
    return end
