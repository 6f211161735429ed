"""What the person of the simulated month says and does, day by day, read from one file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.assets import resource

SCRIPT = "bench/month.json"

Label = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MonthFact:
    """Something that has to be remembered from when it was said until it is over.

    Attributes:
        words: What a text has to carry to say it; one of each tuple.
        ask: The question that has to find it; empty where only its absence matters.
        unless: Words of texts that carry the others but say something else.
    """

    id: str
    words: tuple[Label, ...]
    ask: str = ""
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MonthMessage:
    """A message of the person.

    Attributes:
        talk: Lines of one talk and week stand in one conversation.
        paste: What they pasted below it.
        facts: What it says that has to be remembered.
        ends: Ids of facts that are no longer true.
        never: What must not be remembered of it.
        again: The same in other words.
        times: On how many later days one of those is said.
    """

    day: int
    talk: str
    say: str
    paste: str = ""
    facts: tuple[MonthFact, ...] = ()
    ends: tuple[str, ...] = ()
    never: tuple[MonthFact, ...] = ()
    again: tuple[str, ...] = ()
    times: int = 0


@dataclass(frozen=True, slots=True)
class TranscriptPair:
    """A message of the person and its answer, in a transcript that they bring in later."""

    at: datetime
    session: str
    user: str
    assistant: str
    facts: tuple[MonthFact, ...] = ()
    never: tuple[MonthFact, ...] = ()


@dataclass(frozen=True, slots=True)
class EveningAction:
    """Something the person does in the evening.

    Attributes:
        do: ``forget``, ``erase``, ``decide``, ``ask_first``, ``bring_in``, ``export``,
            ``import`` or ``revert``.
        fact: What is forgotten or erased.
        on: Whether something is switched on.
        reject: What is rejected though it is true.
    """

    day: int
    do: str
    fact: str = ""
    on: bool = False
    reject: tuple[MonthFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """A month.

    Attributes:
        other: What is said besides, and says nothing of anybody's life.
    """

    first_day: datetime
    said: Sequence[MonthMessage]
    older: Sequence[TranscriptPair]
    deeds: Sequence[EveningAction]
    other: Sequence[str]


def load() -> Script:
    """Return the script that comes with Loci."""
    return read(json.loads(resource(SCRIPT).read_text("utf-8")))


def read(data: Mapping[str, Any]) -> Script:
    """Return a script from what its file holds."""
    return Script(
        # Said at that hour where this machine stands: the product knows no other time zone.
        datetime.fromisoformat(data["first_day"]).astimezone(),
        tuple(_line(row) for row in data["said"]),
        tuple(_turn(row) for row in data["older"]),
        tuple(_deed(row) for row in data["deeds"]),
        tuple(data["other"]),
    )


def _line(row: Mapping[str, Any]) -> MonthMessage:
    return MonthMessage(
        row["day"],
        row["talk"],
        row["say"],
        row.get("paste", ""),
        _facts(row),
        tuple(row.get("ends", ())),
        _nevers(row.get("never", ())),
        tuple(row.get("again", ())),
        row.get("times", 0),
    )


def _turn(row: Mapping[str, Any]) -> TranscriptPair:
    at = datetime.fromisoformat(row["at"]).astimezone()
    session, user, assistant = row["session"], row["user"], row["assistant"]
    return TranscriptPair(at, session, user, assistant, _facts(row), _nevers(row.get("never", ())))


def _deed(row: Mapping[str, Any]) -> EveningAction:
    fact, on = row.get("fact", ""), row.get("on", False)
    return EveningAction(row["day"], row["do"], fact, on, _nevers(row.get("reject", ())))


def _facts(row: Mapping[str, Any]) -> tuple[MonthFact, ...]:
    return tuple(
        MonthFact(fact["id"], _words(fact["words"]), fact["ask"], tuple(fact.get("unless", ())))
        for fact in row.get("facts", ())
    )


def _nevers(rows: Sequence[Sequence[Any]]) -> tuple[MonthFact, ...]:
    return tuple(MonthFact(" ".join(map(str, words)), _words(words)) for words in rows)


def _words(words: Sequence[Any]) -> tuple[Label, ...]:
    return tuple(word if isinstance(word, str) else tuple(word) for word in words)
