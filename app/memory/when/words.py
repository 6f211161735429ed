"""The words and pieces of expressions that dates are made of; English, lower case.

The pieces are regular expressions without groups of their own, to be put together by whoever reads
statements or questions.
"""

from collections.abc import Iterable
from datetime import date

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
CALENDAR = frozenset((*MONTHS, *WEEKDAYS))
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
NUMBERS = {
    word: value
    for value, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
            "eighteen", "nineteen",
        )
    )
} | {
    word: value
    for value, word in zip(
        range(20, 100, 10),
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
        strict=True,
    )
}  # fmt: skip

MONTH = "|".join(f"{m}|{m[:3]}\\b\\.?" for m in MONTHS) + r"|sept\b\.?"
WEEKDAY = "|".join(WEEKDAYS)
SEASON = "|".join(SEASONS)
DAY = r"[0-3]?\d"
ORDINAL = "(?:st|nd|rd|th)"
YEAR = r"(?:19|20)\d\d"
END = r"(?![\w-])"


def any_of(words: Iterable[str]) -> str:
    """Return the expression for one of these words, longer ones first."""
    return "|".join(sorted(words, key=len, reverse=True))


def month_number(word: str) -> int:
    """Return 1 to 12 for a month's name or its abbreviation."""
    return next(i for i, name in enumerate(MONTHS, 1) if name.startswith(word.lower()[:3]))


def day_words(day: date) -> str:
    """Return a day as it is written in memories and traces, such as "7 May 2026"."""
    return f"{day.day} {month_words(day)}"


def month_words(day: date) -> str:
    """Return a month as it is written, such as "May 2026"."""
    return f"{MONTHS[day.month - 1].capitalize()} {day.year}"
