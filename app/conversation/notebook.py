"""Word the answers that need no language model: what is known, and what became of a message.

Everything that is stated is a quotation with its date, and everything that is said to have happened
did: the words here are made of what was found and done, never of the message itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from enum import Enum, auto

from app.conversation.dates import date
from app.domain.conversation import Part, PartOrigin
from app.domain.language.text import clipped, verbatim
from app.domain.memory import SAFETY, Memory, MemoryType, Status, Trust
from app.domain.provenance import of_trust
from app.domain.recall import HitKind
from app.domain.reply import (
    ORDER,
    SET_ASIDE,
    AnswerEvidence,
    Became,
    OrderTarget,
    Reply,
    StatementOutcome,
)

LONGEST_QUOTE = 400
MOST_TOLD = 12

UNKNOWN = "I don’t know that."
PERHAPS = "Or perhaps:"
BEFORE = "Before that:"
IN_FULL = "In full:"
KNOWN_OF = "I know of {}:"
NEEDS_MODEL = "That needs a language model, and none is chosen yet; you find them under Models."
GREETING = (
    "Hello. Tell me anything you would like to keep, or ask me about something you have told me."
)
WELCOME = "You’re welcome."
NOT_LEARNING = "Remembering is off here."
ONLY_HERE = "Kept in this conversation only."
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
# What stands in a memory for what must not be stored.
_LEFT_OUT = re.compile(
    r"\[((?:private|API) key|password|PIN|IBAN|recovery phrase|card security code"
    r"|(?:card|passport|national|social security) number)\]"
)


class Whose(Enum):
    """Whose words a piece of a receipt is in."""

    OURS = auto()
    NOW = auto()  # a memory's
    BEFORE = auto()  # those of what it took the place of


_TOGETHER = frozenset({StatementOutcome.REMEMBERED})
_WORDLESS = frozenset({StatementOutcome.REFUSED, StatementOutcome.ONLY_HERE})
_BECAME = {
    StatementOutcome.REMEMBERED: "Remembered: ",
    StatementOutcome.UPDATED: "Updated: ",
    StatementOutcome.KNOWN: "I knew that already: ",
    StatementOutcome.WAITS: "Waiting for you: ",
    StatementOutcome.SET_ASIDE: SET_ASIDE,
    StatementOutcome.REFUSED: "Not kept.",
    StatementOutcome.ONLY_HERE: ONLY_HERE,
}


def parts(reply: Reply) -> tuple[Part, ...]:
    """Return an answer in pieces: its text, what became of an order, and of each statement.

    All but the text are named, by :data:`ORDER` or by their outcome, so that a window can show a
    card in their place; together they are the answer in words.
    """
    pieces = [("", reply.text)]
    if reply.meant is not None:
        pieces.append((ORDER, carried_out(reply.meant, again=bool(reply.text))))
    pieces += [(one.outcome, receipt(one)) for one in reply.became]
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
        whole = [f"{IN_FULL} {_quote(found[0].whole)}"] if found[0].whole else []
        return BETWEEN.join([_told(found[0], 1), *whole, *below])
    told = "; ".join(
        f"{_quote(one.text)} ({_when(one)}) [{n}]" for n, one in enumerate(found, start=1)
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
    stays = [_quote(meant.left[m.id]) for m in facts if m.id in meant.left]
    told += [f"{STAYS} {'; '.join(stays)}"] if stays else []
    told += [f"In use again: {_listed(back)}"] if back else []
    told += [TAKE_BACK] if gone and not again else []
    if meant.doubtful:
        ruled = all(m.type is MemoryType.PROCEDURAL for m in meant.doubtful)
        done, does = ("ended", "end") if ruled else ("forgotten", "forget")
        as_well = "Did you mean one of these as well?"
        told.append(as_well if gone else f"Nothing was {done} yet. Which of these do you mean?")
        told.append("\n".join(f"- {_quote(m.text)}" for m in meant.doubtful))
        told.append(f"To {does} one of them, say so in its words.")
    return BETWEEN.join(told)


def receipt(one: Became) -> str:
    """Return what became of a statement, in Markdown."""
    return "".join(text if whose is Whose.OURS else _quote(text) for text, whose in pieces([one]))


def pieces(found: Sequence[Became]) -> Iterator[tuple[str, Whose]]:
    """Yield what became of statements as sentences, in pieces, with whose words each is.

    What was remembered is one sentence; what took the place of something or is doubted has its own.
    """
    sentences: dict[int | StatementOutcome, list[Became]] = {}
    for number, one in enumerate(found):
        alone = one.outcome not in _TOGETHER or one.why
        sentences.setdefault(number if alone else one.outcome, []).append(one)
    for number, alike in enumerate(sentences.values()):
        yield " " if number else "", Whose.OURS
        yield from _sentence(alike)


def _sentence(alike: Sequence[Became]) -> Iterator[tuple[str, Whose]]:
    """Yield one sentence on statements of which the same became."""
    for one in alike:
        yield _BECAME[one.outcome] if one is alike[0] else "; ", Whose.OURS
        if one.outcome in _WORDLESS:
            yield f" {one.why}" if one.why else "", Whose.OURS
            continue
        yield one.text, Whose.NOW
        if one.was:
            yield " (was ", Whose.OURS
            yield one.was, Whose.BEFORE
            yield ")", Whose.OURS
        whys = dict.fromkeys([*map(_why, alike), _left_out(each.text for each in alike)])
        yield "" if one is not alike[-1] else " ".join([".", *filter(None, whys)]), Whose.OURS


def _why(one: Became) -> str:
    """Return why something became of a statement, without what was said before it."""
    why = one.why.removeprefix(_BECAME[one.outcome])
    return f"{why[:1].upper()}{why[1:]}"


def _left_out(texts: Iterable[str]) -> str:
    """Return which secrets and numbers are not stored, by the marks in their place."""
    found = [f"the {mark}" for mark in dict.fromkeys(_LEFT_OUT.findall(" ".join(texts)))]
    if not found:
        return ""
    told = " and ".join([*filter(None, [", ".join(found[:-1])]), found[-1]])
    return f"{told[:1].upper()}{told[1:]} {'was' if len(found) == 1 else 'were'} left out."


def _numbered(head: str, memories: Sequence[Memory]) -> str:
    """Return memories below a head, one a line, each with its day and number."""
    lines = [
        f"- {_quote(m.text)} ({_dated(m.trust, _day(m, m.created_at))}) [{number}]"
        for number, m in enumerate(memories[:MOST_TOLD], start=1)
    ]
    more = len(memories) - len(lines)
    rest = [f"- and {more} more"] if more else []
    return "\n".join([head, "", *lines, *rest])


def _listed(memories: Sequence[Memory]) -> str:
    return "; ".join(_quote(m.text) for m in memories)


def _told(one: AnswerEvidence, number: int) -> str:
    """Return one piece of evidence as a sentence with its date and number."""
    if one.hit.kind is HitKind.MEMORY:
        told = f"{_quote(one.text)} ({_day(one.hit.memory, one.hit.at)}) [{number}]"
        outside = of_trust(one.hit.trust)
        return f"{outside[:1].upper()}{outside[1:]}: {told}" if outside else told
    when = date(one.hit.at)
    said = f"{one.whence}," if one.whence else "you said"
    return f"{_quote(one.text)} ({verbatim(said)} on {when}) [{number}]"


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


def _quote(text: str) -> str:
    """Return words as a quotation, without a full stop that would end the sentence around it."""
    return f"“{verbatim(clipped(text, LONGEST_QUOTE)).rstrip(' .')}”"
