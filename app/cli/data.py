"""What concerns all data at once: ``import``, ``export``, ``erase`` and ``doctor``."""

import json
from pathlib import Path

import click

from app.cli.memories import show_proof
from app.cli.program import Asked, common, run

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("import")
@click.argument("file", type=FILE)
@common
@click.pass_obj
def import_(asked: Asked, file: Path) -> None:
    """Bring in what an export of Loci holds."""
    with asked.open() as services:
        report = run(services.transfer.import_file(file))
        run(services.background.run(), quiet=True)
    asked.show(report.as_dict(), report.sentences())


@click.command()
@click.argument("file", type=FILE)
@common
@click.pass_obj
def export(asked: Asked, file: Path) -> None:
    """Write everything into FILE, a ZIP that can be read without Loci."""
    with asked.open() as services:
        report = run(services.transfer.export(file))
    asked.show(report.as_dict(), report.sentences())


@click.command()
@click.option("--all", "everything", is_flag=True, required=True, help="The whole profile.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
@click.pass_obj
def erase(asked: Asked, everything: bool, yes: bool) -> None:
    """Erase the profile: its vault, key, backups and logs."""
    assert everything
    with asked.open() as services:
        inventory = services.erasure.of_everything()
        for copy in inventory.copies:
            click.echo(f"erases  {copy.label}", err=True)
        name = services.profile.name
        if not yes and click.prompt(f"Type {name} to erase it", err=True) != name:
            raise click.Abort
        proof = run(services.erasure.erase_everything(name))
    show_proof(asked, proof)


@click.command()
@common
@click.pass_obj
def doctor(asked: Asked) -> None:
    """Say how the vault and the models are."""
    with asked.open() as services:
        report = services.doctor.report()
    lines = [f"{k}: {v if isinstance(v, str) else json.dumps(v)}" for k, v in report.items()]
    asked.show(report, lines)


COMMANDS = (import_, export, erase, doctor)
