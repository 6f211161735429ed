"""What a model is given to read in one call, and what it says that is believed.

Only the words that the person typed themselves are evidence, and a memory has to be made of them:
what the assistant said stands beside them to be understood by, and can put nothing into memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, cached_property

from app.assets import resource
from app.domain.conversation import Conversation, Role
from app.domain.language.text import clipped
from app.domain.memory import Candidate
from app.memory.learn.copied import copied
from app.memory.learn.message_reader import MessageInContext, ReadMessage
from app.memory.learn.replies import (
    CENTURY,
    EvidenceWords,
    Item,
    candidate,
    effects,
    item_schema,
    made_of,
    own_words,
    quoted,
)
from app.memory.screen.redaction import redact
from app.memory.when.words import day_words
from app.providers.base import PromptTurn, Sampling, rough_count

PERSON_CHARS = 2000
_ASSISTANT_CHARS = 300
_MOST = 30
_ITEM_TOKENS = 160
_LEAST_TOKENS = 128
_NUMBERED = 8
_ONE_DAY = timedelta(days=1)
_EFFECT = {"type": "object", "properties": {"effect": {"type": "string", "maxLength": 200}}}
_FIELDS = {
    "message": {"type": "integer"},
    "occurredAt": {"type": "string", "maxLength": 10},
    "causes": {"type": "array", "maxItems": 3, "items": _EFFECT},
}
_REQUIRED = ("reasoning", "message", "quote", "content", "kind")


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line of a page.

    Attributes:
        message_pk: The message it tells of.
        heard: What the person states in it; None for a line of the assistant's.
        text: Who spoke when, and what.
    """

    message_pk: int
    heard: ReadMessage | None
    text: str

    @property
    def size(self) -> int:
        """How many characters a model reads, with the line's number."""
        return len(self.text) + _NUMBERED


@dataclass(frozen=True, slots=True)
class ReviewStretch:
    """New messages of one conversation that are read together.

    Attributes:
        heard: Those of the person, oldest first.
        lines: What a model reads of them; empty where it need not.
        until: How far the conversation is reviewed afterwards.
        whole: Whether nothing of it is left.
    """

    talk: Conversation
    heard: tuple[ReadMessage, ...]
    lines: tuple[PageLine, ...]
    until: int
    whole: bool

    @property
    def typed(self) -> str:
        """All that the person typed."""
        return "\n".join(heard.typed for heard in self.heard)

    @property
    def size(self) -> int:
        """How many characters its lines have."""
        return sum(line.size for line in self.lines)

    def cut(self, free: int) -> "ReviewStretch":
        """Return as much of its beginning as fits, one line at the least; the rest comes later."""
        if self.size <= free:
            return self
        taken = [self.lines[0]]
        for line in self.lines[1:]:
            if sum(one.size for one in (*taken, line)) > free:
                break
            taken.append(line)
        until = taken[-1].message_pk
        heard = tuple(one for one in self.heard if one.said.message.pk <= until)
        return replace(self, heard=heard, lines=tuple(taken), until=until, whole=False)


@dataclass(frozen=True)
class ReviewPage:
    """The lines of several stretches, numbered through."""

    stretches: Sequence[ReviewStretch]
    now: datetime

    @cached_property
    def lines(self) -> Sequence[tuple[ReviewStretch, PageLine]]:
        """The lines with the stretch each belongs to; their numbers count from 1."""
        return [(stretch, line) for stretch in self.stretches for line in stretch.lines]

    @property
    def says_something(self) -> bool:
        """Whether the person said anything on it."""
        return any(line.heard for _, line in self.lines)

    def prompt(self, limit: int) -> list[PromptTurn]:
        """Return what the model is told."""
        said, before = list[str](), None
        for number, (stretch, line) in enumerate(self.lines, start=1):
            if stretch is not before:
                said.append("\nA conversation:" if said else "A conversation:")
                before = stretch
            said.append(f"[{number}] {line.text}")
        return [
            PromptTurn("system", rules().replace("{limit}", str(limit))),
            PromptTurn("user", "\n".join(said)),
        ]

    def proposals(self, items: Sequence[Item], most: int) -> Mapping[int, list[Candidate]]:
        """Return what items of a reply propose, by the row of the message each rests on.

        Args:
            items: As the model gave them; a bad one costs no other.
            most: At most so many for one message.
        """
        found: dict[int, list[Candidate]] = {}
        for item in items:
            try:
                message_pk, proposed = self._rested(item)
            except (TypeError, ValueError):
                continue
            if proposed is not None and len(found.setdefault(message_pk, [])) < most:
                found[message_pk].append(proposed)
        return found

    @cached_property
    def _typed(self) -> Mapping[int, tuple[int, EvidenceWords]]:
        """The person's words by the number of their line, each with the row of its message."""
        bounds = (self.now - CENTURY, self.now + _ONE_DAY)
        found: dict[int, tuple[int, EvidenceWords]] = {}
        for number, (stretch, line) in enumerate(self.lines, start=1):
            if line.heard is not None:
                message = line.heard.said.message
                own, at = own_words(line.heard.typed), message.created_at.astimezone()
                found[number] = message.pk, EvidenceWords(own, at, stretch.typed, bounds)
        return found

    def _rested(self, item: Item) -> tuple[int, Candidate | None]:
        """Return what an item proposes, with the row of the message that holds its quote."""
        quote, named = quoted(item), item.get("message")
        numbers = [named] if isinstance(named, int) and named in self._typed else []
        for number in dict.fromkeys([*numbers, *self._typed]):
            message_pk, typed = self._typed[number]
            if typed.holds(quote):
                found = candidate(item, typed)
                if found is None or not made_of(found.text, typed.around):
                    return message_pk, None
                if copied(found.text, rules(), typed.around):
                    return message_pk, None
                told = [e for e in effects(item) if not copied(e, rules(), typed.around)]
                return message_pk, replace(found, extra={"effects": tuple(told)})
        return 0, None


def lines(
    heard: Sequence[tuple[MessageInContext, ReadMessage | None]], longest: int
) -> list[PageLine]:
    """Return what a model reads of messages: what may state something, and what it answers.

    Questions, orders, games, code, quotations and secrets are left out, and what the assistant said
    where the person then stated nothing.

    Args:
        heard: The messages, and what those of the person state.
        longest: No line has more characters.
    """
    found: list[PageLine] = []
    context: PageLine | None = None
    for said, own in heard:
        message, text = said.message, ""
        if own is not None and not own.is_whole:
            words = clipped(redact(own_words(own.typed)).text, PERSON_CHARS)
            day = message.created_at.astimezone()
            text = f"{day:%A} {day_words(day.date())}, the person: {words}" if words else ""
        elif own is None and message.role is Role.ASSISTANT and not said.pretending:
            words = clipped(redact(message.text).text, _ASSISTANT_CHARS)
            text = f"the assistant: {words}" if words else ""
        line = PageLine(message.pk, own, text[: longest - _NUMBERED]) if text else None
        if own is not None and line is not None:
            found += [context, line] if context is not None else [line]
        context = line if own is None else None
    return found


@cache
def rules() -> str:
    """Return what a model is told to do."""
    return resource("prompts/review.md").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Room:
    """How much a model reads and writes in one call.

    Attributes:
        chars: How many characters it may read.
        items: How many memories it may return.
        tokens: How long its reply may be.
    """

    chars: int
    items: int
    tokens: int

    @classmethod
    def of(cls, context_tokens: int, max_tokens: int) -> "Room":
        """Share the window of a model between what it is told, reads and writes."""
        reply = min(_MOST * _ITEM_TOKENS, max(2 * _ITEM_TOKENS, context_tokens // 3))
        read = min(max_tokens, context_tokens - reply - rough_count(rules()) - _ITEM_TOKENS)
        return cls(4 * max(read, _LEAST_TOKENS), max(1, reply // _ITEM_TOKENS), reply)

    @property
    def sampling(self) -> Sampling:
        """How the reply is drawn."""
        memories = {
            "type": "array",
            "maxItems": self.items,
            "items": item_schema(_FIELDS, _REQUIRED),
        }
        schema = {"type": "object", "properties": {"memories": memories}, "required": ["memories"]}
        return Sampling(temperature=0.3, max_tokens=self.tokens, schema=schema)
