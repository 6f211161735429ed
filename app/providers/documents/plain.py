"""Text files: Markdown, CSV, source code and whatever else is plain text."""

import codecs

from app.domain.language.pieces import pieces
from app.providers.documents.refusals import EMPTY, NOT_TEXT, PICTURE, Unreadable

PART = 3_000
"""Characters of the parts into which a text without pages is cut."""

WESTERN = "It does not say how its letters are written; they were taken for Western European."
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"\0\0\0\x0cjP")
_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1b") | {127}


def is_picture(data: bytes) -> bool:
    """Return whether the first bytes of a file are those of a picture."""
    boxed = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    new = data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"avif")
    bitmap = data[:2] == b"BM" and data[6:10] == b"\0\0\0\0"
    return boxed or new or (data.startswith(_PICTURES) and (data[:2] != b"BM" or bitmap))


def decoded(data: bytes) -> tuple[str, str]:
    """Return the text of a file, and what should be known of how it was read.

    Raises:
        Unreadable: It is no text.
    """
    if is_picture(data):
        raise Unreadable(PICTURE)
    codec = next((codec for mark, codec in _MARKS if data.startswith(mark)), "utf-8")
    try:
        text, note = data.decode(codec), ""
    except UnicodeDecodeError:
        text, note = _western(data, codec), WESTERN
    if "\0" in text:
        raise Unreadable(NOT_TEXT)
    if not text.strip():
        raise Unreadable(EMPTY)
    return text.replace("\r\n", "\n").replace("\r", "\n"), note


def parts(text: str) -> list[str]:
    """Return a text by its form feeds, where it has some, else in parts."""
    if "\f" in text:
        return text.split("\f")
    return list(pieces(text, PART))


def _western(data: bytes, codec: str) -> str:
    """Return what most old files mean, unless the bytes are those of no text at all."""
    if codec != "utf-8" or not _CONTROL.isdisjoint(data):
        raise Unreadable(NOT_TEXT)
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        raise Unreadable(NOT_TEXT) from None
