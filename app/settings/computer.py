"""Settings of this computer, whoever uses it: one small JSON file, written whole or not at all."""

import json
import logging
import os
from pathlib import Path
from typing import Any

from app.domain.foreign import read_json
from app.errors import SettingsError
from app.settings.table import checked, entry

log = logging.getLogger(__name__)


def load(path: Path) -> dict[str, Any]:
    """Return what the file says; nothing where it is absent or damaged (which is logged)."""
    try:
        found = read_json(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        log.warning("the settings of this computer could not be read; defaults are used")
        return {}
    return found if isinstance(found, dict) else {}


def value(path: Path, key: str) -> Any:
    """Return one setting as the file has it, or its default where it can have no such value."""
    try:
        return checked(key, load(path).get(key, entry(key).default))
    except SettingsError:
        return entry(key).default


def save(path: Path, values: dict[str, Any]) -> None:
    """Replace the file, atomically and readable by its owner alone.

    Raises:
        SettingsError: The folder cannot be written.
    """
    scratch = path.with_suffix(f".{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(scratch, "w", encoding="utf-8", opener=_private) as file:
            json.dump(values, file, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as error:
        raise SettingsError(f"The settings could not be saved: {error.strerror}.") from error


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
