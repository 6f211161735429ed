"""What a real model costs and survives: what it learns, how soon it answers, and when it ends.

Each is measured through the services that window and command line use, in a profile of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from threading import Event
from time import perf_counter
from typing import Any

from app.bench.life.living import Living
from app.bench.life.score import counted
from app.bench.life.script import LifeScript
from app.bench.opened import HandClock
from app.domain.conversation import MessageState, Part, PartOrigin
from app.domain.events import Answered, MessageStored, Token
from app.domain.ids import utc_now
from app.domain.jobs.operation import drive
from app.errors import AppError
from app.main.program import Program
from app.services.services import Services

SHORT = 24  # tokens of an answer that nobody reads
FIVE_MB = 5_000_000
LATER = ("What is the capital of Norway?", "And what is twelve times four?", "Thank you. Goodbye!")

# -- learning --------------------------------------------------------------------------------------


def learnt(life: LifeScript, learn_from: str) -> dict[str, Any]:
    """Tell a life while a model learns (empty: none); return what is remembered, and how well."""
    moment = HandClock(life.talk[0].at)
    with Program().temporary(moment) as (services, store):
        living = Living(replace(life, asks=(), orders=()), services, store, moment)
        lived = drive(living.live(learn_from), Event())
    count = counted(lived)
    kept = [one for found in count.kept.values() for one in found]
    texts = sorted(memory.text for memory in lived.memories)
    return {"false": count.false, "kept": sum(kept), "facts": len(kept), "memories": texts}


def compared(alone: Sequence[Mapping[str, Any]], with_it: Sequence[Mapping[str, Any]]) -> Any:
    """Return what a model added by learning, life by life put together, to what is known alone."""
    added = [
        text
        for before, after in zip(alone, with_it, strict=True)
        for text in after["memories"]
        if text not in before["memories"]
    ]
    false = [sum(one["false"] for one in side) for side in (alone, with_it)]
    kept = [sum(one["kept"] for one in side) for side in (alone, with_it)]
    return {
        "false_alone": false[0],
        "false": false[1],
        "more_false": false[1] - false[0],
        "more_kept": kept[1] - kept[0],
        "added": added,
    }


# -- the first token -------------------------------------------------------------------------------

LETTER = (
    "Dear neighbours of Quay Street {n},\nthe association asks for your meter readings of the month"
    " before the {n}th. Please write the number of the meter on the form, sign it, and leave it in"
    " the green box beside door {n}; forms without a name cannot be counted. The lift in stairwell"
    " {n} is being repaired meanwhile, so use the other one.\n"
)
TOLD = (
    "My sister Clara moves to Bruges in June, and I help her with the paperwork. What does this"
    " letter want of her?",
    "Clara plays the trombone and her new landlord is called Pieter Maes. What is the box like?",
    "I promised her that I would paint the kitchen yellow. Which lift can be used?",
    "Her cat Mosterd is afraid of lifts and hides in my rucksack. Must the form be signed?",
)


def first_tokens(choice: str, *, learning: bool, turns: int = len(TOLD)) -> dict[str, Any]:
    """Talk about a letter of 7 KB; return how long the first token of each later turn took.

    Args:
        choice: The model, as in settings.
        learning: Whether it learns from each message, too, before the next one is sent.
        turns: How many messages.
    """
    letter = "".join(LETTER.format(n=n) for n in range(1, 100))[:7_000]
    waits, learns = [], []
    with _opened(choice, {"extraction.enabled": learning}) as services:
        if learning:
            services.preferences.set("extraction.learn_from", choice)
        talk: str | None = None
        for number, said in enumerate(TOLD[:turns]):
            pasted = [Part(letter, PartOrigin.PASTED)] if not number else []
            heard = sent(services, talk, [Part(said, PartOrigin.TYPED), *pasted])
            talk = heard.talk
            waits.append(heard.first)
            started = perf_counter()
            drive(services.background.run(), Event())
            learns.append(round(perf_counter() - started, 2))
    return {"first_tokens": waits, "learning": learns}


# -- past the window -------------------------------------------------------------------------------

_HINDI = (
    "कल सुबह मेरी बहन जयपुर से आई और हम सब मिलकर बाज़ार गए। वहाँ आम, केले और ताज़ी सब्ज़ियाँ थीं, "
    "लेकिन दाम बहुत बढ़ गए हैं। "
)
_CODE = (
    "def merged(left, right):\n    return {**left, **{k: left.get(k, 0) + v for k, v in right"
    ".items()}}\n\n"
)


def _filled(text: str, length: int) -> str:
    return "".join(islice(cycle(text), length))


def _numbers(length: int) -> str:
    return " ".join(str(n * 7919 % 100_003) for n in range(length // 6 + 1))[:length]


def conversations(window: int) -> Mapping[str, Sequence[str]]:
    """Return what is pasted into each conversation: a little and then far more than the window.

    Args:
        window: Tokens that the model reads at once. A text of half as many characters again passes
            for short where bytes are counted, and need not be.
    """
    sizes = (window * 3 // 2, window * 6)
    half = (window * 3) // 4
    mixed = (_numbers(half) + _filled(_HINDI, half), _filled(_CODE, window) * 3 + _numbers(window))
    return {
        "numbers": [_numbers(size) for size in sizes],
        "Hindi": [_filled(_HINDI, size) for size in sizes],
        "code": [_filled(_CODE, size) for size in sizes],
        "5 MB": [_filled(_HINDI, FIVE_MB * len(_HINDI) // len(_HINDI.encode()))],
        "mix": mixed,
    }


def driven(choice: str, pastes: Sequence[str], window: int) -> dict[str, Any]:
    """Drive a conversation past the window; return which messages still got an answer.

    Each paste comes with a question, and a short message follows each; some more follow the last.
    """
    settings = {"extraction.enabled": False, "models.context_tokens": window}
    messages: list[tuple[str, str]] = [("Hello, who are you?", "")]
    for text in pastes:
        messages += [("What is this about?", text), (LATER[0], "")]
    messages += [(said, "") for said in LATER[1:]]
    with _opened(choice, settings) as services:
        talk, heard = None, []
        for said, pasted in messages:
            more = [Part(pasted, PartOrigin.PASTED)] if pasted else []
            heard.append(sent(services, talk, [Part(said, PartOrigin.TYPED), *more]))
            talk = heard[-1].talk
    whole = [(bool(pasted), one.whole) for (_, pasted), one in zip(messages, heard, strict=True)]
    later = [there for large, there in whole[1:] if not large]
    return {
        "goes_on": all(later),
        "later": later,
        "large": [there for large, there in whole if large],
        "told": sorted({one.failed for one in heard} - {""}),
    }


# -- sending ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Heard:
    """What came of a message.

    Attributes:
        talk: Its conversation.
        first: Seconds to the first token; to the whole answer where it came without any.
        whole: Whether there is an answer, complete and not empty.
        failed: What was said instead of one.
    """

    talk: str | None
    first: float | None = None
    whole: bool = False
    failed: str = ""


def sent(services: Services, talk: str | None, parts: Sequence[Part]) -> Heard:
    """Send a message as window and command line do, and hear the answer out."""
    heard, started = Heard(talk), perf_counter()
    try:
        for event in services.chat.send(talk, parts, Event()):
            if isinstance(event, Token | Answered) and heard.first is None:
                heard.first = round(perf_counter() - started, 3)
            if isinstance(event, MessageStored):
                heard.talk = event.conversation.id
            elif isinstance(event, Answered):
                complete = event.message.state is MessageState.COMPLETE
                heard.whole = complete and bool(event.message.text.strip())
                heard.failed = event.message.error
    except AppError as error:
        heard.failed = str(error)
    return heard


@contextmanager
def _opened(choice: str, settings: Mapping[str, Any]) -> Iterator[Services]:
    """Open a fresh profile in which a model answers shortly and without chance."""
    common = {"chat.model": choice, "chat.temperature": 0.0, "chat.max_answer_tokens": SHORT}
    with Program().temporary(utc_now) as (services, _):
        for key, value in {**common, **settings}.items():
            services.preferences.set(key, value)
        yield services
