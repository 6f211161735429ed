"""Text on its way in from a terminal, and on its way out to one."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from app.domain.language.text import shown

_MARK = "\ufeff"


class WordsArgument(click.ParamType[str]):
    """An argument that a person wrote; bytes that are no UTF-8 become replacement marks."""

    name = "text"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> str:
        """Return the text."""
        return received(str(value).encode("utf-8", "surrogateescape"))


MOST = 1_000_000
FILE = click.Path(dir_okay=False, path_type=Path)
LIMIT = click.IntRange(1, MOST)
WORDS = WordsArgument()


def received(data: bytes) -> str:
    """Return what was sent, without the mark some programs put before it, and without NULs."""
    text = data.decode("utf-8", "replace").replace("\0", "\ufffd")
    return text.removeprefix(_MARK)


def on_one_line(text: str) -> str:
    """Return a text for a list."""
    return shown(" ".join(text.split()))


def day(moment: datetime) -> str:
    """Return a date as the person's calendar has it."""
    return f"{moment.astimezone():%Y-%m-%d}"


def minute(moment: datetime) -> str:
    """Return a date and time as the person's clock has them."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
