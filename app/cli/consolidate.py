"""``loci consolidate``: fold what was said repeatedly, see what that did, and take it back."""

from collections.abc import Iterator, Sequence

import click

from app.cli.program import CommandContext, asking, finish_pending
from app.cli.text import WORDS, on_one_line
from app.cli.upkeep import done_now
from app.domain.consolidation import Cluster, Fold
from app.domain.jobs.upkeep import JobRun
from app.domain.language.text import counted
from app.errors import Refused
from app.serialisers import consolidation as plain

KIND = "consolidate"


@click.command()
@click.option("--dry-run", is_flag=True, help="Only show what would be folded now.")
@click.option("--revert", "batch", type=WORDS, metavar="BATCH", help="Take a run back.")
@asking
def consolidate(asked: CommandContext, dry_run: bool, batch: str | None) -> None:
    """Fold what was said repeatedly into observations, now.

    The statements stay as they are. What was done is listed, and --revert takes it back.
    """
    if dry_run and batch:
        raise click.UsageError("Give --dry-run or --revert, not both.")
    if dry_run:
        _preview(asked)
    elif batch:
        _revert(asked, batch)
    else:
        _fold(asked)


def _preview(asked: CommandContext) -> None:
    with asked.open() as services:
        finish_pending(services)
        found = services.consolidation.preview()
    lines = [line for cluster in found for line in _would(cluster)]
    asked.show([plain.cluster(one) for one in found], lines or ["There is nothing to fold."])


def _fold(asked: CommandContext) -> None:
    with asked.open() as services:
        services.reranker.prepare()
        finish_pending(services)
        done = done_now(services, KIND)
        folds = services.consolidation.diff(done.batch) if done.batch else []
    asked.show(plain.consolidation(done, folds), _told(done, folds))


def _revert(asked: CommandContext, batch: str) -> None:
    with asked.open() as services:
        changes, refused = services.consolidation.revert(batch)
        finish_pending(services)
    if refused and not changes.memories:
        raise Refused(" ".join(refused))
    number = len(changes.memories)
    lines = [f"Reverted; {counted(number, 'memory')} changed.", *refused]
    asked.show(plain.reverted(changes.memories, refused), lines)


def _told(done: JobRun, folds: Sequence[Fold]) -> Iterator[str]:
    for fold in folds:
        yield from _did(fold)
    if done.batch:
        yield f"`loci consolidate --revert {done.batch}` takes it back."
    else:
        yield "There is nothing to fold."


def _did(fold: Fold) -> Iterator[str]:
    if not fold.after:
        yield f"forgot  {on_one_line(fold.before or fold.observation.text)}"
        return
    yield f"{'new' if fold.new else 'renewed'}  {on_one_line(fold.after)}"
    if fold.before and fold.before != fold.after:
        yield f"  was   {on_one_line(fold.before)}"
    for memory in fold.sources:
        mark = "from " if memory.id in fold.added else "known"
        yield f"  {mark} {on_one_line(memory.text)}"


def _would(cluster: Cluster) -> Iterator[str]:
    yield on_one_line(cluster.text) if cluster.text else "(a model would put it into words)"
    for memory in cluster.sources:
        yield f"  from  {on_one_line(memory.text)}"


COMMANDS = (consolidate,)
