"""Read a question's times: which stretch of time it asks for, or favours, if any.

Only what asks is read. A question about when something happened names no time to look in, nor
does one in another language, nor a habit ("What do I do on Tuesdays?"). Where advice is sought
("What should I cook tonight?"), a time that is not over says nothing about what was remembered.
"""

import re
from dataclasses import replace
from datetime import datetime, tzinfo

from app.memory.when import question
from app.memory.when.grammar import TimeMention, times
from app.memory.when.meanings import Present, Tense
from app.memory.when.spans import Bearing, TimeSpan, Timing, local, undated

_LONGEST = 4000
_SPACES = re.compile(r"\s{2,}")
_VAGUE = re.compile(r"recently|lately|of late|these days|the other day", re.IGNORECASE)


def read(text: str, now: datetime, zone: tzinfo | None = None) -> Timing:
    """Return the times that a question asks for.

    Args:
        text: The question.
        now: The present, aware.
        zone: Where the person is; None for the time zone of this computer.
    """
    if len(text) > _LONGEST:
        return undated(text)
    wall = now.astimezone(zone).replace(tzinfo=None)
    spans: list[TimeSpan] = []
    of_saying = False
    for offset, sentence in question.sentences(text):
        found = _times(sentence, wall)
        spans += [_span(one, offset, text, zone, now) for one in found]
        of_saying = of_saying or (bool(found) and question.is_of_saying(sentence))
    if not spans or not question.is_english(without(text, spans)):
        return undated(text)
    return Timing(tuple(spans), without(text, [s for s in spans if _asks(s)]), of_saying)


def without(text: str, spans: list[TimeSpan]) -> str:
    """Return a text without the words of some spans; the text itself where there are none."""
    if not spans:
        return text
    rest, place = "", 0
    for span in spans:
        rest, place = f"{rest}{text[place : span.start]} ", span.end
    return _SPACES.sub(" ", rest + text[place:]).strip()


def _asks(span: TimeSpan) -> bool:
    """Return whether the words of a span are about nothing but the time."""
    return span.bearing is Bearing.RESTRICT or bool(_VAGUE.fullmatch(span.text))


def _times(sentence: str, wall: datetime) -> list[TimeMention]:
    at = Present(wall, question.tense(sentence))
    advised = question.seeks_advice(sentence)
    kept: list[TimeMention] = []
    for one in times(sentence, at):
        over = one.period is not None and one.period.end is not None and one.period.end <= wall
        open_ended = one.period is None or one.period.end is None
        under_way = not over and one.period is not None and (one.period.start or wall) <= wall
        if (advised and not over) or (at.tense is Tense.HABIT and under_way and not open_ended):
            continue
        ahead = one.period is not None and one.period.start is not None and one.period.start > wall
        if ahead or (at.tense is not Tense.PAST and not over and not open_ended):
            one = replace(one, bearing=Bearing.FAVOUR)
        kept.append(one)
    return kept


def _span(one: TimeMention, offset: int, text: str, zone: tzinfo | None, now: datetime) -> TimeSpan:
    start, end = offset + one.start, offset + one.end
    found = None if one.period is None else local(one.period, zone, now)
    return TimeSpan(text[start:end], start, end, one.bearing, found, one.anchor, one.side)
