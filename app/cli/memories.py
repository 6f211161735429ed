"""``loci memories``: list, show, edit, forget, erase and clear; the rest is in ``history``."""

from collections.abc import Iterator
from datetime import datetime

import click

from app.cli import history
from app.cli.erasing import chosen, listed, show_proof, tell_inventory
from app.cli.output import say
from app.cli.program import CommandContext, Ordered, asking, common, confirm, finish_pending, run
from app.cli.text import LIMIT, MOST, WORDS, day, minute, on_one_line
from app.domain.ids import known
from app.domain.language.text import counted
from app.domain.memory import (
    SAFETY,
    Memory,
    MemoryDetail,
    MemoryFilter,
    MemoryType,
    Status,
    Trust,
)
from app.domain.trace import care, trust_word
from app.errors import NotFound
from app.serialisers import memories as plain

TYPES, TRUSTS, STATUSES = (
    click.Choice([str(one) for one in kind], case_sensitive=False)
    for kind in (MemoryType, Trust, Status)
)
DAY = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])
UNDOES = "`loci undo` takes it back."


@click.group(cls=Ordered)
@common
def memories() -> None:
    """See and change what is remembered."""


def _line(memory: Memory) -> str:
    marks = [memory.status.replace("_", " ")] if memory.status is not Status.ACTIVE else []
    marks = ["damaged"] if memory.damaged else marks
    marks += ["pinned"] if memory.pinned else []
    marks += [SAFETY] if memory.safety else []
    marks += [] if memory.trust.is_own else [trust_word(memory.trust)]
    mark = f" ({', '.join(marks)})" if marks else ""
    text = on_one_line(memory.text)
    return f"{memory.id}  {day(memory.created_at)}  {memory.type:10}  {text}{mark}"


def _filter(
    kind: str | None, trust: str | None, since: datetime | None, until: datetime | None
) -> MemoryFilter:
    """Return the filter; a day begins where the person is."""
    return MemoryFilter(
        types=frozenset({MemoryType(kind)}) if kind else frozenset(),
        trusts=frozenset({Trust(trust)}) if trust else frozenset(),
        since=known(since) if since else None,
        until=known(until) if until else None,
    )


@memories.command("list")
@click.option("--text", type=WORDS, default="", help="Only those with these words.")
@click.option("--type", "kind", type=TYPES, help="Only this type.")
@click.option("--trust", type=TRUSTS, help="Only of this trust.")
@click.option("--status", type=STATUSES, help="Only of this status; without it, all are listed.")
@click.option("--as-of", type=WORDS, metavar="DATE", help="As it was then: what Loci knew.")
@click.option("--limit", type=LIMIT, default=MOST, metavar="N", help="At most N.")
@asking
def list_(
    asked: CommandContext,
    text: str,
    kind: str | None,
    trust: str | None,
    status: str | None,
    as_of: str | None,
    limit: int,
) -> None:
    """List memories, newest first.

    DATE is a date such as 2026-03-31, which means the end of that day, a time such as
    2026-03-31T18:00, or words such as "last March".
    """
    wanted = _filter(kind, trust, None, None)
    statuses = frozenset({Status(status)}) if status else frozenset(Status)
    chosen = MemoryFilter(text=text, types=wanted.types, trusts=wanted.trusts, statuses=statuses)
    with asked.open() as services:
        if as_of:
            at = services.history.moment(as_of)
            found = services.history.as_of(at, chosen, 0, limit)
        else:
            found = services.memories.list(chosen, 0, limit)
    narrowed = text or kind or trust or status or as_of
    none = "No memory matches." if narrowed else "No memories yet."
    told = [m.status_reason for m in found if m.damaged]
    lines = [*map(_line, found), *told] if found else [none]
    asked.show([plain.memory(m) for m in found], lines)


@memories.command()
@click.argument("memory_id", metavar="ID", type=WORDS)
@click.option("--as-of", type=WORDS, metavar="DATE", help="What it said then, and nothing else.")
@asking
def show(asked: CommandContext, memory_id: str, as_of: str | None) -> None:
    """Show one memory, how Loci knows it, and its history."""
    with asked.open() as services:
        if as_of:
            then = services.history.memory_as_of(memory_id, services.history.moment(as_of))
            if then is None:
                raise NotFound("This memory was not known then.")
            asked.show(plain.memory(then), [_line(then)])
            return
        detail = services.memories.detail(memory_id)
    asked.show(plain.memory_detail(detail), _portrait(detail))


def _portrait(detail: MemoryDetail) -> Iterator[str]:
    memory = detail.memory
    yield on_one_line(memory.text)
    known = [memory.type, f"trust {memory.trust}", memory.status.replace("_", " ")]
    known += ["pinned"] if memory.pinned else []
    yield f"  {', '.join(known)}; from {memory.origin.replace('_', ' ')}; {memory.id}"
    if told := care(memory.trust):
        yield f"  {told}"
    if memory.damaged:
        yield f"  {memory.status_reason}"
    if memory.key:
        yield f"  {memory.key}: {memory.value}"
    if memory.tags:
        yield f"  tags: {', '.join(memory.tags)}"
    for _, text in detail.replaces:
        yield f"  replaces: {on_one_line(text)}"
    if detail.replaced_by:
        yield f"  replaced by: {on_one_line(detail.replaced_by[1])}"
    yield f"  met {counted(memory.seen_count, 'time')}"
    for evidence in detail.evidence:
        said = f"“{on_one_line(evidence.quote)}”" if evidence.quote else "you asked to remember it"
        yield f"  {day(evidence.created_at)}  {said}"
    for entry in detail.history:
        undone = ", undone" if entry.undone else ""
        yield f"  {minute(entry.at)}  {entry.op} by {entry.actor}{undone}; batch {entry.batch}"


@memories.command()
@click.argument("memory_id", metavar="ID", type=WORDS)
@click.argument("text", nargs=-1, required=True, type=WORDS)
@asking
def edit(asked: CommandContext, memory_id: str, text: tuple[str, ...]) -> None:
    """Give a memory another TEXT."""
    with asked.open() as services:
        memory = services.memories.detail(memory_id).memory
        changes = services.memories.edit(memory_id, memory.revision, {"text": " ".join(text)})
        finish_pending(services)
        memory = services.memories.detail(memory_id).memory
    asked.show(plain.memory(memory), [_line(memory), *sorted(changes.said)])


@memories.command()
@click.argument("ids", metavar="ID...", nargs=-1, type=WORDS)
@click.option("--text", type=WORDS, default="", help="All that were claimed with these words.")
@click.option("--source", type=WORDS, metavar="SOURCE", help="All that were claimed by it.")
@click.option("--all", "everything", is_flag=True, help="All that were claimed.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@asking
def trust(
    asked: CommandContext,
    ids: tuple[str, ...],
    text: str,
    source: str | None,
    everything: bool,
    yes: bool,
) -> None:
    """Trust memories that an import claimed like what you said.

    SOURCE is one that "sources" lists, such as import:ID. The number is shown first; undo lowers
    them again.
    """
    if sum(map(bool, (ids, text, source, everything))) != 1:
        raise click.UsageError("Say what is yours: IDs, --text, one --source, or --all.")
    with asked.open() as services:
        claimed = services.memories.claimed(MemoryFilter(text=text))
        if source:
            held = services.sources.holding(services.sources.get(source)).memories
            claimed = [memory_id for memory_id in claimed if memory_id in set(held)]
        chosen = ids or tuple(claimed)
        if chosen and not (ids or yes):
            confirm(f"Trust {counted(len(chosen), 'memory')} like your own word?")
        raised = sorted(services.memories.take_over(chosen).memories)
    end = f" {UNDOES}" if raised else " Only what an import claimed can be raised so."
    said = f"Trusted {counted(len(raised), 'memory')}.{end}"
    asked.show(plain.trusted(raised), [said])


@memories.command()
@click.argument("ids", metavar="ID...", nargs=-1, type=WORDS)
@click.option("--source", type=WORDS, metavar="SOURCE", help="Forget everything that is from it.")
@click.option("--pinned", is_flag=True, help="With --source: what is pinned or fixed goes too.")
@click.option("--yes", is_flag=True, help="With --source: do not ask.")
@asking
def forget(
    asked: CommandContext, ids: tuple[str, ...], source: str | None, pinned: bool, yes: bool
) -> None:
    """Forget memories; undo brings them back.

    SOURCE is one that "sources" lists, such as conversation:ID. What you said elsewhere too stays.
    """
    if bool(ids) == bool(source):
        raise click.UsageError("Say what to forget: IDs, or one --source.")
    if source:
        forget_source(asked, source, pinned, yes)
        return
    with asked.open() as services:
        services.memories.forget(ids)
    asked.show(plain.forgotten(ids), [f"Forgot {counted(len(ids), 'memory')}. {UNDOES}"])


def forget_source(asked: CommandContext, name: str, pinned: bool, yes: bool) -> None:
    """Forget everything from one source, after saying how much, and what stays."""
    with asked.open() as services:
        source = services.sources.get(name)
        found = services.sources.holding(source, protected=pinned)
        kept = [] if pinned else list(found.protected)
        stays = [f"stays   {on_one_line(text)} (pinned or of system trust)" for _, text in kept]
        stays += [f"stays   {counted(len(found.elsewhere), 'memory')} from elsewhere too"] * bool(
            found.elsewhere
        )
        for line in stays:
            say(line, err=True)
        if found.memories and not yes:
            confirm(f"Forget {counted(len(found.memories), 'memory')}?")
        services.sources.forget(source, protected=pinned)
        finish_pending(services)
    data = plain.source_forgotten(found, protected=not pinned)
    end = f" {UNDOES}" if found.memories else ""
    asked.show(data, [f"Forgot {counted(len(found.memories), 'memory')}.{end}"])


@memories.command()
@click.argument("ids", metavar="ID...", nargs=-1, type=WORDS)
@click.option("--about", type=WORDS, metavar="NAME", help="Erase whom a name means: all of it.")
@click.option("--keep", multiple=True, metavar="N", help="Keep the place with this number.")
@click.option("--also", multiple=True, metavar="N", help="Erase this place of those kept.")
@click.option("--list", "only_list", is_flag=True, help="Only list the places; erase nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@asking
def erase(
    asked: CommandContext,
    ids: tuple[str, ...],
    about: str | None,
    keep: tuple[str, ...],
    also: tuple[str, ...],
    only_list: bool,
    yes: bool,
) -> None:
    """Erase memories and the words they rest on, for good, and prove it.

    Every place that holds the words, says the same or was derived from it (answers, titles, other
    memories, backups) is listed first, with a number and why. What is kept is named in the end.
    """
    if bool(ids) == bool(about):
        raise click.UsageError("Say what to erase: IDs, or --about one name.")
    with asked.open() as services:
        names: list[str] = []
        if about:
            meant = services.entities.named(about)
            ids, names = tuple(services.entities.memory_ids(about)), [meant.name, *meant.also]
        inventory = run(services.erasure.looking_for_memories(ids, names))
        ticked = chosen(inventory, keep, also)
        tell_inventory(inventory, ticked)
        if only_list:
            asked.show(listed(inventory, ticked), ())
            return
        if not yes:
            confirm("This cannot be undone. Erase?")
        proof = run(services.erasure.erase_memories(ids, ticked, names))
    show_proof(asked, proof)


@memories.command()
@click.option("--type", "kind", type=TYPES, help="Of this type.")
@click.option("--trust", type=TRUSTS, help="Of this trust.")
@click.option("--since", type=DAY, metavar="DAY", help="Learnt on this day (2026-11-20) or later.")
@click.option("--until", type=DAY, metavar="DAY", help="Learnt before this day.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@asking
def clear(
    asked: CommandContext,
    kind: str | None,
    trust: str | None,
    since: datetime | None,
    until: datetime | None,
    yes: bool,
) -> None:
    """Forget all memories of a type or from a time.

    Pinned memories stay. The number is shown first; undo brings them back.
    """
    wanted = _filter(kind, trust, since, until)
    if wanted == MemoryFilter():
        raise click.UsageError("Say what to clear: --type, --trust, --since or --until.")
    with asked.open() as services:
        number = services.memories.clear_count(wanted)
        if number and not yes:
            confirm(f"Forget {counted(number, 'memory')}?")
        services.memories.clear(wanted)
    end = f" {UNDOES}" if number else ""
    asked.show(plain.cleared(number), [f"Forgot {counted(number, 'memory')}.{end}"])


for command in (history.history, history.lineage, history.sources, history.undo):
    memories.add_command(command)

COMMANDS = (memories,)
