"""Remains of profiles that never came to be: they are told from profiles, and moved away.

A folder is marked before anything is written into it and until its last file is in place. Where a
kill came before the mark, or after that of an erasure was gone, nothing with a content lies there.
"""

import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from app.domain.ids import Clock, to_ms
from app.errors import StoreError
from app.paths import Paths, ProfilePaths
from app.store.vault.files import file_errors, private_folder
from app.store.vault.scratch import FOLDER, sweep

MOVED = "{} What is left lies in {}."
STAYS = "{} What is left could not be moved out of {} and is passed over: {}"
_MADE = "The making of the profile “{}” was interrupted before anything was kept in it."
_EMPTY = "The folder “{}” among the profiles holds nothing: its making or erasing was interrupted."
_SLUG = re.compile(r"[a-z0-9-]+")  # what else lies there, as lost+found, is not ours
_log = logging.getLogger(__name__)


def remains(paths: Paths) -> Sequence[Path]:
    """Return the folders among the profiles that never came to be one, or are one no more.

    Raises:
        StoreError: The folder of the profiles cannot be read.
    """
    with file_errors(paths.profiles):
        if not paths.profiles.is_dir():
            return []
        return sorted(f for f in paths.profiles.iterdir() if _is_left(f))


def set_aside(folder: Path, paths: Paths, clock: Clock) -> str:
    """Move one away, or leave it where that cannot be; return a sentence on it."""
    marked = ProfilePaths(folder).making.exists()
    what = (_MADE if marked else _EMPTY).format(folder.name)
    there = paths.unfinished / f"{folder.name}-{to_ms(clock())}"
    try:
        private_folder(paths.unfinished)
        sweep(folder)
        with file_errors(folder):
            folder.rename(there)
    except StoreError as error:
        _log.warning("What is left of a profile could not be set aside: %s", type(error).__name__)
        return STAYS.format(what, folder, error)
    with suppress(OSError):  # out there, the mark means nothing
        ProfilePaths(there).making.unlink(missing_ok=True)
    _log.warning("A profile that was never finished was set aside")
    return MOVED.format(what, there)


def _is_left(folder: Path) -> bool:
    if not (_SLUG.fullmatch(folder.name) and folder.is_dir()):
        return False
    paths = ProfilePaths(folder)
    if paths.erase_todo.exists():
        return False  # its erasure goes on by itself
    return paths.making.exists() or not _contents(folder)


def _contents(folder: Path) -> list[Path]:
    """Return the files that hold something, and the folders that may; locks are empty."""
    found = (path for path in folder.iterdir() if path.name != FOLDER)
    return [path for path in found if path.is_symlink() or path.is_dir() or path.stat().st_size]
