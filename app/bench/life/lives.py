"""Live every life of a file, each in a fresh profile, and tell what came of it."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from app.bench.life import script
from app.bench.life.living import Living
from app.bench.life.score import Count, counted
from app.bench.opened import HandClock, Open
from app.domain.jobs.progress import Progress


def lives(
    path: Path, opened: Open, learn_from: str = "", answer_with: str = ""
) -> Generator[Progress, None, dict[str, Any]]:
    """Live every life; return the figures per life and in all, and each miss.

    Args:
        path: A file of lives.
        opened: Opens a fresh, temporary profile under a given clock.
        learn_from: The model that learns beside the reader, as in settings; empty for none.
        answer_with: The model that is asked and ordered; empty for none.

    Raises:
        TransferError: The file is not in that format.
    """
    total, each = Count(), {}
    for life in script.load(path):
        moment = HandClock(life.talk[0].at)
        with opened(moment) as (services, store):
            living = Living(life, services, store, moment)
            lived = yield from living.live(learn_from, answer_with)
        count = counted(lived)
        each[life.id] = count.figures()
        total.add(count)
    return {"lives": each, "all": total.figures(), "misses": total.misses}
