"""Measure extraction: what is learnt from single messages, without a chat model.

Every statement is learnt alone and the way the product learns: stored by the code that stores chat
messages, after the answer it replies to, and read by the background job. Afterwards the vault is
emptied, so that nothing said before can change what comes next.
"""

import json
from collections import defaultdict
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from app.bench.opened import HandClock, Open
from app.bench.recall import quantiles
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.kinds import LEARN
from app.domain.jobs.progress import Progress
from app.domain.language.text import normalise
from app.domain.limits import LARGEST_FILE
from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter
from app.errors import TransferError
from app.files import read_file
from app.services.services import Services
from app.services.upkeep.queue import learn_job
from app.store.store import Store

NO_MODEL = "notebook"
_MOST = 1_000

Label = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """One labelled message.

    Attributes:
        said: The message.
        at: When, on the clock of whoever said it.
        asked: What the assistant had said before it.
        content: What a memory has to carry; alternatives in a list. Empty: nothing may be learnt.
    """

    said: str
    at: datetime
    register: str
    about: str
    asked: str = ""
    content: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledOutcome:
    """What became of a statement."""

    statement: LabelledMessage
    memories: tuple[str, ...]
    right: tuple[bool, ...]
    milliseconds: float

    @property
    def kept(self) -> bool:
        """Whether one memory carries all that it had to."""
        return any(self.right)

    @property
    def wrong(self) -> int:
        """How many memories carry less, or should not be there at all."""
        return self.right.count(False)

    @property
    def faulty(self) -> bool:
        """Whether something was missed or is wrong."""
        return bool(self.wrong) or (bool(self.statement.content) and not self.kept)


def extraction_quality(
    path: Path, opened: Open
) -> Generator[Progress, None, tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Learn from every statement of a file; return the figures, and what was missed or is wrong.

    Args:
        path: JSON, a list of ``{said, asked?, at, register, about, content}``.
        opened: Opens a fresh, temporary profile under a given clock.

    Raises:
        TransferError: The file is not in that format.
    """
    statements, moment, found = load(path), HandClock(datetime(2025, 1, 1, tzinfo=UTC)), []
    with opened(moment) as (services, store):
        services.preferences.set("chat.model", NO_MODEL)
        yield from _learnt(services, store, moment, statements[0])  # opens the embedder
        for number, statement in enumerate(statements):
            yield Progress("Learning", number, len(statements))
            found.append((yield from _learnt(services, store, moment, statement)))
    return _figures(found), [_shown(one) for one in found if one.faulty]


def load(path: Path) -> list[LabelledMessage]:
    """Return the statements of a file.

    Raises:
        TransferError: The file is not in that format.
    """
    try:
        statements = [
            _statement(row) for row in json.loads(read_file(path, LARGEST_FILE).decode("utf-8"))
        ]
        if not statements:
            raise ValueError
    except OSError as error:
        raise TransferError(f"The statements could not be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TransferError("The file is not a list of labelled statements.") from None
    return statements


def _statement(row: Mapping[str, Any]) -> LabelledMessage:
    content = tuple(
        label if isinstance(label, str) else tuple(str(one) for one in label)
        for label in row["content"]
    )
    return LabelledMessage(
        said=str(row["said"]),
        at=datetime.fromisoformat(row["at"]),
        register=str(row["register"]),
        about=str(row["about"]),
        asked=str(row.get("asked") or ""),
        content=content,
    )


def _learnt(
    services: Services, store: Store, moment: HandClock, statement: LabelledMessage
) -> Generator[Progress, None, LabelledOutcome]:
    """Learn one statement in the empty vault, and empty it again."""
    # Said at that hour where this machine stands: the product knows no other time zone.
    moment.now = statement.at.replace(tzinfo=None).astimezone()
    talks, memories = store.conversations, store.memories
    started = perf_counter()
    with store.transaction():
        talk = talks.create(DEFAULT_SCOPE.agent_pk)
        if statement.asked:
            answer = (Part(statement.asked, PartOrigin.MODEL),)
            store.messages.add(talk.id, Role.ASSISTANT, answer)
        said = (Part(statement.said, PartOrigin.TYPED),)
        message = store.messages.add(talk.id, Role.USER, said)
        store.jobs.enqueue(LEARN, f"{LEARN}:{message.id}", learn_job(message.id))
    yield from services.background.run()
    took = (perf_counter() - started) * 1000
    written = memories.list(DEFAULT_SCOPE, MemoryFilter(order="oldest"), 0, _MOST)
    right = tuple(bool(statement.content) and carries(m, statement.content) for m in written)
    for memory in written:
        memories.delete(memory.id)
    talks.delete(talk.id)
    return LabelledOutcome(statement, tuple(memory.text for memory in written), right, took)


def carries(memory: Memory, content: Sequence[Label]) -> bool:
    """Return whether a memory's text, value or day carries every label."""
    day = memory.occurred_at.strftime("%Y-%m-%d") if memory.occurred_at else ""
    said = normalise(f"{memory.text}\n{'' if memory.value is None else memory.value}\n{day}")
    return all(
        any(normalise(word) in said for word in ([label] if isinstance(label, str) else label))
        for label in content
    )


def _figures(found: Sequence[LabelledOutcome]) -> dict[str, Any]:
    registers: dict[str, list[LabelledOutcome]] = defaultdict(list)
    for one in found:
        registers[one.statement.register].append(one)
    return {
        **_counted(found),
        "negatives_that_yielded": sum(
            bool(one.memories) for one in found if not one.statement.content
        ),
        "by_register": {name: _counted(group) for name, group in sorted(registers.items())},
        "milliseconds": quantiles([one.milliseconds for one in found]),
    }


def _counted(found: Sequence[LabelledOutcome]) -> dict[str, Any]:
    """Return the counts and shares of some statements."""
    positive = [one for one in found if one.statement.content]
    kept = sum(one.kept for one in positive)
    written = sum(len(one.memories) for one in found)
    right = sum(sum(one.right) for one in found)
    yielded = sum(bool(one.memories) for one in found)
    return {
        "statements": len(found),
        "with_content": len(positive),
        "without_content": len(found) - len(positive),
        "kept": kept,
        "recall": _share(kept, len(positive)),
        "memories": written,
        "right": right,
        "wrong": written - right,
        "precision": _share(right, written),
        "yielded": yielded,
        "precision_by_message": _share(kept, yielded),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _shown(one: LabelledOutcome) -> dict[str, Any]:
    """Return a statement that went wrong, for reading."""
    statement = one.statement
    return {
        "said": statement.said,
        "asked": statement.asked,
        "at": statement.at.isoformat(),
        "register": statement.register,
        "about": statement.about,
        "content": statement.content,
        "kept": one.kept,
        "memories": [
            {"text": text, "right": right}
            for text, right in zip(one.memories, one.right, strict=True)
        ],
    }
