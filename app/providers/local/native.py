"""The calls of llama.cpp that the models of recall share, inside their child processes."""

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

from app.errors import ModelError


def library() -> Any:
    """Return the module with llama.cpp's calls, without what its package imports beside it.

    That is for chat: templates, grammars, a cache on disk; it takes thrice as long as the rest.

    Raises:
        ModuleNotFoundError: There is no llama.cpp here.
    """
    package = "llama_cpp"
    if package in sys.modules or (spec := find_spec(package)) is None:
        return import_module(f"{package}.llama_cpp")
    sys.modules[package] = module_from_spec(spec)
    try:
        return import_module(f"{package}.llama_cpp")
    finally:
        del sys.modules[package]  # whoever wants the whole of it later gets it


@cache
def silence(native: Any) -> object:
    """Drop llama.cpp's log; the callback lives as long as the process, as the log may use it."""

    def drop(_level: int, _text: bytes, _data: Any) -> None:
        pass

    callback: Callable[..., None] = native.llama_log_callback(drop)
    native.llama_log_set(callback, ctypes.c_void_p(0))
    return callback


def loaded(
    native: Any,
    path: str,
    gpu_layers: int,
    purpose: str,
    progress: Callable[[float], None] | None = None,
) -> Any:
    """Return the weights of a file.

    Args:
        native: The module of llama.cpp.
        path: The file.
        gpu_layers: How many layers go to the graphics card; -1 for all.
        purpose: What they are to be, in words.
        progress: Is told which share of them is loaded, from 0 to 1.

    Raises:
        ModelError: llama.cpp does not take it.
    """
    wanted = native.llama_model_default_params()
    wanted.n_gpu_layers = gpu_layers
    if progress is not None:
        wanted.progress_callback = native.llama_progress_callback(_going_on(progress))
    weights = native.llama_model_load_from_file(path.encode(), wanted)
    if not weights:
        raise ModelError(f"{Path(path).name} could not be loaded as {purpose}.")
    return weights


def _going_on(progress: Callable[[float], None]) -> Callable[[float, Any], bool]:
    def told(share: float, _data: Any) -> bool:
        progress(share)
        return True

    return told


def meta(native: Any, weights: Any, key: str) -> str | None:
    """Return what the file says under a key; None where it says nothing."""
    length = native.llama_model_meta_val_str(weights, key.encode(), None, 0)
    if length < 0:
        return None
    room = ctypes.create_string_buffer(length + 1)
    native.llama_model_meta_val_str(weights, key.encode(), room, length + 1)
    return room.value.decode("utf-8", "replace")


def tokens(
    native: Any, vocabulary: Any, text: str, *, ends: bool = False, marks: bool = False
) -> list[int]:
    """Return the tokens of a text.

    ``ends`` puts the model's own first and last around it; ``marks`` takes words that look like its
    marks for them.
    """
    raw = text.encode("utf-8", "replace")
    room = len(raw) + 8
    found = (ctypes.c_int32 * room)()
    count = native.llama_tokenize(vocabulary, raw, len(raw), found, room, ends, marks)
    return list(found[: max(count, 0)])


def piece(native: Any, vocabulary: Any, token: int) -> str:
    """Return what a token is written as; one that begins a word begins with ▁."""
    raw: bytes = native.llama_vocab_get_text(vocabulary, token) or b""
    text = raw.decode("utf-8", "replace")
    return f"▁{text[1:]}" if text.startswith(("Ġ", " ")) else text


def fill(batch: Any, texts: Sequence[Sequence[int]]) -> int:
    """Put texts into a batch, each as a sequence of its own; return how many tokens that makes."""
    at = 0
    for sequence, ids in enumerate(texts):
        for position, token in enumerate(ids):
            batch.token[at], batch.pos[at] = token, position
            batch.seq_id[at][0], batch.n_seq_id[at] = sequence, 1
            batch.logits[at] = 1
            at += 1
    batch.n_tokens = at
    return at


def forget(native: Any, context: Any) -> None:
    """Empty a context of what it read before."""
    memory = native.llama_get_memory(context)
    if memory:
        native.llama_memory_clear(memory, True)
