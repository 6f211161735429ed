"""Marks of a message, made by hand: what the network would say of it, without the network."""

import re
from datetime import UTC, datetime

import numpy as np

from app.domain.language.reading import Act, Change, StatementKind
from app.memory.reading.naming import NamedMessage
from app.providers.reading import OWN, Tags

FRIDAY = datetime(2026, 5, 8, 10, tzinfo=UTC)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_OFF, _ON = -4.0, 4.0


def said(text, asked="", at=FRIDAY):
    return NamedMessage(text, at, asked)


def tokens(text):
    return [OWN, *(match.span() for match in _TOKEN.finditer(text)), OWN]


def tagged(
    message,
    *marked,
    target="",
    refers=(),
    kind=StatementKind.FACT,
    change=Change.NONE,
    safety=False,
    own=True,
    leans=(),
):
    """Return the tags of a message.

    Args:
        message: A text, or a Said.
        marked: The stretches that state something.
        target: What an order is about.
        leans: The sentences that say little without what stands before them.
        refers: Pairs of a word of the message and the name that it stands for, in the message or
            in what was asked.
    """
    one = message if isinstance(message, NamedMessage) else said(message)
    spans = tokens(one.text)
    before = [(1, *span) for span in (tokens(one.asked) if one.asked else ())]
    return Tags(
        spans=np.array(spans, np.int32),
        statement=_marks(one.text, spans, marked),
        kind=_chosen(len(spans), StatementKind, kind),
        safety=np.full(len(spans), _ON if safety else _OFF, np.float32),
        own=np.full(len(spans), _ON if own else _OFF, np.float32),
        change=_chosen(len(spans), Change, change),
        target=_marks(one.text, spans, [target] if target else []),
        refers=_refers(one, spans, before, dict(refers)),
        act=_chosen(1, Act, Act.TELL)[0],
        leans=_leans(one.text, spans, leans),
        context=tuple(before),
    )


def _marks(text, spans, marked):
    """Return outside, begins and goes on for each token."""
    found = np.full((len(spans), 3), _OFF, np.float32)
    found[:, 0] = _ON
    for stretch in marked:
        start = text.index(stretch)
        inside = [i for i, (a, b) in enumerate(spans) if start <= a < b <= start + len(stretch)]
        if not inside:
            continue
        found[inside] = _OFF
        found[inside[0], 1] = found[inside[1:], 2] = _ON
    return found


def _chosen(rows, kinds, one):
    found = np.full((rows, len(kinds)), _OFF, np.float32)
    found[:, list(kinds).index(one)] = _ON
    return found


def _refers(one, spans, before, meant):
    """Return what each token stands for; the first token of the message means nothing."""
    places = [*before, *((0, *span) for span in spans)]
    found = np.full((len(spans), 2, len(places)), -9.0, np.float32)
    texts = (one.text, one.asked)
    for row, (start, end) in enumerate(spans):
        name = meant.get(one.text[start:end]) if start >= 0 else None
        begins = ends = len(before)
        if name is not None and any(name in text for text in texts):
            number = next(n for n in (1, 0) if name in texts[n])
            at = texts[number].index(name)
            inside = [
                i
                for i, (n, a, b) in enumerate(places)
                if n == number and at <= a < b <= at + len(name)
            ]
            begins, ends = inside[0], inside[-1]
        found[row, 0, begins] = found[row, 1, ends] = 9.0
    return found


def _leans(text, spans, sentences):
    """Return how much tokens lean: those of some sentences do."""
    places = [(text.index(one), text.index(one) + len(one)) for one in sentences]
    within = [any(a <= start and end <= b for a, b in places) for start, end in spans]
    return np.where(np.array(within)[:, None], _ON, _OFF).repeat(2, 1).astype(np.float32)
