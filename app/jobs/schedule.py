"""When nightly work is due: at its hour each day, or once afterwards where the hour was missed.

All times of day are the person's own. Nothing here reads a clock; whoever asks says how late it is.
"""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from app.domain.jobs.upkeep import Trigger
from app.errors import SettingsError

ON_TIME = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class DailyPlan:
    """A job that comes back every day.

    Attributes:
        at: Its hour.
    """

    kind: str
    enabled: bool
    at: time


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the computer and the person are doing.

    Attributes:
        idle: For how long the person has written nothing.
        on_mains: False while the computer runs on its battery.
    """

    idle: timedelta
    on_mains: bool


def time_of_day(text: str) -> time:
    """Read a time of day such as ``02:00``.

    Raises:
        SettingsError: It is none.
    """
    try:
        hour, _, minute = text.strip().partition(":")
        return time(int(hour), int(minute))
    except ValueError:
        raise SettingsError(f"{text!r} is no time of day, such as 02:00.") from None


def due(plan: DailyPlan, last: datetime | None, begun: datetime, now: datetime) -> Trigger | None:
    """Return why a job should run now, or None where it should not.

    Args:
        plan: The job.
        last: When it last began; None where it never did.
        begun: When its schedule began: what lies before was not missed.
        now: The present, in the person's time zone.
    """
    if not plan.enabled:
        return None
    hour = latest(plan.at, now)
    if hour <= (last or begun):
        return None
    return Trigger.SCHEDULE if now - hour <= ON_TIME else Trigger.MISSED


def latest(at: time, now: datetime) -> datetime:
    """Return the last time a daily hour came, at or before ``now``."""
    today = datetime.combine(now.date(), at, now.tzinfo)
    return today if today <= now else today - timedelta(days=1)


def following(at: time, now: datetime) -> datetime:
    """Return the next time a daily hour comes, after ``now``."""
    return latest(at, now) + timedelta(days=1)


def hindered(found: Circumstances, *, idle_minutes: int, mains_only: bool) -> str:
    """Return in a sentence what nightly work waits for; empty where it may begin."""
    if mains_only and not found.on_mains:
        return "It waits for mains power."
    if found.idle < timedelta(minutes=idle_minutes):
        return f"It waits until nothing was written for {idle_minutes} minutes."
    return ""
