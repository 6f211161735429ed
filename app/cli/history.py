"""``loci undo``, ``redo`` and ``audit``, and what ``loci memories`` tells of the past."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import click

from app.cli.program import CommandContext, asking, finish_pending
from app.cli.text import LIMIT, WORDS, day, minute, on_one_line
from app.domain.changes import Changes
from app.domain.history import AuditReport, LineageKind, MemoryChange, MemoryOrigin, MemorySource
from app.domain.language.text import counted
from app.errors import Refused
from app.serialisers import history as plain

INDENT = "  "


@click.command()
@click.argument("batch", required=False, type=WORDS)
@asking
def undo(asked: CommandContext, batch: str | None) -> None:
    """Undo the last change to memories, whoever made it.

    Each further undo goes one change further back. BATCH names another change, as "show" lists
    them; undoing the batch of an undo does the change again.
    """
    with asked.open() as services:
        if batch:
            changes, refused = services.undo.undo(batch)
            sentence = f"Undone in {counted(len(changes.memories), 'memory')}."
        else:
            changes, sentence, refused = services.undo.undo_last()
        finish_pending(services)
    _tell(asked, plain.undone, changes, sentence, refused)


@click.command()
@asking
def redo(asked: CommandContext) -> None:
    """Do again what was undone last, unless something newer was done."""
    with asked.open() as services:
        changes, sentence, refused = services.undo.redo_last()
        finish_pending(services)
    _tell(asked, plain.redone, changes, sentence, refused)


def _tell(
    asked: CommandContext,
    shape: Callable[[Iterable[str], Iterable[str]], dict[str, Any]],
    changes: Changes,
    sentence: str,
    refused: Sequence[str],
) -> None:
    if refused and not changes.memories:
        raise Refused(" ".join(refused))
    asked.show(shape(changes.memories, refused), [on_one_line(sentence), *refused])


@click.command()
@click.argument("memory_id", metavar="ID", type=WORDS)
@asking
def history(asked: CommandContext, memory_id: str) -> None:
    """Show every change to one memory, and what it changed."""
    with asked.open() as services:
        steps = services.history.of_memory(memory_id)
    asked.show([plain.change(step) for step in steps], (line for s in steps for line in _lines(s)))


def _lines(step: MemoryChange) -> Iterator[str]:
    entry = step.entry
    undone = ", undone" if entry.undone else ""
    sentence = on_one_line(step.sentence)
    yield f"{minute(entry.at)}  {sentence} (by {entry.actor}{undone}; batch {entry.batch})"
    for field, before, after in step.differences:
        change = f"{on_one_line(before)} → {on_one_line(after)}" if before else on_one_line(after)
        yield f"{INDENT}{field}: {change}"


@click.command()
@click.argument("memory_id", metavar="ID", type=WORDS)
@asking
def lineage(asked: CommandContext, memory_id: str) -> None:
    """Show what one memory rests on, down to the messages."""
    with asked.open() as services:
        found = services.sources.lineage(memory_id)
    asked.show(plain.lineage(found), _tree(found, 0))


def _tree(found: MemoryOrigin, depth: int) -> Iterator[str]:
    text = on_one_line(found.text)
    if found.kind is LineageKind.GONE:
        line = f"a memory that was erased; {found.id}"
    elif found.kind is LineageKind.MESSAGE:
        title = on_one_line(found.conversation_title) or "Untitled"
        line = f"{_day(found.at)}  “{text}”, said in “{title}”; message {found.id}"
    else:
        origin = found.origin.replace("_", " ")
        line = f"{_day(found.at)}  {text}; from {origin}, written by {found.actor}; {found.id}"
    yield INDENT * depth + line
    for source in found.sources:
        yield from _tree(source, depth + 1)


@click.command()
@click.option("--limit", type=LIMIT, default=100, metavar="N", help="At most N.")
@asking
def sources(asked: CommandContext, limit: int) -> None:
    """List what memories come from, the latest first."""
    with asked.open() as services:
        found = services.sources.list(limit)
    lines = (_source(source) for source in found)
    asked.show([plain.source(s) for s in found], lines if found else ["No memories yet."])


def _source(source: MemorySource) -> str:
    title = f"  “{on_one_line(source.title)}”" if source.title else ""
    known = f"{counted(source.count, 'memory')}, {source.active:,} in use"
    return f"{source.name}  {_day(source.last_at)}{title}  {known}"


@click.command()
@click.option("--limit", type=LIMIT, default=20, metavar="N", help="N of each at most.")
@asking
def audit(asked: CommandContext, limit: int) -> None:
    """Show who wrote memories, when, from what, and what came in bursts."""
    with asked.open() as services:
        report = services.sources.audit(limit)
    asked.show(plain.audit(report), _report(report))


def _report(report: AuditReport) -> Iterator[str]:
    known, changes = counted(report.memories, "memory"), counted(report.changes, "change")
    yield f"{known}, {report.active:,} in use; {changes}."
    for one in report.writers:
        share = round(100 * one.active / one.written)
        yield (
            f"{INDENT}{one.actor}, {one.origin.replace('_', ' ')}: {one.written:,},"
            f" {share}% in use, {day(one.first_at)} to {day(one.last_at)}"
        )
    if report.sources:
        yield "From:"
        yield from (INDENT + _source(source) for source in report.sources)
    yield "Bursts:" if report.bursts else "No bursts: nobody but you wrote many at once."
    for burst in report.bursts:
        batches = ", ".join(burst.batches[:3]) + (", …" if len(burst.batches) > 3 else "")
        yield (
            f"{INDENT}{burst.actor}: {counted(burst.count, 'memory')},"
            f" {minute(burst.first_at)} to {minute(burst.last_at)}; batch {batches}"
        )


def _day(moment: datetime | None) -> str:
    return day(moment) if moment else ""


COMMANDS = (undo, redo, audit)
