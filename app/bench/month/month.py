"""Live the simulated month in a fresh profile, and tell what came of it."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from time import perf_counter
from typing import Any

from app.bench.month import findings
from app.bench.month.picture import picture
from app.bench.month.script import Script
from app.bench.month.simulation import Simulation, SimulationClock
from app.domain.ids import Clock
from app.domain.jobs.progress import Progress
from app.services.services import Services
from app.store.store import Store

Open = Callable[[Clock], AbstractContextManager[tuple[Services, Store]]]


def month(
    script: Script, days: int, opened: Open
) -> Generator[Progress, None, tuple[dict[str, Any], str]]:
    """Live the first days of a script; return the figures, and the picture as SVG.

    Args:
        script: What is said and done.
        days: How many of its days.
        opened: Opens a fresh, temporary profile under a given clock.
    """
    started, moment = perf_counter(), SimulationClock(script.first_day)
    with opened(moment) as (services, store):
        life = Simulation(script, services, store, moment)
        yield from life.live(days)
        yield Progress("Comparing what is remembered with what is true")
        figures = findings.measured(services, life.lived)
    nights = life.lived.nights
    drawn = picture(findings.series(nights), [night.deeds for night in nights])
    return figures | {"seconds": round(perf_counter() - started, 1)}, drawn
