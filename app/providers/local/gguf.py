"""Reads and checks the header of a GGUF file before any native code does.

llama.cpp parses these files in C++, and they come from strangers. So everything that the header
claims (counts, lengths, types, where each tensor lies) is held against the file's real size here
first, in memory and time that do not depend on the claims. The format:
https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

from app.domain.model import ModelRole
from app.errors import ModelFileError
from app.providers.local import architectures
from app.providers.local.chat_template import is_sound, speaks_of_tools
from app.providers.local.gguf_values import KEPT_TEXT, Values

MOST_TENSORS = 65_536
MOST_KEYS = 4_096
MOST_LAYERS = 4_096
LONGEST_KEY = 1_024
LONGEST_TEMPLATE = 1 << 18
TEMPLATE = "tokenizer.chat_template"
LONGEST_NAME = 63

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
_PER_LAYER = (".attention.head_count", ".attention.head_count_kv")
EMBEDDING, OUTPUT = "token_embd.weight", "output.weight"
LEAST_TIED = 0.08  # of all; Qwen3 4B ties its 8.8 %, Qwen3 8B not its 7.6 %
_THOUSANDS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_CONTEXT_NUMBER_BYTES = 2  # llama.cpp keeps keys and values as F16
_LOADED = 1.6  # what weights take once they are loaded, as a share of their file; measured


@dataclass(frozen=True, slots=True)
class GgufInfo:
    """What the header of a sound file says.

    Attributes:
        context_length: Tokens the model was made for; 0 where it does not say.
        embedding_length: Width of its vectors.
        pooling: ``none``, ``mean``, ``cls``, ``last``, ``rank``, or empty where it does not say.
        is_base: Whether it continues a text and was not made to answer, as far as can be told.
        knows_tools: Whether its chat template makes anything of tools.
        bytes: Size of the file.
        parameters: How many numbers it is made of, those of all experts among them.
        context_bytes: What a token of the context takes in memory; 0 where it does not say.
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
    role: ModelRole
    bytes: int
    parameters: int = 0
    context_bytes: int = 0
    is_base: bool = False
    knows_tools: bool = False
    rank_head: bool = False
    part: int = 0
    parts: int = 1
    personal: str = ""

    def memory_bytes(self, context_tokens: int = 0) -> int:
        """Return about how much memory it takes: its weights, and its context for answers."""
        of_context = self.context_bytes, self.context_length
        return memory_needed(self.role, self.bytes, *of_context, context_tokens)


def memory_needed(
    role: ModelRole, size: int, context_bytes: int, context_length: int, context_tokens: int
) -> int:
    """Return about how much memory a model takes: its weights, and its context for answers.

    Args:
        role: What it is for.
        size: Bytes of its file.
        context_bytes: What a token of the context takes.
        context_length: How many tokens it was made for; 0 where that is not known.
        context_tokens: How much of a conversation is to be seen.
    """
    seen = min(context_tokens, context_length or context_tokens) if role is ModelRole.CHAT else 0
    return round(size * _LOADED) + seen * context_bytes


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
    """Check a model and, where it is split over several files, every part of it.

    Returns:
        What the first part says, with the bytes and parameters of all.

    Raises:
        ModelFileError: A part is missing or unsound, or ``path`` is not the first.
    """
    info = read(path)
    if info.part:
        raise ModelFileError(
            f"{path.name} is part {info.part + 1} of a model; choose the first part instead."
        )
    if info.parts > 1 and _sibling(path.name, 2) == path.name:
        raise ModelFileError(
            f"{path.name} is the first of {info.parts} files, and the others are not found: its "
            f"name must end in -00001-of-{info.parts:05d}.gguf."
        )
    parts = [read(path.with_name(_sibling(path.name, n + 1))) for n in range(1, info.parts)]
    return replace(
        info,
        bytes=sum((part.bytes for part in parts), info.bytes),
        parameters=sum((part.parameters for part in parts), info.parameters),
    )


def _sibling(name: str, number: int) -> str:
    return re.sub(r"-\d{5}-of-(\d{5}\.gguf)$", rf"-{number:05d}-of-\1", name)


def _labelled(label: Any) -> float:
    """Return how many parameters a label such as ``1.5B`` or ``8x7B`` speaks of; else 0."""
    found = isinstance(label, str) and re.fullmatch(
        r"(?:(\d{1,4})x)?(\d{1,4}(?:\.\d{1,3})?)([KMBT])", label
    )
    return int(found[1] or 1) * float(found[2]) * _THOUSANDS[found[3]] if found else 0.0


@lru_cache(maxsize=256)
def _read(path: Path, size: int, _changed_ns: int) -> GgufInfo:
    with path.open("rb") as file:
        return _Header(file, path, size).info()


class _Header:
    """One pass over a header."""

    def __init__(self, file: BinaryIO, path: Path, size: int) -> None:
        self._path, self._size = path, size
        self._read = Values(file, path, size)
        self._values: dict[str, Any] = {}
        self._tensors: set[str] = set()
        self._shapes: dict[str, list[int]] = {}
        self._parameters = 0

    def info(self) -> GgufInfo:
        """Read everything and return what matters of it."""
        tensors, keys = self._start()
        for _ in range(keys):
            self._key()
        self._check_tensors(tensors)
        return self._summary()

    # -- the parts of a header ---------------------------------------------------------------------

    def _start(self) -> tuple[int, int]:
        if self._size < 4 or self._read.take(4) != b"GGUF":
            self._read.fail("is not a GGUF model file")
        version = self._read.number("<I")
        if version not in (2, 3):
            odd = version == 1 or version & 0xFFFF == 0
            kind = "an old or foreign GGUF format" if odd else "a newer format"
            self._read.fail(f"is in {kind}")
        tensors, keys = self._read.number("<Q"), self._read.number("<Q")
        if tensors > MOST_TENSORS or keys > MOST_KEYS:
            self._read.fail("is damaged: its header claims impossible counts")
        if not tensors:
            self._read.fail("contains no weights")
        return tensors, keys

    def _key(self) -> None:
        key = self._read.text(LONGEST_KEY, "a key")
        if not key or key in self._values:
            self._read.fail("is damaged: a key in its header is empty or there twice")
        kept = LONGEST_TEMPLATE if key == TEMPLATE else KEPT_TEXT
        self._values[key] = self._read.value(numbers=key.endswith(_PER_LAYER), kept=kept)

    def _check_tensors(self, count: int) -> None:
        alignment = self._values.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 8 <= alignment <= 1 << 20:
            self._read.fail("is damaged: its alignment is impossible")
        if alignment & (alignment - 1):
            self._read.fail("is damaged: its alignment is impossible")
        ends = [self._tensor(alignment) for _ in range(count)]
        data = -(-self._read.at // alignment) * alignment
        if data + max(ends) > self._size:
            self._read.incomplete()

    def _tensor(self, alignment: int) -> int:
        """Check the description of one tensor and return where it ends in the data."""
        name = self._read.text(LONGEST_NAME, "a name")
        if name in self._tensors:
            self._read.fail("is damaged: a tensor is there twice")
        self._tensors.add(name)
        dims = self._read.number("<I")
        if not 1 <= dims <= 4:
            self._read.fail("is damaged: a tensor has an impossible shape")
        shape = [self._read.number("<Q") for _ in range(dims)]
        block = BLOCKS.get(self._read.number("<I"))
        offset = self._read.number("<Q")
        if block is None:
            self._read.fail("uses a number format that this version of Loci cannot read")
        values, size = block
        if shape[0] % values or not all(shape):
            self._read.fail("is damaged: a tensor has an impossible shape")
        if offset % alignment:
            self._read.fail("is damaged: a tensor lies at an impossible place")
        count = prod(shape)
        self._parameters += count
        if name in (EMBEDDING, OUTPUT):
            self._shapes[name] = shape
        return int(offset + count // values * size)

    # -- what it means -----------------------------------------------------------------------------

    def _summary(self) -> GgufInfo:
        arch = self._architecture()
        name = self._values.get("general.name")
        template = self._values.get(TEMPLATE)
        pooling = POOLINGS.get(self._whole(f"{arch}.pooling_type", -1), "")
        role = self._role(arch, pooling)
        source = template if role is ModelRole.CHAT and isinstance(template, str) else ""
        if source and not is_sound(source):  # an embedder has none, and starts without jinja2
            self._read.fail("cannot be used: its chat template is damaged")
        return GgufInfo(
            path=self._path,
            architecture=arch,
            name=name.strip()[:200] if isinstance(name, str) and name.strip() else self._path.stem,
            context_length=self._whole(f"{arch}.context_length", 0),
            embedding_length=self._whole(f"{arch}.embedding_length", 0),
            pooling=pooling,
            is_base=self._is_base(template),
            knows_tools=speaks_of_tools(source),
            role=role,
            bytes=self._size,
            parameters=self._own_parameters(),
            context_bytes=self._context_bytes(arch),
            rank_head=bool(_RANK_HEADS & self._tensors),
            part=self._whole("split.no", 0),
            parts=min(max(self._whole("split.count", 1), 1), 999),
            personal=str(self._values.get("loci.personal", "")),
        )

    def _architecture(self) -> str:
        """Return the kind of model; the later parts of a split one do not say it again."""
        arch = self._values.get("general.architecture")
        if arch is None and self._whole("split.no", 0):
            return ""
        if not isinstance(arch, str) or not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", arch):
            self._read.fail("does not say what kind of model it is")
        if self._values.get("general.type") in _PARTS or arch == "clip":
            self._read.fail("belongs to another model and is none by itself")
        if architectures.is_lacking(arch):
            self._read.fail(f"is a model of the kind {arch}, which this version of Loci cannot run")
        return arch

    def _own_parameters(self) -> int:
        """Return how many numbers the model has, a tied output not twice.

        Many small models write with the weights that they read with. Some who quantize them store
        those a second time, which no key tells. Makers tie them where they are a large part of the
        model, so that decides, unless the size in the header is nearer to all that is there.
        """
        every, shape = self._parameters, self._shapes.get(OUTPUT)
        if shape is None or shape != self._shapes.get(EMBEDDING):
            return every
        output = prod(shape)
        if output < every * LEAST_TIED:
            return every
        said = _labelled(self._values.get("general.size_label"))
        return every if said and abs(every - said) < abs(every - output - said) else every - output

    def _is_base(self, template: Any) -> bool:
        tuned = self._values.get("general.finetune")
        return not template or (isinstance(tuned, str) and tuned.lower() == "base")

    def _context_bytes(self, arch: str) -> int:
        """Return what one token takes in every layer that keeps keys and values of it.

        Layers that attend to a window only are counted in full, as llama.cpp keeps them by default.
        """
        layers = min(self._whole(f"{arch}.block_count", 0), MOST_LAYERS)
        heads = self._per_layer(f"{arch}.attention.head_count", layers)
        kept = self._per_layer(f"{arch}.attention.head_count_kv", layers) or heads
        most = max(heads, default=0)
        usual = self._whole(f"{arch}.embedding_length", 0) // most if most else 0
        keys = self._whole(f"{arch}.attention.key_length", usual)
        values = self._whole(f"{arch}.attention.value_length", usual)
        every = max(self._whole(f"{arch}.full_attention_interval", 1), 1)
        return sum(kept) // every * (keys + values) * _CONTEXT_NUMBER_BYTES

    def _per_layer(self, key: str, layers: int) -> Sequence[int]:
        """Return a number for each layer, whether the header has one for all or a list."""
        value = self._values.get(key)
        if isinstance(value, tuple):
            return [n if 0 <= n < 1 << 31 else 0 for n in value[:layers]]
        one = self._whole(key, -1)
        return [one] * layers if one >= 0 else ()

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
