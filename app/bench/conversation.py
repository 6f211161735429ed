"""Measure one very long conversation: how fast it opens, and how fast the next prompt is built."""

from collections.abc import Callable, Generator
from statistics import median
from time import perf_counter
from typing import Any

from app.bench.fill import LAST_DAY, Draw
from app.bench.opened import Open
from app.conversation import context
from app.conversation.context import Window
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.kinds import SUMMARISE
from app.domain.jobs.progress import Progress
from app.domain.prompting.context import tokens
from app.services.context.views import ContextViews
from app.services.services import Services
from app.store.store import Store

WINDOW, ANSWER, TIMES = 8192, 1024, 5
PAGE = 1000


def long_conversation(count: int, opened: Open) -> Generator[Progress, None, dict[str, Any]]:
    """Fill a conversation with messages, time it, sum it up without a model, and time it again."""
    draw = Draw(7)
    with opened(lambda: LAST_DAY) as (services, store):
        services.preferences.set("models.context_tokens", WINDOW)
        talk = services.conversations.create().id
        for start in range(0, count, PAGE):
            yield Progress("Writing messages", start, count)
            with store.transaction():
                for number in range(start, min(count, start + PAGE)):
                    _say(store, draw, talk, number)
        before = {f"{name}_before": took for name, took in _timed(services, store, talk).items()}
        started = perf_counter()
        store.jobs.enqueue(SUMMARISE, f"{SUMMARISE}:{talk}", {"conversation": talk})
        yield from services.background.run(without=[k for k in _kinds(services) if k != SUMMARISE])
        took = perf_counter() - started
        view = store.summaries.view(talk, services.preferences.values().context.fresh_tail)
        after = _timed(services, store, talk)
    return {
        "messages": count,
        **before,
        "summed_up_seconds": round(took, 1),
        "view_items": len(view),
        "view_tokens": tokens(view),
        "window": WINDOW,
        **after,
    }


def _kinds(services: Services) -> list[str]:
    return [*services.background.works]


def _say(store: Store, draw: Draw, talk: str, number: int) -> None:
    own = number % 2 == 0
    origin = PartOrigin.TYPED if own else PartOrigin.MODEL
    parts = [Part(draw.sentence(8, 40), origin)]
    store.messages.add(talk, Role.USER if own else Role.ASSISTANT, parts, created_at=LAST_DAY)


def _timed(services: Services, store: Store, talk: str) -> dict[str, float]:
    """Return medians in milliseconds: fetching all that the window shows, building a prompt."""
    rows, views = services.conversations, ContextViews(store, services.preferences.values)
    settings = services.preferences.values()
    question = rows.messages(talk)[-1]

    def fetch() -> None:
        messages = rows.messages(talk)
        rows.receipts(talk), rows.recalls(talk), rows.outcomes(messages), rows.tool_uses(talk)

    def prompt() -> None:
        history = views.before(question, WINDOW)
        context.build(question, history, (), settings, Window(WINDOW, ANSWER))

    return {"open_ms": _median(fetch), "prompt_ms": _median(prompt)}


def _median(work: Callable[[], None]) -> float:
    found = []
    for _ in range(TIMES):
        started = perf_counter()
        work()
        found.append((perf_counter() - started) * 1000)
    return round(median(found), 1)
