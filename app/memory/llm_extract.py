"""Ask a chat model what a message says that is worth remembering.

The model only proposes; ``replies`` says what is believed. Whatever goes wrong, nothing is
remembered and the answer that was given stays as it is.
"""

import logging
from collections.abc import Iterator
from datetime import datetime
from threading import Event
from typing import Any

from app.assets import resource
from app.domain.memory import Candidate
from app.errors import AppError, Cancelled
from app.memory.reading.reader import LONGEST
from app.memory.replies import KINDS, Typed, candidate, made_of, own_words, parsed
from app.memory.when.words import day_words
from app.providers.base import ChatModel, Sampling, Turn

log = logging.getLogger(__name__)

_CONTEXT_CHARS = 1500
_SHORTEST = 12
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "memories": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "reasoning": {"type": "string"},
                    "quote": {"type": "string"},
                    "content": {"type": "string"},
                    "kind": {"type": "string", "enum": list(KINDS)},
                    "entities": {"type": "array", "items": {"type": "string"}},
                    "occurred_at": {"type": "string"},
                },
                "required": ["quote", "content", "kind"],
            },
        }
    },
    "required": ["memories"],
}


def proposals(
    model: ChatModel, typed: str, at: datetime, limit: int, cancel: Event, *, answer: str = ""
) -> list[Candidate]:
    """Return what a model proposes to remember; one call.

    Args:
        model: Who is asked.
        typed: The words the person typed.
        at: When, in their own time zone.
        limit: At most so many.
        cancel: Stops it.
        answer: What the assistant said around it, to understand the message by.

    Raises:
        Cancelled: ``cancel`` was set, or the model was needed for something more urgent.
    """
    own = own_words(typed[:LONGEST])
    if limit < 1 or len(own) < _SHORTEST:
        return []
    try:
        reply = "".join(model.stream(_prompt(own, at, limit, answer), _sampling(limit), cancel))
        if cancel.is_set():
            raise Cancelled("Stopped.")
        found = list(_candidates(reply, Typed(own, at)))
    except Cancelled:
        raise
    except AppError as error:
        log.info("no facts were extracted (%s)", type(error).__name__)
        return []
    except Exception as error:  # noqa: BLE001 - a proposal is never worth a failure
        log.warning("extracting facts failed (%s)", type(error).__name__)
        return []
    return found[:limit]


def _sampling(limit: int) -> Sampling:
    return Sampling(temperature=0.2, max_tokens=200 + 160 * limit, schema=_SCHEMA)


def _prompt(own: str, at: datetime, limit: int, answer: str) -> list[Turn]:
    rules = resource("prompts/extract.md").read_text(encoding="utf-8")
    said = f"Date of the message: {at:%A} {day_words(at.date())}\n\n"
    if answer:
        context = answer[:_CONTEXT_CHARS]
        said += f"The assistant's text, for understanding only:\n<<<\n{context}\n>>>\n\n"
    said += f"The person's message:\n<<<\n{own}\n>>>"
    return [Turn("system", rules.replace("{limit}", str(limit))), Turn("user", said)]


def _candidates(reply: str, typed: Typed) -> Iterator[Candidate]:
    for item in parsed(reply) or ():
        try:
            found = candidate(item, typed)
        except (TypeError, ValueError):
            continue
        if found is not None and made_of(found.text, typed.own):
            yield found
