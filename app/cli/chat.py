"""Talk in the terminal, and the two halves of it: ``remember`` and ``recall``."""

import click

from app.cli.memories import plain
from app.cli.program import Asked, common, finish_pending
from app.cli.talk import Talk
from app.cli.text import WORDS, day, on_one_line
from app.domain.recall import Hit


@click.command()
@click.option("--once", metavar="TEXT", type=WORDS, help="Say one thing, print the answer, end.")
@common
@click.pass_context
def chat(context: click.Context, once: str | None) -> None:
    """Chat in the terminal.

    Each line of standard input is a message, to the end of input. What there is to remember is
    remembered before this ends. With --json, each answer is one line of JSON.
    """
    asked = context.find_object(Asked)
    assert asked is not None
    with asked.open() as services:
        services.library.prepare()
        talk = Talk(services, asked)
        whole = talk.listen() if once is None else talk.say_once(once)
    context.exit(0 if whole else 1)


@click.command()
@click.argument("text", nargs=-1, required=True, type=WORDS)
@common
@click.pass_obj
def remember(asked: Asked, text: tuple[str, ...]) -> None:
    """Remember TEXT."""
    with asked.open() as services:
        changes = services.memories.add(" ".join(text))
        finish_pending(services)
        found = [services.memories.detail(i).memory for i in sorted(changes.memories)]
    asked.show([plain(m) for m in found], [f"Remembered: {on_one_line(m.text)}" for m in found])


@click.command()
@click.argument("query", nargs=-1, required=True, type=WORDS)
@click.option("-k", "limit", type=click.IntRange(1, 1000), metavar="N", help="At most N hits.")
@common
@click.pass_obj
def recall(asked: Asked, query: tuple[str, ...], limit: int | None) -> None:
    """Show what is remembered about QUERY, best first.

    Only what is relevant enough to help an answer is shown; that may be nothing.
    """
    with asked.open() as services:
        services.library.prepare()
        found = services.memories.recall(" ".join(query), limit)
    for sentence in found.degraded:
        click.echo(sentence, err=True)
    lines = [f"{h.score:.3f}  {day(h.at)}  {h.kind:7}  {on_one_line(h.text)}" for h in found.hits]
    asked.show([_hit(h) for h in found.hits], lines or ["Nothing relevant is remembered."])


def _hit(hit: Hit) -> dict[str, object]:
    return {
        "id": hit.id,
        "kind": hit.kind,
        "text": hit.text,
        "score": round(hit.score, 6),
        "at": hit.at.isoformat(),
        "trust": hit.trust,
        "reasons": list(hit.reasons),
    }


COMMANDS = (chat, remember, recall)
