"""How long a game of pretence goes on: what is said in one is true of nobody.

A game begins with a message of the person that begins one ("Let's play: you are a dragon …"). From
then on nothing is learnt, until

* the person ends it in words: "stop", "ok, enough", "back to normal", "out of character"; what they
  say from there on counts again,
* or they have written five messages without a sign of it. A sign is a message that begins to play
  anew, and on either side an action between asterisks.

A piece of fiction that is asked for ("Tell me a joke") or told ("Chapter 1") is no game, but what
comes next may belong to it: it holds for one message. Every conversation begins without a game.

The words that tell are in ``resources/reading/pretence.toml``.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from app.assets import resource
from app.domain.question import asks, wants_work
from app.memory.contractions import expanded
from app.memory.sentences import Sentence, sentences

GAME = 5
FICTION = 1
_READ = 4000
_ACTION = re.compile(r"(?:^|[.!?…\n] ?)\*(?! |\*)[^*\n]{3,200}(?<! )\*(?!\*)")


@dataclass(frozen=True, slots=True)
class _Signs:
    """What begins and ends games and fiction."""

    begins: re.Pattern[str]
    opens: re.Pattern[str]
    fiction: re.Pattern[str]
    at_hand: re.Pattern[str]
    to_read: re.Pattern[str]
    asking: re.Pattern[str]
    ends: re.Pattern[str]
    ends_alone: re.Pattern[str]


def still_on(turns: Iterable[tuple[bool, str]]) -> bool:
    """Return whether a game goes on in the message that follows.

    Args:
        turns: What was said before, oldest first: whether by the person, and their typed words or
            the answer.
    """
    left = 0
    for person, text in turns:
        left = after(left, person=person, text=text)
    return left > 0


def after(left: int, *, person: bool, text: str) -> int:
    """Return for how many more of the person's messages a game goes on after one turn.

    Args:
        left: The same before it; 0 where a conversation begins.
        person: Whether the turn is the person's.
        text: Their typed words, or the answer.
    """
    if person:
        return _left(text[:_READ], left)
    return GAME if left and _ACTION.search(text) else left


def after_the_end(text: str) -> str:
    """Return what a message says from where it ends a game; nothing where the game goes on."""
    said = sentences(text)
    if len(said) == 1 and _signs().ends_alone.fullmatch(expanded(said[0].text)):
        return text
    ends = [s.start for s in said if _signs().ends.match(expanded(s.text))]
    begins = [s.start for s in said if _begins_game(s)]
    return text[ends[-1] :].strip() if ends and ends[-1] > max(begins, default=-1) else ""


def _left(text: str, before: int) -> int:
    """Return for how many more of the person's messages a game goes on after one of them."""
    if before and after_the_end(text):
        return 0
    said = sentences(text)
    if any(map(_begins_game, said)) or (before and _ACTION.search(text)):
        return GAME
    tells = any(_asks_for_fiction(one) or _opens_story(one) for one in said)
    return max(FICTION if tells else 0, before - 1)


def _begins_game(sentence: Sentence) -> bool:
    """Return whether the person pretends from this sentence on, or wants the assistant to."""
    return bool(_signs().begins.search(sentence.text))


def _opens_story(sentence: Sentence) -> bool:
    """Return whether a story begins here that the person tells or puts in."""
    return bool(_signs().opens.search(sentence.text))


def _asks_for_fiction(sentence: Sentence) -> bool:
    """Return whether a piece of fiction is wanted that is not there yet: "a story"."""
    text, signs = sentence.text, _signs()
    if not (wants_work(text) or signs.asking.search(text)):
        if not sentence.question:
            return False
        text = text if asks(text) else text.rpartition(",")[2]
    wanted = signs.fiction.search(signs.at_hand.sub("", text))
    return bool(wanted) and not signs.to_read.search(text)


@cache
def _signs() -> _Signs:
    told = tomllib.loads(resource("reading/pretence.toml").read_text("utf-8"))
    one = {name: f"(?:{signs.strip().replace(chr(10), '|')})" for name, signs in told.items()}
    lead = rf"(?:{one['before_end']}[, ]+)*"
    ends = one["ends"].replace("PLAYED", one["played"])
    return _Signs(
        **{name: _any(rf"\b{one[name]}\b") for name in ("fiction", "at_hand", "to_read", "asking")},
        begins=_any(rf"(?<!\w){one['begins']}(?!\w)"),
        opens=_any(rf"(?<!\w){one['opens']}"),
        ends=_any(rf"{lead}{ends}\b"),
        ends_alone=_any(rf"{lead}{one['ends_alone']}(?:,? {one['after_end']})*"),
    )


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
