"""What a message says of itself: that it is not to be remembered, or that it was a joke.

"I see a therapist, please don't save that" is kept in its conversation and nowhere else, as is what
is said off the record. An order for other times ("when I talk about work, don't remember it") is a
standing instruction and no such word, and neither is "I don't remember it". What was said as a joke
may be true, so it waits for the person.

The words that tell are in ``resources/reading/asides.toml``.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from app.assets import resource
from app.memory.reading.own_words import material, overlaps
from app.memory.reading.words import words
from app.memory.text.query import is_small_talk

_READ = 4000
_LETTER = re.compile(r"[^\W_]")
_SENTENCE_BEGINS = re.compile(r"[.!?…\n](?=\s)|\n")


@dataclass(frozen=True, slots=True)
class _Signs:
    """What says that nothing is to be kept, and when; that all was a joke, or only polite."""

    unkept: re.Pattern[str]
    back: re.Pattern[str]
    conditions: re.Pattern[str]
    joking: re.Pattern[str]
    pleasant: re.Pattern[str]


def unkept(text: str) -> bool:
    """Return whether a message orders that nothing of it be remembered."""
    return any(True for _ in _orders(text))


def takes_back(text: str) -> bool:
    """Return whether a message only orders that what was said before it be not remembered."""
    said = list(_orders(text))
    alone = bool(said) and not _LETTER.search(without_order(text))
    return alone and any(_signs().back.search(one["said"]) for one in said)


def without_order(text: str) -> str:
    """Return a message without its words that nothing of it be remembered."""
    rest, end = "", 0
    for found in _orders(text):
        rest, end = f"{rest}{text[end : found.start('said')]}", found.end("said")
    rest = f"{rest}{text[end:]}" if end else text
    first = _LETTER.search(rest)
    return rest[first.start() :] if end and first else rest if first else ""


def jokes(text: str) -> bool:
    """Return whether a message says that it, or what came before, was a joke."""
    return any(True for _ in _found(_signs().joking, text))


def is_pleasant(text: str) -> bool:
    """Return whether a message is a polite phrase that asks for nothing: "how are you?"."""
    return is_small_talk(text) or bool(_signs().pleasant.match(text))


def _orders(text: str) -> Iterator[re.Match[str]]:
    """Yield where a message orders that nothing of it be remembered, now rather than at times."""
    for found in _found(_signs().unkept, text):
        before = _SENTENCE_BEGINS.split(text[: found.start("said")])[-1].strip()
        clause = before.rstrip(", ")
        if not (_signs().conditions.match(clause) and "," not in clause):
            yield found


def _found(sign: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield where a sign stands in the person's own words."""
    read = text[:_READ]
    found = list(sign.finditer(read))
    foreign = material(read) if found else []
    yield from (one for one in found if not overlaps(*one.span("said"), foreign))


@cache
def _signs() -> _Signs:
    told = tomllib.loads(resource("reading/asides.toml").read_text("utf-8"))
    one = {name: _either(signs) for name, signs in told.items()}
    for name in ("unkept", "unkept_within"):
        for blank in ("this", "verb", "done"):
            one[name] = one[name].replace(blank.upper(), one[blank])
    before = words().polite | words().listing | words().leads
    polite = "|".join(sorted(map(re.escape, before), key=len)[::-1])
    begins = rf"(?:(?:^|[.!?…,;:()\n–—]|\s-)\s*(?:(?:{polite})[ ,]+){{0,4}}|\b{one['pleading']} )"
    laughs = one["laughing"]
    over = r"(?=\s*(?:$|[.!…,;:()\n–—]|-\s)|\s+(?:but|because|please|ok(?:ay)?|thanks|lol)\b)"
    ends = rf"(?: {one['where']})*(?:,? (?:please|ok(?:ay)?))?"
    asked = over.replace("[.!", "[.!?")
    told_of = "|".join(
        (
            rf"{begins}(?P<order>{one['unkept']}{ends}){over}",
            rf"\b(?P<within>{one['unkept_within']}{ends}){asked}",
            rf"(?:^|[.!?…\n(])\s*(?:(?:{polite})[ ,]+){{0,4}}(?P<first>{one['unkept_aside']})\b",
            rf"[,;(–—-]\s*(?P<last>{one['unkept_aside']}){over}",
        )
    )
    said = rf"(?P<said>{told_of})"
    return _Signs(
        unkept=_any(said),
        back=_any(rf"(?<!\w){one['back']}(?!\w)"),
        conditions=_any(rf"(?:(?:{polite})[ ,]+){{0,4}}{one['conditions']}\b"),
        pleasant=_any(rf"\W*(?:(?:{polite})[ ,!.]+){{0,4}}{one['pleasant']}\b"),
        joking=_any(rf"(?:{begins}|\b{laughs} )(?P<said>{one['joking']})(?:,? {laughs})*{over}"),
    )


def _either(signs: str) -> str:
    """Return lines of regular expressions as one, with either apostrophe."""
    return f"(?:{'|'.join(signs.strip().splitlines())})".replace("'", "['’]")


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)
