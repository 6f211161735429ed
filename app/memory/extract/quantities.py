"""Read quantities in a text, and the few words by which a person puts one right.

"It's 10 mg now" says nothing by itself: what it is about was said before.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.memory.extract.person import expanded

_UNITS = (
    (r"mg|milligrams?|milligrammes?", "mg"),
    (r"mcg|µg|micrograms?", "mcg"),
    (r"kg|kilos?|kilograms?", "kg"),
    (r"g|grams?|grammes?", "g"),
    (r"ml|millilit(?:re|er)s?", "ml"),
    (r"l|lit(?:re|er)s?", "l"),
    (r"km|kilomet(?:re|er)s?|k", "km"),
    (r"cm|centimet(?:re|er)s?", "cm"),
    (r"m|met(?:re|er)s?", "m"),
    (r"miles?", "mile"),
    (r"pounds?|lbs?", "pound"),
    (r"iu", "iu"),
    (r"units?", "unit"),
    (r"drops?", "drop"),
    (r"tablets?", "tablet"),
    (r"pills?", "pill"),
    (r"hours?|hrs?", "hour"),
    (r"minutes?|mins?", "minute"),
    (r"euros?|eur|€", "euro"),
    (r"dollars?|usd", "dollar"),
    (r"%|per ?cent", "%"),
)
_NUMBER = r"\d+(?:[.,]\d+)*"
_UNIT = "|".join(f"(?:{words})" for words, _ in _UNITS)
_QUANTITY = re.compile(
    rf"(?<![\w.,:/-])(?P<number>{_NUMBER}) ?(?P<unit>{_UNIT})(?![\w/])", re.IGNORECASE
)
# What was so from or until some day need not be so of another value.
_BOUND = re.compile(
    r",? ?\b(?:since|until|till|from|as of|starting|ago|before|after|because|for (?:\w+ )?"
    r"(?:days?|weeks?|months?|years?)|(?:in|on|by|around) [\w ]*(?:19|20)\d\d|(?:19|20)\d\d)\b.*$",
    re.IGNORECASE,
)
_CORRECTING = re.compile(
    r"^(?:oh,? |well,? |wait,? )*(?:no|nope|actually|sorry|correction|rather|update|i meant?)\b",
    re.IGNORECASE,
)
_SHORT = re.compile(
    rf"^(?:(?:it|that|this|the (?:dose|dosage|amount)) (?:is|was|should (?:be|have been)) |"
    rf"I (?:take|meant?|am (?:on|taking|at)|weigh|use|need) )?"
    rf"(?P<adverb>(?:now|actually) )?(?P<new>{_NUMBER} ?(?:{_UNIT}))"
    rf"(?P<now> (?:now|nowadays|these days|by now|from now on))?"
    rf"(?:,? (?:and )?(?:not|instead of|rather than) (?P<old>{_NUMBER})(?: ?(?:{_UNIT}))?"
    r"(?: any ?more)?)?(?P<end> now)?$",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    rf"^(?:it|that|the (?:dose|dosage|amount)|they|we|I|my (?:doctor|gp)) (?:have |has )?"
    rf"(?:just )?(?:went|gone|raised|increased|upped|lowered|reduced|cut|changed|is|was)"
    rf"(?: it| that)?(?: (?:raised|increased|upped|lowered|reduced|cut|changed|up|down|back))?"
    rf" to (?P<new>{_NUMBER} ?(?:{_UNIT}))(?P<now> now)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit.

    Attributes:
        text: As it was written.
        number: Without thousands and with a decimal point.
        unit: In one spelling.
    """

    text: str
    number: str
    unit: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Correction:
    """A new value for something said before.

    Attributes:
        quote: The words of the message, verbatim.
        instead_of: The number it replaces, where it was named.
        changed: Whether it says that something is so now and was not before.
    """

    value: Quantity
    quote: str
    instead_of: str = ""
    changed: bool = False


def quantities(text: str) -> list[Quantity]:
    """Return the quantities in a text, in order."""
    return [
        Quantity(m.group(), _plain(m["number"]), _unit(m["unit"]), *m.span())
        for m in _QUANTITY.finditer(text)
    ]


def correction(message: str) -> Correction | None:
    """Return the one value that a message puts right without saying of what, or None."""
    found = list(_corrections(message))
    return found[0] if len(found) == 1 else None


def _corrections(message: str) -> Iterator[Correction]:
    from app.memory.extract.leads import without_openers  # their patterns take long to compile
    from app.memory.extract.sentences import sentences

    for sentence in sentences(message):
        if sentence.question or sentence.foreign:
            continue
        text = expanded(sentence.text)
        words = without_openers(text)
        if match := _CHANGED.match(words):
            yield Correction(quantities(match["new"])[0], sentence.quote, changed=True)
        elif match := _SHORT.match(words):
            marked = match["adverb"] or match["now"] or match["old"] or match["end"]
            if marked or _CORRECTING.match(text):
                old = _plain(match["old"] or "")
                new = match["now"] or match["end"] or (match["adverb"] or "").lower() == "now "
                yield Correction(quantities(match["new"])[0], sentence.quote, old, bool(new))


def put_right(text: str, value: Quantity, instead_of: str = "") -> tuple[str, str] | None:
    """Put a value in the place of the only other one of its unit in a statement.

    What the statement says of a time that the old value began or ended with is left out.

    Returns:
        The statement and the old value as it was written, or None where this is not safe.
    """
    kept = _BOUND.sub("", text)
    same = [found for found in quantities(text) if found.unit == value.unit]
    if len(same) != 1 or same[0].end > len(kept) or same[0].number == value.number:
        return None
    old = same[0]
    if instead_of and instead_of != old.number:
        return None
    return kept[: old.start] + value.text + kept[old.end :], old.text


def _plain(number: str) -> str:
    whole = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", number)
    return whole.replace(",", ".")


def _unit(written: str) -> str:
    return next(unit for words, unit in _UNITS if re.fullmatch(words, written, re.IGNORECASE))
