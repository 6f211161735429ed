"""Live the simulated month in a fresh profile, and tell what came of it."""

from collections.abc import Generator
from time import perf_counter
from typing import Any

from app.bench.month import findings
from app.bench.month.picture import picture
from app.bench.month.script import Script
from app.bench.month.simulation import Simulation
from app.bench.opened import HandClock, Open
from app.domain.jobs.progress import Progress


def month(
    script: Script, days: int, opened: Open
) -> Generator[Progress, None, tuple[dict[str, Any], str]]:
    """Live the first days of a script; return the figures, and the picture as SVG."""
    started, moment = perf_counter(), HandClock(script.first_day)
    with opened(moment) as (services, store):
        life = Simulation(script, services, store, moment)
        yield from life.live(days)
        yield Progress("Comparing what is remembered with what is true")
        figures = findings.measured(services, life.lived)
    nights = life.lived.nights
    drawn = picture(findings.series(nights), [night.deeds for night in nights])
    return figures | {"seconds": round(perf_counter() - started, 1)}, drawn
