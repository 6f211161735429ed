"""Points in time that a library reads better than a grammar of ours would: numeric dates, sums.

It is asked about the very words only; in a whole question it would take "may" for a month.
"""

import logging
import re
from datetime import datetime

_NUMERIC = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})")
_log = logging.getLogger(__name__)


def day(text: str, now: datetime) -> datetime | None:
    """Return the day of a numeric date; None where day and month could be taken for each other."""
    found = _NUMERIC.fullmatch(text)
    order = _order(found) if found else ""
    return _point(text, now, order) if order else None


def moment(text: str, now: datetime) -> datetime | None:
    """Return the moment that words such as "1 year and 2 months ago" mean."""
    return _point(text, now, "DMY")


def _order(found: re.Match[str]) -> str:
    first, dot, second, last = found[1], found[2] == ".", int(found[3]), found[4]
    if len(first) == 4:
        return "YMD" if len(last) <= 2 else ""
    if len(last) not in (2, 4) or len(first) > 2:
        return ""
    if second > 12:
        return "MDY"
    return "DMY" if dot or int(first) > 12 or int(first) == second else ""


def _point(text: str, now: datetime, order: str) -> datetime | None:
    import dateparser

    wanted = {"PREFER_DATES_FROM": "past", "RELATIVE_BASE": now, "DATE_ORDER": order}
    try:
        found = dateparser.parse(text, languages=["en"], settings=wanted)
    except (ValueError, OverflowError, TypeError) as error:
        _log.info("a date was not read: %s", type(error).__name__)
        return None
    return found.replace(tzinfo=None) if isinstance(found, datetime) else None
