"""Settings of this computer, whoever uses it: one small JSON file, written whole or not at all.

What is learnt of model servers is kept in another one in the same way.

The last good copy lies beside it. Where the file is damaged, missing or unreadable, that is used
instead; ``mend``, called at every start, puts it right and says so.
"""

import json
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Any

from app.domain.language.foreign import read_json
from app.errors import SettingsError
from app.files import reason
from app.settings.table import checked, entries, entry

log = logging.getLogger(__name__)

_LEFT_SECONDS = 60  # writing takes far less: what is older was left by a program that was ended
_ASIDE = "It is kept as {}."
SETTINGS = "the settings of this computer"
SERVERS = "what was learned of model servers"
DAMAGED = "The file {} with {} was damaged"
MISSING = "The file {} with {} was missing"
UNREADABLE = "The file {} with {} cannot be read ({})"
COPY_MENDED = "The copy of {} was missing or damaged; it was written anew."
FROM_COPY, FROM_DEFAULTS = "its last good copy is used.", "every setting in it has its default."
ANEW = "it is learned anew."
UNFIT = "In {} the settings {} had values they cannot have; they have their defaults now."


def spare(path: Path) -> Path:
    """Return where the last good copy of a file lies."""
    return path.with_suffix(".bak")


def load(path: Path) -> dict[str, Any]:
    """Return what the file says, or else its last good copy; nothing where there is neither."""
    for one in (path, spare(path)):
        with suppress(OSError, ValueError):
            return _read(one)
    return {}


def value(path: Path, key: str) -> Any:
    """Return one setting as the file has it, or its default where it can have no such value."""
    try:
        return checked(key, load(path).get(key, entry(key).default))
    except SettingsError:
        return entry(key).default


def save(path: Path, values: dict[str, Any]) -> None:
    """Replace the file and its copy, atomically and readable by their owner alone.

    Raises:
        SettingsError: The folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _spare_damaged(path)
        for one in (path, spare(path)):
            _write(one, json.dumps(values, indent=1, sort_keys=True).encode())
    except OSError as error:
        raise SettingsError(f"The settings could not be saved: {reason(error)}.") from error


def mend(path: Path, what: str = SETTINGS) -> Sequence[str]:
    """Set a damaged file aside, put its last good copy in its place, and say what was wrong.

    What it holds is ``SETTINGS`` or ``SERVERS``.
    """
    _sweep(path)
    try:
        values = _read(path)
    except FileNotFoundError:
        if not spare(path).exists():
            return []
        return [_restored(path, MISSING, what)]
    except ValueError:
        return [_restored(path, DAMAGED, what, aside=True)]
    except OSError as error:
        return [f"{UNREADABLE.format(path, what, reason(error))}: {_instead(path, what)}"]
    return [*_without_unfit(path, values), *_copied_anew(path, what)]


def _instead(path: Path, what: str) -> str:
    """Return in words what is used instead of a file that cannot be."""
    if load(path):
        return FROM_COPY
    return FROM_DEFAULTS if what == SETTINGS else ANEW


def _restored(path: Path, happened: str, what: str, *, aside: bool = False) -> str:
    """Put the last good copy in the file's place, and return what is said of that."""
    log.warning("damaged or missing: %s", what)
    values = load(path)
    sentence = f"{happened.format(path.name, what)}: {_instead(path, what)}"
    try:
        kept = _set_aside(path) if aside else ""
        save(path, values)
    except (OSError, SettingsError):
        return f"{sentence} It could not be put right."
    return f"{sentence} {kept}".strip()


def _copied_anew(path: Path, what: str) -> Sequence[str]:
    """Write the last good copy anew where it is none; it is missed only once the file is lost."""
    try:
        _read(spare(path))
    except (FileNotFoundError, ValueError):
        log.warning("damaged or missing: the copy of %s", what)
    except OSError:
        return []  # it cannot be read, and may be good
    else:
        return []
    try:
        _write(spare(path), path.read_bytes())
    except OSError:
        return []
    return [COPY_MENDED.format(what)]


def _without_unfit(path: Path, values: dict[str, Any]) -> Sequence[str]:
    """Drop values that a setting cannot have; what a newer version may know stays."""
    known = {declared.key for declared in entries()}
    unfit = []
    for key in known & values.keys():
        try:
            checked(key, values[key])
        except SettingsError:
            unfit.append(key)
    if not unfit:
        return []
    sentence = UNFIT.format(path.name, ", ".join(sorted(unfit)))
    try:
        kept = _set_aside(path)
        save(path, {key: v for key, v in values.items() if key not in unfit})
    except (OSError, SettingsError):
        return [sentence]
    return [f"{sentence} {kept}"]


def set_aside(path: Path) -> Path:
    """Return where a damaged file is kept."""
    return path.with_suffix(".damaged.json")


def _set_aside(path: Path) -> str:
    _write(set_aside(path), path.read_bytes())
    return _ASIDE.format(set_aside(path))


def _spare_damaged(path: Path) -> None:
    """Keep a damaged file that is about to be replaced."""
    try:
        _read(path)
    except FileNotFoundError:
        return
    except ValueError:
        log.warning("the settings of this computer were damaged")
        _set_aside(path)


def _read(path: Path) -> dict[str, Any]:
    """Return what a file says.

    Raises:
        OSError: It is missing or cannot be read.
        ValueError: It is damaged.
    """
    found = read_json(path.read_text("utf-8"))
    if not isinstance(found, dict):
        raise ValueError("no table")
    return found


def _write(path: Path, data: bytes) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with open(draft, "wb", opener=_private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _sweep(path: Path) -> None:
    """Remove what a program that was ended while it wrote has left."""
    with suppress(OSError):
        for draft in path.parent.glob(f"{path.stem}.*.new"):
            if abs(time() - draft.stat().st_mtime) > _LEFT_SECONDS:
                draft.unlink(missing_ok=True)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
