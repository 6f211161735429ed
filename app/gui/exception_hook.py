"""What happens to a bug: it is logged without content, and a friendly sentence is shown instead."""

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from app.errors import AppError

MISHAP = "Something went wrong inside Loci. What you wrote is safe; the log says where it happened."
DEPTH = 6
_log = logging.getLogger(__name__)


def note(error: BaseException) -> None:
    """Log where something went wrong, without a word of what it was about."""
    where = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in reversed(where[-DEPTH:]))
    _log.error("%s at %s", type(error).__name__, places or "an unknown place")


def expected(error: Exception) -> AppError:
    """Return an error whose text is fit to show: the one given, or for a bug, which is noted."""
    if isinstance(error, AppError):
        return error
    note(error)
    return AppError(MISHAP)


def watch_for_exceptions(tell: Callable[[Exception], None], leave: Callable[[], None]) -> None:
    """Let no exception on the GUI thread vanish or reach the person as a traceback.

    Ctrl+C calls ``leave``.
    """

    def on_gui(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if isinstance(error, KeyboardInterrupt):
            leave()
        elif isinstance(error, Exception):
            tell(error)

    def elsewhere(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            note(arguments.exc_value)

    sys.excepthook = on_gui
    threading.excepthook = elsewhere
