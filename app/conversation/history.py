"""Decide what of a conversation is shown: its latest exchanges, and summaries of what is older.

The newest whole exchanges come first, and stop at the first that does not fit; summaries have a
share of the room that exchanges never take. Neighbouring summaries stand in one block.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from app.conversation import citations, fence
from app.conversation.clip import clipped
from app.conversation.dates import date
from app.domain import provenance
from app.domain.conversation import Message, Role
from app.domain.prompting.context import Rung, Summary

PER_TURN = 8
SUMMARY_SHARE = 4  # the part of the room that summaries have: one in so many
EARLIER = "Earlier in this conversation:"
EXPANDING = "ctx_expand shows what a summary stands for, by its id; ctx_search finds words in it."

Count = Callable[[str], int]
Entry = Message | Summary
_Exchange = list[Message] | Summary


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """A turn of the prompt that stands for something earlier.

    Attributes:
        message_id: Empty where it is a block of summaries.
    """

    role: Role
    text: str
    message_id: str = ""


def fitting(
    history: Sequence[Entry], count: Count, room: int, *, expandable: bool = False
) -> list[ShownEntry]:
    """Return what is shown of a conversation, oldest first.

    A message that would fill the window by itself is shortened, so that it hides nothing else.

    Args:
        history: Messages and summaries, oldest first.
        count: Returns the number of tokens of a text.
        room: Tokens for all of it.
        expandable: Whether the model can call for what a summary stands for.
    """
    groups = list(_exchanges(history))
    told = {n: summarised(one, expandable) for n, one in _summaries(groups)}
    wanted = sum(count(text) + PER_TURN for text in told.values())
    kept, used = _newest(groups, count, room, room - min(wanted, room // SUMMARY_SHARE))
    left = room - used - (count(_head(expandable)) + PER_TURN if told else 0)
    for n in sorted(told, reverse=True):
        text = told[n] if left > 0 else ""
        if count(text) > left:
            text = clipped(told[n], left, count) if len(kept) == 0 else ""
        if not text:
            break
        kept[n] = [ShownEntry(Role.USER, text)]
        left -= count(text)
    return _joined([one for n in sorted(kept) for one in kept[n]], _head(expandable))


def _newest(
    groups: Sequence[_Exchange], count: Count, room: int, most: int
) -> tuple[dict[int, list[ShownEntry]], int]:
    """Return the newest exchanges in at most so many tokens by their places, and their tokens."""
    kept: dict[int, list[ShownEntry]] = {}
    longest, used = max(1, room // 2 - PER_TURN), 0
    for n, group in reversed(list(enumerate(groups))):
        if isinstance(group, Summary):
            continue
        shown = [ShownEntry(m.role, clipped(_told(m), longest, count), m.id) for m in group]
        cost = sum(count(one.text) + PER_TURN for one in shown)
        if used + cost > most:
            break
        used += cost
        kept[n] = shown
    return kept, used


def _summaries(groups: Sequence[_Exchange]) -> Iterator[tuple[int, Summary]]:
    for n, group in enumerate(groups):
        if isinstance(group, Summary):
            yield n, group


def _joined(shown: Sequence[ShownEntry], head: str) -> list[ShownEntry]:
    """Join neighbouring summaries to one block below a head."""
    joined: list[ShownEntry] = []
    for summed_up, entries in groupby(shown, lambda one: not one.message_id):
        if summed_up:
            text = "\n".join([head, *(one.text for one in entries)])
            joined.append(ShownEntry(Role.USER, text))
        else:
            joined += entries
    return joined


def _head(expandable: bool) -> str:
    return f"{EARLIER} {EXPANDING}" if expandable else EARLIER


def summarised(one: Summary, expandable: bool) -> str:
    """Return a summary as a model reads it: what it stands for, and its text as data."""
    what = "excerpts of" if one.rung is Rung.EXTRACT else "summary of"
    begun, ended = date(one.earliest), date(one.latest)
    when = begun if begun == ended else f"{begun} to {ended}"
    outside = ", not all of it the user's or the assistant's words" if one.untrusted else ""
    named = f", id {one.handle}" if expandable else ""
    number = sha256(one.id.encode()).hexdigest()[:12]
    whence = f"{what} {one.messages:,} messages, {when}{outside}{named}"
    return fence.apart(one.text, whence, number)


def _exchanges(history: Sequence[Entry]) -> Iterator[_Exchange]:
    """Yield summaries, and messages in exchanges, each begun by the person or by a summary."""
    exchange: list[Message] = []
    begun = False
    for one in history:
        if isinstance(one, Summary):
            if exchange:
                yield exchange
            yield one
            exchange, begun = [], True
            continue
        if one.damaged or one.role is Role.TOOL or not one.text.strip():
            continue
        if one.role is Role.USER and exchange and exchange[-1].role is not Role.USER:
            yield exchange
            exchange = []
        begun = begun or one.role is Role.USER
        if begun:
            exchange.append(one)
    if exchange:
        yield exchange


def _told(message: Message) -> str:
    """Return an earlier message; an answer without its marks, which a model would imitate."""
    text = worded(message)
    text = citations.without(text) if message.role is Role.ASSISTANT else text
    return f"{message.speaker}: {text}" if message.speaker else text


def worded(message: Message) -> str:
    """Return what a model reads of a message: what the person did not type stands apart.

    The id of the lines around it is the same each time, so that the model's cache stays of use, and
    comes of the message's, which nothing in the message can know.
    """
    identifier = sha256(message.id.encode()).hexdigest()[:12]
    said = [
        fence.apart(one.text, _of_the_user(one.whence), identifier) if one.whence else one.text
        for one in provenance.of(message)
    ]
    return said[0] if len(said) == 1 else "\n\n".join(text.strip("\n") for text in said)


def _of_the_user(whence: str) -> str:
    """Return where words come from, told to a model, which would take "you" to mean itself."""
    return fence.harmless(whence).replace(" you ", " the user ")
