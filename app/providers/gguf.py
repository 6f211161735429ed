"""Reads and checks the header of a GGUF file before any native code does.

llama.cpp parses these files in C++, and they come from strangers. So everything that the header
claims (counts, lengths, types, where each tensor lies) is held against the file's real size here
first, in memory and time that do not depend on the claims. The format:
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import re
import stat
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from app.domain.model import ModelRole
from app.errors import ModelFileError

MOST_TENSORS = 65_536
MOST_KEYS = 4_096
MOST_STRINGS = 4_000_000
LONGEST_KEY = 1_024
LONGEST_NAME = 63
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

# Tensor type → (values in a block, bytes of a block), as ggml.h has them.
BLOCKS = {
    0: (1, 4),  # F32
    1: (1, 2),  # F16
    2: (32, 18),  # Q4_0
    3: (32, 20),  # Q4_1
    6: (32, 22),  # Q5_0
    7: (32, 24),  # Q5_1
    8: (32, 34),  # Q8_0
    9: (32, 40),  # Q8_1
    10: (256, 84),  # Q2_K
    11: (256, 110),  # Q3_K
    12: (256, 144),  # Q4_K
    13: (256, 176),  # Q5_K
    14: (256, 210),  # Q6_K
    15: (256, 292),  # Q8_K
    16: (256, 66),  # IQ2_XXS
    17: (256, 74),  # IQ2_XS
    18: (256, 98),  # IQ3_XXS
    19: (256, 50),  # IQ1_S
    20: (32, 18),  # IQ4_NL
    21: (256, 110),  # IQ3_S
    22: (256, 82),  # IQ2_S
    23: (256, 136),  # IQ4_XS
    24: (1, 1),  # I8
    25: (1, 2),  # I16
    26: (1, 4),  # I32
    27: (1, 8),  # I64
    28: (1, 8),  # F64
    29: (256, 56),  # IQ1_M
    30: (1, 2),  # BF16
    34: (256, 54),  # TQ1_0
    35: (256, 66),  # TQ2_0
    39: (32, 17),  # MXFP4
    40: (64, 36),  # NVFP4
    41: (128, 18),  # Q1_0
}

POOLINGS = {0: "none", 1: "mean", 2: "cls", 3: "last", 4: "rank"}
_ENCODERS = re.compile(r"(bert|t5encoder|gemma-embedding)")
_RANK_HEADS = frozenset({"cls.weight", "cls.output.weight"})
_PARTS = frozenset({"adapter", "mmproj", "vocab", "imatrix"})


@dataclass(frozen=True, slots=True)
class GgufInfo:
    """What the header of a sound file says.

    Attributes:
        context_length: Tokens the model was made for; 0 where it does not say.
        embedding_length: Width of its vectors.
        pooling: ``none``, ``mean``, ``cls``, ``last``, ``rank``, or empty where it does not say.
        bytes: Size of the file.
        rank_head: Whether it has the weights that make one score of a text.
        part: Which file of a split model this is, from 0; and ``parts`` how many there are.
        personal: What Loci's own embedder tells personal questions by, as base64 of float16.
    """

    path: Path
    architecture: str
    name: str
    context_length: int
    embedding_length: int
    pooling: str
    has_chat_template: bool
    role: ModelRole
    bytes: int
    rank_head: bool = False
    part: int = 0
    parts: int = 1
    personal: str = ""


def read(path: Path) -> GgufInfo:
    """Check a file and return what its header says.

    Raises:
        ModelFileError: It is no GGUF file, is incomplete, or claims the impossible.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise ModelFileError(f"{path.name} is not a file.")
        return _read(path, found.st_size, found.st_mtime_ns)
    except FileNotFoundError:
        raise ModelFileError(f"{path.name} is not there any more.") from None
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path.name} cannot be read.") from error


def check(path: Path) -> GgufInfo:
    """Check a model and, where it is split over several files, every part of it."""
    info = read(path)
    for part in range(1, info.parts):
        read(path.with_name(_sibling(path.name, part + 1)))
    return info


def _sibling(name: str, number: int) -> str:
    return re.sub(r"-\d{5}-of-(\d{5}\.gguf)$", rf"-{number:05d}-of-\1", name)


@lru_cache(maxsize=256)
def _read(path: Path, size: int, _changed_ns: int) -> GgufInfo:
    with path.open("rb") as file:
        return _Header(file, path, size).info()


class _Header:
    """One pass over a header."""

    def __init__(self, file: BinaryIO, path: Path, size: int) -> None:
        self._file, self._path, self._size = file, path, size
        self._at = 0
        self._strings = 0
        self._values: dict[str, Any] = {}
        self._tensors: set[str] = set()

    def info(self) -> GgufInfo:
        """Read everything and return what matters of it."""
        tensors, keys = self._start()
        for _ in range(keys):
            self._key()
        self._check_tensors(tensors)
        return self._summary()

    # -- reading -----------------------------------------------------------------------------------

    def _fail(self, why: str) -> NoReturn:
        raise ModelFileError(f"{self._path.name} {why}.")

    def _room(self, wanted: int) -> None:
        if wanted > self._size - self._at:
            self._fail("is incomplete: it may still be copying, or its download broke off")

    def _take(self, wanted: int) -> bytes:
        self._room(wanted)
        data = self._file.read(wanted)
        if len(data) != wanted:
            self._fail("is incomplete: it may still be copying, or its download broke off")
        self._at += wanted
        return data

    def _skip(self, wanted: int) -> None:
        self._room(wanted)
        self._file.seek(wanted, 1)
        self._at += wanted

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def _text(self, longest: int, what: str) -> str:
        length = self._number("<Q")
        if length > longest:
            self._fail(f"is damaged: {what} in its header is {length} bytes long")
        return self._take(length).decode("utf-8", "replace")

    # -- the parts of a header ---------------------------------------------------------------------

    def _start(self) -> tuple[int, int]:
        if self._size < 4 or self._take(4) != b"GGUF":
            self._fail("is not a GGUF model file")
        version = self._number("<I")
        if version not in (2, 3):
            odd = version == 1 or version & 0xFFFF == 0
            self._fail("is in an old or foreign GGUF format" if odd else "is in a newer format")
        tensors, keys = self._number("<Q"), self._number("<Q")
        if tensors > MOST_TENSORS or keys > MOST_KEYS:
            self._fail("is damaged: its header claims impossible counts")
        if not tensors:
            self._fail("contains no weights")
        return tensors, keys

    def _key(self) -> None:
        key = self._text(LONGEST_KEY, "a key")
        if not key or key in self._values:
            self._fail("is damaged: a key in its header is empty or there twice")
        self._values[key] = self._value(self._number("<I"))

    def _value(self, kind: int) -> Any:
        if kind in _SCALARS:
            return self._number(_SCALARS[kind])
        if kind == _STRING:
            length = self._number("<Q")
            if length <= KEPT_TEXT:
                return self._take(length).decode("utf-8", "replace")
            self._skip(length)
            return "…"
        if kind == _ARRAY:
            return self._skip_array()
        return self._fail("is damaged: a value in its header has an unknown type")

    def _skip_array(self) -> None:
        kind, length = self._number("<I"), self._number("<Q")
        if kind in _SCALARS:
            self._skip(length * struct.calcsize(_SCALARS[kind]))
            return
        if kind != _STRING:
            self._fail("is damaged: a list in its header has an unknown type")
        self._room(length * 8)
        self._strings += length
        if self._strings > MOST_STRINGS:
            self._fail("is damaged: its header claims impossible counts")
        self._skip_texts(length)

    def _skip_texts(self, count: int) -> None:
        """Skip a list of texts, in one tight loop: a vocabulary has many thousands."""
        take, seek, left = self._file.read, self._file.seek, self._size - self._at
        for _ in range(count):
            length = int.from_bytes(take(8), "little")
            left -= 8 + length
            if left < 0:
                break
            seek(length, 1)
        self._at = self._size - left
        self._room(0)

    def _check_tensors(self, count: int) -> None:
        alignment = self._values.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 8 <= alignment <= 1 << 20:
            self._fail("is damaged: its alignment is impossible")
        if alignment & (alignment - 1):
            self._fail("is damaged: its alignment is impossible")
        ends = [self._tensor(alignment) for _ in range(count)]
        data = -(-self._at // alignment) * alignment
        if data + max(ends) > self._size:
            self._fail("is incomplete: it may still be copying, or its download broke off")

    def _tensor(self, alignment: int) -> int:
        """Check the description of one tensor and return where it ends in the data."""
        name = self._text(LONGEST_NAME, "a name")
        if name in self._tensors:
            self._fail("is damaged: a tensor is there twice")
        self._tensors.add(name)
        dims = self._number("<I")
        if not 1 <= dims <= 4:
            self._fail("is damaged: a tensor has an impossible shape")
        shape = [self._number("<Q") for _ in range(dims)]
        block = BLOCKS.get(self._number("<I"))
        offset = self._number("<Q")
        if block is None:
            self._fail("uses a number format that this version of Loci cannot read")
        values, size = block
        if shape[0] % values or not all(shape):
            self._fail("is damaged: a tensor has an impossible shape")
        if offset % alignment:
            self._fail("is damaged: a tensor lies at an impossible place")
        total = shape[0] // values * size
        for n in shape[1:]:
            total *= n
        return int(offset + total)

    # -- what it means -----------------------------------------------------------------------------

    def _summary(self) -> GgufInfo:
        arch = self._values.get("general.architecture")
        if not isinstance(arch, str) or not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", arch):
            self._fail("does not say what kind of model it is")
        if self._values.get("general.type") in _PARTS or arch == "clip":
            self._fail("belongs to another model and is none by itself")
        name = self._values.get("general.name")
        template = self._values.get("tokenizer.chat_template")
        pooling = POOLINGS.get(self._whole(f"{arch}.pooling_type", -1), "")
        return GgufInfo(
            path=self._path,
            architecture=arch,
            name=name.strip()[:200] if isinstance(name, str) and name.strip() else self._path.stem,
            context_length=self._whole(f"{arch}.context_length", 0),
            embedding_length=self._whole(f"{arch}.embedding_length", 0),
            pooling=pooling,
            has_chat_template=isinstance(template, str) and bool(template),
            role=self._role(arch, pooling),
            bytes=self._size,
            rank_head=bool(_RANK_HEADS & self._tensors),
            part=self._whole("split.no", 0),
            parts=min(max(self._whole("split.count", 1), 1), 999),
            personal=str(self._values.get("loci.personal", "")),
        )

    def _whole(self, key: str, default: int) -> int:
        value = self._values.get(key)
        return value if type(value) is int and 0 <= value < 1 << 31 else default

    def _role(self, arch: str, pooling: str) -> ModelRole:
        encoder = _ENCODERS.search(arch) is not None
        if pooling == "rank" or (encoder and "cls.output.weight" in self._tensors):
            return ModelRole.RERANK
        if encoder or pooling in ("mean", "cls", "last"):
            return ModelRole.EMBED
        return ModelRole.CHAT
