"""The values in the header of a GGUF file, read one after the other and never beyond its end."""

import struct
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from app.errors import ModelFileError

MOST_STRINGS = 4_000_000
MOST_KEPT = 4_096
KEPT_TEXT = 4_096

_SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING, _ARRAY = 8, 9
_WHOLE = "BbHhIiQq"
_BLOCK = 1 << 18
_INCOMPLETE = "is incomplete: it may still be copying, or its download broke off"


class Values:
    """Reads a file's numbers and texts in their order.

    Attributes:
        at: How many bytes are read.
    """

    def __init__(self, file: BinaryIO, path: Path, size: int) -> None:
        self._file, self._path, self._size = file, path, size
        self._strings = self._kept = 0
        self.at = 0

    def fail(self, why: str) -> NoReturn:
        """Say what is wrong with the file."""
        raise ModelFileError(f"{self._path.name} {why}.")

    def incomplete(self) -> NoReturn:
        """Say that the file ends too early."""
        self.fail(_INCOMPLETE)

    def take(self, wanted: int) -> bytes:
        """Return the next bytes."""
        self._room(wanted)
        data = self._file.read(wanted)
        if len(data) != wanted:
            self.incomplete()
        self.at += wanted
        return data

    def number(self, form: str) -> Any:
        """Return the next number, of a format of ``struct``."""
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def text(self, longest: int, what: str) -> str:
        """Return the next text; ``what`` says what it is if it is too long."""
        length = self.number("<Q")
        if length > longest:
            self.fail(f"is damaged: {what} in its header is {length} bytes long")
        return self.take(length).decode("utf-8", "replace")

    def value(self, *, numbers: bool = False, kept: int = KEPT_TEXT) -> Any:
        """Return the next value of whatever type it says it has.

        Args:
            numbers: Whether a short list of whole numbers is wanted, as a tuple; any other list
                is passed over and None.
            kept: How many bytes of a text are wanted; of a longer one nothing but a sign is kept.
        """
        kind = self.number("<I")
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind == _STRING:
            length = self.number("<Q")
            if length <= kept:
                return self.take(length).decode("utf-8", "replace")
            self._skip(length)
            return "…"
        if kind == _ARRAY:
            return self._list(numbers)
        return self.fail("is damaged: a value in its header has an unknown type")

    def _list(self, numbers: bool) -> tuple[int, ...] | None:
        kind, length = self.number("<I"), self.number("<Q")
        if kind in _SCALARS:
            form = _SCALARS[kind]
            if numbers and form[1] in _WHOLE and self._kept + length <= MOST_KEPT:
                self._kept += length
                form = f"<{length}{form[1]}"
                return struct.unpack(form, self.take(struct.calcsize(form)))
            self._skip(length * struct.calcsize(form))
            return None
        if kind != _STRING:
            self.fail("is damaged: a list in its header has an unknown type")
        self._room(length * 8)
        self._strings += length
        if self._strings > MOST_STRINGS:
            self.fail("is damaged: its header claims impossible counts")
        self._skip_texts(length)
        return None

    def _skip_texts(self, count: int) -> None:
        """Skip a list of texts, block by block in a tight loop: a vocabulary has many thousands."""
        length_at = struct.Struct("<Q").unpack_from
        while count:
            block = self._file.read(_BLOCK)
            at, last = 0, len(block) - 8
            if last < 0:
                self.incomplete()
            while count and at <= last:
                at += 8 + length_at(block, at)[0]
                count -= 1
            self.at += at
            self._room(0)
            self._file.seek(self.at)

    def _room(self, wanted: int) -> None:
        if wanted > self._size - self.at:
            self.incomplete()

    def _skip(self, wanted: int) -> None:
        self._room(wanted)
        self._file.seek(wanted, 1)
        self.at += wanted
