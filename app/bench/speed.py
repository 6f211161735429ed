"""Measure speed: recall over many memories and messages, inserts, size and memory.

Up to 20,000 rows everything is embedded by the embedder in use; beyond, vectors are noise around
real ones, and the report says so.
"""

import gc
from collections.abc import Generator, Sequence
from threading import Event
from time import perf_counter
from typing import Any

import psutil

from app.bench.fill import (
    LAST_DAY,
    MESSAGES_UP_TO,
    REAL_UP_TO,
    Draw,
    fill_all,
    made_up_vectors,
)
from app.bench.opened import Open
from app.bench.recall import quantiles
from app.domain.conversation import Part, PartOrigin
from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress
from app.domain.recall import TraceStep
from app.services.services import Services

QUESTIONS, ANSWERS, WARMING = 60, 40, 5
RERANKING = frozenset({"late interaction", "rerank"})


def recall_speed(count: int, opened: Open) -> Generator[Progress, None, dict[str, Any]]:
    """Fill a temporary vault with ``count`` memories and messages, then recall from it."""
    draw = Draw(7)
    with opened(lambda: LAST_DAY) as (services, store):
        messages = min(count, MESSAGES_UP_TO)
        inserts = yield from fill_all(store, draw, count, messages)
        real = count + messages <= REAL_UP_TO
        if real:
            yield from services.background.run()
            services.queue.enqueue_index()
            yield from services.background.run()
        else:
            yield from made_up_vectors(services, store, draw, count + messages)
        gc.collect()
        gc.freeze()  # as the window does once it is drawn
        figures = yield from _recalls(services, draw)
        yield Progress("Answering")
        answers = _answers(services, draw)
        size = sum(f.stat().st_size for f in store.vault.path.parent.iterdir() if f.is_file())
    return {
        "memories": count,
        "messages": messages,
        **figures,
        "notebook_answer_ms": quantiles(answers),
        "inserts_per_second": round(inserts, 1),
        "file_mb": round(size / 1e6, 1),
        "peak_mb": round(_peak_bytes() / 1e6, 1),
        "embedding": "real" if real else "synthetic",
    }


def _recalls(services: Services, draw: Draw) -> Generator[Progress, None, dict[str, Any]]:
    """Time recalls as a whole, their reranking, and the rest."""
    whole, reranking, rest = list[float](), list[float](), list[float]()
    for number in range(QUESTIONS + WARMING):
        yield Progress("Recalling", number, QUESTIONS + WARMING)
        question = draw.sentence(4, 9) + "?"
        started = perf_counter()
        recall = services.memories.recall(question)
        took = (perf_counter() - started) * 1000
        if number < WARMING:
            continue
        reranked = _reranking(recall.steps)
        whole.append(took)
        reranking += reranked
        rest.append(took - sum(reranked))
    return {
        "recall_ms": quantiles(whole),
        "rerank_ms": quantiles(reranking),
        "without_rerank_ms": quantiles(rest),
    }


def _reranking(steps: Sequence[TraceStep]) -> list[float]:
    """Return how long one recall took to read its best finds again; nothing where it did not."""
    times = [step.milliseconds for step in steps if step.name in RERANKING]
    return [sum(times)] if times else []


def _answers(services: Services, draw: Draw) -> list[float]:
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


def _peak_bytes() -> int:
    """Return the largest memory this process and its children have used, in bytes."""
    try:
        import resource as usage

        return int(usage.getrusage(usage.RUSAGE_SELF).ru_maxrss) * 1024 + sum(
            int(child.memory_info().rss) for child in psutil.Process().children(recursive=True)
        )
    except ImportError:
        return int(psutil.Process().memory_info().rss)
