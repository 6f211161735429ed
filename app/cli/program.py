"""What every command shares: where the data is, whose profile, and how results are printed."""

import json
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, Protocol, TypeVar

import click

from app.domain.ids import Clock
from app.errors import AppError
from app.jobs.operation import Operation, drive
from app.services.profiles import ProfilesService
from app.services.services import Services
from app.store.vault import Vault

F = TypeVar("F", bound=Callable[..., Any])


class Program(Protocol):
    """What the composition root offers to the command line."""

    def open(self, data_dir: Path | None, profile: str | None) -> AbstractContextManager[Services]:
        """Open a profile (the last one used, where none is named) and close it afterwards."""

    def temporary(self, clock: Clock) -> AbstractContextManager[tuple[Services, Vault]]:
        """Open a fresh profile in a temporary folder that is removed afterwards."""

    def measure_window(self) -> dict[str, Any]:
        """Time the window on a scripted tour."""

    def tour_window(self, data_dir: Path | None) -> dict[str, Any]:
        """Take the tour in this process."""

    def selftest(self, say: Callable[[str], None]) -> None:
        """Try everything that matters once, saying what works; fail with a sentence."""

    def profiles(self, data_dir: Path | None) -> ProfilesService:
        """Return the service that lists and makes profiles."""

    def window(self, data_dir: Path | None, profile: str | None) -> int:
        """Open the window and return the exit code when it closes."""


@dataclass
class Asked:
    """The options a person gave before or after the command."""

    program: Program
    data_dir: Path | None = None
    profile: str | None = None
    as_json: bool = False

    def open(self) -> AbstractContextManager[Services]:
        """Open the profile that was asked for."""
        return self.program.open(self.data_dir, self.profile)

    def show(self, data: Any, lines: Iterable[str]) -> None:
        """Print a result: as JSON when asked to, else as text."""
        if self.as_json:
            click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        else:
            for line in lines:
                click.echo(line)


def common(command: F) -> F:
    """Add the options that every command takes, before or after its name."""

    def remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value not in (None, False):
            setattr(context.find_object(Asked), str(parameter.name), value)

    for option in (
        click.option(
            "--data-dir",
            type=click.Path(file_okay=False, path_type=Path),
            help="Where everything is kept (else LOCI_HOME, else the system's place).",
            callback=remember,
            expose_value=False,
        ),
        click.option(
            "--profile", help="Whose vault to use.", callback=remember, expose_value=False
        ),
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            help="Print results as JSON.",
            callback=remember,
            expose_value=False,
        ),
    ):
        command = option(command)
    return command


def run(operation: Operation, *, quiet: bool = False) -> Any:
    """Run long work, saying on standard error how far it is."""
    last = ""

    def tell(event: Any) -> None:
        nonlocal last
        label = getattr(event, "label", "")
        if label and label != last and not quiet and sys.stderr.isatty():
            last = label
            click.echo(f"{label} …", err=True)

    return drive(operation, Event(), tell)


class SentenceGroup(click.Group):
    """A group whose expected failures are one sentence and exit code 1."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(context)
        except AppError as error:
            click.echo(str(error), err=True)
            context.exit(1)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            context.exit(1)
