"""Logging: events and identifiers, never content, to a small rotating file."""

import logging
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def quiet() -> None:
    """Keep what no log file takes off the terminal."""
    logging.getLogger().addHandler(logging.NullHandler())


def start(folder: Path) -> None:
    """Send warnings and events to ``folder/loci.log`` (three files of 512 KB, mode 0600).

    Where that folder cannot be written there is no log; the store says so better.
    """
    handler: logging.Handler = logging.NullHandler()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / "loci.log"
        path.touch(mode=0o600, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=512_000, backupCount=2, encoding="utf-8")
        handler.setFormatter(logging.Formatter(_FORMAT))
    root = logging.getLogger("app")
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    root.propagate = False


def stop() -> None:
    """Close the log file, so that it can be removed."""
    root = logging.getLogger("app")
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    root.propagate = True
