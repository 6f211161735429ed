"""Choose what stands in for something: of the same form, and found nowhere in what is sent.

The choice comes of a seed and of the thing itself, so that it is the same in every message of a
conversation and nothing has to be kept for that.
"""

import hmac
import string
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from itertools import count

from app.conversation.standins.words import name_stock

_MONTHS = {
    9: ["September"],
    8: ["February", "November", "December"],
    7: ["January", "October"],
    6: ["August"],
    5: ["March", "April"],
    4: ["June", "July"],
    3: ["Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
}
_DOMAINS = ("example.com", "example.org", "example.net")


class Choosing:
    """Chooses stand-ins.

    Args:
        seed: Nobody else knows it.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()

    def name(self, original: str, taken: Collection[str]) -> str:
        """Return a name that is not among those taken, which are in lower case."""
        stock, place = name_stock(), self._number("name", original.casefold())
        for step in range(len(stock.names)):
            chosen = stock.names[(place + step) % len(stock.names)]
            if chosen.lower() not in taken:
                return chosen
        for turn in count():
            number = self._number("made", f"{turn} {original.casefold()}")
            parts = []
            for _ in range(2 + turn % 3):
                number, at = divmod(number, len(stock.syllables))
                parts.append(stock.syllables[at])
            chosen = ("".join(parts) + stock.endings[number % len(stock.endings)]).capitalize()
            if chosen.lower() not in taken:
                return chosen
        raise AssertionError("there is always another name")

    def digits(self, original: str, is_free: Callable[[str], bool]) -> str:
        """Return as many digits, and a zero at the beginning where there is one."""
        for turn in count():
            stream = self._stream("digits", f"{turn} {original}")
            made = "".join(str(next(stream) % 10) for _ in original)
            first = "0" if original[0] == "0" else str(1 + int(made[0]) % 9)
            made = first + made[1:]
            if made != original and is_free(made):
                return made
        raise AssertionError("there is always another number")

    def mail(self, original: str, is_free: Callable[[str], bool]) -> str:
        """Return another address, at a domain that is nobody's."""
        for turn in count():
            number = self._number("mail", f"{turn} {original.casefold()}")
            stock = name_stock().names
            number, first = divmod(number, len(stock))
            number, second = divmod(number, len(stock))
            domain = _DOMAINS[number % len(_DOMAINS)]
            made = f"{stock[first]}.{stock[second]}{turn or ''}@{domain}".lower()
            if is_free(made):
                return made
        raise AssertionError("there is always another address")

    def alike(self, original: str, is_free: Callable[[str], bool]) -> str:
        """Return letters for letters and digits for digits; what is neither stays."""
        for turn in count():
            stream = self._stream("alike", f"{turn} {original}")
            made = "".join(_other(letter, next(stream)) for letter in original)
            if made != original and is_free(made):
                return made
            if turn > 20:  # nothing in it changes, or it is too short to
                made = f"{made}{self._number('more', f'{turn} {original}') % 10**6:06}"
                if is_free(made):
                    return made
        raise AssertionError("there is always another")

    def day(self, original: str, is_free: Callable[[str], bool]) -> str:
        """Return another day, written in the same way."""
        for turn in count():
            stream = self._stream("day", f"{turn} {original}")
            made = "".join(_other_day(word, stream) for word in _parts(original))
            if made != original and is_free(made):
                return made
            if turn > 200:
                return self.alike(original, is_free)
        raise AssertionError("there is always another day")

    def _number(self, kind: str, text: str) -> int:
        key = f"{kind}\n{text}".encode("utf-8", "replace")
        return int.from_bytes(hmac.digest(self._seed, key, sha256))

    def _stream(self, kind: str, text: str) -> Iterator[int]:
        for turn in count():
            key = f"{kind}\n{turn}\n{text}".encode("utf-8", "replace")
            yield from hmac.digest(self._seed, key, sha256)


def _parts(text: str) -> Iterator[str]:
    """Yield runs of digits, runs of letters, and what lies between them."""
    run = ""
    for letter in text:
        if run and _kind(run[-1]) != _kind(letter):
            yield run
            run = ""
        run += letter
    if run:
        yield run


def _kind(letter: str) -> str:
    return "digit" if letter in string.digits else "letter" if letter.isalpha() else "other"


def _other(letter: str, number: int) -> str:
    if letter in string.digits:
        return str(number % 10)
    if letter.isalpha():
        of = string.ascii_lowercase[number % 26]
        return of.upper() if letter.isupper() else of
    return letter


def _other_day(part: str, stream: Iterator[int]) -> str:
    number = next(stream)
    if part.isascii() and part.isdigit():
        if len(part) == 4:
            return str(int(part) - 9 + number % 8) if int(part) > 1000 else part
        return f"{1 + number % 12:0{len(part)}}" if len(part) == 2 else str(1 + number % 9)
    months = _MONTHS.get(len(part), [])
    if len(part) >= 3 and part[0].isalpha() and months:
        return months[number % len(months)]
    return part
