"""What a chat model has read: contexts over the same weights; runs inside the chat child process.

A context keeps what it read, so that a prompt that begins in the same way is read from where it
differs. The conversation has one of its own, and background work another, made when it is needed:
learning from a message must not make the model forget the conversation.
"""

import ctypes
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from time import perf_counter
from typing import Any

from app.errors import ModelError
from app.providers.local import native as calls

MOST_AT_ONCE = 512
LEAST_AT_ONCE = 64
_FIRST_AT_ONCE = 128
_STEP_SECONDS = 1.5
_ABORTED = 2


@dataclass(frozen=True, slots=True)
class Threads:
    """Processor threads: for a token at a time, and for many at once."""

    writing: int
    reading: int

    @classmethod
    def of(cls, wanted: int, measured: int = 0) -> "Threads":
        """Return the threads wanted or measured, else half of the cores to write; 0 is no wish."""
        cores = os.cpu_count() or 1
        return cls(wanted or measured or max(cores // 2, 1), wanted or cores)


class Context:
    """One context, and the tokens that it has read.

    Args:
        native: The module of llama.cpp.
        weights: The model.
        tokens: How many it holds.

    Attributes:
        size: How many tokens it holds.
    """

    def __init__(
        self, native: Any, weights: Any, tokens: int, threads: Threads, at_once: int = MOST_AT_ONCE
    ) -> None:
        self._native = native
        self._at_once = min(at_once, tokens)
        wanted = native.llama_context_default_params()
        wanted.n_ctx = tokens
        wanted.n_batch = wanted.n_ubatch = self._at_once
        wanted.n_outputs_max = 1
        wanted.n_threads, wanted.n_threads_batch = threads.writing, threads.reading
        wanted.flash_attn_type = native.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self._context = native.llama_init_from_model(weights, wanted)
        if not self._context:
            raise ModelError("There is not enough memory for what a model reads at once.")
        self._memory = native.llama_get_memory(self._context)
        self.size = int(native.llama_n_ctx(self._context))
        self._known: list[int] = []

    def close(self) -> None:
        """Free its memory."""
        self._native.llama_free(self._context)

    def use_threads(self, threads: Threads) -> None:
        """Work with so many threads from now on."""
        self._native.llama_set_n_threads(self._context, threads.writing, threads.reading)

    def begin(self, prompt: Sequence[int]) -> int:
        """Keep as much of what was read as a prompt begins with; return how much that is."""
        same = 0
        for known, wanted in zip(self._known, prompt[:-1], strict=False):
            if known != wanted:
                break
            same += 1
        if not self._native.llama_memory_seq_rm(self._memory, 0, same, -1):
            calls.forget(self._native, self._context)  # a model that cannot go back a little
            same = 0
        del self._known[same:]
        return same

    def read(self, tokens: Sequence[int], cancel: Event) -> Iterator[int]:
        """Read on, in pieces of about the same time; yield how many of the tokens were read.

        It ends early once ``cancel`` is set. What was read until then is kept.
        """
        native, done, at_once = self._native, 0, min(_FIRST_AT_ONCE, self._at_once)
        asked = native.ggml_abort_callback(lambda _: cancel.is_set())
        native.llama_set_abort_callback(self._context, asked, ctypes.c_void_p(0))
        try:
            while done < len(tokens) and not cancel.is_set():
                piece, started = tokens[done : done + at_once], perf_counter()
                if not self._decoded(piece):
                    return
                done += len(piece)
                yield done
                at_once = self._next_piece(len(piece), perf_counter() - started)
        finally:
            never = native.ggml_abort_callback()
            native.llama_set_abort_callback(self._context, never, ctypes.c_void_p(0))

    def add(self, token: int) -> None:
        """Read one token that was drawn."""
        self._decoded([token])

    def draw(self, sampler: Any) -> int:
        """Return the token that comes next, as a sampler draws it."""
        return int(self._native.llama_sampler_sample(sampler, self._context, -1))

    def _decoded(self, tokens: Sequence[int]) -> bool:
        """Read tokens; return whether it was not interrupted."""
        native = self._native
        given = (native.llama_token * len(tokens))(*tokens)
        result = native.llama_decode(self._context, native.llama_batch_get_one(given, len(tokens)))
        if result == 0:
            self._known.extend(tokens)
            return True
        native.llama_memory_seq_rm(self._memory, 0, len(self._known), -1)
        if result == _ABORTED:
            return False
        raise ModelError("The model could not read on.")

    def _next_piece(self, tokens: int, seconds: float) -> int:
        wanted = int(tokens * _STEP_SECONDS / max(seconds, 1e-3)) // LEAST_AT_ONCE * LEAST_AT_ONCE
        return max(min(LEAST_AT_ONCE, self._at_once), min(wanted, self._at_once))
