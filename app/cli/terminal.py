"""What a person types at a terminal, told from what they paste into it.

A terminal that is asked to puts marks around what is pasted ("bracketed paste"). GNU readline would
take them in itself and hand on one line, in which nobody can tell the two apart. So it is told to
end the line where a paste begins; the paste is then read here, byte by byte to its end, and
whatever keys it holds, none of them edits anything. What is typed behind it goes on in a new line.
Without GNU readline the marks come through in the lines.
"""

import os
import re
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from app.cli.output import control, say
from app.cli.text import received
from app.domain.conversation import Part, PartOrigin

PROMPT, GOES_ON = "> ", "… "
ON, OFF = "\x1b[?2004h", "\x1b[?2004l"
END = b"\x1b[201~"
BEGINS, ENDS = "\x02", "\x1d"  # what readline puts into a line where a paste begins, or ends unseen
_KEYS = (
    "set enable-bracketed-paste off",
    r'"\C-x\C-b": self-insert',
    r'"\C-x\C-]": self-insert',
    r'"\e[200~": "\C-x\C-b\n"',
    r'"\e[201~": "\C-x\C-]"',
)
_STARTS = re.compile(rf"{BEGINS}|\x1b?\[200~")
_STOPS = re.compile(rf"{ENDS}|\x1b?\[201~")
_INTERRUPT = b"\x03"
_QUIET = 0.2  # seconds


@dataclass(frozen=True, slots=True)
class LinePrompt:
    """How a line is asked for and a paste is read.

    Attributes:
        line: Returns a line that was typed, without its end.
        byte: Returns the next byte of a paste; none where the terminal is gone.
        quiet: Whether nothing more comes for a moment.
        raw: While this is entered, what the terminal sends comes through as it is.
        longest: The longest paste that is kept, in bytes.
    """

    line: Callable[[str], str]
    byte: Callable[[], bytes]
    quiet: Callable[[], bool]
    raw: Callable[[], AbstractContextManager[None]]
    longest: int


def message(asking: LinePrompt) -> list[Part] | None:
    """Return a message: what was typed, and what was pasted; None where a paste is too long.

    Raises:
        EOFError: There is no more input.
        KeyboardInterrupt: The person pressed Ctrl+C.
    """
    parts: list[Part] = []
    line, fits = asking.line(PROMPT), True
    while mark := _STARTS.search(line):
        _add(parts, line[: mark.start()], PartOrigin.TYPED)
        behind = line[mark.end() :]
        if mark[0] == BEGINS:
            data = _pasted(asking)
            fits = fits and len(data) <= asking.longest
            text = re.sub(r"\r\n?", "\n", received(data))
            say(text, nl=not text.endswith("\n"))
            line = behind + asking.line(GOES_ON + behind)
        else:
            while not (stop := _STOPS.search(behind)):
                behind += f"\n{asking.line('')}"
            text, line = behind[: stop.start()], behind[stop.end() :]
        _add(parts, text, PartOrigin.PASTED)
    _add(parts, line, PartOrigin.TYPED)
    return parts if fits else None


def _add(parts: list[Part], text: str, origin: PartOrigin) -> None:
    said = received(text.encode("utf-8", "surrogateescape"))
    if origin is PartOrigin.TYPED:
        said = _STOPS.sub("", said)
        said = f"\n{said}" if said.strip() and parts and parts[-1].text[-1] != "\n" else said
    if said:
        parts.append(Part(said, origin))


def _pasted(asking: LinePrompt) -> bytes:
    """Return what is pasted, but for its end mark; of what is too long a byte more than is kept.

    Raises:
        EOFError: The terminal is gone.
        KeyboardInterrupt: The person pressed Ctrl+C, because the end does not come.
    """
    kept, last = bytearray(), b""
    with asking.raw():
        while last != END:
            if not (byte := asking.byte()):
                raise EOFError
            if byte == _INTERRUPT and asking.quiet():
                raise KeyboardInterrupt
            last = (last + byte)[-len(END) :]
            if len(kept) <= asking.longest + len(END):
                kept += byte
    return bytes(kept.removesuffix(END))


@contextmanager
def asking(longest: int) -> Iterator[LinePrompt]:
    """Let the terminal mark what is pasted while the block runs, however that ends."""
    with suppress(AttributeError):
        sys.stdin.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
    line = _edited() or _plain
    with _ended_in_order():
        control(ON)
        try:
            yield LinePrompt(line, _byte, _is_quiet, _raw, longest)
        finally:
            control(OFF)


def _edited() -> Callable[[str], str] | None:
    """Return what asks for a line with GNU readline, which is told where a paste begins.

    Another library in its place (libedit) would take a paste for typing, so it is not used.
    """
    try:
        import readline
    except ImportError:
        return None
    if "libedit" in (readline.__doc__ or ""):
        return None
    for keys in _KEYS:
        readline.parse_and_bind(keys)
    readline.set_auto_history(False)

    def line(prompt: str) -> str:
        said = input(prompt)
        if said.strip() and not _STARTS.search(said):
            readline.add_history(said)
        return said

    return line


def _plain(prompt: str) -> str:
    """Ask for a line as the terminal itself edits it."""
    say(prompt, nl=False)
    if not (said := sys.stdin.readline()):
        raise EOFError
    return said.removesuffix("\n")


def _byte() -> bytes:
    return os.read(sys.stdin.fileno(), 1)


def _is_quiet() -> bool:
    return not select.select([sys.stdin], [], [], _QUIET)[0]


@contextmanager
def _raw() -> Iterator[None]:
    """Let keys mean nothing to the terminal; what it was told before holds again afterwards."""
    import termios
    import tty

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    tty.setraw(number, termios.TCSADRAIN)
    try:
        yield
    except KeyboardInterrupt:
        termios.tcflush(number, termios.TCIFLUSH)  # the rest of a paste is no command to a shell
        raise
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a request to end unwind, so that the terminal is left as it was found."""

    def leave(number: int, _frame: Any) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
