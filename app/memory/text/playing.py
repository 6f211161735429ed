"""How a message goes on with a game of pretence: whether it is played, leaves it, or may be either.

A game goes on where that is plain: in words that only a game has ("Arrr", "thy sword"), in those of
the message that set it up, in what somebody would do, in "your turn". It is left by an aside ("by
the way"), by a plain question, by asking for something to be remembered, and where the person
firmly states what concerns their safety, birth, work, home or family. Where they play a part
themselves, that may be the part's and is in doubt; whatever else they state is the part's. Where
they play none, what tells neither is in doubt.

The words that tell are in ``resources/reading/playing.toml``.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from app.assets import resource
from app.domain.language.question import only_asks, wants_work
from app.domain.language.reading import Act, Reading
from app.domain.language.text import stem
from app.memory.reading.own_words import speaks_of_self
from app.memory.text.contractions import expanded
from app.memory.text.sentences import sentences

Read = Callable[[str], Reading]

GAME = 3
SURE = 0.8
ASKS = frozenset({Act.ASK, Act.KNOW, Act.ASK_KNOWN})
_WORD = re.compile(r"[^\W\d_]{4,}")


class How(Enum):
    """How a message goes on with a game: plainly, as far as can be told, perhaps, or not."""

    PLAYED = auto()
    QUIET = auto()
    DOUBTFUL = auto()
    LEFT = auto()


@dataclass(frozen=True, slots=True)
class Game:
    """How far a game is on.

    Attributes:
        left: For how many more messages of the person it may go on without being plainly played; 0
            where there is none.
        part: Whether the person plays a part in it too.
        story: Whether it is a story, which is over with the next message.
        words: What it is about: the stems of the words that set it up.
    """

    left: int = 0
    part: bool = False
    story: bool = False
    words: frozenset[str] = frozenset()


def how(text: str, game: Game, read: Read, *, pretends: bool) -> tuple[How, str]:
    """Return how a message goes on with a game, and its words that may count.

    Args:
        text: What the person typed.
        game: The game that is on.
        read: Tells what a message does and states.
        pretends: Whether it pretends something anew.

    Raises:
        ModelError: The reader does not answer.
    """
    aside = _aside(text)
    if aside:
        return (How.DOUBTFUL if pretends or _only_plays(aside) else How.LEFT), aside
    if pretends or _only_plays(text):
        return How.PLAYED, ""
    fits = bool(_signs().may_be_played.search(_plain(text)) or game.words & stems(text))
    return _read_in(text, game, read, fits=fits)


def _only_plays(text: str) -> bool:
    """Return whether only who plays says a text."""
    signs, said = _signs(), _plain(text)
    return bool(signs.played.search(said) or signs.worlds.search(said))


def _plain(text: str) -> str:
    """Return the sentences of a text on one line, contractions written out."""
    return expanded(" ".join(one.text for one in sentences(text)))


def stems(text: str) -> frozenset[str]:
    """Return the stems of the longer words of a text."""
    common = _signs().common
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(stem(word) for word in words if not common.fullmatch(word))


def _read_in(text: str, game: Game, read: Read, *, fits: bool) -> tuple[How, str]:
    """Return how a message goes on with a game that its words alone do not tell.

    Args:
        text: What the person typed.
        game: The game.
        read: Tells what a message does and states.
        fits: Whether words of the game are in it.
    """
    plain = not fits and _is_plain_question(text)
    if plain and (not game.part or wants_work(text)):
        return How.LEFT, text
    reading = read(text)
    firm = _is_firm(reading)
    if fits or game.story:
        return (How.DOUBTFUL, text) if firm else (How.PLAYED, "")
    if (reading.act is Act.REMEMBER and firm) or (plain and reading.act is Act.KNOW):
        return How.LEFT, text
    if not game.part:
        asks = reading.act in ASKS and not reading.statements
        return (How.LEFT if firm or asks else How.DOUBTFUL), text
    if firm:
        return How.DOUBTFUL, text
    return How.QUIET, "" if reading.statements else text


def _is_firm(reading: Reading) -> bool:
    """Return whether the person surely states what concerns their own life."""
    signs = _signs()
    sure = [one for one in reading.statements if one.sure >= SURE]
    own = any(one.safety or signs.own_life.search(expanded(one.text)) for one in sure)
    return own or (bool(sure) and reading.act is Act.REMEMBER)


def _is_plain_question(text: str) -> bool:
    """Return whether a message only asks or wants work, of nobody in the game."""
    spoken_to = _signs().spoken_to.search(expanded(text))
    return only_asks(text) and not spoken_to and not speaks_of_self(text)


def _aside(text: str) -> str:
    """Return a message from where the person speaks beside the game; nothing where they do not."""
    asides = _signs().asides
    starts = (one.start for one in sentences(text) if asides.match(expanded(one.text)))
    start = next(starts, None)
    return "" if start is None else text[start:].strip()


@dataclass(frozen=True, slots=True)
class _Signs:
    """What tells how a game goes on."""

    played: re.Pattern[str]
    worlds: re.Pattern[str]
    may_be_played: re.Pattern[str]
    asides: re.Pattern[str]
    own_life: re.Pattern[str]
    spoken_to: re.Pattern[str]
    common: re.Pattern[str]


@cache
def _signs() -> _Signs:
    told = tomllib.loads(resource("reading/playing.toml").read_text("utf-8"))
    one = {name: "|".join(signs.strip().split("\n")) for name, signs in told.items()}
    any_case = ("played", "may_be_played", "own_life", "spoken_to")
    words = "|".join(one["worlds"].split())
    return _Signs(
        **{name: re.compile(rf"(?<!\w)(?:{one[name]})(?!\w)", re.I) for name in any_case},
        worlds=re.compile(rf"\b(?:{words})\b"),
        asides=re.compile(
            rf"\W*(?:(?:ok|okay|oh|hey|and|but|und|aber|et|y|en)\W+)?(?:{one['asides']})\b", re.I
        ),
        common=re.compile("|".join(one["common"].split())),
    )
