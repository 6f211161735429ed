"""Talk in the terminal, and the two halves of it: ``remember`` and ``recall``."""

from pathlib import Path

import click

from app.cli import explain as explanation
from app.cli.output import say
from app.cli.program import (
    MOMENT_SECONDS,
    CommandContext,
    asking,
    common,
    finish_pending,
    run,
)
from app.cli.text import FILE, WORDS, on_one_line
from app.domain.conversation import MemoryMode
from app.domain.language import text as words
from app.domain.memory import Status
from app.domain.receipt import receipt_text
from app.domain.reply import became
from app.serialisers import memories, recalls


@click.command()
@click.option("--once", metavar="TEXT", type=WORDS, help="Say one thing, print the answer, end.")
@click.option("--attach", "files", multiple=True, type=FILE, help="A file for the first message.")
@click.option("--typed", is_flag=True, help="What comes through a pipe is in your own words.")
@click.option("--without", is_flag=True, help="Answer what is too large without its long parts.")
@click.option(
    "--mode",
    type=click.Choice([one.replace("_", "-") for one in MemoryMode]),
    default="remembers",
    show_default=True,
    help="What the conversation may do with memory.",
)
@click.option("--not-this", "aside", is_flag=True, help="Nothing that is said is remembered.")
@common
@click.pass_context
def chat(
    context: click.Context,
    once: str | None,
    files: tuple[Path, ...],
    *,
    typed: bool,
    without: bool,
    mode: str,
    aside: bool,
) -> None:
    """Chat in the terminal.

    Each line of standard input is a message, to the end of input. What there is to remember is
    remembered before this ends; --once leaves what takes a language model long to the next
    time. A file that is attached (text, PDF, Word) goes with the first message, later questions
    are answered from it too, and nothing is learnt from it. What comes through a pipe may be
    anybody's words, so nothing is learnt from that without --typed. With --json, each answer is
    one line of JSON.

    A temporary conversation is deleted when this ends. At a terminal, /not-this before a message
    has it answered, and neither learnt from nor recalled elsewhere.
    """
    from app.cli.talk import Talk

    asked = context.find_object(CommandContext)
    assert asked is not None
    with asked.open() as services:
        services.reranker.prepare()
        attached = [run(services.documents.reading(file)) for file in files]
        chosen = MemoryMode(mode.replace("-", "_"))
        talk = Talk(
            services,
            asked,
            typed=typed,
            without=without,
            attached=attached,
            mode=chosen,
            aside=aside,
        )
        try:
            whole = talk.listen() if once is None else talk.say_once(once)
        finally:
            talk.leave()
    context.exit(0 if whole else 1)


@click.command()
@click.argument("text", nargs=-1, required=True, type=WORDS)
@asking
def remember(asked: CommandContext, text: tuple[str, ...]) -> None:
    """Remember TEXT."""
    with asked.open() as services:
        changes = services.memories.add(" ".join(text))
        finish_pending(services, moment=MOMENT_SECONDS)
        found = [services.memories.detail(i).memory for i in sorted(changes.memories)]
    held = [m for m in found if m.status is not Status.SUPERSEDED]
    lines = []
    for memory in held:
        was = "; ".join(old.text for old in found if old.superseded_by == memory.id)
        told = receipt_text(became(memory, was, written=bool(changes.batches)))
        lines.append(on_one_line(words.plain(told)))
    beside = [one for one in sorted(changes.said) if not any(one in line for line in lines)]
    asked.show([memories.memory(m) for m in held], [*lines, *beside])


@click.command()
@click.argument("query", nargs=-1, required=True, type=WORDS)
@click.option("-k", "limit", type=click.IntRange(1, 1000), metavar="N", help="At most N hits.")
@click.option("--explain", is_flag=True, help="Show how each hit came about, and what was dropped.")
@asking
def recall(asked: CommandContext, query: tuple[str, ...], limit: int | None, explain: bool) -> None:
    """Show what is remembered about QUERY, best first.

    Only what is relevant enough to help an answer is shown; that may be nothing. With --explain,
    the ranks in each lane, every factor of the score, what was dropped and why, and the time of
    each step are shown as well.
    """
    text = " ".join(query)
    with asked.open() as services:
        services.runtime.warm()  # it loads while what finds is imported
        services.reranker.prepare()
        found = services.memories.recall(text, limit)
    for sentence in found.degraded:
        say(sentence, err=True)
    if explain:
        asked.show(recalls.recall(text, found), explanation.as_lines(found, text))
        return
    lines = [explanation.listed(hit) for hit in found.hits]
    asked.show([recalls.hit(h) for h in found.hits], lines or ["Nothing relevant is remembered."])


COMMANDS = (chat, remember, recall)
