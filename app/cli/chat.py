"""Talk in the terminal, and the two halves of it: ``remember`` and ``recall``."""

import sys
from threading import Event

import click

from app.cli.program import Asked, common, run
from app.domain.conversation import MessageState, Part, PartOrigin
from app.domain.events import Answered, Notice, Token
from app.domain.recall import Hit
from app.errors import AppError
from app.jobs.operation import drive
from app.services.services import Services


@click.command()
@click.option("--once", metavar="TEXT", help="Say one thing, print the answer, and end.")
@common
@click.pass_obj
def chat(asked: Asked, once: str | None) -> None:
    """Chat in the terminal; each line of standard input is a message."""
    with asked.open() as services:
        try:
            if once is not None:
                _say(services, asked, None, once)
            else:
                _converse(services, asked)
        finally:
            run(services.background.run(), quiet=True)


def _converse(services: Services, asked: Asked) -> None:
    conversation_id = None
    tty = sys.stdin.isatty()
    if tty:
        click.echo("Write a message and press Enter. An empty line or Ctrl+D ends.", err=True)
    while True:
        if tty:
            click.echo("> ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line or (tty and not line.strip()):
            return
        if line.strip():
            try:
                conversation_id = _say(services, asked, conversation_id, line.rstrip("\r\n"))
            except AppError as error:
                if not tty:
                    raise
                click.echo(str(error), err=True)


def _say(services: Services, asked: Asked, conversation_id: str | None, text: str) -> str:
    printed, answer = False, None

    def hear(event: object) -> None:
        nonlocal printed, answer
        if isinstance(event, Token) and not asked.as_json:
            printed = True
            click.echo(event.text, nl=False)
        elif isinstance(event, Notice):
            click.echo(event.text, err=True)
        elif isinstance(event, Answered):
            answer = event

    stop = Event()
    parts = [Part(text, PartOrigin.TYPED)]
    changes = drive(services.chat.send(conversation_id, parts, stop), stop, hear)
    if printed:
        click.echo()
    (said,) = changes.conversations
    if answer is not None and asked.as_json:
        asked.show({"conversation": said, "answer": answer.message.text}, ())
    if answer is not None and answer.message.state is not MessageState.COMPLETE:
        click.echo(answer.message.error, err=True)
    return str(said)


@click.command()
@click.argument("text")
@common
@click.pass_obj
def remember(asked: Asked, text: str) -> None:
    """Remember TEXT, as it stands."""
    with asked.open() as services:
        changes = services.memories.add(text)
        run(services.background.run(), quiet=True)
        found = [services.memories.detail(i).memory for i in sorted(changes.memories)]
        asked.show(
            [{"id": m.id, "text": m.text} for m in found], [f"Remembered: {m.text}" for m in found]
        )


@click.command()
@click.argument("query")
@click.option("-k", "limit", type=click.IntRange(1, 1000), help="At most so many hits.")
@common
@click.pass_obj
def recall(asked: Asked, query: str, limit: int | None) -> None:
    """Show what would be recalled for QUERY, best first."""
    with asked.open() as services:
        found = services.memories.recall(query, limit)
    for sentence in found.degraded:
        click.echo(sentence, err=True)
    lines = [f"{h.score:.3f}  {h.at:%Y-%m-%d}  {h.text}" for h in found.hits]
    asked.show([_plain(h) for h in found.hits], lines or ["Nothing relevant is remembered."])


def _plain(hit: Hit) -> dict[str, object]:
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
