"""Read one time in a text: the moment that a person names, the day that a statement tells of.

A moment is an ISO date or time, or words such as "last March".
"""

from datetime import date, datetime, time, timedelta

from app.domain.ids import LATEST, known
from app.memory.when.grammar import times
from app.memory.when.meanings import Present, Tense
from app.memory.when.periods import DAY
from app.memory.when.spans import Bearing, local

_INSTANT = timedelta(milliseconds=1)


def moment(text: str, now: datetime) -> datetime | None:
    """Return the moment that is meant, aware and never ahead; None where none is.

    A day, a month or any other stretch of time means its end. A time without a zone is one of this
    computer's clock.
    """
    words = text.strip()
    found = _iso(words) or _spoken(words, now)
    return None if found is None else min(found, now)


def day_told(text: str, said: datetime, tense: Tense = Tense.PAST) -> date | None:
    """Return the first day of the first time in a text; None where it names none.

    Args:
        text: What was said.
        said: When, where the person is.
        tense: Which way it looks.
    """
    found = times(text, Present(said.replace(tzinfo=None), tense))
    exact = (one.period for one in found if one.period and one.bearing is Bearing.RESTRICT)
    return next((day for period in exact if (day := period.first_day)), None)


def _iso(words: str) -> datetime | None:
    try:
        day = date.fromisoformat(words)
    except ValueError:
        pass
    else:
        return known(datetime.combine(min(day, LATEST.date()) + DAY, time())) - _INSTANT
    try:
        return known(datetime.fromisoformat(words))
    except ValueError:
        return None


def _spoken(words: str, now: datetime) -> datetime | None:
    """Return the end of the stretch of time that all of the words name."""
    wall = now.astimezone().replace(tzinfo=None)
    for text in (words, f"in {words}", f"on {words}"):
        found = times(text, Present(wall, Tense.PAST))
        if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)):
            period = found[0].period
            if period is None:
                return None
            end = local(period, None, now).end
            return now if end is None else end - _INSTANT
    return None
