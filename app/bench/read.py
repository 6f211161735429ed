"""Measure learning from what was brought in, beside the embedder's own speed.

Made-up conversations are brought in the way the product does it: about half of what the person says
in them states something, the rest asks, wants and chats. Their messages are embedded, which is what
any import costs; then the background job learns from them, by the reader alone.
"""

import json
import random
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import Any

from app.assets import resource
from app.bench.fill import LAST_DAY
from app.bench.opened import Open
from app.domain.jobs.kinds import READ
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import RunOutcome
from app.domain.memory import MemoryFilter
from app.errors import AppError
from app.providers.base import Purpose
from app.services.services import Services

TURNS = 40
AT_ONCE = 64
SEED = 11
STATING = 0.5
COUNTED = ("learned", "set_aside", "seen_again", "refused")
FIRST_DAY = datetime(2023, 1, 2, 8, tzinfo=UTC)

Turn = tuple[str, str, str, datetime, str]


def read_speed(count: int, opened: Open) -> Generator[Progress, None, dict[str, Any]]:
    """Bring in ``count`` messages of the person and time what follows from it."""
    with opened(lambda: LAST_DAY) as (services, _vault):
        services.preferences.set("chat.model", "notebook")
        turns = list(conversations(count, random.Random(SEED)))
        own = [text for *_, speaker, _, text in turns if speaker == "User"]
        services.runtime.embed(own[:AT_ONCE], Purpose.PASSAGE)  # opens the embedder
        alone = yield from _timed(_embedded(services, own))
        yield Progress("Bringing in messages")
        services.transfer.add_transcript(turns, own=True)
        index = yield from _timed(services.background.run())
        services.upkeep.start(READ)
        read = yield from _timed(services.background.run(upkeep=True))
        (run, *_) = services.upkeep.history(1)
        if run.outcome is not RunOutcome.DONE:
            raise AppError(f"Nothing was measured, because reading failed: {run.error}")
        memories = services.memories.count(MemoryFilter())
    return {
        "messages": count,
        "words_a_message": round(sum(len(text.split()) for text in own) / count, 1),
        "memories": memories,
        **{name: run.figures.get(name, 0) for name in COUNTED},
        "embedder_messages_per_second": round(count / alone, 1),
        "read_messages_per_second": round(count / read, 1),
        "ratio": round(alone / read, 3),
        "index_messages_per_second": round(len(turns) / index, 1),
    }


def conversations(count: int, chance: random.Random) -> Iterator[Turn]:
    """Yield turns with ``count`` messages of the person among them, each answered."""
    sayings = json.loads(resource("bench/messages.json").read_text("utf-8"))
    at = FIRST_DAY
    for number in range(count):
        session = str(number // TURNS)
        at += timedelta(minutes=chance.randrange(2, 120))
        yield f"{number}q", session, "User", at, message(sayings, chance)
        yield f"{number}a", session, "Assistant", at, chance.choice(sayings["answers"])


def message(sayings: Mapping[str, Any], chance: random.Random) -> str:
    """Return what somebody might say: one to three sentences, one of which may state something."""
    kinds = ["stating" if chance.random() < STATING else "other"]
    kinds += ["other"] * chance.choice((0, 0, 1, 1, 2))
    chance.shuffle(kinds)

    def word(found: re.Match[str]) -> str:
        return str(chance.choice(sayings["words"][found[1]]))

    return " ".join(re.sub(r"{(\w+)}", word, chance.choice(sayings[kind])) for kind in kinds)


def _embedded(services: Services, texts: Sequence[str]) -> Generator[Progress, None, None]:
    for start in range(0, len(texts), AT_ONCE):
        yield Progress("Embedding alone", start, len(texts))
        batch = [f"User: {text}" for text in texts[start : start + AT_ONCE]]
        services.runtime.embed(batch, Purpose.PASSAGE)


def _timed(work: Generator[Progress, None, Any]) -> Generator[Progress, None, float]:
    """Do work and return how many seconds it took."""
    started = perf_counter()
    yield from work
    return perf_counter() - started
