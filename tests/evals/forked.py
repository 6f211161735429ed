"""The command line in forked processes, which may end at any moment as ``kill -9`` would end it.

Everything is imported once, so that a start takes little more than opening the vault. A process
ends itself at its n-th event (a file is opened, renamed, removed, locked or flushed, a transaction
begins, is about to be kept or was kept), or after a time, which may be in the middle of any of
these.
"""

import io
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from app.cli.main import run
from app.domain.ids import utc_now
from app.errors import AppError
from app.main import build  # noqa: F401 - read before any process is forked
from app.main.program import Program
from app.services.services import Services
from app.store.vault.file import Vault

Act = Callable[[Services], Any]

_EVENTS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "fcntl.flock")


@dataclass(frozen=True)
class Done:
    """What a command came to.

    Attributes:
        code: Its exit code; None where it was killed.
        events: How many events there were.
        session: The session that it and whatever it started belong to.
    """

    code: int | None
    out: str
    err: str
    events: int = 0
    session: int = 0

    @property
    def made_a_mistake(self) -> bool:
        """Whether a person was shown a bug."""
        return "Traceback" in self.err or "Loci made a mistake" in self.err


def loci(
    *arguments: str,
    home: Path,
    act: Act | None = None,
    say: str = "",
    kill_at: int = 0,
    kill_after: float = 0.0,
    later: timedelta = timedelta(),
    env: Mapping[str, str] | None = None,
) -> Done:
    """Run a command in a process of its own.

    Args:
        arguments: The command.
        home: The data directory.
        act: What the window would do with the services of the open profile, in place of a command;
            what it returns is printed as JSON.
        say: What is typed.
        kill_at: At which event it is killed; 0 for none.
        kill_after: After how many seconds it is killed; 0 for never.
        later: How far its clock is ahead.
        env: More variables of the environment.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "in").write_text(say)
        child = os.fork()
        if not child:
            code = 70
            os.setsid()  # what it starts is known by that, whatever it is told of the environment
            try:
                _talk_through(folder)
                os.environ.update({"LOCI_HOME": str(home), **(env or {})})
                tempfile.tempdir = None  # it may be elsewhere in that environment
                work = partial(_acted, act) if act else partial(run, arguments=list(arguments))
                code = _live(work, folder, kill_at, kill_after, later)
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        texts = [(folder / name).read_text(errors="replace") for name in ("out", "err")]
        told = folder / "events"
        events = int(told.read_text()) if told.exists() else 0
    return Done(None if code < 0 else code, *texts, events, child)


def _talk_through(folder: Path) -> None:
    for number, name in enumerate(("in", "out", "err")):
        flags = os.O_RDONLY if name == "in" else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(folder / name, flags, 0o600), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), "utf-8")
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", write_through=True)


def _live(
    work: Callable[[Program], int], folder: Path, kill_at: int, kill_after: float, later: timedelta
) -> int:
    numbers, seen = count(1), 0

    def meet(*_about: Any) -> None:
        nonlocal seen
        seen = next(numbers)
        if seen == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    _count_events(meet)
    if kill_after:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, kill_after)
    code = work(Program(lambda: utc_now() + later))
    kill_at = 0
    (folder / "seen").write_text(str(seen))
    (folder / "seen").rename(folder / "events")  # a kill by time may still come
    sys.stdout.flush()
    return code


def _acted(act: Act, program: Program) -> int:
    """Do what the window would do; return an exit code as a command would."""
    try:
        with program.open(None, None) as services:
            told = act(services)
    except AppError as error:
        print(error, file=sys.stderr)
        return 1
    except Exception:
        traceback.print_exc()
        return 70
    print(json.dumps(told))
    return 0


def _count_events(meet: Any) -> None:
    plain_write, plain_sync = Vault.write, os.fsync

    @contextmanager
    def write(vault: Vault) -> Any:
        meet()
        with plain_write(vault) as connection:
            yield connection
            meet()
        meet()

    def fsync(descriptor: int) -> None:
        meet()
        plain_sync(descriptor)

    sys.addaudithook(lambda event, _arguments: meet() if event in _EVENTS else None)
    Vault.write = write  # type: ignore[method-assign]
    os.fsync = fsync
