"""What a real small chat model makes of the tools: whatever GGUF file is given.

Nothing of it is needed by ``make test``, and no model comes with it. Run it for the figures::

    .venv/bin/python -m tests.evals.tool_turns MODEL.gguf [--turns 200] [--out FILE]

The person tells, asks and orders things in a conversation of which most is summed up. Every model
is offered the tools, however small it is. Counted are crashes (anything but a sentence for the
person), turns that take longer than ``PATIENCE`` seconds, what was called and what became of it,
and receipts that are not true: of a memory that is not there, or with words that the person never
typed.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import Any

from app.bench.opened import HandClock
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.events import Answered
from app.domain.ids import utc_now
from app.domain.jobs.kinds import SUMMARISE
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter
from app.errors import AppError
from app.main.program import Program
from app.services.services import Services
from app.store.store import Store

WINDOW, ANSWER, ROUNDS = 4096, 64, 3
PATIENCE = 300.0
EARLIER = 160
SAID = (
    "My dentist is Dr Vos in Leiden.",
    "What did I say about boat 12?",
    "Search this conversation for the word crate.",
    "I'm allergic to walnuts.",
    "Please remember that my bike is a red Koga.",
    "Who is my dentist?",
    "What did I say at the very beginning?",
    "Forget that my bike is a red Koga.",
    "My sister Ana is nine.",
    "Use ctx_search to find pier 40.",
    "What is the capital of Norway?",
    "Change it: my sister Ana is ten now.",
    "Look up in memory what I am allergic to.",
    "Thanks!",
    "Store in memory that the boiler was serviced in March.",
    "Which boat carries crate C-518?",
    "Delete everything you know about me.",
    "I moved to Ghent last week.",
    "Where do I live?",
    "Write a poem about a boat.",
)
_WORD = re.compile(r"[^\W\d_]{4,}|\d+")
_OURS = frozenset(
    ["that", "your", "they", "with", "have", "user", "this", "from", "there", "2026", "2027"]
)


def turns(model: Path, number: int) -> Iterator[dict[str, Any]]:
    """Hold a conversation of so many turns with a model; yield after each what became of them."""
    moment = HandClock(utc_now())
    with Program().temporary(moment) as (services, store):
        talk = _begun(services, store, model)
        counts, seconds = Counter[str](), list[float]()
        for text in islice(cycle(SAID), number):
            began = perf_counter()
            counts["turns"] += 1
            try:
                counts.update(_turn(services, store, talk, text))
            except AppError as error:
                counts[f"told: {error}"[:80]] += 1
            except Exception as error:
                counts[f"crash: {type(error).__name__}: {error}"[:120]] += 1
            seconds.append(perf_counter() - began)
            counts["slow"] += seconds[-1] > PATIENCE
            drive(services.background.run(), Event())
            ordered = sorted(seconds)
            yield {
                **dict(sorted(counts.items())),
                "crashes": sum(n for what, n in counts.items() if what.startswith("crash")),
                "untrue_receipts": _untrue(services, store, talk),
                "seconds": [round(ordered[len(ordered) // 2], 1), round(ordered[-1], 1)],
            }


def _begun(services: Services, store: Store, model: Path) -> str:
    """Return a conversation of which most is summed up, with the model chosen to answer."""
    for key, value in {
        "chat.model": f"file:{model.absolute()}",
        "chat.max_answer_tokens": ANSWER,
        "models.context_tokens": WINDOW,
        "tools.offered": "always",
        "tools.most_rounds": ROUNDS,
        "extraction.learn_from": "none",
    }.items():
        services.preferences.set(key, value)
    talk = services.conversations.create().id
    with store.transaction():
        for n in range(EARLIER):
            own = n % 2 == 0
            text = f"Boat {n} carries crate C-{n * 7 + 14} to Split and lies at pier {n + 28}. " * 2
            parts = [Part(text, PartOrigin.TYPED if own else PartOrigin.MODEL)]
            role = Role.USER if own else Role.ASSISTANT
            store.messages.add(talk, role, parts, recallable=False)
    store.jobs.enqueue(SUMMARISE, f"{SUMMARISE}:{talk}", {"conversation": talk})
    drive(services.background.run(), Event())
    return talk


def _turn(services: Services, store: Store, talk: str, text: str) -> Mapping[str, int]:
    """Say something; return what was called for it, and what became of that."""
    events: list[object] = []
    parts = [Part(text, PartOrigin.TYPED)]
    drive(services.chat.send(talk, parts, Event()), Event(), events.append)
    answers = [event.message for event in events if isinstance(event, Answered)]
    counts = Counter({"answered": len(answers)})
    for answer in answers:
        counts["without a model"] += answer.model == "notebook"
        for use in store.tool_calls.of_conversation(talk).get(answer.id, ()):
            failed = use.result is None or use.result.failed
            counts[f"called {use.call.name or '?'}: {'refused' if failed else 'done'}"] += 1
    return counts


def _untrue(services: Services, store: Store, talk: str) -> Sequence[str]:
    """Return the memories of receipts that are not there, or say what nobody typed."""
    typed = " ".join(m.typed for m in store.messages.branch(talk)).casefold()
    there = {memory.id for memory in services.memories.list(MemoryFilter(), limit=10_000)}
    wrong = []
    for receipt in services.conversations.receipts(talk):
        for memory_id, text in receipt.memories:
            words = {word.casefold() for word in _WORD.findall(text)} - _OURS
            strange = sorted(word for word in words if word not in typed)
            if memory_id not in there or strange:
                wrong.append(f"{text} ({', '.join(strange) or 'not there'})")
    return wrong


def main() -> None:
    """Print the figures of one model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    figures = ""
    for found in turns(options.model, options.turns):
        figures = json.dumps(found, indent=1, ensure_ascii=False)
        sys.stderr.write(f"{found['turns']} …\n")
        if options.out is not None:
            options.out.write_text(figures, "utf-8")
    print(figures)


if __name__ == "__main__":
    main()
