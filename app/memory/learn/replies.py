"""Read what a model replies when it is asked what to remember: leniently in form, strictly in fact.

Every item must quote words that the person typed, as a statement, and may name nobody whom they
did not name; half of what a memory says must be in their words, and nothing of it in those of the
model's instructions (``copied``). Trust, origin and keys are
never taken from a model.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cached_property
from typing import Any

from app.domain.language.foreign import json_in
from app.domain.language.question import asks
from app.domain.language.reading import StatementKind
from app.domain.language.text import normalise
from app.domain.memory import Candidate, MemoryType
from app.memory.reading.wording import with_dates
from app.memory.text import novelty
from app.memory.text.names import capitalised, mentioned
from app.memory.text.sentences import Sentence, sentences
from app.memory.when.meanings import Tense
from app.memory.when.moment import day_told

CENTURY = timedelta(days=36_525)
_REPLY_CHARS = 50_000
_LONGEST_MEMORY = 300
_MOST_EFFECTS = 5
KINDS = {
    "fact": MemoryType.SEMANTIC,
    "preference": MemoryType.SEMANTIC,
    "event": MemoryType.EPISODIC,
    "instruction": MemoryType.PROCEDURAL,
}
_ALSO_CALLED = {"semantic": "fact", "episodic": "event", "procedural": "instruction"}

_LONGEST_QUOTE, _LONGEST_REASONING, _LONGEST_NAME, _MOST_NAMES = 300, 120, 60, 5

Item = dict[str, Any]


@dataclass(frozen=True)
class EvidenceWords:
    """The words of one message that an item may rest on.

    Attributes:
        own: The person's own sentences, without code, quotations and transcripts.
        at: When they were typed, in the person's own time zone.
        around: What else they typed in the conversation, where names may stem from.
        bounds: When what is told of may have happened; None for a century before to a decade after.
    """

    own: str
    at: datetime
    around: str = ""
    bounds: tuple[datetime, datetime] | None = None

    @cached_property
    def said(self) -> list[Sentence]:
        """The sentences."""
        return sentences(self.own)

    def holds(self, quote: str) -> bool:
        """Return whether a quote was really typed, and as a statement."""
        wanted = _plain(quote)
        if len(wanted) < 4:
            return False
        whole = _plain(" ".join(s.quote for s in self.said))
        within = [s for s in self.said if wanted in _plain(s.quote)]
        asked = within and all(s.question and asks(s.text) for s in within)
        return wanted in whole and not asked

    def invents(self, text: str) -> bool:
        """Return whether a memory names somebody or something that the person did not."""
        return not _words(" ".join(capitalised(text))) <= self._known

    def names(self, entity: str) -> bool:
        """Return whether the person named an entity, or it is they themselves."""
        words = _words(entity)
        return bool(words) and (words == {"user"} or words <= self._known)

    @cached_property
    def _known(self) -> set[str]:
        return _words(f"{self.own}\n{self.around}")


def item_schema(more: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    """Return the schema of one item; nothing in it may go on without end.

    Args:
        more: Its other fields.
        required: Those that must be there.
    """
    names = {
        "type": "array",
        "maxItems": _MOST_NAMES,
        "items": {"type": "string", "maxLength": _LONGEST_NAME},
    }
    fields = {
        "reasoning": {"type": "string", "maxLength": _LONGEST_REASONING},
        "quote": {"type": "string", "maxLength": _LONGEST_QUOTE},
        "content": {"type": "string", "maxLength": _LONGEST_MEMORY},
        "kind": {"type": "string", "enum": list(KINDS)},
        "entities": names,
    }
    return {"type": "object", "properties": {**fields, **more}, "required": list(required)}


def made_of(text: str, typed: str) -> bool:
    """Return whether at least half of what a memory says was typed by the person."""
    words = {
        word
        for word in novelty.content(text).words
        if word not in novelty.calendar() and not word[0].isdigit() and word[0] != "<"
    }
    return bool(words) and 2 * len(words & novelty.content(typed).words) >= len(words)


def own_words(typed: str) -> str:
    """Return the person's own sentences, without code, quotations and transcripts."""
    return "\n".join(s.quote for s in sentences(typed) if not s.foreign)


def parsed(reply: str) -> list[Item] | None:
    """Return the items of a reply, however they are wrapped: fences, prose, or a bare array.

    Returns:
        The items; an empty list where the reply says that there are none; None where it cannot be
        read.
    """
    reply = reply[:_REPLY_CHARS]
    read: list[Item] | None = None
    for found in json_in(reply):
        items = found.get("memories", [found]) if isinstance(found, dict) else found
        if isinstance(items, dict):
            items = [items]
        if isinstance(items, list) and any(isinstance(one, dict) for one in items):
            return [one for one in items if isinstance(one, dict)]
        if items in ([], None):
            if isinstance(found, dict):
                return []
            read = []
    return read


def quoted(item: Item) -> str:
    """Return the words an item rests on."""
    return str(item.get("quote") or "").strip().strip("\"“”'").strip()


def effects(item: Item) -> tuple[str, ...]:
    """Return what an item says it brought about."""
    named = [one.get("effect") if isinstance(one, dict) else one for one in _listed(item, "causes")]
    found = [" ".join(one.split())[:_LONGEST_MEMORY] for one in named if isinstance(one, str)]
    return tuple(dict.fromkeys(one for one in found if one))[:_MOST_EFFECTS]


def candidate(item: Item, typed: EvidenceWords) -> Candidate | None:
    """Return what an item proposes, or None where it does not rest on what was typed.

    Raises:
        TypeError, ValueError: The item is not of the form that was asked for.
    """
    called = _kind(item)
    kind = KINDS.get(called)
    text = _in_own_voice(str(item.get("content") or ""))
    quote = quoted(item)
    if kind is None or not 3 <= len(text) <= _LONGEST_MEMORY or not typed.holds(quote):
        return None
    if typed.invents(text):
        return None
    text, day = _dated(text, typed.at, kind)
    given = item.get("occurred_at") or item.get("occurredAt")
    bounds = typed.bounds or (typed.at - CENTURY, typed.at + CENTURY / 10)
    about = [name for one in _listed(item, "entities") if typed.names(name := _entity(one))]
    return Candidate(
        text=text,
        quote=quote,
        type=kind,
        category="preference" if kind is MemoryType.PROCEDURAL else called,
        entities=tuple(dict.fromkeys([*mentioned(text), *about])),
        occurred_at=_moment(given, bounds) or _moment(day, bounds),
        instruction=kind is MemoryType.PROCEDURAL,
        by_model=True,
    )


def beyond(plain: Sequence[Candidate], proposed: Sequence[Candidate]) -> list[Candidate]:
    """Return what a model proposes and says more than the reader understood of the same words."""
    new: list[Candidate] = []
    for one in proposed:
        quote = normalise(one.quote)
        same = [p for p in plain if quote in normalise(p.quote) or normalise(p.quote) in quote]
        known = frozenset[str]().union(*(novelty.content(p.text).words for p in same))
        words = novelty.content(one.text).words
        if not words or 2 * len(words & known) >= len(words):
            continue
        new.append(one)
    return new


def _kind(item: Item) -> str:
    called = str(item.get("kind") or item.get("memoryType") or "fact").strip().lower()
    return _ALSO_CALLED.get(called, called)


def _listed(item: Item, name: str) -> list[Any]:
    given = item.get(name)
    if given is None:
        return []
    return [given] if isinstance(given, str | dict) else list(given)


def _plain(text: str) -> str:
    return normalise(text.translate(str.maketrans("’‘“”", "''\"\"")))


def _words(text: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[^\W_]+", text)}


def _entity(given: Any) -> str:
    name = given.get("name", "") if isinstance(given, dict) else given
    return str(name).strip()[:80] if isinstance(name, str) else ""


_USER = r"\b(?:the )?user\b"
_VERBS = {"is": "am", "has": "have", "does": "do", "goes": "go"}
_PAST = re.compile(r"\b(?:was|were|had|did|went|\w{3,}ed)\b")


def _in_own_voice(content: str) -> str:
    """Turn "The user lives in Ghent" into "I live in Ghent", as the person says it themselves."""
    text = re.sub(rf"{_USER}['’]s", "my", " ".join(content.split()), flags=re.IGNORECASE)

    def first_person(found: re.Match[str]) -> str:
        verb = found["verb"] or ""
        low = verb.lower()
        if low in _VERBS:
            verb = _VERBS[low]
        elif low.endswith("ies"):
            verb = verb[:-3] + "y"
        elif re.search(r"(?:s|x|ch|sh)es$", low):
            verb = verb[:-2]
        elif low.endswith("s") and not low.endswith("ss") and low != "was":
            verb = verb[:-1]
        return f"I {verb}".strip()

    text = re.sub(rf"{_USER}(?: (?P<verb>[a-z]+))?", first_person, text, flags=re.IGNORECASE)
    text = text.strip(" ,;:–-")
    return text[:1].upper() + text[1:].rstrip(".!…")


def _dated(text: str, at: datetime, kind: MemoryType) -> tuple[str, datetime | None]:
    """Put the dates behind what a model left relative; return the day of an event too."""
    if kind is not MemoryType.EPISODIC:
        return with_dates(text, at, StatementKind.TASTE), None
    past = bool(_PAST.search(text))
    day = day_told(text, at, Tense.PAST if past else Tense.FUTURE)
    written = with_dates(text, at, StatementKind.EVENT if past else StatementKind.PLAN)
    return written, datetime.combine(day, time(), UTC) if day else None


def _moment(given: Any, bounds: tuple[datetime, datetime]) -> datetime | None:
    """Return a moment within bounds, or None."""
    if isinstance(given, str):
        try:
            given = datetime.fromisoformat(given.strip())
        except ValueError:
            return None
    if not isinstance(given, datetime):
        return None
    moment = given if given.tzinfo else given.replace(tzinfo=UTC)
    return moment if bounds[0] < moment < bounds[1] else None
