"""Fetch one file that the person asked for: resumable, checked, and whole or not there at all.

What has come lies beside the target as ``NAME.part`` and is taken up again; only a file whose
checksum is right gets its name, and another one that has that name is put aside. Nothing here runs
unless the person said so.
"""

import hashlib
import logging
import os
import re
import shutil
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from threading import Event
from typing import IO
from urllib.parse import urljoin, urlsplit

from app.domain.jobs.progress import Progress
from app.errors import Cancelled, EndpointError, ModelError, ModelFileError
from app.files import FULL, reason
from app.providers.remote.endpoint import Endpoint, ResponseHead, Streaming

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 40  # locked bytes cannot be read, so one is locked that will never be there

    def _claim(descriptor: int) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _claim(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


log = logging.getLogger(__name__)

HUB = "https://huggingface.co"
SUFFIX = ".part"
MOST_ATTEMPTS = 5
MOST_REDIRECTS = 5
READ_BYTES = 1 << 20
SPARE_BYTES = 50_000_000
_PATIENCE_SECONDS = 30.0
_LATER = (
    "{}ry again later, or name another address in the setting “Where models come from” "
    "(models.mirror)."
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A file that can be fetched.

    Attributes:
        url: Where it lies, at a revision that does not change.
        sha256: Its checksum, in hexadecimal.
        bytes: Its size.
    """

    url: str
    sha256: str
    bytes: int

    def through(self, mirror: str) -> "Offer":
        """Return the same file at another address that has what the hub has."""
        if not self.url.startswith(f"{HUB}/"):
            return self
        return replace(self, url=mirror + self.url.removeprefix(HUB))


@dataclass(frozen=True, slots=True)
class _Source(Endpoint):
    """A server that has a file, with words for what goes wrong that fit a download.

    Attributes:
        came: Whether something of the file came before.
    """

    came: bool = False

    def broken(self, error: Exception) -> EndpointError:
        import httpx

        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            return EndpointError(f"No connection to {self.host}. {self._later}")
        if isinstance(error, httpx.TimeoutException):
            return EndpointError(f"Nothing comes from {self.host} any more. {self._later}")
        return Endpoint.broken(self, error)

    @property
    def _later(self) -> str:
        return _LATER.format("What was fetched is kept; t" if self.came else "T")


def fetch(offer: Offer, target: Path, cancel: Event) -> Generator[Progress, None, None]:
    """Download a file, going on from where an earlier attempt stopped.

    Another file that lies there is called as ``aside`` says once this one is whole.

    Raises:
        Cancelled: ``cancel`` was set; what has come is kept for the next time.
        EndpointError: The server cannot be reached, refuses, or breaks off again and again.
        ModelFileError: What came is another file, it cannot be written, or somebody is at it.
    """
    part = target.with_name(target.name + SUFFIX)
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _find_room(offer, part)
        with open(part, "a+b", opener=_private) as file:
            _alone(file, target.name)
            yield from _Fetching(offer, file, target.name, cancel).run()
            file.flush()
            os.fsync(file.fileno())
        if os.path.lexists(target):
            target.rename(aside(target))
        part.replace(target)
    except _WrongFile as error:
        part.unlink(missing_ok=True)
        raise ModelFileError(f"{error} Nothing of it was kept.") from None
    except OSError as error:
        kept = " What was fetched is kept; make room and go on." if error.errno in FULL else ""
        raise ModelFileError(
            f"{target.name} could not be written: {reason(error)}.{kept}"
        ) from error


def aside(target: Path) -> Path:
    """Return what a file will be called that makes room for a download; nothing is called so."""
    names = (f"{target.stem}-other{f'-{n}' if n > 1 else ''}{target.suffix}" for n in count(1))
    return next(p for name in names if not os.path.lexists(p := target.with_name(name)))


def fetched(target: Path) -> int:
    """Return how many bytes of a file a download brought that was not finished."""
    try:
        return target.with_name(target.name + SUFFIX).stat().st_size
    except OSError:
        return 0


def discard(target: Path) -> None:
    """Delete what a download brought that was not finished.

    Raises:
        ModelFileError: Somebody is at it, or it cannot be deleted.
    """
    part = target.with_name(target.name + SUFFIX)
    try:
        with part.open("r+b") as file:
            _alone(file, target.name)
        part.unlink()
    except FileNotFoundError:
        return
    except OSError as error:
        raise ModelFileError(f"{part.name} could not be deleted: {reason(error)}.") from error


class _WrongFile(Exception):
    """What comes, or came, is not the file that was offered."""


class _Fetching:
    """One download: what has come so far, and its checksum."""

    def __init__(self, offer: Offer, file: IO[bytes], name: str, cancel: Event) -> None:
        self._offer, self._file, self._name, self._cancel = offer, file, name, cancel
        self._host = urlsplit(offer.url).netloc
        self._have = 0
        self._digest = hashlib.sha256()

    def run(self) -> Generator[Progress, None, None]:
        """Fetch what is missing and check the whole."""
        yield from self._take_up()
        for attempt in range(1, MOST_ATTEMPTS + 1):
            if self._have == self._offer.bytes:
                break
            came = yield from self._attempt(last=attempt == MOST_ATTEMPTS)
            log.info("a download went on: attempt %d brought %d bytes", attempt, came)
        if self._have != self._offer.bytes:
            raise self._broken()
        if self._digest.hexdigest() != self._offer.sha256:
            raise _WrongFile(f"What {self._host} sent is not {self._name}: its checksum is wrong.")

    def _take_up(self) -> Generator[Progress, None, None]:
        """Read what an earlier attempt left; start afresh where it is more than there should be."""
        self._file.seek(0)
        while chunk := self._file.read(READ_BYTES):
            self._count(chunk)
            yield Progress(f"Checking what is there of {self._name}", self._have, self._offer.bytes)
            self._obey()
        if self._have > self._offer.bytes:
            self._start_over()

    def _attempt(self, *, last: bool) -> Generator[Progress, None, int]:
        """Ask once; return how many bytes came. Nothing having come is an error."""
        came = 0
        try:
            with self._asked() as (head, chunks):
                self._begin(head)
                for chunk in chunks:
                    came += len(chunk)
                    self._keep(chunk)
                    label = f"Downloading {self._name}"
                    yield Progress(label, self._have, self._offer.bytes)
        except EndpointError:
            if last or not came:
                raise
        self._obey()
        if not came:
            raise self._broken()
        return came

    @contextmanager
    def _asked(self) -> Iterator[tuple[ResponseHead, Iterator[bytes]]]:
        """Send the request, follow where it points, and lend the answer."""
        url = self._offer.url
        for _ in range(MOST_REDIRECTS):
            headers = {"Range": f"bytes={self._have}-"} if self._have else {}
            streaming = Streaming(
                _Source(url, came=self._have > 0), "", None, _PATIENCE_SECONDS, headers
            )
            try:
                items = streaming.items(self._cancel)
                head = next(items, None)
                if not isinstance(head, ResponseHead):
                    self._obey()
                    raise self._broken()
                if not 300 <= head.status < 400:
                    yield head, (item for item in items if isinstance(item, bytes))
                    return
                url = self._pointed(url, head)
            finally:
                streaming.close()
        raise EndpointError(f"{self._host} redirects Loci in circles; nothing was downloaded.")

    def _pointed(self, url: str, head: ResponseHead) -> str:
        """Return where an answer points; never from a protected address to an open one."""
        found = urljoin(url, head.headers.get("location", ""))
        if urlsplit(found).scheme not in {"https", urlsplit(url).scheme} or found == url:
            raise EndpointError(f"{self._host} points to an address that Loci does not follow.")
        return found

    def _begin(self, head: ResponseHead) -> None:
        """Hold the answer's head against what was offered and what is there."""
        if head.status not in (200, 206):
            if head.status == 416:
                self._start_over()
            if head.status == 404:
                raise EndpointError(f"{self._host} does not have {self._name} any more.")
            raise Endpoint(self._offer.url).refusal(head.status, head.headers, head.error_body)
        start, total = 0, head.headers.get("content-length", "")
        if head.status == 206:
            said = re.match(r"bytes (\d+)-\d+/(\d+|\*)$", head.headers.get("content-range", ""))
            start, total = (int(said[1]), said[2]) if said else (-1, "")
        if total.isdigit() and int(total) != self._offer.bytes:
            raise _WrongFile(f"What {self._host} has is not {self._name}: its size is wrong.")
        if start == 0:
            self._start_over()
        if start != self._have:
            raise EndpointError(f"{self._host} answered with another part of {self._name}.")

    def _keep(self, chunk: bytes) -> None:
        if self._have + len(chunk) > self._offer.bytes:
            raise _WrongFile(f"What {self._host} sends is not {self._name}: its size is wrong.")
        self._file.write(chunk)
        self._count(chunk)

    def _count(self, chunk: bytes) -> None:
        self._digest.update(chunk)
        self._have += len(chunk)

    def _start_over(self) -> None:
        self._file.truncate(0)
        self._have, self._digest = 0, hashlib.sha256()

    def _obey(self) -> None:
        if self._cancel.is_set():
            raise Cancelled("Stopped.")

    def _broken(self) -> ModelError:
        return EndpointError(
            f"{self._host} broke off the download of {self._name}; ask again to go on."
        )


def _alone(file: IO[bytes], name: str) -> None:
    """Keep two programs from writing into one file; the lock ends when it is closed."""
    try:
        _claim(file.fileno())
    except OSError:
        raise ModelFileError(f"{name} is being downloaded already.") from None


def _find_room(offer: Offer, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    wanted = offer.bytes - have + SPARE_BYTES
    if wanted > SPARE_BYTES and shutil.disk_usage(part.parent).free < wanted:
        megabytes = -(-wanted // 1_000_000)
        raise ModelFileError(f"There are not {megabytes} MB free for the download.")


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
