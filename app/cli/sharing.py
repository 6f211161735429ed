"""``loci models share``, and the question that a terminal is asked before anything leaves."""

from typing import TYPE_CHECKING

import click

from app.cli.output import ask, say
from app.cli.program import CommandContext, asking
from app.cli.text import WORDS, on_one_line
from app.domain.language.text import shown
from app.domain.memory import MemoryType
from app.domain.sharing.rule import CAREFUL, Shared, SharingRule
from app.errors import Refused, Unshared
from app.serialisers import sharing as plain

if TYPE_CHECKING:
    from threading import Event

    from app.services.services import Services

HOW = "`loci models share {} --memories all --stand-ins` lets it go."
NONE = "Nothing leaves this computer: no model on a server is in use."
WOULD = "{} is not on this computer. This would be sent:"
QUESTION = (
    "What may go there, now and later?\n"
    "  1  all memories, with stand-ins for names and numbers (as above)\n"
    "  2  all memories, as they are\n"
    "  3  no memories, with stand-ins for names and numbers\n"
    "  4  no memories; what is said, as it is\n"
    "  0  nothing\n"
    "Which?"
)
ANSWERS = {
    "1": CAREFUL,
    "2": SharingRule(),
    "3": SharingRule(Shared.NONE, stand_ins=True),
    "4": SharingRule(Shared.NONE),
}
ALONE = "An address goes with what may go there: --memories, --stand-ins or --ask-again."


@click.command("share")
@click.argument("address", required=False, type=WORDS)
@click.option(
    "--memories", type=click.Choice([*map(str, Shared)]), help="Which may go: all, some or none."
)
@click.option(
    "--type",
    "types",
    multiple=True,
    type=click.Choice([*map(str, MemoryType)]),
    help="One of the types.",
)
@click.option("--tag", "tags", multiple=True, type=WORDS, metavar="TAG", help="One of the tags.")
@click.option(
    "--stand-ins", is_flag=True, help="Replace names and numbers, and put them back in answers."
)
@click.option("--ask-again", is_flag=True, help="Send nothing before you were asked again.")
@asking
def share(
    asked: CommandContext,
    address: str | None,
    memories: str | None,
    types: tuple[str, ...],
    tags: tuple[str, ...],
    *,
    stand_ins: bool,
    ask_again: bool,
) -> None:
    """Say what may go to the server at ADDRESS, or list what may go where."""
    with asked.open() as services:
        sharing = services.sharing
        named = memories is not None or types or tags or stand_ins
        if address is None and (named or ask_again):
            raise Refused(ALONE)
        if address is not None and ask_again:
            sharing.ask_again(address)
        elif address is not None and named:
            some = Shared.SOME if types or tags else Shared.ALL
            rule = SharingRule(
                Shared(memories) if memories else some,
                frozenset(map(MemoryType, types)),
                frozenset(tags),
                stand_ins,
            )
            sharing.share(address, rule)
        elif address is not None:
            raise Refused(ALONE)
        found = sharing.connections()
    lines = [f"{one.address}  {on_one_line(one.words)}" for one in found]
    asked.show([plain.connection(one) for one in found], lines or [NONE])


def may_be_sent(services: "Services", error: Unshared, message_id: str, stop: "Event") -> bool:
    """Show at a terminal what would go, and ask; return whether it may."""
    turns = services.chat.preview(message_id, CAREFUL, stop)
    say(WOULD.format(error.address), err=True)
    for role, text in turns:
        say(f"{role}:", err=True)
        say("\n".join(f"    {line}" for line in shown(text).splitlines()), err=True)
    rule = ANSWERS.get(ask(QUESTION).strip())
    if rule is None:
        return False
    services.sharing.share(error.address, rule)
    return True
