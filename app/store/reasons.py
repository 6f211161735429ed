"""Reasons of a recall as the JSON of a trace holds them: an object each, without what is empty.

Migration m0007 gave the reasons of older traces this form. What comes otherwise, in an export of an
older version or from another program, keeps its words where it has any and is left out where not.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from app.domain.language.foreign import number_of, text_of
from app.domain.reason import Reason, ReasonKind

KIND = "kind"
_DIGITS = 6


def data(reason: Reason) -> dict[str, Any]:
    """Return what JSON holds of a reason."""
    told = {
        "name": reason.name,
        "numbers": [_short(number) for number in reason.numbers],
        "text": reason.text,
    }
    return {KIND: reason.kind.value, **{name: value for name, value in told.items() if value}}


def _short(number: float) -> float:
    short = round(float(number), _DIGITS)
    return int(short) if short.is_integer() else short


def read(found: object) -> Reason | None:
    """Return a reason as JSON held it; None where it tells nothing that is known here."""
    if isinstance(found, str):
        return Reason(ReasonKind.SAID, text=found)
    if not isinstance(found, dict):
        return None
    with suppress(TypeError, ValueError):
        return Reason(
            ReasonKind(found.get(KIND, "")),
            text_of(found.get("name", "")),
            tuple(map(number_of, found.get("numbers", ()))),
            text_of(found.get("text", "")),
        )
    return None


def read_all(found: Iterable[object]) -> tuple[Reason, ...]:
    """Return the reasons that JSON held, as far as they are known here."""
    return tuple(reason for one in found if (reason := read(one)) is not None)


def settles(found: object) -> bool:
    """Say whether an object tells how a contradiction was settled, which stands behind them."""
    return isinstance(found, dict) and KIND not in found
