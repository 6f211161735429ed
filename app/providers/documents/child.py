"""The process in which a file of somebody else's is taken apart, with little memory and no rights.

It sends lines of JSON, never objects: a file that takes over its reader has no way on from here.
"""

import hashlib
import json
import logging
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from app.domain.limits import LARGEST_DOCUMENT, LONGEST_DOCUMENT
from app.files import read_file, reason
from app.hardening import leave_no_core
from app.providers.documents import docx, pdf, plain
from app.providers.documents.refusals import (
    HEAVY,
    LARGE,
    LONG,
    PICTURE,
    UNREADABLE,
    Unreadable,
)

MEMORY = 2_000_000_000
"""Bytes that the process may take."""

PAGE, DONE, FAILED = "page", "done", "failed"


def read(pipe: "Connection[Any, Any]", path: Path) -> None:
    """Send the pages of a file, one by one, then what it is; the process's main function."""
    leave_no_core()
    _limit_memory()
    logging.disable(logging.CRITICAL)  # what a library says of a file may quote it
    try:
        _read(pipe, path)
    except Unreadable as error:
        _send(pipe, FAILED, str(error))
    except MemoryError:
        _send(pipe, FAILED, HEAVY)
    except OSError as error:
        large = "larger" in (error.strerror or "")
        _send(pipe, FAILED, LARGE if large else UNREADABLE.format("{}", reason(error)))


def _read(pipe: "Connection[Any, Any]", path: Path) -> None:
    data = read_file(path, LARGEST_DOCUMENT)
    if plain.is_picture(data[:16]):
        raise Unreadable(PICTURE)
    kind = "pdf" if b"%PDF-" in data[:1024] else "docx"
    found = pdf.pages(data) if kind == "pdf" else docx.pages(data)
    digest, length, number = hashlib.sha256(data).hexdigest(), 0, 0
    for total, text in found:
        number += 1
        length += len(text)
        if length > LONGEST_DOCUMENT:
            raise Unreadable(LONG)
        _send(pipe, PAGE, [total, text.encode("utf-8", "replace").decode()])
    _send(pipe, DONE, [kind, len(data), digest, kind == "pdf" or number > 1])


def _send(pipe: "Connection[Any, Any]", state: str, what: object) -> None:
    pipe.send_bytes(json.dumps([state, what]).encode())


def _limit_memory() -> None:
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most > MEMORY:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
