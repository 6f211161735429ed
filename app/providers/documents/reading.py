"""Read a file that somebody attaches as pages of text, or say in one sentence why that fails.

Plain text is decoded here. Everything else is taken apart by a process of its own, which is ended
when it takes too long or nobody waits for it any more.
"""

import errno
import hashlib
import json
import multiprocessing
import time
from collections.abc import Callable, Generator
from contextlib import closing
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from app.domain.conversation import Document
from app.domain.jobs.progress import Progress
from app.domain.limits import LARGEST_DOCUMENT, LONGEST_DOCUMENT
from app.errors import TransferError
from app.files import open_file, read_file, reason
from app.hardening import start_clean
from app.providers.documents import child, plain
from app.providers.documents.refusals import (
    DAMAGED,
    HEAVY,
    LARGE,
    LONG,
    SLOW,
    UNREADABLE,
    Unreadable,
)

SECONDS = 300.0
"""The longest that reading one file may take."""

QUIET_SECONDS = 60.0
"""The longest that one page may take."""

_LOOK_SECONDS = 0.1
_APART = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")

Reading = Generator[Progress, None, Document]


def reading(path: Path, now: Callable[[], float] = time.monotonic) -> Reading:
    """Return a file as pages of text; it can be stopped whenever it tells how far it is.

    Raises:
        TransferError: It cannot be read, is too large, or holds no text.
    """
    yield Progress(f"Reading {path.name}")
    try:
        with open_file(path) as file:
            first = file.read(1024)
        if first.startswith(_APART) or b"%PDF-" in first:
            document = yield from _apart(path, now)
        else:
            document = of_text(path.name, read_file(path, LARGEST_DOCUMENT))
    except Unreadable as error:
        raise TransferError(str(error).replace("{}", path.name)) from None
    except OSError as error:
        why = LARGE if error.errno == errno.EFBIG else UNREADABLE
        raise TransferError(why.format(path.name, reason(error))) from None
    return document


def of_text(name: str, data: bytes) -> Document:
    """Return plain text as a document.

    Raises:
        Unreadable: It is no text, or too long.
    """
    text, note = plain.decoded(data)
    if len(text) > LONGEST_DOCUMENT:
        raise Unreadable(LONG)
    texts = tuple(plain.parts(text))
    digest, paged = hashlib.sha256(data).hexdigest(), "\f" in text
    return Document("", name, "text", len(data), digest, len(texts), paged, texts, note)


def _apart(path: Path, now: Callable[[], float]) -> Reading:
    """Read a file in a process of its own, which ends with this generator."""
    process, pipe = _started(path)
    try:
        with closing(pipe):
            document = yield from _taken(path, pipe, now)
    finally:
        process.kill()
        process.join()
        process.close()
    return document


def _started(path: Path) -> tuple[BaseProcess, "Connection[Any, Any]"]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=child.read, args=(theirs, path), name="loci-document", daemon=True
    )
    try:
        start_clean()
        process.start()
    except OSError:
        ours.close()
        raise
    finally:
        theirs.close()
    return process, ours


def _taken(path: Path, pipe: "Connection[Any, Any]", now: Callable[[], float]) -> Reading:
    texts: list[str] = []
    begun = heard = now()
    while True:
        if not pipe.poll(_LOOK_SECONDS):
            if now() - begun > SECONDS or now() - heard > QUIET_SECONDS:
                raise Unreadable(SLOW)
            yield Progress(f"Reading {path.name}", len(texts))
            continue
        try:
            state, what = json.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            raise Unreadable(HEAVY if texts else DAMAGED) from None
        heard = now()
        if heard - begun > SECONDS:
            raise Unreadable(SLOW)
        if state == child.FAILED:
            raise Unreadable(what)
        if state == child.DONE:
            kind, size, digest, paged = what
            return _document(path.name, kind, size, digest, paged, texts)
        total, text = what
        texts.append(text)
        yield Progress(f"Reading {path.name}", len(texts), total)


def _document(
    name: str, kind: str, size: int, digest: str, paged: bool, texts: list[str]
) -> Document:
    """Return what was read; a Word file of which no page is known is cut into parts."""
    pages = tuple(texts) if paged else tuple(plain.parts(texts[0]))
    return Document("", name, kind, size, digest, len(pages), paged, pages)
