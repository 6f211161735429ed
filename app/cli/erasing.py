"""List what an erasure concerns, with numbers to choose by, and print its proof."""

from collections.abc import Iterable, Sequence
from typing import Any

import click

from app.cli.output import say
from app.cli.program import CommandContext
from app.cli.text import on_one_line
from app.domain.erasure import Copy, Inventory, Proof
from app.domain.language.text import counted
from app.serialisers import erasure as plain


def chosen(inventory: Inventory, keep: Iterable[str], also: Iterable[str]) -> frozenset[str]:
    """Return the keys of what goes; what is kept or goes too is named by number or key.

    Raises:
        click.UsageError: There is no such place, or it cannot be chosen.
    """
    kept = {_copy(inventory.copies, one).key for one in keep}
    more = {_copy(inventory.copies, one).key for one in also}
    ticked = {copy.key for copy in inventory.copies if copy.ticked and not copy.follows}
    going = (ticked | more) - kept
    return frozenset(going | {copy.key for copy in inventory.copies if copy.follows & going})


def _copy(copies: Sequence[Copy], named: str) -> Copy:
    found = [c for n, c in enumerate(copies, start=1) if named in (str(n), c.key)]
    if not found:
        raise click.UsageError(f"No place has the number {named}.")
    if found[0].required or found[0].follows or found[0].fixed or found[0].kind == "export":
        raise click.UsageError(f"Place {named} cannot be chosen by itself.")
    return found[0]


def tell_inventory(inventory: Inventory, going: frozenset[str] | None = None) -> None:
    """Say, on standard error, what an erasure removes; where None, what is ticked."""
    for number, copy in enumerate(inventory.copies, start=1):
        goes = copy.required or (copy.ticked if going is None else copy.key in going)
        what = "erases" if goes else "keeps "
        say(f"{number:>3} {what}  {on_one_line(copy.line)}", err=True)


def listed(inventory: Inventory, going: frozenset[str]) -> list[dict[str, Any]]:
    """Return an inventory as plain data."""
    return [
        plain.place(number, copy, erases=copy.required or copy.key in going)
        for number, copy in enumerate(inventory.copies, start=1)
    ]


def show_proof(asked: CommandContext, proof: Proof) -> None:
    """Print what an erasure removed, what it left and why, and what the scan found."""
    found = f"{counted(proof.found_before, 'copy')} before, {proof.found_after:,} after"
    scan = [f"Scanned {proof.scanned_bytes:,} bytes: {found}."] if proof.scanned_bytes else []
    gone = [f"gone    {on_one_line(line)}" for line in proof.removed]
    left = [f"left    {on_one_line(line)}" for line in proof.left]
    owed = [proof.owed] if proof.owed else []
    asked.show(plain.proof(proof), [*gone, *owed, *left, *scan, *proof.remaining])
