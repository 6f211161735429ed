"""Lives: what is told over weeks, what must be kept, and what is asked and ordered.

The file is JSON, a list of lives; times have no zone and are this machine's.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from app.domain.limits import LARGEST_FILE
from app.errors import TransferError
from app.files import read_file

Words = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Told:
    """One message of the person.

    Attributes:
        at: When, on this machine's clock.
        talk: The label of its conversation.
        pasted: What was pasted along.
        assistant: What the assistant had said just before.
    """

    at: datetime
    talk: str
    said: str
    pasted: str = ""
    assistant: str = ""


@dataclass(frozen=True, slots=True)
class LifeFact:
    """Something a good friend keeps.

    Attributes:
        must: Each group needs one of its words in one memory.
        until: Index of the message that ended or changed it.
        weight: "safety", "daily" or "detail".
    """

    name: str
    must: Words
    until: int | None
    weight: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A question; ``answer`` is empty where it was never told."""

    question: str
    answer: Words
    wrong: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Order:
    """An order about memory, and what must have come of it."""

    said: str
    kind: str
    gone: tuple[str, ...]
    kept: tuple[str, ...]
    reply: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LifeScript:
    """One life."""

    id: str
    today: datetime
    talk: Sequence[Told]
    facts: Sequence[LifeFact]
    never: tuple[str, ...]
    asks: Sequence[Ask]
    orders: Sequence[Order]


def load(path: Path) -> list[LifeScript]:
    """Return the lives of a file.

    Raises:
        TransferError: The file cannot be read or is not in that format.
    """
    try:
        text = read_file(path, LARGEST_FILE).decode("utf-8")
        rows = json.loads(text) if text.lstrip()[:1] == "[" else _lines(text)
        lives = [_life(row) for row in rows]
        if not lives:
            raise ValueError
    except OSError as error:
        raise TransferError(f"The lives could not be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TransferError("The file is not a list of lives.") from None
    return lives


def _lines(text: str) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _life(row: Mapping[str, Any]) -> LifeScript:
    return LifeScript(
        id=str(row["id"]),
        today=datetime.fromisoformat(row["today"]).astimezone(),
        talk=[_told(one) for one in row["talk"]],
        facts=[
            LifeFact(str(f["id"]), _groups(f["must"]), f["until"], str(f["weight"]))
            for f in row["facts"]
        ],
        never=tuple(str(word) for junk in row["junk"] for word in junk["never"]),
        asks=[
            Ask(str(a["q"]), _groups(a["answer"]), _words(a["not"]), str(a["kind"]))
            for a in row["asks"]
        ],
        orders=[
            Order(
                str(o["said"]),
                str(o["kind"]),
                _words(o["gone"]),
                _words(o["kept"]),
                _words(o["reply"]),
            )
            for o in row["orders"]
        ],
    )


def _told(row: Mapping[str, Any]) -> Told:
    return Told(
        at=datetime.fromisoformat(row["at"]).astimezone(),
        talk=str(row["conversation"]),
        said=str(row["said"]),
        pasted=str(row.get("pasted") or ""),
        assistant=str(row.get("assistant") or ""),
    )


def _groups(rows: Sequence[Sequence[str]]) -> Words:
    return tuple(_words(row) for row in rows)


def _words(row: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(word) for word in row)
