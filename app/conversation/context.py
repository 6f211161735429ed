"""Decide what fits the prompt: instructions, pinned memories, history, block, new message.

The order keeps the model's cache of earlier turns alive: only the last turn is new. The block of
recalled memories stands before the new message, inside the same turn, and is never stored. What is
pinned always stands with the instructions, and for that reason never in the block as well.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.conversation import block, fence
from app.conversation.block import RecallBlock
from app.conversation.clip import clip, clipped
from app.conversation.dates import date
from app.conversation.history import PER_TURN, Count, Entry, ShownEntry, fitting, worded
from app.domain.conversation import Message
from app.domain.reason import Reason, ReasonKind
from app.domain.recall import Hit, Recall, TraceStep
from app.domain.trace import KEPT_IN_MIND, NO_ROOM
from app.providers.base import PromptTurn, rough_count
from app.settings.spec import Settings

INSTRUCTIONS = (
    "You are Loci, an assistant on the user's own computer. Be helpful, plain and brief, and answer"
    " in the language of the message. Never claim to have remembered, noted, changed or forgotten"
    " something: the program does that and says so itself. Today is {today}."
)
PINNED = "The user asked to keep in mind:"
FULL = Reason(ReasonKind.PROMPT_FULL)
MEMORY_SHARE = 0.1
MEMORY_LEAST = 256
ASKED_LEAST = 256
LEFT_OUT = "[… a text of {:,} characters is left out: it is too long to read …]"


@dataclass(frozen=True, slots=True)
class Window:
    """How much a model can read and is to write.

    Attributes:
        tokens: What it can read at once, its answer included.
        answer: The longest answer.
        count: Returns the number of tokens of a text, at least roughly.
        spared: Tokens that stay free besides, for what the model's template adds.
    """

    tokens: int
    answer: int
    count: Count = rough_count
    spared: int = 0

    @property
    def room(self) -> int:
        """Tokens for the whole prompt; a long answer never takes more than half the window."""
        return self.tokens - min(self.answer, self.tokens // 2) - self.spared

    @property
    def memory_room(self) -> int:
        """Tokens for recalled memories."""
        wanted = max(int(self.tokens * MEMORY_SHARE), min(MEMORY_LEAST, self.tokens // 4))
        return max(0, min(wanted, self.room // 2))

    @property
    def asked_least(self) -> int:
        """Tokens that the new message has, however little room there is."""
        return max(self.room // 4, min(ASKED_LEAST, self.tokens // 8))


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model will read.

    Attributes:
        turns: In order.
        hits: Which finds stand in it: the lines of the block, numbered from 1 in this order, and
            then those that stand with the instructions.
        lines: How many lines the block has.
        known: The block.
        used_message_ids: The earlier messages that stand in it.
        left_out: How many characters of the new message do not.
    """

    turns: tuple[PromptTurn, ...] = ()
    hits: tuple[Hit, ...] = ()
    lines: int = 0
    used_message_ids: tuple[str, ...] = ()
    left_out: int = 0
    known: str = ""

    def bare(self) -> "Prompt":
        """Return the same prompt with a bare list in place of the block."""
        known = block.bare(self.hits[: self.lines])
        turns = [
            replace(turn, content=turn.content.replace(self.known, known, 1).strip())
            for turn in self.turns
            if self.known
        ]
        return replace(self, turns=tuple(turns) or self.turns, known=known)

    def told(self, recall: Recall) -> Recall:
        """Return what was recalled, with what became of it on the way into this prompt."""
        known, minded = self.hits[: self.lines], {hit.id for hit in self.hits[self.lines :]}
        there = {hit.id for hit in known}
        hits = [
            replace(hit, reasons=(*hit.reasons, KEPT_IN_MIND)) if hit.id in minded else hit
            for hit in recall.hits
            if hit.id in there | minded
        ]
        cut = [
            replace(hit, dropped=NO_ROOM, reasons=(*hit.reasons, FULL))
            for hit in recall.hits
            if hit.id not in there | minded
        ]
        step = TraceStep("prompt", len(recall.hits), len(hits), 0.0)
        return replace(
            recall,
            hits=tuple(hits),
            dropped=(*cut, *recall.dropped),
            steps=(*recall.steps, step) if recall.steps else (),
        )


def build(
    question: Message,
    history: Sequence[Entry],
    hits: Sequence[Hit],
    settings: Settings,
    window: Window,
    *,
    pinned: Sequence[Hit] = (),
    expandable: bool = False,
) -> Prompt:
    """Return the prompt for a new message.

    Args:
        question: The new message.
        history: What was said before it on its branch, oldest first, in part in summaries.
        hits: What was recalled, best first.
        settings: Instructions, limits and order.
        window: What the model can hold.
        pinned: Memories that always stand in the prompt, with the instructions.
        expandable: Whether the model can call for what a summary stands for.
    """
    pinned = _kept_in_mind(pinned, window)
    system = _system(question, settings, pinned, window)
    asked, left_out = _asked(question, system, window)
    minded = {hit.id for hit in pinned}
    told = [hit for hit in hits if hit.id not in minded]
    known = recalled(told, settings, window)
    kept = fitting(history, window.count, _left(system, asked, window), expandable=expandable)
    return Prompt(
        turns=tuple(_ordered(system, known, kept, asked, settings.chat.block_after_history)),
        hits=(*known.hits, *(hit for hit in hits if hit.id in minded)),
        lines=len(known.hits),
        used_message_ids=tuple(one.message_id for one in kept if one.message_id),
        left_out=left_out,
        known=known.text,
    )


def recalled(hits: Sequence[Hit], settings: Settings, window: Window) -> RecallBlock:
    """Return the block of recalled memories, and with it what of them reaches the model."""
    return block.build(
        hits,
        settings.rag.max_context_chars,
        lambda text: window.count(text) <= window.memory_room,
    )


def visible(
    history: Sequence[Entry],
    window: Window,
    question: Message | None = None,
    settings: Settings | None = None,
    pinned: Sequence[Hit] = (),
) -> list[Message]:
    """Return the earlier messages that will stand in the prompt, oldest first.

    With all that ``build`` is given the answer is exact, else it may count a few too many.
    """
    system = asked = ""
    if question is not None:
        minded = _kept_in_mind(pinned, window)
        system = _system(question, settings or Settings(), minded, window)
        asked, _ = _asked(question, system, window)
    kept = fitting(history, window.count, _left(system, asked, window))
    there = {one.message_id for one in kept}
    return [one for one in history if isinstance(one, Message) and one.id in there]


def shortened(message: Message, tokens: int, count: Count) -> tuple[Message, int]:
    """Return a message with a note in place of each part that is longer, for who cannot be clipped.

    Returns:
        The message, and how many characters are left out of it.
    """
    long = {part for part in message.parts if count(part.text) > tokens}
    parts = tuple(
        replace(part, text=LEFT_OUT.format(len(part.text))) if part in long else part
        for part in message.parts
    )
    return replace(message, parts=parts), sum(len(p.text) for p in message.parts if p in long)


def _system(question: Message, settings: Settings, minded: Sequence[Hit], window: Window) -> str:
    """Return the instructions; those of the person's own take at most a quarter of the room."""
    parts = [INSTRUCTIONS.format(today=date(question.created_at))]
    own = settings.chat.instructions.strip()
    if own := clipped(own, max(0, window.room // 4), window.count):
        parts.append(own)
    if minded:
        parts.append(_minded(minded))
    return "\n\n".join(parts)


def _minded(hits: Sequence[Hit]) -> str:
    return "\n".join([PINNED, *(f"- {fence.harmless(hit.text)}" for hit in hits)])


def _kept_in_mind(pinned: Sequence[Hit], window: Window) -> list[Hit]:
    """Return what may stand with the instructions; what comes from outside never may."""
    found: list[Hit] = []
    for hit in pinned:
        fits = hit.trust.is_own and window.count(_minded([*found, hit])) <= window.room // 4
        found += [hit] if fits else []
    return found


def _asked(question: Message, system: str, window: Window) -> tuple[str, int]:
    """Return the new message, a giant one as its head and its tail, and how much is left out."""
    room = window.room - window.count(system) - window.memory_room - 4 * PER_TURN
    return clip(worded(question), max(window.asked_least, room), window.count)


def _left(system: str, asked: str, window: Window) -> int:
    taken = window.count(system) + window.count(asked) + window.memory_room + 3 * PER_TURN
    return max(0, window.room - taken)


def _ordered(
    system: str, known: RecallBlock, kept: Sequence[ShownEntry], asked: str, after: bool
) -> Iterable[PromptTurn]:
    first = system if after or not known.text else f"{system}\n\n{known.text}"
    last = f"{known.text}\n\n{asked}" if after and known.text else asked
    turns = [PromptTurn("system", first), *(PromptTurn(str(one.role), one.text) for one in kept)]
    return _merged([*turns, PromptTurn("user", last)])


def _merged(turns: Sequence[PromptTurn]) -> list[PromptTurn]:
    """Join neighbours of one role, since many chat templates want the roles to alternate."""
    merged: list[PromptTurn] = []
    for turn in turns:
        if merged and merged[-1].role == turn.role:
            turn = PromptTurn(turn.role, f"{merged.pop().content}\n\n{turn.content}")
        merged.append(turn)
    return merged
