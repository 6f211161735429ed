"""Ask a chat model what a message says that is worth remembering.

The model only proposes. Every proposal must quote words that the person typed, or it is dropped;
trust, origin and keys are never taken from it. Whatever goes wrong, nothing is remembered and the
answer that was given stays as it is.
"""

import json
import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from threading import Event
from typing import Any

from app.assets import resource
from app.domain.memory import Candidate, MemoryType
from app.domain.text import normalise
from app.errors import AppError, Cancelled
from app.memory.extract.dates import day_words
from app.memory.extract.doubt import is_question
from app.memory.extract.person import second_person
from app.memory.extract.sentences import Sentence, sentences
from app.memory.extract.statements import entities
from app.providers.base import ChatModel, Sampling, Turn

log = logging.getLogger(__name__)

_TYPED_CHARS = 6000
_CONTEXT_CHARS = 1500
_REPLY_CHARS = 50_000
_STARTS = 200
_SHORTEST = 12
_LONGEST_MEMORY = 300
_KINDS = {
    "fact": MemoryType.SEMANTIC,
    "preference": MemoryType.SEMANTIC,
    "event": MemoryType.EPISODIC,
    "instruction": MemoryType.PROCEDURAL,
}
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
                    "kind": {"type": "string", "enum": list(_KINDS)},
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
    own = _own_words(typed)
    if limit < 1 or len(own) < _SHORTEST:
        return []
    try:
        reply = "".join(model.stream(_prompt(own, at, limit, answer), _sampling(limit), cancel))
        if cancel.is_set():
            raise Cancelled("Stopped.")
        found = list(_candidates(reply, own, at))
    except Cancelled:
        raise
    except AppError as error:
        log.info("no facts were extracted (%s)", type(error).__name__)
        return []
    except Exception as error:  # noqa: BLE001 - a proposal is never worth a failure
        log.warning("extracting facts failed (%s)", type(error).__name__)
        return []
    return found[:limit]


def parsed(reply: str) -> list[dict[str, Any]]:
    """Return the items of a reply, however they are wrapped: fences, prose, or a bare array."""
    reply = reply[:_REPLY_CHARS]
    for start in islice((m.start() for m in re.finditer(r"[\[{]", reply)), _STARTS):
        try:
            found, _ = json.JSONDecoder().raw_decode(reply[start:])
        except (ValueError, RecursionError):
            continue
        items = found.get("memories", [found]) if isinstance(found, dict) else found
        if isinstance(items, dict):
            items = [items]
        if isinstance(items, list) and (not items or any(isinstance(i, dict) for i in items)):
            return [item for item in items if isinstance(item, dict)]
    return []


def _sampling(limit: int) -> Sampling:
    return Sampling(temperature=0.2, max_tokens=200 + 160 * limit, schema=_SCHEMA)


def _own_words(typed: str) -> str:
    """Return the person's own sentences, without code, quotations and transcripts."""
    return "\n".join(s.quote for s in sentences(typed[:_TYPED_CHARS]) if not s.foreign)


def _prompt(own: str, at: datetime, limit: int, answer: str) -> list[Turn]:
    rules = resource("prompts/extract.md").read_text(encoding="utf-8")
    said = f"Date of the message: {at:%A} {day_words(at.date())}\n\n"
    if answer:
        context = answer[:_CONTEXT_CHARS]
        said += f"The assistant's text, for understanding only:\n<<<\n{context}\n>>>\n\n"
    said += f"The person's message:\n<<<\n{own}\n>>>"
    return [Turn("system", rules.replace("{limit}", str(limit))), Turn("user", said)]


def _candidates(reply: str, own: str, at: datetime) -> Iterator[Candidate]:
    said = sentences(own)
    for item in parsed(reply):
        try:
            candidate = _candidate(item, own, said, at)
        except (TypeError, ValueError):
            continue
        if candidate is not None:
            yield candidate


def _candidate(
    item: dict[str, Any], own: str, said: list[Sentence], at: datetime
) -> Candidate | None:
    called = str(item.get("kind", "fact")).strip().lower()
    kind = _KINDS.get(called)
    text = _addressed(str(item.get("content") or ""))
    quote = str(item.get("quote") or "").strip().strip("\"“”'").strip()
    if kind is None or not 3 <= len(text) <= _LONGEST_MEMORY or not _rests_on(quote, said):
        return None
    if _invents_names(text, own):
        return None
    about = [_entity(e) for e in item.get("entities") or [] if _entity(e)]
    return Candidate(
        text=text,
        quote=quote,
        type=kind,
        category="preference" if kind is MemoryType.PROCEDURAL else called,
        entities=tuple(dict.fromkeys([*entities(text), *about])),
        occurred_at=_moment(item.get("occurred_at") or item.get("occurredAt"), at),
        instruction=kind is MemoryType.PROCEDURAL,
    )


def _rests_on(quote: str, said: list[Sentence]) -> bool:
    """Return whether a quote was really typed, and as a statement."""
    wanted = _plain(quote)
    if len(wanted) < 4:
        return False
    whole = _plain(" ".join(s.quote for s in said))
    within = [s for s in said if wanted in _plain(s.quote)]
    asked = within and all(s.question and is_question(s.text) for s in within)
    return wanted in whole and not asked


def _plain(text: str) -> str:
    return normalise(text.translate(str.maketrans("’‘“”", "''\"\"")))


def _invents_names(text: str, own: str) -> bool:
    """Return whether a memory names somebody or something that the person did not."""
    typed = {word.casefold() for word in re.findall(r"[^\W_]+", own)}
    named = " ".join(name for name in entities(text) if name != "user")
    return not {word.casefold() for word in re.findall(r"[^\W_]+", named)} <= typed


def _entity(given: Any) -> str:
    name = given.get("name", "") if isinstance(given, dict) else given
    return str(name).strip()[:80] if isinstance(name, str) else ""


_USER = r"(?:the )?user\b"
_PLURAL_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}


def _addressed(content: str) -> str:
    """Turn "The user lives in Ghent" into "You live in Ghent"."""
    text = re.sub(rf"\b{_USER}['’]s", "your", " ".join(content.split()), flags=re.IGNORECASE)

    def you(found: re.Match[str]) -> str:
        verb = found["verb"] or ""
        low = verb.lower()
        if low in _PLURAL_VERBS:
            verb = _PLURAL_VERBS[low]
        elif low.endswith("ies"):
            verb = verb[:-3] + "y"
        elif re.search(r"(?:s|x|ch|sh)es$", low):
            verb = verb[:-2]
        elif low.endswith("s") and not low.endswith("ss"):
            verb = verb[:-1]
        return f"you {verb}".strip()

    text = re.sub(rf"\b{_USER}(?: (?P<verb>[a-z]+))?", you, text, flags=re.IGNORECASE)
    return second_person(text)


def _moment(given: Any, at: datetime) -> datetime | None:
    """Return a date within a hundred years before and a lifetime after the message, or None."""
    if not isinstance(given, str):
        return None
    try:
        moment = datetime.fromisoformat(given.strip())
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    day = timedelta(days=1)
    return moment if at - 36525 * day < moment < at + 3650 * day else None
