"""``loci bench``: measure recall, extraction, speed and the window, on this machine."""

import json
from pathlib import Path

import click

from app.cli.output import say
from app.cli.program import CommandContext, Ordered, asking, common, run
from app.cli.text import FILE, WORDS
from app.errors import TransferError


@click.group(cls=Ordered)
@common
def bench() -> None:
    """Measure recall, learning, speed and the window. Your own data is not touched."""


@bench.command()
@click.argument("file", type=FILE)
@click.option(
    "--rankings",
    type=FILE,
    metavar="OUT",
    help="Also write every question's ranking to this file.",
)
@click.option(
    "--set",
    "changes",
    type=WORDS,
    multiple=True,
    metavar="KEY=VALUE",
    help="Measure with another setting; can be given several times.",
)
@asking
def recall(
    asked: CommandContext, file: Path, rankings: Path | None, changes: tuple[str, ...]
) -> None:
    """Ask every question of a FILE and count the evidence found.

    FILE is JSON: conversations, each with messages and with questions whose evidence is known.
    """
    from app.bench import recall as measure

    _expect_folder(rankings)
    wanted = dict(_pair(change) for change in changes)
    figures, ranked = run(
        measure.recall_quality(file, asked.program.temporary, wanted, foreign=True)
    )
    if rankings is not None:
        rankings.write_text(json.dumps(ranked, indent=1), "utf-8")
    asked.show(figures, [f"{k}: {json.dumps(v)}" for k, v in figures.items()])


@bench.command()
@click.argument("file", type=FILE)
@click.option(
    "--wrong",
    type=FILE,
    metavar="OUT",
    help="Also write what was missed and what is wrong to this file.",
)
@asking
def extract(asked: CommandContext, file: Path, wrong: Path | None) -> None:
    """Learn from every statement of a FILE, without a chat model, and count what was kept.

    FILE is JSON: messages, each with the words that a memory of it has to carry.
    """
    from app.bench import extract as measure

    _expect_folder(wrong)
    figures, faults = run(measure.extraction_quality(file, asked.program.temporary))
    if wrong is not None:
        wrong.write_text(json.dumps(faults, indent=1, ensure_ascii=False), "utf-8")
    asked.show(figures, [f"{k}: {json.dumps(v)}" for k, v in figures.items()])


@bench.command()
@click.argument("file", type=FILE)
@click.option("--details", is_flag=True, help="Also print each miss.")
@click.option(
    "--learn-with",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="MODEL",
    help="A GGUF chat model that learns beside the reader.",
)
@click.option(
    "--answer-with",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="MODEL",
    help="A GGUF chat model that is asked and ordered.",
)
@asking
def life(
    asked: CommandContext,
    file: Path,
    details: bool,
    learn_with: Path | None,
    answer_with: Path | None,
) -> None:
    """Live the lives of a FILE, then ask and order, and count what is right.

    FILE is JSON: lives, each with what is told over weeks, what must be kept, and what is asked.
    """
    from app.bench.life.lives import lives
    from app.bench.life.score import listed

    models = (f"file:{one.absolute()}" if one else "" for one in (learn_with, answer_with))
    figures = run(lives(file, asked.program.temporary, *models))
    misses = figures["misses"] if details else []
    shown = {k: v for k, v in figures.items() if details or k != "misses"}
    lines = [f"{name}: {json.dumps(found)}" for name, found in figures["lives"].items()]
    lines += [f"{k}: {json.dumps(v)}" for k, v in figures["all"].items()]
    asked.show(shown, [*lines, *listed(misses)])


@bench.command()
@click.option(
    "--memories",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Among how many to recall.",
)
@asking
def speed(asked: CommandContext, memories: int) -> None:
    """Time recall among many memories and messages."""
    from app.bench import speed as measure

    figures = run(measure.recall_speed(memories, asked.program.temporary))
    asked.show(figures, [f"{k}: {json.dumps(v)}" for k, v in figures.items()])


@bench.command()
@click.option(
    "--messages",
    type=click.IntRange(2),
    default=20_000,
    show_default=True,
    metavar="N",
    help="How many messages it has.",
)
@asking
def conversation(asked: CommandContext, messages: int) -> None:
    """Time one very long conversation: opening it, and the next prompt."""
    from app.bench import conversation as measure

    figures = run(measure.long_conversation(messages, asked.program.temporary))
    asked.show(figures, [f"{k}: {json.dumps(v)}" for k, v in figures.items()])


@bench.command("read")
@click.option(
    "--messages",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="How many messages to learn from.",
)
@asking
def read_(asked: CommandContext, messages: int) -> None:
    """Time learning from messages that were brought in, beside embedding them."""
    from app.bench import read as measure

    figures = run(measure.read_speed(messages, asked.program.temporary))
    asked.show(figures, [f"{k}: {json.dumps(v)}" for k, v in figures.items()])


@bench.command()
@click.option(
    "--days",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    metavar="N",
    help="How many days of it to live.",
)
@click.option(
    "--svg",
    type=FILE,
    metavar="OUT",
    help="Also draw what was remembered, night by night, into this file.",
)
@asking
def month(asked: CommandContext, days: int, svg: Path | None) -> None:
    """Live a month of one person's life, and compare what is remembered with what is true."""
    from app.bench.month import month as measure
    from app.bench.month import script

    _expect_folder(svg)
    figures, drawn = run(measure.month(script.load(), days, asked.program.temporary))
    if svg is not None:
        svg.write_text(drawn, "utf-8")
    findings = figures.pop("findings")
    lines = [f"{k}: {json.dumps(v)}" for k, v in figures.items()]
    lines += [json.dumps(finding, ensure_ascii=False) for finding in findings]
    asked.show(figures | {"findings": findings}, lines)


@bench.command()
@asking
def window(asked: CommandContext) -> None:
    """Open the window on a scripted tour and time it."""
    figures = asked.program.measure_window()
    asked.show(figures, [f"{k}: {json.dumps(v)}" for k, v in figures.items()])


@bench.command("window-tour", hidden=True)
@asking
def window_tour(asked: CommandContext) -> None:
    """Take the tour in this process and print the figures."""
    say(json.dumps(asked.program.tour_window(asked.data_dir)))


def _expect_folder(file: Path | None) -> None:
    """Fail before a long measurement, not after it."""
    if file is not None and not file.absolute().parent.is_dir():
        raise TransferError(f"There is no folder {file.absolute().parent}.")


def _pair(change: str) -> tuple[str, str]:
    key, mark, value = change.partition("=")
    if not mark:
        raise click.UsageError(f"--set takes KEY=VALUE, not {change!r}.")
    return key, value


COMMANDS = (bench,)
