"""Word files: the words of the text, its tables and its notes, page by page where Word noted them.

The archive is read as a stream and never unpacked, and what it says is parsed without entities.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from xml.parsers import expat

from app.domain.limits import LARGEST_DOCUMENT, LONGEST_DOCUMENT
from app.providers.documents.refusals import (
    DAMAGED,
    EMPTY,
    HEAVY,
    LOCKED,
    LONG,
    OLD_WORD,
    Unreadable,
)

TEXT = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_CHUNK = 256_000
_LARGEST = 2 * LARGEST_DOCUMENT  # bytes of one unpacked file within it
_OLD = b"\xd0\xcf\x11\xe0"
_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
}
_PASSED_OVER = frozenset({"mc:Fallback", "w:instrText", "w:delText"})
_SIGNS = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_DEEPEST = 200


def pages(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield 0, for an unknown number, and the text of each page, in order.

    Raises:
        Unreadable: It is protected, damaged, a bomb, or has no text.
    """
    if data.startswith(_OLD):
        raise Unreadable(OLD_WORD)
    words = _Words()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            if TEXT not in names:
                raise Unreadable(DAMAGED)
            for name in (TEXT, *(note for note in _NOTES if note in names)):
                _parse(archive, name, words)
    except RuntimeError:  # that is how it says that a password is wanted
        raise Unreadable(LOCKED) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError):
        raise Unreadable(DAMAGED) from None
    except expat.ExpatError:
        raise Unreadable(DAMAGED) from None
    found = words.pages()
    if not any(text.strip() for text in found):
        raise Unreadable(EMPTY)
    for text in found:
        yield 0, text


def _parse(archive: zipfile.ZipFile, name: str, words: "_Words") -> None:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.StartElementHandler = words.begin
    parser.EndElementHandler = words.end
    parser.CharacterDataHandler = words.say
    taken = 0
    with archive.open(name) as file:
        while chunk := file.read(_CHUNK):
            taken += len(chunk)
            if taken > _LARGEST:
                raise Unreadable(HEAVY)
            parser.Parse(chunk, False)
    parser.Parse(b"", True)
    words.close()


def _short(name: str) -> str:
    """Return a name as Word usually writes it, whatever prefix stands for its namespace here."""
    space, _, local = name.rpartition(" ")
    return f"{_PREFIXES.get(space, space)}:{local}"


def _refuse(*_given: object) -> None:
    """Take no entities: they are how a few letters become gigabytes, and Word writes none."""
    raise Unreadable(DAMAGED)


class _Words:
    """Gathers the words of a text while it is parsed."""

    def __init__(self) -> None:
        self._pages: list[list[str]] = [[]]
        self._within: list[str] = []
        self._over = 0
        self._length = 0

    def begin(self, name: str, given: Mapping[str, str]) -> None:
        name = _short(name)
        if len(self._within) >= _DEEPEST:
            raise Unreadable(DAMAGED)
        self._within.append(name)
        self._over += name in _PASSED_OVER
        ends = name == "w:br" and "page" in given.values()
        if (ends or name == "w:lastRenderedPageBreak") and not self._over:
            self._turn()
        elif name in _SIGNS and self._within[-2:-1] != ["w:tabs"]:
            self._add(_SIGNS[name])

    def end(self, name: str) -> None:
        name = _short(name)
        self._over -= name in _PASSED_OVER
        self._within.pop()
        if name == "w:p":
            self._add(" " if "w:tc" in self._within else "\n")
        elif name in ("w:tc", "w:tr"):
            self._add("\t" if name == "w:tc" else "\n")

    def say(self, text: str) -> None:
        if self._within and self._within[-1] == "w:t":
            self._add(text)

    def close(self) -> None:
        self._add("\n")

    def pages(self) -> list[str]:
        """Return the text of each page."""
        return ["".join(page) for page in self._pages]

    def _turn(self) -> None:
        """Begin a page, unless this one is empty: Word notes a break that was set by hand twice."""
        if "".join(self._pages[-1][-50:]).strip():
            self._pages.append([])

    def _add(self, text: str) -> None:
        if self._over:
            return
        self._length += len(text)
        if self._length > LONGEST_DOCUMENT:
            raise Unreadable(LONG)
        self._pages[-1].append(text)
