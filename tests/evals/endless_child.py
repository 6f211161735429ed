"""One hostile input in a process of its own, which tells what it came to.

Run by ``endless``: ``python -m tests.evals.endless_child NAME FOLDER`` works in the profile under
``FOLDER/home`` and writes its figures to ``FOLDER/told.json``. What is timed begins when the
profile is open; Stop is pressed after ``--stop-after`` seconds of it (Ctrl+C where it is a
command).
"""

import argparse
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, Timer
from typing import TYPE_CHECKING, Any

from app import assets, log
from app.domain.conversation import Part, PartOrigin
from app.domain.ids import utc_now
from app.domain.jobs.operation import Operation, drive
from app.errors import AppError

if TYPE_CHECKING:
    from app.services.services import Services

Begin = Callable[[Event], Operation]
ASKED = "Where do I keep my boat?"
LARGE = 100_000  # memories and messages of the large export
PASTE = 50_000_000
EMBEDDER = "openai:text-embedding-3-small"
COMMANDS = {"chat": ["chat", "--typed"], "terminal": ["chat"]}


def peak(of: int = resource.RUSAGE_SELF) -> float:
    """Return the most memory that this process (or those it waited for) had, in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(of).ru_maxrss * unit / 1e6, 1)


def now() -> float:
    """Return the time, without what this thread's process waited while others had the processor."""
    try:
        waited = int(Path("/proc/self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        waited = 0.0
    return time.monotonic() - waited


def main(arguments: Sequence[str] | None = None) -> None:
    """Meet one hostile input, and write down what it came to."""
    parser = argparse.ArgumentParser(prog="tests.evals.endless_child", description=main.__doc__)
    parser.add_argument("kind")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--url", default="")
    parser.add_argument("--stop-after", type=float, default=60.0)
    asked = parser.parse_args(arguments)
    log.quiet()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    home = asked.folder / "home"
    if asked.kind in MAKES:
        MAKES[asked.kind](home, asked.folder)
        return
    if asked.kind == "window paste":
        told = _pasted()
    elif asked.kind in COMMANDS:
        told = _commanded(home, COMMANDS[asked.kind], asked.stop_after)
    else:
        told = _worked(home, asked)
    told |= {"peak": peak(), "models": peak(resource.RUSAGE_CHILDREN)}
    (asked.folder / "told.json").write_text(json.dumps(told))


# What the window does on a thread of its own, and Stop.


def _worked(home: Path, asked: argparse.Namespace) -> dict[str, Any]:
    from app.main.program import Program

    with Program().open(home, None) as services:
        begin = _begun(services, asked.kind, asked.folder, asked.url)
        stop, pressed = Event(), list[float]()

        def press() -> None:
            pressed.append(now())
            stop.set()

        timer = Timer(asked.stop_after, press)
        timer.daemon = True
        baseline, began = peak(), now()
        timer.start()
        try:
            came = type(drive(begin(stop), stop)).__name__
        except AppError as error:
            came = f"{type(error).__name__}: {error}"
        returned = now()
        timer.cancel()
    return _told(baseline, began, returned, pressed, came)


def _told(
    baseline: float, began: float, returned: float, pressed: Sequence[float], came: str
) -> dict[str, Any]:
    in_time = [at for at in pressed if at < returned]
    return {
        "baseline": baseline,
        "began": began,
        "returned": returned,
        "pressed": in_time[0] if in_time else None,
        "came": came[:160],
    }


def _begun(services: "Services", kind: str, folder: Path, url: str) -> Begin:
    """Return what begins the work of a kind."""
    if kind == "import":
        return lambda _stop: services.transfer.import_file(folder / "in.zip")
    if kind == "chat server":
        services.preferences.set("chat.model", f"server:{url}#fake")
        parts = [Part(ASKED, PartOrigin.TYPED)]
        return lambda stop: services.chat.send(None, parts, stop)
    if kind == "models":
        return _whole(lambda: services.library.server_models(url))
    if kind == "servers":
        from app.providers.remote.servers import find_servers

        return _whole(lambda: find_servers({"Fake": int(url.rpartition(":")[2][:-3])}))
    services.preferences.set("models.embedder_url", url)
    services.preferences.set("models.embedder", EMBEDDER)
    if kind == "recall":
        return _whole(lambda: services.memories.recall(ASKED))
    services.memories.add("I keep bees on the roof of the library.")  # which has no vector yet
    services.queue.enqueue_index()
    return services.background.run


def _whole(work: Callable[[], Any]) -> Begin:
    """Return an operation of one step, as the window makes one of a call."""

    def operation(_stop: Event) -> Operation:
        yield from ()
        return work()

    return operation


# What a terminal or a pipe sends.


def _commanded(home: Path, arguments: list[str], stop_after: float) -> dict[str, Any]:
    from app.cli.main import run
    from app.main.program import Program

    with Program().open(home, None):
        pass
    pressed: list[float] = []

    def press() -> None:
        pressed.append(now())
        os.kill(os.getpid(), signal.SIGINT)

    timer = Timer(stop_after, press)
    timer.daemon = True
    baseline, began = peak(), now()
    if not sys.stdin.isatty():
        timer.start()
    code = run(Program(), [*arguments, "--data-dir", str(home)])
    returned = now()
    timer.cancel()
    return _told(baseline, began, returned, pressed, f"exit code {code}")


def _pasted() -> dict[str, Any]:
    """Paste into the window's field; what pastes waits until it returns."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QMimeData
    from PySide6.QtWidgets import QApplication

    from app.gui.chat.composer.card import Composer
    from app.gui.theme import Theme

    application = QApplication([])
    composer = Composer(Theme(application, assets.resource("theme")))
    composer.show()
    application.processEvents()
    baseline = peak()
    source = QMimeData()
    source.setData("text/plain", b"x" * PASTE)
    began = now()
    composer.text.insertFromMimeData(source)
    application.processEvents()
    came = (composer.errors.isVisible() and "refused with a sentence") or "taken"
    return _told(baseline, began, now(), [], came)


# What has to be there beforehand.


def _make_small(home: Path, _folder: Path) -> None:
    from app.main.program import Program

    with Program().open(home, None) as services:
        services.memories.add("I keep my boat in the harbour of Ghent.")
        services.preferences.set("chat.model", "notebook")


def _make_large(home: Path, folder: Path) -> None:
    """Make a profile that lacks what its own export holds."""
    from app.bench.fill import Draw, fill_all
    from app.main.build import build
    from app.paths import Paths
    from app.store.profiles import Profiles

    profiles = Profiles(Paths(home), find_keyring=lambda: None)
    vault, profile = profiles.create("Ada")
    with closing(build(profiles, profile, vault, utc_now)) as opened:
        services = opened.services
        services.preferences.set("chat.model", "notebook")
        drive(fill_all(opened.store, Draw(7), LARGE, LARGE), Event())
        drive(services.transfer.export(folder / "in.zip"), Event())
        with vault.write() as connection:
            for table in ("journal", "memories", "conversations"):
                connection.execute(f"DELETE FROM {table}")
        vault.compact()


MAKES = {"make small": _make_small, "make large": _make_large}

if __name__ == "__main__":
    main()
