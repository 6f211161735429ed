"""What a text is made of as far as names and numbers go: addresses, handles, numbers, words.

The same pieces are looked at on the way out and on the way back.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

LEAST_DIGITS = 6
_JOINS = "@_.,+"  # what belongs to a piece as well as letters and digits do
_LONGEST = 160  # characters of a text that comes in pieces that may wait for its end
_MAIL = r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}"
_HANDLE = r"@\w{2,}"
_MIXED = r"(?=[A-Za-z0-9]*[A-Za-z])(?=(?:[A-Za-z]*[0-9]){4})[A-Za-z0-9]{6,64}"
_ID = rf"(?<![A-Za-z0-9]){_MIXED}(?![A-Za-z0-9])"
_NUMBER = r"(?<![^\W_])(?<![0-9][.,])\+?\(?[0-9](?:[ \t./()–-]{0,2}[0-9])*"
_WORD = r"[^\W\d_]+"
_ATOM = (
    f"(?P<mail>{_MAIL})|(?P<handle>{_HANDLE})|(?P<id>{_ID})|(?P<number>{_NUMBER})|(?P<word>{_WORD})"
)
ATOM = re.compile(_ATOM)
_OPEN = re.compile(r"(?:[+(]?[0-9][0-9 \t./()–-]*|[\w@.+'’-]+|[+(])\Z")
_DATE = re.compile(
    r"\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{1,2}[./]\d{4}"
)
_DECIMAL = re.compile(r"(?:[1-9]\d{0,4}|0)\.\d+|\d{1,3}(?:\.\d{3})+|\d{1,4}/\d{1,4}")
_YEARS = re.compile(r"(?:(?:19|20)\d\d[ \t./()–-]{0,2})+")
_ROUND = re.compile(r"[1-9]\d{0,3}0{4,}")
_FREE = re.compile(r"[ \t]+")
_SPACED_LEAST = 9  # digits of groups with blanks between them that are one number


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of a text.

    Attributes:
        kind: ``mail``, ``handle``, ``id``, ``number``, ``word`` or ``phrase``.
    """

    kind: str
    text: str
    start: int
    end: int


def atoms(text: str, phrases: Iterable[str] = ()) -> Iterator[Atom]:
    """Yield the pieces of a text in their order; what lies between them is of no concern.

    Args:
        text: Any text.
        phrases: What is one piece, whatever it is made of.
    """
    for found in _pattern(phrases).finditer(text):
        yield Atom(found.lastgroup or "word", found.group(), *found.span())


def _pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(phrases, key=len, reverse=True)
    if not longest:
        return ATOM
    return re.compile(f"(?P<phrase>{'|'.join(map(re.escape, longest))})|{_ATOM}")


def digits(text: str) -> str:
    """Return the digits of a text."""
    return "".join(letter for letter in text if "0" <= letter <= "9")


def numbers(run: str) -> Iterator[str]:
    """Yield the digits of each number of a run that may be somebody's: no date, no amount."""
    whole = run.strip()
    spaced = _FREE.search(whole) is not None
    if spaced and (len(digits(whole)) < _SPACED_LEAST or _YEARS.fullmatch(whole)):
        for part in _FREE.split(whole):
            yield from numbers(part)
        return
    if len(digits(whole)) < LEAST_DIGITS:
        return
    if not any(one.fullmatch(whole) for one in (_DATE, _DECIMAL, _YEARS, _ROUND)):
        yield digits(whole)


def still_open(text: str, phrases: Collection[str] = ()) -> int:
    """Return from where on a text that goes on may turn out to be another piece than it seems."""
    begins = max(0, len(text) - _LONGEST)
    found = _OPEN.search(text, begins)
    least = found.start() if found else len(text)
    while begins < least < len(text) and (text[least - 1].isalnum() or text[least - 1] in _JOINS):
        least -= 1
    for phrase in phrases:
        for start in range(max(0, len(text) - len(phrase)), least):
            if phrase.startswith(text[start:]):
                least = start
                break
    inside = (one.start for one in atoms(text, phrases) if one.start < least < one.end)
    return next(inside, least)
