"""Word the answers that need no language model: what is known, and what became of a message.

Everything that is stated is a quotation with its date, and everything that is said to have happened
did: the words here are made of what was found and done, never of the message itself.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from app.conversation.dates import date
from app.domain.conversation import Part, PartOrigin
from app.domain.language.text import verbatim
from app.domain.memory import SAFETY, Memory, MemoryType, Status, Trust
from app.domain.provenance import of_trust
from app.domain.recall import HitKind
from app.domain.receipt import quoted, receipt_text
from app.domain.reply import (
    ORDER,
    AnswerEvidence,
    OrderTarget,
    Reply,
)

MOST_TOLD = 12

UNKNOWN = "I don’t know that."
PERHAPS = "Or perhaps:"
BEFORE = "Before that:"
IN_FULL = "In full:"
KNOWN_OF = "I know of {}:"
GREETING = (
    "Hello. Tell me anything you would like to keep, or ask me about something you have told me."
)
WELCOME = "You’re welcome."
NOT_LEARNING = "Remembering is off here."
NOT_THIS = "You asked that this message is not remembered."
OTHER_LANGUAGES = (
    "So far I read English, German, Spanish, French and Dutch well enough to learn from; what you"
    " write in other languages stays in the conversation, where it can be found."
)
NOTHING_MEANT = "I found nothing like that in memory, so nothing was forgotten."
NOTHING_ABOUT = "I have nothing about that."
ONLY_SAID = (
    "That is in no memory, so nothing was forgotten. It stands in what you said, and is found there"
    " until you erase that conversation:"
)
NOTHING_REMEMBERED_HERE = (
    "Nothing that you said in this conversation is in memory, so nothing was forgotten."
)
LEFT = "All right."
RULES = "What you have told me to do:"
NO_RULES = "I have no standing instructions from you."
NO_RULE = "There is no standing instruction to end."
NOTHING_UNDONE = "What was done last is something else, so nothing was undone."
DONE_ALREADY = "That is done already; nothing more was done."
STAYS = "What else was said with it stays:"
TAKE_BACK = "To take that back, say “undo that”."
BETWEEN = "\n\n"
_THANKS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|great|cool|perfect|lovely|many|thanks|brilliant)\W+)*"
    r"(?:thanks|thank you|thx|cheers|ta|danke|gracias|merci|bedankt)\b[^?]{0,40}",
    re.IGNORECASE,
)


def parts(reply: Reply) -> tuple[Part, ...]:
    """Return an answer in pieces: its text, what became of an order, and of each statement.

    All but the text are named, by :data:`ORDER` or by their outcome, so that a window can show a
    card in their place; together they are the answer in words.
    """
    pieces = [("", reply.text)]
    if reply.meant is not None:
        pieces.append((ORDER, carried_out(reply.meant, again=bool(reply.text))))
    pieces += [(one.outcome, receipt_text(one)) for one in reply.became]
    told = [(name, text) for name, text in pieces if text]
    return tuple(
        Part(f"{BETWEEN if number else ''}{text}", PartOrigin.MODEL, name)
        for number, (name, text) in enumerate(told)
    )


def chatted(text: str) -> str:
    """Return the answer to a greeting or to thanks."""
    return WELCOME if _THANKS.match(text) else GREETING


def answered(
    found: Sequence[AnswerEvidence],
    perhaps: Sequence[AnswerEvidence] = (),
    before: Sequence[AnswerEvidence] = (),
    *,
    counted: bool = False,
) -> str:
    """Return what answers a question in one line, or that it is not known.

    Args:
        found: What answers, best first; ``[1]`` in the answer is the first of them.
        perhaps: What answers nearly as well; each has a line of its own below.
        before: What answered until that changed; told first of what stands below.
        counted: Whether to say how many there are.
    """
    if not found:
        return UNKNOWN
    others = [*((BEFORE, one) for one in before), *((PERHAPS, one) for one in perhaps)]
    below = [f"{word} {_told(one, n)}" for n, (word, one) in enumerate(others, len(found) + 1)]
    if len(found) == 1:
        whole = [f"{IN_FULL} {quoted(found[0].whole)}"] if found[0].whole else []
        return BETWEEN.join([_told(found[0], 1), *whole, *below])
    told = "; ".join(
        f"{quoted(one.text)} ({_when(one)}) [{n}]" for n, one in enumerate(found, start=1)
    )
    return BETWEEN.join([f"{KNOWN_OF.format(len(found))} {told}" if counted else told, *below])


def known(memories: Sequence[Memory], about: str) -> str:
    """Return all that is known of somebody or something, numbered from 1."""
    if not memories:
        return NOTHING_ABOUT
    return _numbered(f"What I know{f' about {verbatim(about)}' if about else ''}:", memories)


def ruled(rules: Sequence[Memory]) -> str:
    """Return the standing instructions, numbered from 1."""
    return _numbered(RULES, rules) if rules else NO_RULES


def only_said(found: Sequence[AnswerEvidence]) -> str:
    """Return that what is to be forgotten is no memory, and where it was said."""
    lines = [f"- {_told(one, number)}" for number, one in enumerate(found, start=1)]
    return BETWEEN.join([ONLY_SAID, "\n".join(lines)])


def carried_out(meant: OrderTarget, *, again: bool = False) -> str:
    """Return what became of the memories that an order means, as they are now.

    Args:
        meant: Those memories.
        again: Whether the order was carried out before.
    """
    gone = [m for m in meant.clear if m.status is Status.FORGOTTEN]
    back = [m for m in meant.clear if m.status is not Status.FORGOTTEN]
    rules = [m for m in gone if m.type is MemoryType.PROCEDURAL]
    facts = [m for m in gone if m.type is not MemoryType.PROCEDURAL]
    told = [f"Ended: {_listed(rules)}"] if rules else []
    told += [f"Forgotten: {_listed(facts)}"] if facts else []
    stays = [quoted(meant.left[m.id]) for m in facts if m.id in meant.left]
    told += [f"{STAYS} {'; '.join(stays)}"] if stays else []
    told += [f"In use again: {_listed(back)}"] if back else []
    told += [TAKE_BACK] if gone and not again else []
    if meant.doubtful:
        ruled = all(m.type is MemoryType.PROCEDURAL for m in meant.doubtful)
        done, does = ("ended", "end") if ruled else ("forgotten", "forget")
        as_well = "Did you mean one of these as well?"
        told.append(as_well if gone else f"Nothing was {done} yet. Which of these do you mean?")
        told.append("\n".join(f"- {quoted(m.text)}" for m in meant.doubtful))
        told.append(f"To {does} one of them, say so in its words.")
    return BETWEEN.join(told)


def _numbered(head: str, memories: Sequence[Memory]) -> str:
    """Return memories below a head, one a line, each with its day and number."""
    lines = [
        f"- {quoted(m.text)} ({_dated(m.trust, _day(m, m.created_at))}) [{number}]"
        for number, m in enumerate(memories[:MOST_TOLD], start=1)
    ]
    more = len(memories) - len(lines)
    rest = [f"- and {more} more"] if more else []
    return "\n".join([head, "", *lines, *rest])


def _listed(memories: Sequence[Memory]) -> str:
    return "; ".join(quoted(m.text) for m in memories)


def _told(one: AnswerEvidence, number: int) -> str:
    """Return one piece of evidence as a sentence with its date and number."""
    if one.hit.kind is HitKind.MEMORY:
        told = f"{quoted(one.text)} ({_day(one.hit.memory, one.hit.at)}) [{number}]"
        outside = of_trust(one.hit.trust)
        return f"{outside[:1].upper()}{outside[1:]}: {told}" if outside else told
    when = date(one.hit.at)
    said = f"{one.whence}," if one.whence else "you said"
    return f"{quoted(one.text)} ({verbatim(said)} on {when}) [{number}]"


def _when(one: AnswerEvidence) -> str:
    day = _day(one.hit.memory, one.hit.at)
    return f"{verbatim(one.whence)}, {day}" if one.whence else _dated(one.hit.trust, day)


def _dated(trust: Trust, day: str) -> str:
    """Return the day of something in a list, and where it is from if not from the person."""
    return ", ".join(filter(None, (of_trust(trust), day)))


def _day(memory: Memory | None, at: datetime) -> str:
    """Return the day of something, whether it is another's words and matters for safety."""
    kept = ", kept from another’s text" if memory is not None and memory.anothers else ""
    safe = f", {SAFETY}" if memory is not None and memory.safety else ""
    return f"{date(at)}{kept}{safe}"
