"""What hostile input costs: files, servers, pipes and pastes that are huge or never come to an end.

Each is met in a process of its own (``endless_child``): once until it ends by itself or patience
is over, and then again with Stop pressed at moments spread over that time (Ctrl+C where it is a
command). The most memory that the process ever had must be under 400 MB, and from Stop to the
return no more than a second may pass. Run it for the figures; it ends with 1 where one is over::

    .venv/bin/python -m tests.evals.endless
"""

import argparse
import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any, TextIO

from tests.evals.endless_files import MADE
from tests.fakes.endless_server import EVENT_STREAM, JSON, EndlessServer

MOST_MB, MOST_SECONDS = 400.0, 1.0
PATIENCE, STOPS = 60.0, 4
GRACE = 120.0  # seconds after which a process that did not hear of Stop is ended
WORD = b'data: {"choices": [{"delta": {"content": "word "}}]}\n\n'
PASTE, PASTED, BREAK = b"\x1b[200~", b"\x1b[201~", b"\x03"
BLOCK = b"x" * 65_536
LINE = 50_000_000
STUCK = {  # ended by force
    **dict.fromkeys(("baseline_mb", "peak_mb", "growth_mb", "models_mb", "seconds"), 0.0),
    "ends_by_itself": False,
    "stop_seconds": None,
    "problems": ["stuck"],
}
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Case:
    """One hostile input.

    Attributes:
        kind: What the child does.
        home: Whose profile is copied for it.
        server: What a server sends for ever: the block, its kind, the status; None for no server.
        silent: Whether it sends the block once, and then nothing.
        sends: Yields what standard input sends; ends where that ends.
        terminal: Whether standard input is a terminal.
        stops: Whether there is anything to stop.
    """

    kind: str
    home: str = "small"
    server: tuple[bytes, str, int] | None = None
    silent: bool = False
    sends: Callable[[], Iterable[bytes]] | None = None
    terminal: bool = False
    stops: bool = True


def _for_ever(block: bytes) -> Iterator[bytes]:
    while True:
        yield block


def _so_much(first: bytes, last: bytes) -> Iterator[bytes]:
    yield first
    for _ in range(LINE // len(BLOCK)):
        yield BLOCK
    yield last


def _cases() -> dict[str, Case]:
    found = {name: Case("import") for name in MADE}
    found["import: a large export of one's own"] = Case("import", "large")
    for name, block in (
        ("words", WORD),
        ("a line", b"x"),
        ("comments", b": still here\n\n"),
        ("empty chunks", b"data: {}\n\n"),
        ("empty lines", b"\n"),
    ):
        found[f"chat: {name} without end"] = Case("chat server", server=(block, EVENT_STREAM, 200))
    for kind, name in (
        ("chat server", "chat"),
        ("models", "/models"),
        ("recall", "/embeddings"),
        ("index", "/embeddings for the index"),
    ):
        found |= {
            f"{name}: a body without end": Case(kind, server=(b"[{},", JSON, 200)),
            f"{name}: an error without end": Case(kind, server=(b"x", JSON, 500)),
            f"{name}: silence": Case(kind, server=(b"[", JSON, 200), silent=True),
            f"{name}: a silent error": Case(kind, server=(b"[", JSON, 500), silent=True),
        }
    found["search for servers"] = Case("servers", server=(b"[", JSON, 200), silent=True)
    return found | {
        "pipe: a line without end": Case("chat", sends=lambda: _for_ever(BLOCK)),
        "pipe: lines without end": Case("chat", sends=lambda: _for_ever(b"I own a boat.\n")),
        "pipe: a line of 50 MB": Case("chat", sends=lambda: _so_much(b"", b"\n")),
        "terminal: a paste of 50 MB": Case(
            "terminal", sends=lambda: _so_much(PASTE, PASTED + b"\r"), terminal=True
        ),
        "window: a paste of 50 MB": Case("window paste", stops=False),
    }


CASES = _cases()


class Ground:
    """Where the profiles and files are that a case is given.

    Args:
        folder: An empty folder.
        patience: After how many seconds Stop is pressed at the latest.
    """

    def __init__(self, folder: Path, patience: float) -> None:
        self.folder, self.patience = folder, patience

    def measured(self, name: str, stops: int) -> dict[str, Any]:
        """Return the figures of one case."""
        case, made = CASES[name], self._made(name)
        whole = self._met(case, made, self.patience)
        runs = [whole]
        if case.stops:
            took = whole["returned"] - whole["began"]
            runs += [self._met(case, made, took * (n + 0.5) / stops) for n in range(stops)]
        waits = [run["returned"] - run["pressed"] for run in runs if run["pressed"]]
        if name in MADE:
            made.unlink()
        return {
            "baseline_mb": whole["baseline"],
            "peak_mb": max(run["peak"] for run in runs),
            "models_mb": max(run["models"] for run in runs),
            "seconds": round(whole["returned"] - whole["began"], 2),
            "ends_by_itself": whole["pressed"] is None,
            "stopped": len(waits),
            "stop_seconds": round(max(waits), 2) if waits else None,
            "came": whole["came"],
            "after_stop": sorted({run["came"] for run in runs if run["pressed"]}),
        }

    def _made(self, name: str) -> Path:
        """Make what a case is given, in processes that are not measured."""
        home, path = self.folder / CASES[name].home, self.folder / "in.zip"
        if not home.exists():
            home.mkdir()
            if self._child(f"make {home.name}", home).wait():
                raise RuntimeError((home / "stderr.txt").read_text())
        if name in MADE:
            script = "import sys; from pathlib import Path; from tests.evals import endless_files;"
            call = "endless_files.MADE[sys.argv[1]](Path(sys.argv[2]))"
            command = [sys.executable, "-c", f"{script} {call}", name, str(path)]
            subprocess.run(command, cwd=ROOT, check=True)
            return path
        return home / "in.zip"

    def _met(self, case: Case, made: Path, stop_after: float) -> dict[str, Any]:
        """Return what one run came to."""
        folder = self.folder / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copytree(self.folder / case.home / "home", folder / "home")
        if made.exists() or made.is_symlink():
            made.rename(folder / "in.zip")
        try:
            told = self._run(case, folder, stop_after)
        finally:
            with suppress(FileNotFoundError):
                (folder / "in.zip").rename(made)
        return told

    def _run(self, case: Case, folder: Path, stop_after: float) -> dict[str, Any]:
        with ExitStack() as stack:
            more = ["--stop-after", str(stop_after)]
            if case.server:
                server = stack.enter_context(_served(*case.server, silent=case.silent))
                more += ["--url", server.url]
            if case.terminal:
                pressed = _at_a_terminal(case, folder, more, stop_after)
            else:
                pressed = None
                child = self._child(case.kind, folder, *more, piped=case.sends is not None)
                if case.sends:
                    Thread(target=_feed, args=(child, case.sends()), daemon=True).start()
                _ended(child, self.patience + GRACE)
        if not (folder / "told.json").exists():
            raise RuntimeError((folder / "stderr.txt").read_text())
        told: dict[str, Any] = json.loads((folder / "told.json").read_text())
        if pressed and pressed < told["returned"]:
            told["pressed"] = pressed
        return told

    @staticmethod
    def _child(
        kind: str, folder: Path, *more: str, piped: bool = False
    ) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "tests.evals.endless_child", kind, str(folder), *more],
            cwd=ROOT,
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=(folder / "stderr.txt").open("wb"),
        )


@contextmanager
def _served(block: bytes, kind: str, status: int, *, silent: bool) -> Iterator[EndlessServer]:
    with EndlessServer(block, kind=kind, status=status) as server:
        server.slow = silent
        yield server


def _feed(child: "subprocess.Popen[bytes]", blocks: Iterable[bytes]) -> None:
    assert child.stdin is not None
    with suppress(OSError), child.stdin:
        for block in blocks:
            child.stdin.write(block)


def _ended(child: "subprocess.Popen[bytes]", seconds: float) -> None:
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        raise


def _at_a_terminal(case: Case, folder: Path, more: Sequence[str], stop_after: float) -> float:
    """Run a case at a terminal; return when Ctrl+C was pressed there."""
    assert case.sends is not None
    pid, number = pty.fork()
    if not pid:
        command = [sys.executable, "-m", "tests.evals.endless_child", case.kind, str(folder), *more]
        os.chdir(ROOT)
        os.execv(sys.executable, command)
    asked, enough = Event(), Event()

    def show() -> None:
        with suppress(OSError):
            while seen := os.read(number, 65_536):
                if seen.endswith(b"> "):
                    asked.set()

    Thread(target=show, daemon=True).start()
    asked.wait(GRACE)
    end = time.monotonic() + stop_after
    for block in case.sends():
        at = 0
        while at < len(block) and time.monotonic() < end:
            at += os.write(number, block[at : at + 4_096])
    asked.clear()
    if time.monotonic() < end:  # all of it was taken; it is answered, or refused
        asked.wait(max(0.0, end - time.monotonic()))
        enough.set()
    pressed = time.monotonic()
    with suppress(OSError):
        os.write(number, b"\x04" if enough.is_set() else BREAK)
    os.waitpid(pid, 0)
    os.close(number)
    return 0.0 if enough.is_set() else pressed


def measured(names: Sequence[str], *, patience: float = PATIENCE, stops: int = STOPS) -> Any:
    """Yield each case's name with its figures; ``problems`` says what is over a limit."""
    with tempfile.TemporaryDirectory(prefix="loci-endless-") as place:
        ground = Ground(Path(place), patience)
        for name in names:
            try:
                yield name, _weighed(ground.measured(name, stops))
            except subprocess.TimeoutExpired:
                yield name, STUCK


def _weighed(found: dict[str, Any]) -> dict[str, Any]:
    problems = []
    if max(found["peak_mb"], found["models_mb"]) >= MOST_MB:
        problems.append("memory")
    if (found["stop_seconds"] or 0.0) > MOST_SECONDS:
        problems.append("stop")
    if "Loci made a mistake" in found["came"]:
        problems.append("mistake")
    return (
        found
        | {"growth_mb": round(found["peak_mb"] - found["baseline_mb"], 1)}
        | {"problems": problems}
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Meet every hostile input, and print what it costs; 1 where anything is over its limit."""
    parser = argparse.ArgumentParser(prog="tests.evals.endless", description=main.__doc__)
    parser.add_argument("--only", action="append", metavar="TEXT", help="cases whose name holds it")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds until Stop")
    parser.add_argument("--stops", type=int, default=STOPS, help="runs with a Stop, each case")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args(arguments)
    names = [n for n in CASES if not asked.only or any(text in n for text in asked.only)]
    found = {}
    for name, figures in measured(names, patience=asked.patience, stops=asked.stops):
        found[name] = figures
        _show(name, figures, first=len(found) == 1, out=sys.stderr if asked.json else sys.stdout)
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 1 if any(figures["problems"] for figures in found.values()) else 0


def _show(name: str, found: dict[str, Any], *, first: bool, out: TextIO) -> None:
    if first:
        heads = ("before", "peak", "growth", "models", "ends in", "Stop to end")
        out.write(f"{'':38}{''.join(f'{head:>12}' for head in heads)}\n")
    sizes = "".join(
        f"{found[name]:>9,.0f} MB" for name in ("baseline_mb", "peak_mb", "growth_mb", "models_mb")
    )
    takes = f"{found['seconds']:.1f} s" if found["ends_by_itself"] else "never"
    stop = "" if found["stop_seconds"] is None else f"{found['stop_seconds']:.2f} s"
    over = f"  OVER: {', '.join(found['problems'])}" if found["problems"] else ""
    out.write(f"{name:38}{sizes}{takes:>12}{stop:>12}{over}\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main())
