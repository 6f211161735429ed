"""An answer in a conversation, and what became of what was said."""

from collections.abc import Iterable
from typing import Any

from app.domain.events import Answered
from app.domain.language.text import plain
from app.domain.reply import NOTEBOOK, StatementOutcome


def answer(
    conversation: str | None, message: str, one: Answered, became: Iterable[tuple[str, str]]
) -> dict[str, Any]:
    """Return an answer, and what became of each statement of the message it answers."""
    said, found = one.message, one.recall
    used = list(found.in_prompt) if found else []
    return {
        "conversation": conversation,
        "message": message,
        "answer": plain(said.text) if said.model == NOTEBOOK else said.text,
        "state": said.state,
        "model": said.model,
        "used": used,
        "more": [hit.id for hit in found.recall.hits if hit.id not in used] if found else [],
        "became": [outcome(StatementOutcome(what), told) for what, told in became],
    }


def outcome(one: StatementOutcome, told: str) -> dict[str, Any]:
    """Return what became of a statement, and how that is told."""
    return {"outcome": one, "told": plain(told)}
