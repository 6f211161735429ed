"""Measure speed: recall over many memories and messages, inserts, size and memory.

The text is drawn from the word frequencies of real conversations. Up to 20,000 rows it is embedded
by the embedder in use; beyond, vectors are noise around real ones, and the report says so.
"""

import random
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np
import psutil

from app.assets import resource
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import Clock, new_id
from app.domain.memory import Memory, Origin
from app.domain.progress import Progress
from app.jobs.operation import drive
from app.providers.base import Embedding, Purpose
from app.services.bench import quantiles
from app.services.services import Services
from app.store.conversations import Conversations
from app.store.memories import Memories, Note
from app.store.vault import Vault
from app.store.vectors import Vectors

REAL_UP_TO = 20_000
SEEDS = 512
PAGE = 1_000
MESSAGES_UP_TO = 10_000
QUESTIONS, ANSWERS = 60, 40
LAST_DAY = datetime(2026, 11, 1, tzinfo=UTC)

Open = Callable[[Clock], AbstractContextManager[tuple[Services, Vault]]]


def recall_speed(count: int, opened: Open) -> Generator[Progress, None, dict[str, Any]]:
    """Fill a temporary vault with ``count`` memories and messages, then recall from it."""
    draw = Draw(random.Random(7))
    with opened(lambda: LAST_DAY) as (services, vault):
        started = perf_counter()
        yield from _memories(vault, draw, count)
        messages = min(count, MESSAGES_UP_TO)
        yield from _messages(vault, draw, messages)
        inserts = (count + messages) / (perf_counter() - started)
        real = count + messages <= REAL_UP_TO
        if real:
            yield from services.background.run()
            services.background.index_soon()
            yield from services.background.run()
        else:
            yield from _noise(services, vault, draw, count + messages)
        times = []
        for number in range(QUESTIONS + 5):
            started = perf_counter()
            services.memories.recall(draw.sentence(4, 9) + "?")
            if number >= 5:
                times.append((perf_counter() - started) * 1000)
        answers = _answers(services, draw)
        size = sum(f.stat().st_size for f in vault.path.parent.iterdir() if f.is_file())
    return {
        "memories": count,
        "messages": messages,
        "recall_ms": quantiles(times),
        "rerank_ms": quantiles([]),
        "notebook_answer_ms": quantiles(answers),
        "inserts_per_second": round(inserts, 1),
        "file_mb": round(size / 1e6, 1),
        "peak_mb": round(_peak_bytes() / 1e6, 1),
        "embedding": "real" if real else "synthetic",
    }


def _answers(services: Services, draw: "Draw") -> list[float]:
    """Time whole answers of the notebook, from sending to stored, in milliseconds."""
    services.preferences.set("chat.model", "notebook")
    times = []
    for number in range(ANSWERS + 2):
        parts = (Part(draw.sentence(4, 9) + "?", PartOrigin.TYPED),)
        started = perf_counter()
        drive(services.chat.send(None, parts, Event()), Event())
        if number >= 2:
            times.append((perf_counter() - started) * 1000)
    return times


def fill(vault: Vault, memories: int) -> None:
    """Write memories and a few conversations, for measurements of the window."""
    draw = Draw(random.Random(7))
    for _ in _memories(vault, draw, memories):
        pass
    for _ in _messages(vault, draw, 200):
        pass


class Draw:
    """Draws text with the word frequencies of real conversations."""

    def __init__(self, chance: random.Random) -> None:
        lines = resource("bench/words.tsv").read_text("utf-8").splitlines()
        pairs = [line.split("\t") for line in lines]
        self._words = [word for word, _ in pairs]
        self._weights = list(accumulate(int(n) for _, n in pairs))
        self.chance = chance

    def sentence(self, low: int, high: int) -> str:
        """Return between ``low`` and ``high`` words."""
        length = self.chance.randint(low, high)
        return " ".join(self.chance.choices(self._words, cum_weights=self._weights, k=length))

    def moment(self) -> datetime:
        """Return a time within the last three years."""
        return LAST_DAY - timedelta(minutes=self.chance.randrange(3 * 365 * 1440))


def _pages(total: int) -> Iterator[tuple[int, int]]:
    for start in range(0, total, PAGE):
        yield start, min(PAGE, total - start)


def _memories(vault: Vault, draw: Draw, total: int) -> Generator[Progress, None, None]:
    rows = Memories(vault)
    for start, size in _pages(total):
        yield Progress("Writing memories", start, total)
        with vault.write():
            for number in range(start, start + size):
                at = draw.moment()
                memory = Memory(
                    id=new_id(at),
                    text=f"{draw.sentence(5, 14)} {number}",
                    created_at=at,
                    updated_at=at,
                    origin=Origin.USER_TYPED,
                )
                rows.insert(memory, (), Note(actor="user", op="insert", batch=f"bench-{start}"))


def _messages(vault: Vault, draw: Draw, total: int) -> Generator[Progress, None, None]:
    rows = Conversations(vault)
    for start, size in _pages(total):
        yield Progress("Writing messages", start, total)
        with vault.write():
            talk = rows.create(created_at=draw.moment())
            for _ in range(size):
                part = Part(draw.sentence(8, 40), PartOrigin.TYPED)
                rows.add_message(talk.id, Role.USER, (part,), created_at=draw.moment())


def _noise(
    services: Services, vault: Vault, draw: Draw, total: int
) -> Generator[Progress, None, None]:
    texts = [draw.sentence(5, 20) for _ in range(SEEDS)]
    seeds = np.stack([e.vector for e in services.library.embed(texts, Purpose.PASSAGE)])
    chance = np.random.default_rng(7)
    vectors = Vectors(vault)
    info = services.library.embedder_info()
    embedder_pk = vectors.use(info.id, info.dims)
    done = 0
    for kind in ("memory", "message"):
        after = 0
        while rows := vectors.missing(kind, embedder_pk, PAGE, after):
            after = rows[-1][0]
            picked = seeds[chance.integers(0, SEEDS, len(rows))]
            noisy = picked + chance.normal(0, 0.03, picked.shape)
            noisy = (noisy / np.linalg.norm(noisy, axis=1, keepdims=True)).astype(np.float32)
            pairs = zip((pk for pk, _ in rows), (Embedding(v) for v in noisy), strict=True)
            vectors.put(kind, list(islice(pairs, len(rows))), embedder_pk)
            done += len(rows)
            yield Progress("Writing vectors", done, total)


def _peak_bytes() -> int:
    """Return the largest memory this process and its children have used, in bytes."""
    try:
        import resource as usage

        return int(usage.getrusage(usage.RUSAGE_SELF).ru_maxrss) * 1024 + sum(
            int(child.memory_info().rss) for child in psutil.Process().children(recursive=True)
        )
    except ImportError:
        return int(psutil.Process().memory_info().rss)
