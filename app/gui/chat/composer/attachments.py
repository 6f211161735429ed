"""Text files that go with a message: read off the window's thread, and refused with a sentence."""

import errno
from pathlib import Path

from app.domain.conversation import Part, PartOrigin
from app.errors import TransferError
from app.files import read_file, size

LARGEST = 200_000
"""Bytes of text that may be attached to one message."""

_CODECS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def read_attachment(path: Path) -> Part:
    """Return a text file as a part of a message.

    Raises:
        TransferError: It cannot be read, is too large, or is no text.
    """
    try:
        data = read_file(path, LARGEST)
    except OSError as error:
        raise TransferError(_unreadable(path, error)) from None
    codec = next((name for mark, name in _CODECS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(codec)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise TransferError(f"“{path.name}” is not text; only text can be attached.")
    return Part(text.replace("\r\n", "\n"), PartOrigin.ATTACHED, path.name)


def _unreadable(path: Path, error: OSError) -> str:
    if error.errno == errno.EFBIG:
        return f"“{path.name}” is larger than {size(LARGEST)}; attach part of it instead."
    if error.errno == errno.EINVAL:
        return f"“{path.name}” cannot be attached: {error.strerror}."
    return f"“{path.name}” could not be read."
