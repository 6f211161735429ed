"""What concerns all data at once: ``import``, ``export``, ``erase`` and ``doctor``."""

import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app import __version__
from app.cli.erasing import show_proof, tell_inventory
from app.cli.output import say
from app.cli.program import (
    CommandContext,
    asking,
    common,
    confirm,
    confirm_name,
    finish_pending,
    run,
)
from app.cli.text import FILE
from app.domain.erasure import Proof
from app.domain.language.text import counted
from app.domain.model import ModelPlace
from app.errors import AppError, NotFound, VaultCorrupt, VaultLocked, VaultTooNew
from app.serialisers import doctor as plain
from app.serialisers import transfer

if TYPE_CHECKING:
    from app.services.services import Services

RESTRICTED = "Processing is restricted. `loci restrict off` lifts that."
NOT_RESTRICTED = "Processing is not restricted."
UNHEALTHY = "Something is wrong with this profile."


@click.command("import")
@click.argument("file", type=FILE)
@click.option("--own", is_flag=True, help="It is your own, from another of your profiles.")
@asking
def import_(asked: CommandContext, file: Path, *, own: bool) -> None:
    """Bring in FILE, an export of Loci.

    An unchanged export of the same profile gives the same data back. Anything else comes in marked
    as claimed by an import and is trusted less than what you said, until "memories trust" raises
    it. With --own, pins, instructions and trust stay as they were: say so only of what you exported
    yourself.
    """
    with asked.open() as services:
        report = run(services.transfer.import_file(file, own=own))
        finish_pending(services)
    asked.show(transfer.transfer(report), report.sentences())


@click.command()
@click.argument("file", type=FILE)
@click.option("--yes", is_flag=True, help="Replace whatever file is there.")
@asking
def export(asked: CommandContext, file: Path, *, yes: bool) -> None:
    """Write everything into FILE, a ZIP that can be read without Loci.

    The file is not encrypted: whoever can open it can read all of it.
    """
    with asked.open() as services:
        if services.transfer.would_replace(file) and not yes:
            confirm(f"{file} is there already and is not a Loci export. Replace it?")
        report = run(services.transfer.export(file))
    asked.show(transfer.transfer(report), report.sentences())


@click.command()
@click.argument("state", type=click.Choice(["on", "off"]), required=False)
@asking
def restrict(asked: CommandContext, state: str | None) -> None:
    """Restrict processing, lift that with "off", or say how it stands.

    What is remembered is kept and can still be seen, corrected, exported and erased, but nothing is
    recalled, put into a prompt, learnt or tidied, and no message is answered, until it is lifted.
    """
    with asked.open() as services:
        if state == "on":
            services.restriction.restrict()
        elif state == "off":
            services.restriction.lift()
            finish_pending(services)
        restricted = services.restriction.is_on
    asked.show(transfer.restriction(restricted), [RESTRICTED if restricted else NOT_RESTRICTED])


@click.command()
@click.option("--all", "everything", is_flag=True, required=True, help="The whole profile.")
@click.option("--yes", is_flag=True, help="Do not ask for the profile's name.")
@asking
def erase(asked: CommandContext, everything: bool, yes: bool) -> None:
    """Erase the profile for good: its vault, key and backups.

    What there is to erase is listed first. A profile that cannot be opened any more can be erased
    too.
    """
    assert everything
    known = asked.program.which(asked.data_dir, asked.profile)
    if known is None:
        raise NotFound("There is no profile yet, so there is nothing to erase.")
    try:
        with asked.open() as services:
            tell_inventory(services.erasure.of_everything())
            confirm_name(known.name, yes)
            proof = run(services.erasure.erase_everything(known.name))
    except (VaultLocked, VaultCorrupt, VaultTooNew) as error:
        say(f"{error} It can still be erased.", err=True)
        confirm_name(known.name, yes)
        gone = asked.program.profiles(asked.data_dir).delete(known.slug, known.name)
        proof = Proof(tuple(gone))
    show_proof(asked, proof)


@click.command()
@click.option("--thorough", is_flag=True, help="Check every index too; takes longer.")
@click.option("--rebuild", is_flag=True, help="First rebuild the word indexes.")
@click.option(
    "--accept",
    is_flag=True,
    help="First accept what was changed outside Loci or is missing, and set damaged work right.",
)
@common
@click.pass_context
def doctor(context: click.Context, thorough: bool, rebuild: bool, accept: bool) -> None:
    """Say how the vault and the models are.

    Exits with 1 where something is wrong.
    """
    asked = context.find_object(CommandContext)
    assert asked is not None
    try:
        with asked.open() as services:
            if rebuild:
                services.queue.enqueue_word_rebuild()
                run(services.background.run())
            if accept:
                services.tampering.accept()
                services.failed_jobs.set_right()
            report = _examined(services, thorough)
    except AppError as error:
        unopened = plain.unopened(
            __version__, sys.version.split()[0], platform.platform(), str(error)
        )
        asked.show(unopened, [f"Loci {__version__}", f"Vault: {error}"])
        raise
    asked.show(report, _findings(report))
    if not report["ok"]:
        say(UNHEALTHY, err=True)
        context.exit(1)


def _examined(services: "Services", thorough: bool) -> dict[str, Any]:
    services.runtime.warm()  # it loads while everything else is examined
    found = [*services.library.chat_choices(), *services.library.embed_choices()]
    places = (ModelPlace.BUNDLED, ModelPlace.FILE)
    return plain.doctor(
        services.doctor.report(thorough=thorough),
        ways=services.access.slots(),
        embedder=services.preferences.values().models.embedder,
        models=[model for model in found if model.place in places],
    )


def _findings(report: dict[str, Any]) -> Iterator[str]:
    versions, file, embedder = report["versions"], report["file"], report["embedder"]
    yield f"Loci {report['loci']}, Python {report['python']}, {report['platform']}"
    yield "  " + ", ".join(f"{name} {number}" for name, number in versions.items())
    yield f"Vault: {file['path']}"
    yield f"  {_megabytes(file['bytes'])}, log {_megabytes(file['wal_bytes'])}; opened by " + (
        " or ".join(str(slot).replace("_", " ") for slot in report["slots"]) or "nothing"
    )
    yield f"  {file['free_bytes'] / 1e9:,.1f} GB free on this disk"
    found = [f"{check}: {line}" for check, lines in report["problems"].items() for line in lines]
    yield from (f"  PROBLEM {line}" for line in found) if found else ["  no problem found"]
    yield from (f"  {line}" for line in (*report["advice"], *report["temporary_files"]["away"]))
    for table, drift in report["drift"].items():
        rows = drift["rows"]
        lacking = [f", {n:,} {name.replace('_', ' ')}" for name, n in drift.items() if n]
        yield f"  {rows:,} {table}" + "".join(lacking[1:])
    if report["processing_restricted"]:
        yield RESTRICTED
    yield f"Answers: {report['chat_model']}"
    if problem := embedder.get("problem"):
        yield f"Finds by meaning: {report['embedder_chosen']}: {problem}"
    else:
        waiting = f"{embedder['missing']:,} of {counted(embedder['rows'], 'row')} not embedded yet"
        yield f"Finds by meaning: {embedder['id']}; {waiting}"
    for model in report["models"]:
        problem = f": {model['problem']}" if model["problem"] else ""
        yield f"  model {model['id']}{problem}"
    jobs = {state: number for state, number in report["jobs"].items() if number}
    yield "Jobs: " + (", ".join(f"{number:,} {state}" for state, number in jobs.items()) or "none")


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


COMMANDS = (import_, export, restrict, erase, doctor)
