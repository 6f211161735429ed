"""Which checksum a model file has: read once, and known for as long as the file stays as it was."""

import hashlib
import json
import logging
from collections.abc import Generator
from enum import StrEnum
from pathlib import Path
from threading import Event, Lock

from app.domain.jobs.progress import Progress
from app.domain.language.foreign import read_json
from app.errors import Cancelled, ModelFileError
from app.files import open_file, reason

log = logging.getLogger(__name__)

FILE = "checksums.json"
MAGIC = b"GGUF"
READ_BYTES = 1 << 22


class Held(StrEnum):
    """What lies where a file belongs that has a certain checksum."""

    NOTHING = "nothing"
    UNCHECKED = "unchecked"
    OTHER = "other"
    WHOLE = "whole"


class Checksums:
    """The checksums of model files, kept in a file of their folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = Lock()
        self._here: dict[str, str] = {}

    def held(self, path: Path, size: int, sha256: str) -> Held:
        """Say whether that file lies there, as far as is known; reads no more than its start."""
        try:
            if not path.is_file():
                return Held.NOTHING
            if path.stat().st_size != size or _start(path) != MAGIC:
                return Held.OTHER
            known = self._known(_stamp(path))
        except OSError:
            return Held.OTHER
        if not known:
            return Held.UNCHECKED
        return Held.WHOLE if known == sha256 else Held.OTHER

    def read(self, path: Path, cancel: Event) -> Generator[Progress, None, str]:
        """Return the checksum of a file; reads all of it where it is not known.

        Raises:
            Cancelled: ``cancel`` was set.
            ModelFileError: It cannot be read.
        """
        try:
            stamp = _stamp(path)
            if known := self._known(stamp):
                return known
            digest, total, done = hashlib.sha256(), path.stat().st_size, 0
            with open_file(path) as file:
                while chunk := file.read(READ_BYTES):
                    digest.update(chunk)
                    done += len(chunk)
                    yield Progress(f"Checking {path.name}", done, total)
                    if cancel.is_set():
                        raise Cancelled("Stopped.")
        except OSError as error:
            raise ModelFileError(f"{path.name} cannot be read: {reason(error)}.") from error
        self._keep(stamp, digest.hexdigest())
        return digest.hexdigest()

    def note(self, path: Path, sha256: str) -> None:
        """Keep the checksum of a file that was held against it as it came."""
        try:
            self._keep(_stamp(path), sha256)
        except OSError as error:
            log.info("a checksum was not kept: %s", type(error).__name__)

    def _known(self, stamp: str) -> str:
        with self._lock:
            return self._here.get(stamp) or self._stored().get(stamp, "")

    def _keep(self, stamp: str, sha256: str) -> None:
        with self._lock:
            self._here[stamp] = sha256
            stored = {s: c for s, c in self._stored().items() if _is_current(s)}
            written = self._path.with_name(f"{FILE}.new")
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                written.write_text(json.dumps(stored | {stamp: sha256}, indent=1), "utf-8")
                written.replace(self._path)
            except OSError as error:
                log.info("checksums are not kept: %s", type(error).__name__)

    def _stored(self) -> dict[str, str]:
        try:
            found = read_json(self._path.read_text("utf-8"))
            return {str(stamp): str(sha256) for stamp, sha256 in found.items()}
        except (OSError, ValueError, AttributeError):
            return {}


def _stamp(path: Path) -> str:
    """Return what changes when a file does."""
    found = path.stat()
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {path}"


def _is_current(stamp: str) -> bool:
    try:
        return _stamp(Path(stamp.split(" ", 3)[3])) == stamp
    except (OSError, IndexError, ValueError):
        return False


def _start(path: Path) -> bytes:
    with open_file(path) as file:
        return file.read(len(MAGIC))
