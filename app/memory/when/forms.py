"""The forms of one expression of time, such as "last March"; what each means is in ``meanings``.

A bare form, such as "March" or "Tuesday", is a time only behind a word that says so ("in", "on",
"since"): alone it may be a name or a verb.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from app.memory.when import meanings
from app.memory.when.meanings import Present, Said
from app.memory.when.periods import Period
from app.memory.when.words import DAY, END, MONTH, ORDINAL, SEASON, WEEKDAY, YEAR, any_of

Meaning = Callable[[Said, Present], Period | None]


@dataclass(frozen=True)
class TimeForm:
    """One way of saying a time.

    Attributes:
        text: Its pattern as written.
        behind: The words of which one must stand before it to say that it is a time; empty where
            it is one by itself.
        vague: Whether it only favours that time.
    """

    text: str
    meaning: Meaning
    behind: frozenset[str] = frozenset()
    vague: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What finds it; made when it is first needed, as there are many."""
        return re.compile(f"(?:{self.text}){END}", re.IGNORECASE)


_COUNT = rf"(?P<count>\d{{1,4}}|{any_of(meanings.COUNTS)})"
_UNIT = (
    r"(?P<unit>minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|fortnights?|months?|mos|years?|yrs?"
    r"|decades?)"
)
_LONG = r"(?P<unit>week|weekend|month|year|decade)"
_VAGUE = r"(?:(?P<vague>more than|over|at least|less than|under|about|around|roughly|some|only) )?"
_STEP = r"(?P<step>last|this past|this coming|this|coming|next|(?:the )?previous)"
_SEASON, _MONTH = f"(?P<season>{SEASON})", f"(?P<month>{MONTH})"
_SHORT = "Mon|Tues?|Weds?|Thur?s?|Fri|Sat|Sun"
_WEEKDAY = rf"(?P<weekday>{WEEKDAY}|(?-i:(?:{_SHORT})\b\.?))"
_DAY = f"(?P<day>{DAY})"
_PART = "(?: (?P<part>morning|afternoon|evening|night))?"
_OF_YEAR = rf"(?:(?:, ?| )(?:of |in )?(?P<year>{YEAR}|['’]\d\d|(?:last|this|next) year))"
_FEAST = f"(?P<feast>{any_of(meanings.FEASTS)})".replace("'", "['’]")
_ANY_DAY = f"(?:(?:{WEEKDAY}),? )?"
_NUMERIC = rf"\d{{1,2}}[./-]\d{{1,2}}[./-](?:{YEAR}|\d\d)|{YEAR}[./]\d{{1,2}}[./]\d{{1,2}}"
_NICKNAMED = rf"{any_of(meanings.DECADES)}|(?:(?:19|20)?\d0|'\d0)['’]?s"
_DAYS = rf"{_ANY_DAY}(?:the )?{_DAY}{ORDINAL}? (?:of )?{_MONTH}{_OF_YEAR}?"
_DAYS_AFTER = rf"{_ANY_DAY}{_MONTH} (?:the )?{_DAY}{ORDINAL}?(?![:\d]){_OF_YEAR}?"
_IN, _ON = "in during over throughout around", "on"
_SUM = r"(?:\d+|an?) (?:year|month|week|day|hour)s?"


def _form(text: str, meaning: Meaning, behind: str = "", *, vague: bool = False) -> TimeForm:
    return TimeForm(text, meaning, frozenset(behind.split()), vague)


FORMS: tuple[TimeForm, ...] = (
    _form(rf"{_VAGUE}{_COUNT} {_UNIT} (?:ago|back(?! (?:to|in|at|on|from)))", meanings.ago),
    _form(rf"{_SUM}(?:,? (?:and )?{_SUM})+ ago", meanings.sum_ago),
    _form(
        r"(?:the )?(?P<word>earlier today|today|yesterday|tomorrow|tonight|last night"
        r"|day before yesterday|day after tomorrow|this (?:morning|afternoon|evening))" + _PART,
        meanings.near,
    ),
    _form(rf"{_STEP} {_LONG}(?! (?:of|at|in (?:school|college|office)))", meanings.stepped),
    _form(r"the (?P<unit>week|weekend|month|year) before last", meanings.before_last),
    _form("the weekend(?! (?:of|before|after))", meanings.weekend, "on over at during"),
    _form(r"(?:earlier|so far) this (?P<unit>week|month|year)", meanings.so_far),
    _form(rf"the (?:last|past|previous) (?:{_COUNT} )?{_UNIT}(?! (?:of|at))", meanings.rolling),
    _form("recently|lately|of late|these days", meanings.recent, vague=True),
    _form("the (?P<word>other day)", meanings.recent, vague=True),
    _form("(?:the )?recent (?P<word>weeks|months|years)", meanings.recent, _IN, vague=True),
    _form(rf"{_STEP} {_SEASON}", meanings.season),
    _form(rf"(?:the )?{_SEASON}{_OF_YEAR}", meanings.season),
    _form(rf"(?:the )?{_SEASON}", meanings.season, _IN),
    _form(rf"{_STEP} {_WEEKDAY}{_PART}", meanings.weekday),
    _form(rf"{_WEEKDAY}{_PART}(?: (?:of )?(?P<of>last|this|next) week)", meanings.weekday),
    _form(rf"{_WEEKDAY}{_PART}", meanings.weekday, _ON),
    _form(_DAYS, meanings.calendar_day),
    _form(_DAYS_AFTER, meanings.calendar_day),
    _form(rf"{YEAR}-\d\d-\d\d", meanings.iso),
    _form(_NUMERIC, meanings.numeric),
    _form(
        rf"the {_DAY}{ORDINAL}(?: (?:of )?(?P<step>last|this|next) month|(?! [a-z]))",
        meanings.day_only,
        _ON,
    ),
    _form(rf"{_STEP} {_MONTH}", meanings.month),
    _form(rf"{_MONTH}{_OF_YEAR}", meanings.month),
    _form(_MONTH, meanings.month, _IN),
    _form(rf"(?:the year )?(?P<year>{YEAR})", meanings.whole_year, _IN),
    _form(f"(?:the )?(?P<decade>{_NICKNAMED})", meanings.decade, _IN),
    _form(f"{_STEP} {_FEAST}", meanings.feast, vague=True),
    _form(f"{_FEAST}{_OF_YEAR}", meanings.feast, vague=True),
    _form(_FEAST, meanings.feast, f"{_IN} {_ON} at for", vague=True),
)
