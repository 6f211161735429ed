"""``loci names``: who and what memories mention, and which names mean one."""

import click

from app.cli.program import CommandContext, Ordered, asking, common
from app.cli.text import LIMIT, MOST, WORDS, on_one_line
from app.domain.entity import Entity
from app.domain.language.text import counted
from app.serialisers import entities as plain


@click.group(cls=Ordered)
@common
def names() -> None:
    """See what memories mention by name, and put right which names mean one."""


@names.command("list")
@click.option("--limit", type=LIMIT, default=MOST, metavar="N", help="At most N.")
@asking
def list_(asked: CommandContext, limit: int) -> None:
    """List names, those that most memories mention first."""
    with asked.open() as services:
        found = services.entities.list(limit)
    lines = map(_line, found) if found else ["No memory mentions a name yet."]
    asked.show([plain.name(one) for one in found], lines)


@names.command()
@click.argument("name", metavar="NAME", type=WORDS)
@click.argument("into", metavar="OTHER", type=WORDS)
@asking
def merge(asked: CommandContext, name: str, into: str) -> None:
    """Let NAME mean what OTHER means, now and when it is used again."""
    with asked.open() as services:
        services.entities.merge(name, into)
        stays = services.entities.named(into)
    undo = f"`loci names split {name}` takes it back."
    asked.show(plain.name_meant(stays), [f"{_line(stays)}. {undo}"])


@names.command()
@click.argument("name", metavar="NAME", type=WORDS)
@asking
def split(asked: CommandContext, name: str) -> None:
    """Let NAME, which was merged into another, mean its own again."""
    with asked.open() as services:
        services.entities.split(name)
        own = services.entities.named(name)
    asked.show(plain.name_meant(own), [f"{_line(own)}."])


@names.command()
@click.argument("name", metavar="NAME", type=WORDS)
@click.argument("to", metavar="OTHER", type=WORDS)
@click.argument("ids", metavar="ID...", nargs=-1, required=True, type=WORDS)
@asking
def move(asked: CommandContext, name: str, to: str, ids: tuple[str, ...]) -> None:
    """Say that in some memories NAME means OTHER, as where two people share it."""
    with asked.open() as services:
        services.entities.move(name, to, ids)
        other = services.entities.named(to)
    asked.show(plain.name_moved(other), [f"{_line(other)}."])


def _line(entity: Entity) -> str:
    also = f", also {', '.join(map(on_one_line, entity.also))}" if entity.also else ""
    return f"{on_one_line(entity.name)}{also}: {counted(entity.mentions, 'memory')}"


COMMANDS = (names,)
