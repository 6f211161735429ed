"""Read the day that a statement tells of, such as "yesterday" or "in May 2024"."""

from datetime import date, datetime

from app.memory.when.grammar import times
from app.memory.when.meanings import Present, Tense
from app.memory.when.spans import Bearing


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
