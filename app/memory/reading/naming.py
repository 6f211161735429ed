"""Name what words of a message stand for: "she" becomes "[Emrys’ sister]".

The reader points from a word to where the name stands, in the message before it or in what the
assistant had asked. A statement that names nobody gets the name of whom it is said in front.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from app.memory.reading.agreeing import PronounReference, agreeing
from app.memory.reading.marks import MarkedSpan, chances
from app.memory.reading.words import words
from app.providers.reading import Tags

SURE = 0.5
LONGEST_NAME = 4  # words
_WORD = re.compile(r"[^\W\d_]+")
_SPOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_GOES_ON = re.compile(r"[^\W_]+|(?<=[^\W_])-[^\W_]+")  # "my sister" is not "my sister-in-law"
_ASIDE = re.compile(r"\s*(?:[,;:(–—!?…]|(?<!\b[A-Z])(?<!\b(?:Dr|Mr|Ms|St))(?<!\bMrs)[.]\s)")
_LAST_WORD = re.compile(r"([^\W\d_]+)\s+(?:the\s+)?$")


@dataclass(frozen=True, slots=True)
class NamedMessage:
    """A message and what stood before it.

    Attributes:
        asked: What the assistant had asked.
        at: When it was said, in the person's time zone.
    """

    text: str
    at: datetime
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Insertion:
    """What is written in place of a stretch."""

    start: int
    end: int
    text: str


def named(said: NamedMessage, tags: Tags, one: MarkedSpan, first: int) -> Iterator[Insertion]:
    """Yield the names of what stands for something in a stretch, and of whom it is said.

    Args:
        said: The message.
        tags: What the reader says of it.
        one: The stretch.
        first: Where the statement begins in it.
    """
    rows = np.flatnonzero((tags.spans[:, 0] >= one.start) & (tags.spans[:, 1] <= one.end)).tolist()
    contrary = _contrary(said, tags)
    for row in rows:
        word = _spoken(said.text, tags, row)
        if word is None or row in contrary:
            continue
        start = word.start()
        pronoun = word[0].lower() in words().pronouns
        if not pronoun and row != rows[0]:
            continue
        name, _ = _pointed(said, tags, row, one.start)
        if name and pronoun:
            owning = _owns(said.text, word)
            yield Insertion(start, word.end(), f"[{name}{_genitive(name) if owning else ''}]")
        elif name:
            yield Insertion(first, first, f"[{name}] ")


def _spoken(text: str, tags: Tags, row: int) -> re.Match[str] | None:
    """Return the word that a token is the whole of."""
    start, end = (int(place) for place in tags.spans[row])
    word = _WORD.match(text, start) if start >= 0 else None
    inside = word is None or word.end() < end or text[:start][-1:].isalnum()
    return None if inside else word


def _contrary(said: NamedMessage, tags: Tags) -> set[int]:
    """Return the tokens that cannot mean the name they point to, as others say who that is."""
    rows, meant = [], []
    for row in range(len(tags.spans)):
        word = _spoken(said.text, tags, row)
        if word is not None and word[0].lower() in words().pronouns:
            name, sure = _pointed(said, tags, row, word.start())
            if name:
                rows.append(row)
                meant.append(PronounReference(word[0], name, sure))
    return {row for row, good in zip(rows, agreeing(meant), strict=True) if not good}


def _pointed(said: NamedMessage, tags: Tags, row: int, before: int) -> tuple[str, float]:
    """Return the name that a token points to and how surely; empty where it means what is there.

    Args:
        said: The message.
        tags: What the reader says of it.
        row: The token.
        before: Where a name of the message must begin before.
    """
    begin, last = chances(tags.refers[row])
    found = _name(said, tags, int(begin.argmax()), int(last.argmax()), len(tags.context))
    sure = float(np.sqrt(begin.max() * last.max()))
    if found is None or sure < SURE:
        return "", sure
    number, start, end = found
    if number == 0 and start >= min(before, int(tags.spans[row, 0])):
        return "", sure
    return (said.text, said.asked)[number][start:end], sure


def _name(
    said: NamedMessage, tags: Tags, begin: int, last: int, before: int
) -> tuple[int, int, int] | None:
    """Return where the name between two tokens stands; None where they make no name."""
    first = _place(tags, begin, before)
    final = _place(tags, last, before)
    if first is None or final is None or first[0] != final[0]:
        return None
    text = (said.text, said.asked)[first[0]]
    start, end = first[1], final[2]
    while start and text[start - 1].isalnum():
        start -= 1
    while word := _GOES_ON.match(text, end):
        end = word.end()
    end = _name_ends(text, start, end)
    name = text[start:end]
    good = start < end and "\n" not in name and len(name.split()) <= LONGEST_NAME
    plain = name.lower() not in words().pronouns | words().my | words().first_person
    begins = next(iter(name.lower().split()), "")
    plain = plain and begins not in words().saying | {"of"}  # "of Kukkarahalli" names nothing
    return (first[0], start, end) if good and plain else None


def _name_ends(text: str, start: int, end: int) -> int:
    """Return where a name is over: "Emrys has the angina", "Emrys, our eldest" name Emrys alone."""
    spoken = [one for one in _SPOKEN.finditer(text, start, end) if text[: one.start()][-1:] != "-"]
    verb = next((one.start() for one in spoken[1:] if one[0].lower() in words().saying), end)
    aside = _ASIDE.search(text, start, verb)
    return start + len(text[start : aside.start() if aside else verb].rstrip(" -–—"))


def _place(tags: Tags, token: int, before: int) -> tuple[int, int, int] | None:
    if token < before:
        number, start, end = tags.context[token]
    else:
        number = 0
        start, end = (int(place) for place in tags.spans[token - before])
    return (number, start, end) if start >= 0 else None


def _owns(text: str, word: re.Match[str]) -> bool:
    if word[0].lower() not in words().owning:
        return False
    following = _WORD.match(text, word.end() + 1)
    if following is None or following[0].lower() in words().not_owned:
        return False
    giving = _LAST_WORD.search(text, 0, word.start())
    if word[0].lower() not in words().she or giving is None:
        return True
    then = _WORD.match(text, following.end() + 1)
    aims = then is not None and then[0].lower() in words().aims
    return aims or giving[1].lower() not in words().giving


def _genitive(name: str) -> str:
    return "’" if name.endswith("s") else "’s"
