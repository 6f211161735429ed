"""The one way from the command line to the terminal: both outputs, questions and errors.

Whatever is printed may hold words of a server, a file or an import. So all of it goes through here,
where characters that would move the cursor, ring the bell or turn text around become harmless;
`tests/architecture` sees to it that nothing else prints.
"""

import json
import sys
from contextlib import suppress
from io import StringIO
from shutil import get_terminal_size
from typing import Any

import click

from app.domain.language.text import clipped, escaped, shown

_CLEARED, _DIM, _PLAIN = "\x1b[K", "\x1b[2m", "\x1b[0m"
_WIDTH, _LEAST_WIDTH = 78, 8


def say(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print a text of whatever origin; to standard error all that is no result."""
    click.echo(shown(text), nl=nl, err=err)


def say_wrong(error: click.ClickException) -> None:
    """Print what was wrong with the arguments; they stand in it."""
    told = StringIO()
    error.show(told)
    say(told.getvalue(), nl=False, err=True)


def ask(question: str, *, secret: bool = False, twice: bool = False) -> str:
    """Ask for a line, perhaps unseen, perhaps twice the same.

    Raises:
        click.Abort: Nobody answers.
    """
    answer = click.prompt(shown(question), hide_input=secret, confirmation_prompt=twice, err=True)
    return str(answer)


def ask_whether(question: str) -> bool:
    """Ask a question for yes or no.

    Raises:
        click.Abort: Nobody answers.
    """
    return bool(click.confirm(shown(question), err=True))


def status(text: str) -> None:
    """Show a line that the next one replaces, an empty one takes away; only on a terminal."""
    with suppress(OSError, ValueError):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{_CLEARED}{clipped(shown(text), _width()) if text else ''}")
            sys.stderr.flush()


def _width() -> int:
    """Return how much fits into a line of the terminal; what is longer could not be taken away."""
    return min(_WIDTH, max(_LEAST_WIDTH, get_terminal_size().columns - 1))


def murmur(text: str) -> None:
    """Say something beside the matter, in grey; only on a terminal."""
    with suppress(OSError, ValueError):
        if sys.stderr.isatty():
            sys.stderr.write(f"{_DIM}{shown(text)}{_PLAIN}\n")
            sys.stderr.flush()


def as_json(data: Any, indent: int | None = None) -> str:
    """Return JSON that the terminal or file at the other end can take.

    What is not fit to be shown is written as an escape, so that nothing is lost.
    """
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    return escaped(json.dumps(data, ensure_ascii=encoding != "utf8", indent=indent))


def control(code: str) -> None:
    """Send one of our own codes to the terminal, wherever the output goes."""
    with suppress(OSError, ValueError):
        terminal = next((one for one in (sys.stdout, sys.stderr) if one.isatty()), None)
        if terminal is not None:
            terminal.write(code)
            terminal.flush()
