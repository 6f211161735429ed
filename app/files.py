"""Open files that somebody names: ordinary ones alone, and never more of them than is wanted.

What is behind a pipe or a device may never come, or never end; a folder is no file. Each is an
``OSError`` whose ``strerror`` says so.
"""

import errno
import io
import os
import stat
from pathlib import Path

FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
DISK_FULL = "the disk is full"
FOLDER = "it is a folder"
NO_FILE = "it is not an ordinary file"
TOO_LARGE = "it is larger than {}"


def open_file(path: Path) -> io.BufferedReader:
    """Return an ordinary file, open for reading.

    Raises:
        OSError: There is none at ``path``, or it is a folder, a pipe, a socket or a device.
    """
    _expect_ordinary(path, path.stat().st_mode)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _expect_ordinary(path, os.fstat(file.fileno()).st_mode)
    except OSError:
        file.close()
        raise
    return file


def read_file(path: Path, most: int) -> bytes:
    """Return what an ordinary file holds.

    Args:
        path: Where it lies.
        most: How many bytes it may have.

    Raises:
        OSError: It cannot be read, is no ordinary file, or is larger than that.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, TOO_LARGE.format(size(most)), str(path))
    return data


def reason(error: OSError) -> str:
    """Return in words why the system refused something, to stand after a colon."""
    if error.errno in FULL:
        return DISK_FULL
    return error.strerror or type(error).__name__


def size(count: int) -> str:
    """Return a number of bytes in words: "200 KB", "4 MB"."""
    for unit, name in ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "KB")):
        if count >= unit:
            return f"{count / unit:,.0f} {name}"
    return f"{count} bytes"


def _expect_ordinary(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        what = FOLDER if stat.S_ISDIR(mode) else NO_FILE
        raise OSError(errno.EINVAL, what, str(path))
