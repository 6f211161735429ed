"""Measure recall: how much of the evidence it finds, and how fast.

Both measurements go the way the product goes: messages are stored by the code that stores chat
messages, indexed by the background job, and found by the code behind ``loci recall``.
"""

import json
import statistics
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from app.assets import resource
from app.bench.opened import Open
from app.conversation.context import Window, recalled
from app.domain.ids import Clock
from app.domain.jobs.progress import Progress
from app.domain.limits import LARGEST_FILE
from app.domain.recall import Hit, HitKind
from app.errors import TransferError
from app.files import read_file
from app.memory.learn.index import BATCH
from app.providers.base import Purpose
from app.services.services import Services
from app.settings.table import entries, get
from app.settings.types import Level

DEPTHS = (1, 5, 10, 20)
RANKED = 100
UNRELATED = "bench/unrelated.txt"


@dataclass(slots=True)
class RecallTally:
    """What was measured so far."""

    recalls: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))
    ranks: list[float] = field(default_factory=list)
    in_prompt: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    foreign: list[bool] = field(default_factory=list)
    unrelated: list[bool] = field(default_factory=list)
    messages: int = 0
    ingest_seconds: float = 0.0
    embed_seconds: float = 0.0
    rankings: dict[str, list[str]] = field(default_factory=dict)


def recall_quality(
    path: Path, opened: Open, wanted: Mapping[str, str], *, foreign: bool = True
) -> Generator[Progress, None, tuple[dict[str, Any], dict[str, list[str]]]]:
    """Ask every question of a benchmark file; return the figures and each question's ranking.

    Args:
        path: JSON of ``conversations[] → {messages[], questions[]}``.
        opened: Opens a fresh, temporary profile under a given clock.
        wanted: Settings to try in place of the shipped ones.
        foreign: Whether to ask each vault the other conversations' questions as well, and questions
            that have nothing to do with anybody.

    Raises:
        TransferError: The file is not in that format.
    """
    talks, unrelated = load(path), resource(UNRELATED).read_text("utf-8").splitlines()
    tally, settings = RecallTally(), {}
    for number, talk in enumerate(talks):
        yield Progress(f"Conversation {number + 1} of {len(talks)}", number, len(talks))
        with opened(at_the_end(talk)) as (services, _):
            for key, value in wanted.items():
                services.preferences.set(key, value)
            ids = yield from ingest(services, talk, tally)
            settings = _settings(services)
            for question in talk["questions"]:
                _ask(services, question, ids, tally)
            yield Progress("Asking other conversations' questions", number, len(talks))
            for other in talks if foreign else ():
                if other is not talk:
                    tally.foreign += [_passes(services, q["text"]) for q in other["questions"]]
            tally.unrelated += [_passes(services, text) for text in unrelated if foreign]
    return _figures(tally, settings), tally.rankings


def at_the_end(talk: dict[str, Any]) -> Clock:
    """Return a clock that stands still at a conversation's last message."""
    return partial(_stopped, max(_moment(message["at"]) for message in talk["messages"]))


def _stopped(moment: datetime) -> datetime:
    return moment


def load(path: Path) -> list[dict[str, Any]]:
    """Return the conversations of a benchmark file.

    Raises:
        TransferError: The file is not in that format.
    """
    try:
        talks = json.loads(read_file(path, LARGEST_FILE).decode("utf-8"))["conversations"]
        if not all(t["messages"] and isinstance(t["questions"], list) for t in talks):
            raise ValueError
    except OSError as error:
        raise TransferError(f"The benchmark could not be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError):
        raise TransferError("The file is not in the benchmark's format.") from None
    return list(talks)


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def ingest(
    services: Services, talk: dict[str, Any], tally: RecallTally
) -> Generator[Progress, None, dict[str, str]]:
    """Store and embed a conversation; return the benchmark's ids by message, and tell the time."""
    started = perf_counter()
    ids = services.transfer.add_transcript(
        (str(m["id"]), str(m["session"]), m["speaker"], _moment(m["at"]), m["text"])
        for m in talk["messages"]
    )
    yield from services.background.run()
    tally.ingest_seconds += perf_counter() - started
    tally.messages += len(talk["messages"])
    started = perf_counter()
    texts = [f"{m['speaker']}: {m['text']}" for m in talk["messages"]]
    for at in range(0, len(texts), BATCH):
        services.runtime.embed(texts[at : at + BATCH], Purpose.PASSAGE)
    tally.embed_seconds += perf_counter() - started
    return ids


def _ask(
    services: Services, question: dict[str, Any], ids: dict[str, str], tally: RecallTally
) -> None:
    text = question["text"]
    started = perf_counter()
    found = services.memories.recall(text, RANKED)
    tally.milliseconds.append((perf_counter() - started) * 1000)
    ranking = messages(found.hits, ids)
    shipped = set(messages(_in_prompt(services, services.memories.recall(text).hits), ids))
    gold = evidence(question)
    if not gold:
        return
    tally.rankings[question["id"]] = ranking
    tally.recalls[question.get("category", "")].append(found_at(ranking, gold))
    first = next((n for n, m in enumerate(ranking, start=1) if m in gold), 0)
    tally.ranks.append(1 / first if first else 0.0)
    tally.in_prompt.append(len(gold & shipped) / len(gold))


def evidence(question: dict[str, Any]) -> set[str]:
    """Return the messages that answer a question."""
    return set(question["evidence_corrected"] or question["evidence"])


def found_at(ranking: Sequence[str], gold: set[str]) -> list[float]:
    """Return the share of the evidence among the first of a ranking, for each of ``DEPTHS``."""
    return [len(gold & set(ranking[:k])) / len(gold) for k in DEPTHS]


def _in_prompt(services: Services, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Return what of the hits a model with the window of the settings would read."""
    values = services.preferences.values()
    window = Window(values.models.context_tokens, values.chat.max_answer_tokens)
    return recalled(hits, values, window).hits


def messages(hits: Iterable[Hit], ids: dict[str, str]) -> list[str]:
    """Return the benchmark's ids of what was found, each once, best first."""
    found: dict[str, None] = {}
    for hit in hits:
        message = hit.id if hit.kind is HitKind.MESSAGE else hit.source
        if message in ids:
            found.setdefault(ids[message])
    return list(found)


def _passes(services: Services, text: str) -> bool:
    return bool(services.memories.recall(text).hits)


def _settings(services: Services) -> dict[str, Any]:
    values = services.preferences.values()
    shown = (Level.BASIC, Level.ADVANCED)
    kept = {
        e.key: get(values, e.key)
        for e in entries()
        if e.key.startswith("rag.") and e.row.level in shown
    }
    return kept | {"embedder": services.memories.embedding_status().embedder}


def _figures(tally: RecallTally, settings: dict[str, Any]) -> dict[str, Any]:
    every = [shares for group in tally.recalls.values() for shares in group]
    return {
        "questions": len(every),
        **{f"recall@{k}": _mean([s[n] for s in every]) for n, k in enumerate(DEPTHS)},
        "mrr": _mean(tally.ranks),
        "prompt_recall": _mean(tally.in_prompt),
        "foreign_pass_rate": _mean([float(f) for f in tally.foreign]),
        "unrelated_pass_rate": _mean([float(u) for u in tally.unrelated]),
        "by_category": {
            name: {
                "questions": len(group),
                **{f"recall@{k}": _mean([s[n] for s in group]) for n, k in enumerate(DEPTHS)},
            }
            for name, group in sorted(tally.recalls.items())
        },
        "latency_ms": quantiles(tally.milliseconds),
        "ingest_messages_per_second": round(tally.messages / max(tally.ingest_seconds, 1e-9), 1),
        "embed_only_per_second": round(tally.messages / max(tally.embed_seconds, 1e-9), 1),
        "settings": settings,
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.fmean(values), 4) if values else None


def quantiles(values: Sequence[float]) -> dict[str, float | None]:
    """Return the median and the 95th percentile, rounded to 0.1."""
    if not values:
        return {"p50": None, "p95": None}
    ordered = sorted(values)
    at = min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))
    return {"p50": round(statistics.median(ordered), 1), "p95": round(ordered[at], 1)}
