"""What every command shares: where the data is, whose profile, and how results are printed."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Timer
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from app.cli.output import as_json, ask, ask_whether, say
from app.cli.text import WORDS
from app.domain.ids import Clock
from app.domain.jobs.kinds import BACKUP, JUDGE, LEARN_MORE, SUMMARISE
from app.domain.jobs.operation import Operation, drive
from app.domain.language.text import shown
from app.domain.profile import Profile, SlotKind
from app.errors import AppError, Cancelled, Refused, VaultClosed

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService
    from app.services.services import Services
    from app.store.store import Store

F = TypeVar("F", bound=Callable[..., Any])

PASSPHRASE = "LOCI_PASSPHRASE"
RECOVERY_CODE = "LOCI_RECOVERY_CODE"

MOMENT_SECONDS = 1.0
BACKUP_SECONDS = 30.0
INDEXING = ("index", "words")  # may take hours where a lot was brought in
ASKING = (LEARN_MORE, SUMMARISE, JUDGE)

NOT_BACKED_UP = "The daily backup: {} `loci profiles backup` makes one now."
KEY_FILE_NOTICE = (
    "There is no system keyring here, so the key of this new profile lies in a file beside its "
    "vault: whoever can read that folder can open it. `loci profiles passphrase` protects it."
)


class CommandProgram(Protocol):
    """What the composition root offers to the command line."""

    def which(self, data_dir: Path | None, profile: str | None) -> Profile | None:
        """Return the profile that ``open`` would open, or None where it would make the first."""

    def open(
        self,
        data_dir: Path | None,
        profile: str | None,
        passphrase: str | None = None,
        recovery: str | None = None,
    ) -> "AbstractContextManager[Services]":
        """Open a profile (the last one used, where none is named) and close it afterwards."""

    def temporary(self, clock: Clock) -> "AbstractContextManager[tuple[Services, Store]]":
        """Open a fresh profile in a temporary folder that is removed afterwards."""

    def measure_window(self) -> dict[str, Any]:
        """Time the window on a scripted tour."""

    def tour_window(self, data_dir: Path | None) -> dict[str, Any]:
        """Take the tour in this process."""

    def selftest(self, say: Callable[[str], None]) -> None:
        """Try everything that matters once, saying what works; fail with a sentence."""

    def reopen(self) -> "AbstractContextManager[Services]":
        """Open what a command had open once more, for what comes after it; ask and say nothing."""

    def profiles(self, data_dir: Path | None) -> "ProfilesService":
        """Return the service that lists and makes profiles."""

    def window(self, data_dir: Path | None, profile: str | None) -> int:
        """Open the window and return the exit code when it closes."""


class Ordered(click.Group):
    """A group that lists its commands in the order in which a person meets them."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)


@dataclass
class CommandContext:
    """The options a person gave before or after the command."""

    program: CommandProgram
    data_dir: Path | None = None
    profile: str | None = None
    as_json: bool = False
    owes_backup: bool = False

    @contextmanager
    def open(self) -> "Iterator[Services]":
        """Open the profile that was asked for; see afterwards whether it is owed a backup."""
        known = self.program.which(self.data_dir, self.profile)
        passphrase = passphrase_of(known)
        recovery = os.environ.get(RECOVERY_CODE) or None
        with self.program.open(self.data_dir, self.profile, passphrase, recovery) as services:
            if known is None:
                tell_of_key_file(services.profile)
            yield services
            with suppress(VaultClosed):  # it was erased
                self.owes_backup = services.upkeep.owes(BACKUP)

    def back_up(self) -> None:
        """Make the backup of the day, if one is owed; say only what went wrong."""
        if not self.owes_backup:
            return
        self.owes_backup, stop = False, Event()
        try:
            with (
                self.program.reopen() as services,
                stoppable(stop),
                _leaving(stop, BACKUP_SECONDS),
            ):
                told = drive(services.upkeep.catch_up(BACKUP, stop), stop)
        except (Cancelled, TimeoutError):
            told = "It took too long or was stopped, and is due again tomorrow."
        except AppError as error:
            told = str(error)
        if told:
            say(NOT_BACKED_UP.format(told), err=True)

    def hint(self) -> str:
        """Return how a profile that stayed locked can be opened from a script."""
        known = self.program.which(self.data_dir, self.profile)
        ways = {SlotKind.PASSPHRASE: PASSPHRASE, SlotKind.RECOVERY: RECOVERY_CODE}
        names = [name for kind, name in ways.items() if known is not None and kind in known.slots]
        return f" Commands read it from {' or '.join(names)}." if names else ""

    def show(self, data: Any, lines: Iterable[str]) -> None:
        """Print a result: as JSON when asked to, else as text."""
        if self.as_json:
            say(as_json(data, indent=2))
        else:
            for line in lines:
                say(line)


def passphrase_of(profile: Profile | None) -> str | None:
    """Return the passphrase for a profile: from the environment, else by asking the person."""
    if given := os.environ.get(PASSPHRASE):
        return given
    if profile is None or os.environ.get(RECOVERY_CODE) or not sys.stdin.isatty():
        return None
    if not set(profile.slots) <= {SlotKind.PASSPHRASE, SlotKind.RECOVERY} or not profile.slots:
        return None
    return ask(f"Passphrase of {profile.name}", secret=True)


def tell_of_key_file(made: Profile) -> None:
    """Tell the person where a new profile's key lies when it is not in a safe place."""
    if SlotKind.KEY_FILE in made.slots:
        say(KEY_FILE_NOTICE, err=True)


def common(command: F) -> F:
    """Add the options that every command takes, before or after its name."""

    def remember(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        if value not in (None, False):
            setattr(context.find_object(CommandContext), str(parameter.name), value)

    for option in (
        click.option(
            "--data-dir",
            type=click.Path(file_okay=False, path_type=Path),
            metavar="DIR",
            help="Where everything is kept (else LOCI_HOME, else the system's place).",
            callback=remember,
            expose_value=False,
        ),
        click.option(
            "--profile",
            type=WORDS,
            metavar="NAME",
            help="Whose vault to use (else the one used last).",
            callback=remember,
            expose_value=False,
        ),
        click.option(
            "--json",
            "as_json",
            is_flag=True,
            help="Print the result as JSON.",
            callback=remember,
            expose_value=False,
        ),
    ):
        command = option(command)
    return command


def asking(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that every command takes, and hand it what they say."""
    return common(click.pass_obj(command))


@contextmanager
def stoppable(stop: Event) -> Iterator[Event]:
    """Let Ctrl+C set ``stop`` while the block runs; a second one breaks off at once."""

    def hear(_number: int, _frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    ignored = signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None)
    if ignored or threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, hear)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def run(operation: Operation, stop: Event | None = None) -> Any:
    """Run long work, saying on a terminal how far it is; the work itself may listen to ``stop``.

    Raises:
        Cancelled: The person pressed Ctrl+C.
    """
    last = ""

    def tell(event: Any) -> None:
        nonlocal last
        label = getattr(event, "label", "")
        if label and label != last and sys.stderr.isatty():
            last = label
            say(f"{label}…", err=True)

    with stoppable(stop or Event()) as stopped:
        return drive(operation, stopped, tell)


def finish_pending(
    services: "Services",
    stop: Event | None = None,
    *,
    moment: float | None = None,
) -> bool:
    """Let remembering and indexing that were begun end; return whether all of it was done.

    What asks the learning model is left to whoever talks next, since that may take minutes.
    Indexing is left to others after ``moment`` seconds; None for never.

    Raises:
        Cancelled: The person pressed Ctrl+C.
    """
    background = services.background
    background.take_over()
    left = ASKING if moment is None else (*ASKING, *INDEXING)
    with stoppable(stop or Event()) as stopped:
        drive(background.run(stopped, without=left), stopped)
        return moment is None or _index(services, stopped, moment)


def learn_more(services: "Services", stop: Event, seconds: float | None = None) -> None:
    """Let the learning model be asked what else messages say, for so many seconds at most.

    Raises:
        Cancelled: The person pressed Ctrl+C.
        TimeoutError: It was left to others.
    """
    with stoppable(stop), _leaving(stop, seconds):
        drive(services.background.run(stop, without=INDEXING), stop)


@contextmanager
def _leaving(stop: Event, seconds: float | None) -> Iterator[None]:
    """Set ``stop`` where the block takes longer; what waits for a model then breaks off.

    Raises:
        TimeoutError: The block took longer.
    """
    if seconds is None:
        yield
        return
    late = Event()

    def leave() -> None:
        late.set()
        stop.set()

    timer = Timer(seconds, leave)
    timer.daemon = True
    timer.start()
    try:
        yield
    except Cancelled:
        if not late.is_set():
            raise
    finally:
        timer.cancel()
    if late.is_set():
        raise TimeoutError


def _index(services: "Services", stop: Event, seconds: float) -> bool:
    """Index for so many seconds; return whether nothing is left to do."""
    if stop.is_set():  # pressed while nothing was being done
        raise Cancelled("Stopped.")
    if seconds <= 0:
        return False
    enough, end = Event(), time.monotonic() + seconds

    def look(_event: object) -> None:
        if stop.is_set() or time.monotonic() >= end:
            enough.set()

    with suppress(Cancelled):
        drive(services.background.run(enough, without=ASKING), enough, look)
    if stop.is_set():
        raise Cancelled("Stopped.")
    return not enough.is_set()


def confirm(question: str) -> None:
    """Ask, and go on only after a yes.

    Raises:
        Refused: The answer was no, or nobody is there to answer.
    """
    try:
        sure = ask_whether(question)
    except click.Abort:
        say(err=True)
        raise Refused("Nothing was changed. Where nobody can answer, give --yes.") from None
    if not sure:
        raise Refused("Nothing was changed.")


def confirm_name(name: str, yes: bool) -> None:
    """Ask for the name of the profile that is about to go, unless told not to.

    Raises:
        Refused: Another name was typed, or nobody is there to answer.
    """
    if yes:
        return
    try:
        typed = ask(f"This cannot be undone. Type {name} to erase it")
    except click.Abort:
        say(err=True)
        raise Refused("Nothing was erased. Where nobody can answer, give --yes.") from None
    if shown(typed.strip()) != shown(name):
        raise Refused(f"That is not {name}. Nothing was erased.")
