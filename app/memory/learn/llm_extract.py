"""Ask a chat model what a message says that is worth remembering.

The model only proposes; ``replies`` says what is believed. Whatever goes wrong, nothing is
remembered and the answer that was given stays as it is.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cache
from typing import Any

from app.assets import resource
from app.domain.memory import Candidate
from app.errors import AppError, Cancelled, TooLong
from app.memory.learn.copied import copied
from app.memory.learn.replies import EvidenceWords, Item, candidate, item_schema, made_of, own_words
from app.memory.reading.reader import LONGEST
from app.memory.when.words import day_words
from app.providers.base import PromptTurn, Sampling

log = logging.getLogger(__name__)

_CONTEXT_CHARS = 1500
_SHORTEST = 12

Ask = Callable[[list[PromptTurn], Sampling], list[Item] | None]


def proposals(
    ask: Ask, typed: str, at: datetime, limit: int, *, answer: str = ""
) -> list[Candidate]:
    """Return what a model proposes to remember; one call.

    Args:
        ask: Asks the model; None stands for a reply that cannot be read.
        typed: The words the person typed.
        at: When, in their own time zone.
        limit: At most so many.
        answer: What the assistant said around it, to understand the message by.

    Raises:
        Cancelled: It was stopped, or the model was needed for something more urgent.
    """
    own = own_words(typed[:LONGEST])
    if limit < 1 or len(own) < _SHORTEST:
        return []
    try:
        items = _asked(ask, own, at, limit, answer)
        found = list(_candidates(items or (), EvidenceWords(own, at)))
    except Cancelled:
        raise
    except AppError as error:
        log.info("no facts were extracted (%s)", type(error).__name__)
        return []
    except Exception as error:  # noqa: BLE001 - a proposal is never worth a failure
        log.warning("extracting facts failed (%s)", type(error).__name__)
        return []
    return found[:limit]


def _asked(ask: Ask, own: str, at: datetime, limit: int, answer: str) -> list[Item] | None:
    """Return the items of a reply; of a message that is too long for the model, to its half."""
    try:
        return ask(_prompt(own, at, limit, answer), _sampling(limit))
    except TooLong:
        log.info("a message is too long for the learning model, which reads the half of it")
        return ask(_prompt(own[: len(own) // 2], at, limit, ""), _sampling(limit))


def _sampling(limit: int) -> Sampling:
    return Sampling(temperature=0.2, max_tokens=200 + 160 * limit, schema=_schema(limit))


def _schema(limit: int) -> dict[str, Any]:
    item = item_schema(
        {"occurred_at": {"type": "string", "maxLength": 10}}, ("quote", "content", "kind")
    )
    memories = {"type": "array", "maxItems": limit, "items": item}
    return {"type": "object", "properties": {"memories": memories}, "required": ["memories"]}


@cache
def _rules() -> str:
    return resource("prompts/extract.md").read_text(encoding="utf-8")


def _prompt(own: str, at: datetime, limit: int, answer: str) -> list[PromptTurn]:
    said = f"Date of the message: {at:%A} {day_words(at.date())}\n\n"
    if answer:
        context = answer[:_CONTEXT_CHARS]
        said += f"The assistant's text, for understanding only:\n<<<\n{context}\n>>>\n\n"
    said += f"The person's message:\n<<<\n{own}\n>>>"
    return [PromptTurn("system", _rules().replace("{limit}", str(limit))), PromptTurn("user", said)]


def _candidates(items: Iterable[Item], typed: EvidenceWords) -> Iterator[Candidate]:
    for item in items:
        try:
            found = candidate(item, typed)
        except (TypeError, ValueError):
            continue
        if found is None or copied(found.text, _rules(), typed.own):
            continue
        if made_of(found.text, typed.own):
            yield found
