"""``loci memories``: list, show, edit, forget, erase, clear and undo."""

from datetime import UTC, datetime
from typing import Any

import click

from app.cli.program import Asked, SentenceGroup, common, run
from app.domain.memory import Memory, MemoryFilter, MemoryType, Status, Trust

DAY = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])


@click.group(cls=SentenceGroup)
@common
def memories() -> None:
    """See and change what is remembered."""


def plain(memory: Memory) -> dict[str, Any]:
    """Return a memory as the JSON that scripts read."""

    def when(moment: datetime | None) -> str | None:
        return moment.isoformat() if moment else None

    return {
        "id": memory.id,
        "text": memory.text,
        "key": memory.key,
        "value": memory.value,
        "type": memory.type,
        "trust": memory.trust,
        "origin": memory.origin,
        "status": memory.status,
        "category": memory.category,
        "visibility": memory.visibility,
        "tags": list(memory.tags),
        "pinned": memory.pinned,
        "occurred_at": when(memory.occurred_at),
        "valid_to": when(memory.valid_to),
        "superseded_by": memory.superseded_by,
        "seen_count": memory.seen_count,
        "revision": memory.revision,
        "created_at": when(memory.created_at),
        "updated_at": when(memory.updated_at),
    }


def _line(memory: Memory) -> str:
    mark = "" if memory.status is Status.ACTIVE else f" ({memory.status})"
    return f"{memory.id}  {memory.created_at:%Y-%m-%d}  {memory.type:10}  {memory.text}{mark}"


def _filter(
    kind: str | None, trust: str | None, since: datetime | None, until: datetime | None
) -> MemoryFilter:
    return MemoryFilter(
        types=frozenset({MemoryType(kind)}) if kind else frozenset(),
        trusts=frozenset({Trust(trust)}) if trust else frozenset(),
        since=since.replace(tzinfo=UTC) if since else None,
        until=until.replace(tzinfo=UTC) if until else None,
    )


@memories.command("list")
@click.option("--text", default="", help="Only those with these words.")
@click.option("--type", "kind", type=click.Choice(list(MemoryType)))
@click.option("--trust", type=click.Choice(list(Trust)))
@click.option("--status", type=click.Choice(list(Status)), help="Only these (default: all).")
@click.option("--limit", type=click.IntRange(1), default=1_000_000)
@common
@click.pass_obj
def list_(
    asked: Asked, text: str, kind: str | None, trust: str | None, status: str | None, limit: int
) -> None:
    """List memories, newest first."""
    wanted = _filter(kind, trust, None, None)
    statuses = frozenset({Status(status)}) if status else frozenset(Status)
    wanted = MemoryFilter(text=text, types=wanted.types, trusts=wanted.trusts, statuses=statuses)
    with asked.open() as services:
        found = services.memories.list(wanted, 0, limit)
    asked.show([plain(m) for m in found], [_line(m) for m in found] or ["No memories yet."])


@memories.command()
@click.argument("memory_id", metavar="ID")
@common
@click.pass_obj
def show(asked: Asked, memory_id: str) -> None:
    """Show one memory, how Loci knows it, and its history."""
    with asked.open() as services:
        detail = services.memories.detail(memory_id)
    data = plain(detail.memory) | {
        "evidence": [
            {"message": e.message_id, "quote": e.quote, "at": e.created_at.isoformat()}
            for e in detail.evidence
        ],
        "history": [
            {"at": h.at.isoformat(), "op": h.op, "actor": h.actor, "batch": h.batch}
            for h in detail.history
        ],
        "entities": list(detail.entities),
    }
    lines = [_line(detail.memory)]
    lines += [f"  “{e.quote}” {e.created_at:%Y-%m-%d}" for e in detail.evidence]
    lines += [f"  {h.at:%Y-%m-%d %H:%M}  {h.op} by {h.actor}" for h in detail.history]
    asked.show(data, lines)


@memories.command()
@click.argument("memory_id", metavar="ID")
@click.argument("text")
@common
@click.pass_obj
def edit(asked: Asked, memory_id: str, text: str) -> None:
    """Give a memory another TEXT."""
    with asked.open() as services:
        memory = services.memories.detail(memory_id).memory
        services.memories.edit(memory_id, memory.revision, {"text": text})
        run(services.background.run(), quiet=True)
        memory = services.memories.detail(memory_id).memory
    asked.show(plain(memory), [_line(memory)])


@memories.command()
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@common
@click.pass_obj
def forget(asked: Asked, ids: tuple[str, ...]) -> None:
    """Forget memories; ``undo`` brings them back."""
    with asked.open() as services:
        services.memories.forget(ids)
    asked.show({"forgotten": list(ids)}, [f"Forgotten: {len(ids)}. `loci memories undo` undoes."])


@memories.command()
@click.argument("memory_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
@click.pass_obj
def erase(asked: Asked, memory_id: str, yes: bool) -> None:
    """Erase a memory and the words it rests on, for good, and prove it."""
    with asked.open() as services:
        inventory = services.erasure.of_memory(memory_id)
        for copy in inventory.copies:
            click.echo(f"{'erases' if copy.ticked else 'keeps '}  {copy.label}", err=True)
        if not yes:
            click.confirm("This cannot be undone. Erase?", abort=True, err=True)
        ticked = frozenset(c.key for c in inventory.copies if c.ticked)
        proof = run(services.erasure.erase_memory(memory_id, ticked))
    show_proof(asked, proof)


def show_proof(asked: Asked, proof: Any) -> None:
    """Print what an erasure removed, and what the scan found."""
    data = {
        "removed": list(proof.removed),
        "scanned_bytes": proof.scanned_bytes,
        "found_before": proof.found_before,
        "found_after": proof.found_after,
        "remaining": list(proof.remaining),
    }
    scan = f"Scanned {proof.scanned_bytes:,} bytes: {proof.found_before} copies before, "
    lines = [*proof.removed, f"{scan}{proof.found_after} after.", *proof.remaining]
    asked.show(data, lines)


@memories.command()
@click.option("--type", "kind", type=click.Choice(list(MemoryType)))
@click.option("--trust", type=click.Choice(list(Trust)))
@click.option("--since", type=DAY, help="Learnt on this day or later.")
@click.option("--until", type=DAY, help="Learnt before this day.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
@click.pass_obj
def clear(
    asked: Asked,
    kind: str | None,
    trust: str | None,
    since: datetime | None,
    until: datetime | None,
    yes: bool,
) -> None:
    """Forget all memories of a type or from a time."""
    wanted = _filter(kind, trust, since, until)
    if wanted == MemoryFilter():
        raise click.UsageError("Say what to clear: --type, --trust, --since or --until.")
    with asked.open() as services:
        number = services.memories.clear_count(wanted)
        if number and not yes:
            click.confirm(f"Forget {number} memories?", abort=True, err=True)
        services.memories.clear(wanted)
    asked.show({"forgotten": number}, [f"Forgotten: {number}. `loci memories undo` undoes."])


@memories.command()
@click.argument("batch", required=False)
@common
@click.pass_obj
def undo(asked: Asked, batch: str | None) -> None:
    """Undo the last change to memories, or the one named BATCH."""
    with asked.open() as services:
        last = services.memories.last_change()
        chosen = batch or (last[0] if last else None)
        if chosen is None:
            asked.show({"undone": [], "refused": []}, ["There is nothing to undo."])
            return
        changes, refused = services.memories.undo(chosen)
        run(services.background.run(), quiet=True)
    undone = sorted(changes.memories)
    asked.show(
        {"undone": undone, "refused": list(refused)}, [f"Undone: {len(undone)} memories.", *refused]
    )


COMMANDS = (memories,)
