"""Leave out of a memory what should lie in no memory: keys, passwords, card and personal numbers.

What is left out leaves a plain mark, such as ``[card number]``, in the text, its value and the
words it rests on. Messages are not touched: they are the person's own record of what was said.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.memory.screen.numbers import personal_numbers
from app.memory.screen.renewed import renewed
from app.memory.screen.tokens import ScreenMatch, secrets
from app.memory.screen.words import ScreenedWords

_MARK = re.compile(r"\[[A-Za-z ]{3,30}\]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_BARE = re.compile(r"[\W_]+")
_SHORTEST = 3
# What says nothing once the number or the secret is gone.
_EMPTY = re.compile(
    r"accounts?|address|am|and?|api|are|as|at|auth|bank|be|been|cards?|client|code|credit|current|"
    r"cv[cv]|debit|for|from|ha[ds]|have|her?|his|iban|id|identity|in|insurance|is|its?|key|login|"
    r"mastercard|mine|my|national|network|new|no|now|number|of|old|on|one|or|our|pass(?:code|phrase|port|words?)"
    r"|phrase|pin|private|recovery|remember|secret|security|seed|she|social|ssid|ssn|tax|that|the|"
    r"their|this|to|token|user(?:name)?|visa|was|were|wi|fi|wifi|with|your?"
)


@dataclass(frozen=True, slots=True)
class RedactedText:
    """A text without what should not be stored.

    Attributes:
        left_out: What was left out, each once, in the words of its mark.
    """

    text: str
    left_out: tuple[str, ...] = ()


def redact(text: str, *, asked: bool = False) -> RedactedText:
    """Return a text with marks in place of secrets and personal numbers.

    Args:
        text: What is about to be stored.
        asked: Whether the person asked for exactly this to be kept. Then only payment cards,
            private keys and API keys are left out.
    """
    pieces = _pieces(text, asked)
    return RedactedText(_marked(text, pieces), tuple(dict.fromkeys(piece.what for piece in pieces)))


def without_secrets(
    words: ScreenedWords, *, asked: bool = False
) -> tuple[ScreenedWords, tuple[str, ...]]:
    """Return the words of a memory with marks, and what was left out.

    What is found in the text is left out of the quotes as well, and the other way round, since the
    word that tells what a number is may stand in one of them only, or around them.
    """
    sources = [words.text, *words.quotes, *words.tags, *words.names, words.key or ""]
    sources += [str(leaf) for leaf in _leaves(words.value)]
    named = {words.around[p.start : p.end]: p for p in _pieces(words.around, asked)}
    found = {text: p for text, p in named.items() if any(_holds(one, text) for one in sources)}
    found |= {source[p.start : p.end]: p for source in sources for p in _pieces(source, asked)}
    if not found:
        return words, ()
    pieces = sorted(found, key=len, reverse=True)

    def marked(text: str) -> str:
        for piece in (piece for piece in pieces if len(piece) > _SHORTEST):
            text = _whole(piece).sub(f"[{found[piece].what}]", text)
        return redact(text, asked=asked).text

    def value(leaf: Any) -> Any:
        bare = _BARE.sub("", str(leaf)).casefold()
        for piece in pieces:
            if len(bare) >= _SHORTEST and bare == _BARE.sub("", piece).casefold():
                return f"[{found[piece].what}]"
        return marked(leaf) if isinstance(leaf, str) else leaf

    clean = replace(
        words,
        text=marked(words.text),
        quotes=tuple(marked(quote) for quote in words.quotes),
        value=_mapped(words.value, value),
        key=words.key if words.key is None or marked(words.key) == words.key else None,
        tags=tuple(tag for tag in words.tags if marked(tag) == tag),
        names=tuple(name for name in words.names if marked(name) == name),
    )
    return clean, tuple(dict.fromkeys(found[piece].what for piece in pieces))


def _whole(piece: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(piece)}(?!\w)", re.IGNORECASE)


def _holds(text: str, piece: str) -> bool:
    """Return whether a secret that was named around a text stands in it."""
    return len(piece) > _SHORTEST and _whole(piece).search(text) is not None


def says_something(text: str) -> bool:
    """Say whether anything is left of a text beside its marks."""
    left = _WORD.findall(_MARK.sub(" ", text).casefold())
    return len({word for word in left if not _EMPTY.fullmatch(word)}) > 1


def _pieces(text: str, asked: bool) -> list[ScreenMatch]:
    """Return what is to be left out, in order, without overlaps; the longer one stands."""
    if len(text) < _SHORTEST:
        return []
    found = [*secrets(text), *renewed(text), *personal_numbers(text)]
    kept: list[ScreenMatch] = []
    for piece in sorted(found, key=lambda f: (not f.always, f.start - f.end)):
        apart = all(piece.end <= other.start or other.end <= piece.start for other in kept)
        if apart and (piece.always or not asked):
            kept.append(piece)
    return sorted(kept)


def _marked(text: str, pieces: Sequence[ScreenMatch]) -> str:
    for piece in reversed(pieces):
        text = f"{text[: piece.start]}[{piece.what}]{text[piece.end :]}"
    return text


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _leaves(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield value


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a JSON value with each of its strings and numbers changed."""
    if isinstance(value, dict):
        return {str(change(key)): _mapped(inner, change) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_mapped(inner, change) for inner in value]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    return change(value)


def listed(what: Iterable[str]) -> str:
    """Return "the card number and the PIN"."""
    *first, last = [f"the {name}" for name in what]
    return f"{', '.join(first)} and {last}" if first else last
