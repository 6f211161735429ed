"""``loci upkeep``: what Loci does by itself, when, what it did, and what it cost."""

from typing import TYPE_CHECKING, Any

import click

from app.cli.program import CommandContext, Ordered, asking, common, finish_pending, run
from app.cli.text import LIMIT, minute, on_one_line
from app.domain.ids import known
from app.domain.jobs.spending import Spent
from app.domain.jobs.upkeep import JobRun, Planned, RunOutcome, SetAside
from app.errors import Refused
from app.serialisers import jobs as plain
from app.services.upkeep.upkeep import JobStatus

if TYPE_CHECKING:
    from app.services.services import Services

HOW_TO_RETRY = "`loci upkeep retry` tries it again."
HOW_TO_LEARN_AGAIN = "`loci models --learn-again` lets it."
BUSY = "Another window or program of Loci is at work; this waits for its turn."


@click.group(cls=Ordered)
@common
def upkeep() -> None:
    """See and steer what Loci does by itself."""


@upkeep.command()
@asking
def status(asked: CommandContext) -> None:
    """Say what runs by itself, when next, and what it waits for."""
    with asked.open() as services:
        paused = services.preferences.values().upkeep.paused
        found, aside = services.upkeep.standings(), services.failed_jobs.list()
        given_up = list(services.attention.given_up())
    lines = ["Everything is paused." if paused else "", *(_standing(one) for one in found)]
    lines += [_set_aside(one) for one in aside] + ([HOW_TO_RETRY] if aside else [])
    lines += [on_one_line(f"{one} {HOW_TO_LEARN_AGAIN}") for one in given_up]
    asked.show(plain.upkeep(paused, found, aside, given_up), [line for line in lines if line])


@upkeep.command("run")
@click.argument("kind")
@click.option("--dry-run", is_flag=True, help="Only say what it would do.")
@asking
def run_now(asked: CommandContext, kind: str, dry_run: bool) -> None:
    """Run one KIND of work now, such as review or consolidate."""
    with asked.open() as services:
        if dry_run:
            planned = services.upkeep.preview(kind)
            lines = [line for one in planned for line in _planned(one)]
            asked.show([plain.planned(one) for one in planned], lines or ["Nothing to do."])
            return
        services.reranker.prepare()
        done = done_now(services, kind)
        title = services.background.title(kind)
    asked.show([plain.run(done)], [_run(title, done)])


@upkeep.command()
@click.option(
    "-n",
    "limit",
    type=LIMIT,
    default=20,
    show_default=True,
    metavar="N",
    help="At most N.",
)
@asking
def history(asked: CommandContext, limit: int) -> None:
    """List the latest runs, newest first."""
    with asked.open() as services:
        found = services.upkeep.history(limit)
        lines = [_run(services.background.title(one.kind), one) for one in found]
    asked.show([plain.run(one) for one in found], lines or ["Nothing has run yet."])


@upkeep.command()
@asking
def pause(asked: CommandContext) -> None:
    """Let nothing run by itself until it is resumed."""
    with asked.open() as services:
        services.preferences.set("upkeep.paused", True)
    asked.show(plain.paused(True), ["Everything is paused."])


@upkeep.command()
@asking
def resume(asked: CommandContext) -> None:
    """Let Loci work by itself again."""
    with asked.open() as services:
        services.preferences.set("upkeep.paused", False)
    asked.show(plain.paused(False), ["Loci works by itself again."])


@upkeep.command()
@click.option("--leave", is_flag=True, help="Leave it for good instead.")
@asking
def retry(asked: CommandContext, leave: bool) -> None:
    """Try again what could not be done and was set aside."""
    with asked.open() as services:
        aside = services.failed_jobs.list()
        for one in aside:
            (services.failed_jobs.leave if leave else services.failed_jobs.try_again)(one.id)
        if aside and not leave:
            finish_pending(services)
        left = services.failed_jobs.list()
    told = [_set_aside(one) for one in left] or ["Nothing is set aside."]
    asked.show([plain.set_aside(one) for one in left], told)


@upkeep.command()
@click.option(
    "--month",
    type=click.DateTime(["%Y-%m"]),
    metavar="YYYY-MM",
    help="Another month than this one.",
)
@asking
def costs(asked: CommandContext, month: Any) -> None:
    """Say what models took in a month, by kind of work: tokens, and money where they charge."""
    with asked.open() as services:
        spent = services.spending.month(known(month) if month else None)
    lines = [_spent(one) for one in spent]
    asked.show([plain.spent(one) for one in spent], lines or ["No model was used."])


def done_now(services: "Services", kind: str) -> JobRun:
    """Run one kind of work now and return its run; what earlier runs came to is none of its.

    Raises:
        Refused: It failed, or waits for its turn.
    """
    before = {one.id for one in services.upkeep.history(1, kind)}
    services.upkeep.start(kind)
    run(services.background.run(upkeep=True))
    latest = services.upkeep.history(1, kind)
    if not latest or latest[0].id in before or latest[0].outcome is RunOutcome.RUNNING:
        raise Refused(BUSY)
    if latest[0].error:
        raise Refused(latest[0].error)
    return latest[0]


def _standing(one: JobStatus) -> str:
    off = "by itself" if one.trigger else "off"
    when = off if one.next_at is None else f"next {minute(one.next_at)}"
    more = [words for words in (one.trigger, one.waiting, one.without) if words]
    return "  ".join([f"{one.kind:12} {when:24} {one.about}", *more])


def _set_aside(one: SetAside) -> str:
    return on_one_line(f"Set aside: {one.title}, {one.about} {one.error}")


def _planned(one: Planned) -> list[str]:
    several = one.sources if len(one.sources) > 1 else ()
    return [f"{one.word:8} {one.text}", *(f"         · {memory.text}" for memory in several)]


def _run(title: str, one: JobRun) -> str:
    told = ", ".join(f"{name.replace('_', ' ')}: {n:,.6g}" for name, n in one.figures.items() if n)
    ending = "  ".join(words for words in (one.error, told) if words) or "nothing to do"
    return f"{minute(one.started_at)}  {title:14} {one.outcome:8} {ending}"


def _spent(one: Spent) -> str:
    about = "" if one.counted else "about "
    tokens = f"{about}{one.prompt_tokens:,} read, {one.completion_tokens:,} written"
    money = "on this computer" if one.local else f"{one.cost:.2f}"
    return f"{one.purpose:12} {one.model:24} {one.calls:5} calls  {tokens}  {money}"


COMMANDS = (upkeep,)
