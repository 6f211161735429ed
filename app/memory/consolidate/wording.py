"""Ask a chat model to put several statements into one, and believe it only word for word.

A reply is taken where it says all that the statements say and nothing that none of them says. Its
words about trust, sources or anything else are ignored: those are stamped by code. A reply that
fails in any of this is no reply, and the statements are folded without a model.
"""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

from app.assets import resource
from app.domain.language.foreign import json_in, number_of
from app.domain.language.text import normalise
from app.domain.memory import Memory
from app.errors import AppError, Cancelled, ModelError, Refused
from app.memory.change.agreement import joins
from app.memory.screen.gate import screen
from app.memory.screen.words import ScreenedWords
from app.providers.base import ChatModel, PromptTurn, Sampling

log = logging.getLogger(__name__)

_MEMBER_CHARS = 2000
_REPLY_CHARS = 50_000
_LONGEST = 600
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"content": {"type": "string"}, "confidence": {"type": "number"}},
    "required": ["content"],
}


@dataclass(frozen=True, slots=True)
class Wording:
    """How several statements are put into one.

    Attributes:
        confidence: How sure whoever worded it was that they are about one thing.
    """

    text: str
    confidence: float = 1.0


def worded(
    model: ChatModel, members: Sequence[Memory], max_tokens: int, cancel: Event
) -> Wording | None:
    """Return how a model puts statements into one; None where its reply cannot be believed.

    Raises:
        Cancelled: ``cancel`` was set, or the model was needed for something more urgent.
        TooLong: The statements are more than the model reads at once.
        ModelError: The model does not answer.
    """
    texts = [member.text[:_MEMBER_CHARS] for member in members]
    rules = resource("prompts/consolidate.md").read_text(encoding="utf-8")
    prompt = [
        PromptTurn("system", rules),
        PromptTurn("user", json.dumps(texts, ensure_ascii=False)),
    ]
    sampling = Sampling(temperature=0.2, max_tokens=max_tokens, schema=_SCHEMA)
    try:
        reply = "".join(model.stream(prompt, sampling, cancel))
    except (Cancelled, ModelError):
        raise
    except AppError as error:
        log.info("a cluster was folded without the model (%s)", type(error).__name__)
        return None
    if cancel.is_set():
        raise Cancelled("Stopped.")
    return believed(_parsed(reply), texts)


def believed(reply: dict[str, Any], texts: Sequence[str]) -> Wording | None:
    """Return what a reply says, where it says what the statements say and nothing else."""
    content = reply.get("content")
    if not isinstance(content, str):
        return None
    text = " ".join(content.split())
    sound = 3 <= len(text) <= _LONGEST and is_clean(text)
    if not sound or not joins(text, texts):
        return None
    same = [own for own in texts if normalise(own) == normalise(text)]
    return Wording(same[0] if same else text, _share(reply.get("confidence")))


def is_clean(text: str) -> bool:
    """Return whether the write screen lets a text pass as it is, whoever wrote it."""
    try:
        screening = screen(ScreenedWords(text), typed=False)
    except Refused:
        return False
    return not screening.suspicions and screening.words.text == text


def _parsed(reply: str) -> dict[str, Any]:
    """Return the first JSON object of a reply, whatever stands around it."""
    for found in json_in(reply[:_REPLY_CHARS]):
        if isinstance(found, dict) and "content" in found:
            return found
    return {}


def _share(given: Any) -> float:
    """Return a confidence from 0 to 1; 1 where none is given."""
    try:
        return min(1.0, max(0.0, number_of(given)))
    except ValueError:
        return 1.0
