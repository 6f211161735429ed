"""How long a game of pretence goes on: what is said in one is true of nobody.

A game begins with a message of the person that sets one up: it calls it play, makes believe, or
gives out parts ("you are a dragon and I am a knight"). Where only the assistant is given a part,
the reader tells whether the person chats with it or wants work done by "an experienced cook". It
goes on in what follows as far as that is plainly played (``app.memory.text.playing``), and ends

* where the person ends it in words: "stop", "ok, enough", "back to normal", "out of character";
  what they say from there on counts again,
* where a message leaves it,
* with the third message in a row that is not plainly played; with the second, where the person
  plays no part. An action between asterisks, on either side, keeps it up.

What may be said in it or not waits for the person.

What is supposed ("imagine I was an astronaut: what would I eat?") or asked for ("write me a poem")
is over with its message. Only a story that the person has no more than begun ("Chapter 1") goes on
in their next one. Every conversation begins without a game.

The words that tell are in ``resources/reading/pretence.toml``.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from app.assets import resource
from app.domain.language.question import asks, wants_work
from app.domain.language.reading import Act
from app.memory.reading.own_words import speaks_of_self
from app.memory.text.contractions import expanded
from app.memory.text.playing import ASKS, GAME, SURE, Game, How, Read, how, stems
from app.memory.text.sentences import Sentence, sentences

FICTION = 1
_READ = 4000
_ACTION = re.compile(r"(?:^|[.!?…\n] ?)\*(?! |\*)[^*\n]{3,200}(?<! )\*(?!\*)")


@dataclass(frozen=True, slots=True)
class _Signs:
    """What begins and ends games and fiction."""

    plays: re.Pattern[str]
    pretends: re.Pattern[str]
    parts: re.Pattern[str]
    poses: re.Pattern[str]
    supposes: re.Pattern[str]
    opens: re.Pattern[str]
    fiction: re.Pattern[str]
    at_hand: re.Pattern[str]
    to_read: re.Pattern[str]
    asking: re.Pattern[str]
    ends: re.Pattern[str]
    ends_alone: re.Pattern[str]


def game_on(turns: Iterable[tuple[bool, str]], read: Read) -> Game:
    """Return the game that is on when the next message begins.

    Args:
        turns: What was said before, oldest first: whether by the person, and their typed words or
            the answer.
        read: Tells what a message does and states.

    Raises:
        ModelError: The reader does not answer.
    """
    game = Game()
    for person, text in turns:
        game = after(game, read, person=person, text=text)
    return game


def after(game: Game, read: Read, *, person: bool, text: str) -> Game:
    """Return the game that is on after one turn.

    Args:
        game: The same before it.
        read: Tells what a message does and states.
        person: Whether the turn is the person's.
        text: Their typed words, or the answer.

    Raises:
        ModelError: The reader does not answer.
    """
    if person:
        return _after_message(text[:_READ], game, read)
    acts = bool(game.left) and not game.story and _ACTION.search(text)
    return replace(game, left=GAME) if acts else game


def counting(text: str, game: Game, read: Read) -> tuple[How, str]:
    """Return how a message goes on with the game that is on, and its words that may count.

    Raises:
        ModelError: The reader does not answer.
    """
    if not game.left:
        return How.LEFT, text
    if ended := after_the_end(text):
        return How.LEFT, _behind_the_end(ended)
    pretends = _pretends(sentences(text[:_READ])) or bool(_ACTION.search(text[:_READ]))
    return how(text, game, read, pretends=pretends)


def plays(text: str) -> bool:
    """Return whether a message sets up a game, supposes something, or asks for or tells fiction."""
    said = sentences(text[:_READ])
    fiction = (_asks_for_fiction(one) or _opens_story(one) for one in said)
    return _pretends(said) or any(fiction)


def after_the_end(text: str) -> str:
    """Return what a message says from where it ends a game; nothing where the game goes on."""
    said = sentences(text)
    if len(said) == 1 and _signs().ends_alone.fullmatch(expanded(said[0].text)):
        return text
    ends = [s.start for s in said if _signs().ends.match(expanded(s.text))]
    begins = [s.start for s in said if _gives_out(s.text)]
    return text[ends[-1] :].strip() if ends and ends[-1] > max(begins, default=-1) else ""


def _after_message(text: str, game: Game, read: Read) -> Game:
    """Return the game that is on after a message of the person's."""
    said = sentences(text)
    done = counting(text, game, read)[0] if game.left else How.LEFT
    if done is How.PLAYED and not game.story:
        return replace(game, left=GAME, part=True)
    if _sets_up(text, said, read):
        part = bool(_signs().plays.search(_whole(said))) or speaks_of_self(text)
        return Game(GAME, part, words=stems(text))
    if done is not How.LEFT and not game.story and game.left > 1:
        return replace(game, left=game.left - 1 if game.part else 1)
    return Game(FICTION, story=True) if said and _opens_story(said[-1]) else Game()


def _behind_the_end(text: str) -> str:
    """Return a message without the words that end a game, where a colon parts them from the rest.

    "Out of character: I have asthma" states the same without them, and is read better so.
    """
    ends = _signs().ends.match(text)
    rest = text[ends.end() :].lstrip() if ends else ""
    return rest[1:].strip() if rest[:1] in (":", ",") and rest[1:].strip() else text


def _sets_up(text: str, said: Sequence[Sentence], read: Read) -> bool:
    """Return whether a message sets up a game that the next one goes on with.

    Of words that may set one up the reader tells what else the person may mean: to play is neither
    to ask nor to state anything, and somebody who wants work done says so.
    """
    signs = _signs()
    if any(signs.plays.search(expanded(one.text)) for one in said):
        return True
    whole = _whole(said)
    both = bool(signs.pretends.search(whole) or signs.parts.search(whole))
    if not (both or signs.poses.search(whole)):
        return False
    reading = read(text)
    stated = any(one.sure >= SURE for one in reading.statements)
    if stated or reading.act in ASKS:
        return False
    return both or reading.act is Act.CHAT


def _pretends(said: Sequence[Sentence]) -> bool:
    """Return whether a message pretends anything, if only for itself."""
    whole = _whole(said)
    return _gives_out(whole) or any(_signs().supposes.search(expanded(one.text)) for one in said)


def _gives_out(text: str) -> bool:
    """Return whether words may set up a game."""
    signs = _signs()
    any_of = (signs.plays, signs.pretends, signs.parts, signs.poses)
    return any(one.search(expanded(text)) for one in any_of)


def _whole(said: Sequence[Sentence]) -> str:
    return expanded("\n".join(one.text for one in said))


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
    begins = ("plays", "pretends", "parts", "poses", "supposes")
    ends = one["ends"].replace("PLAYED", one["played"])
    return _Signs(
        **{name: _any(rf"\b{one[name]}\b") for name in ("fiction", "at_hand", "to_read", "asking")},
        **{name: _any(rf"(?<!\w){one[name]}(?!\w)") for name in begins},
        opens=_any(rf"(?<!\w){one['opens']}"),
        ends=_any(rf"{lead}{ends}\b"),
        ends_alone=_any(rf"{lead}{one['ends_alone']}(?:,? {one['after_end']})*"),
    )


def _any(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)
