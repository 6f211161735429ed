"""How well texts answer a question, inside the reranker's child process; imported by no other.

A cross-encoder reads question and text together and says one number. The pair is put together as
the model was taught it: by its own template where it has one, else with its own special tokens.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np

from app.errors import ModelError
from app.providers.local.native import fill, forget, library, loaded, silence, tokens

LONGEST_QUERY = 1_000
LONGEST_TEXT = 1_500
MOST_TOKENS = 512
MOST_TEXTS = 32
TRIAL_TOKENS = 128
DAMAGED = "The reranking model returned no numbers; its file may be damaged."


@dataclass(frozen=True, slots=True)
class RankingAbout:
    """What the worker says of the reranker it loaded.

    Attributes:
        token_seconds: How long one token takes on this computer, measured once.
        pair_tokens: At most so many tokens of one pair are read.
    """

    token_seconds: float
    pair_tokens: int


def build(path: str, threads: int, gpu_layers: int) -> "Ranking":
    """Load the reranker; the child's worker."""
    return Ranking(path, threads, gpu_layers)


class Ranking:
    """A GGUF reranker in this process, warm once it is built."""

    def __init__(self, path: str, threads: int, gpu_layers: int) -> None:
        self._model = _Model(path, threads, gpu_layers)
        self._pairs = _Pairs(self._model)
        self.about = RankingAbout(self._timed(), self._model.longest)

    def work(
        self, method: str, argument: tuple[str, Sequence[str]], cancel: Event
    ) -> Iterator[list[float]]:
        """Answer ``score``: one number from 0 to 1 for each text, in their order."""
        query, texts = argument
        pairs = [self._pairs.of(query[:LONGEST_QUERY], text[:LONGEST_TEXT]) for text in texts]
        found: list[float] = []
        for batch in batches(pairs):
            found += self._model.run(batch, cancel)
            if cancel.is_set():
                return
        yield found

    def _timed(self) -> float:
        """Return the seconds a token takes, after a first run that nobody should wait for."""
        pair = self._pairs.of("warm", "words " * TRIAL_TOKENS)[:TRIAL_TOKENS]
        self._model.run([pair], Event())
        started = perf_counter()
        self._model.run([pair], Event())
        return (perf_counter() - started) / len(pair)


def batches(pairs: Sequence[list[int]]) -> Iterator[list[list[int]]]:
    """Yield the pairs that go into one pass together, in order."""
    batch: list[list[int]] = []
    for pair in pairs:
        full = sum(map(len, batch)) + len(pair) > MOST_TOKENS or len(batch) == MOST_TEXTS
        if batch and full:
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch


class _Pairs:
    """Puts question and text together as the model was taught it."""

    def __init__(self, model: "_Model") -> None:
        self._model = model
        native, vocabulary = model.native, model.vocabulary
        written = native.llama_vocab_get_text(vocabulary, model.last) if model.last >= 0 else b""
        self._doubled = written == b"</s>"
        template = native.llama_model_chat_template(model.weights, b"rerank")
        self._parts = _parts(template.decode("utf-8", "replace")) if template else []

    def of(self, query: str, text: str) -> list[int]:
        """Return the tokens of a pair; a text that is too long loses its end."""
        asked = self._model.tokens(query.strip())[: self._model.longest // 2]
        said = self._model.tokens(text.strip())
        room = self._model.longest - len(self._joined(asked, []))
        return self._joined(asked, said[: max(0, room)])[: self._model.longest]

    def _joined(self, asked: list[int], said: list[int]) -> list[int]:
        first = [self._model.first] * (self._model.first >= 0)
        last = [self._model.last] * (self._model.last >= 0)
        if not self._parts:
            return [*first, *asked, *last, *last * self._doubled, *said, *last]
        found = first
        for part in self._parts:
            filled = {"{query}": asked, "{document}": said}.get(part)
            found += self._model.tokens(part, marks=True) if filled is None else filled
        return found


def _parts(template: str) -> list[str]:
    """Return a template cut at its two blanks; empty where it does not have both."""
    parts = [part for part in re.split(r"(\{query\}|\{document\})", template) if part]
    return parts if {"{query}", "{document}"} <= set(parts) else []


class _Model:
    """The few calls of llama.cpp that a reranker needs."""

    def __init__(self, path: str, threads: int, gpu_layers: int) -> None:
        native = library()
        self.native = native
        silence(native)
        native.llama_backend_init()
        self.weights = loaded(native, path, gpu_layers, "a reranking model")
        self.vocabulary = native.llama_model_get_vocab(self.weights)
        self.first = self._opening()
        self.last = self._closing()
        self.longest = min(MOST_TOKENS, int(native.llama_model_n_ctx_train(self.weights)) or 512)
        self._labels = max(1, int(native.llama_model_n_cls_out(self.weights)))
        self._context = self._opened(threads)
        self._batch = native.llama_batch_init(MOST_TOKENS, 0, 1)

    def tokens(self, text: str, *, marks: bool = False) -> list[int]:
        """Return the tokens of a text, without any around it."""
        return tokens(self.native, self.vocabulary, text, marks=marks)

    def run(self, pairs: Sequence[Sequence[int]], cancel: Event) -> list[float]:
        """Return a score from 0 to 1 for each pair; nothing once ``cancel`` is set."""
        native, context = self.native, self._context
        fill(self._batch, pairs)
        forget(native, context)
        asked = native.ggml_abort_callback(lambda _: cancel.is_set())
        native.llama_set_abort_callback(context, asked, ctypes.c_void_p(0))
        try:
            failed = native.llama_decode(context, self._batch) != 0
        finally:
            never = native.ggml_abort_callback()
            native.llama_set_abort_callback(context, never, ctypes.c_void_p(0))
        if cancel.is_set():
            return []
        if failed:
            raise ModelError("The reranking model could not read the texts.")
        return [self._score(sequence) for sequence in range(len(pairs))]

    def _score(self, sequence: int) -> float:
        found = self.native.llama_get_embeddings_seq(self._context, sequence)
        if not found:
            raise ModelError(DAMAGED)
        return chance(np.ctypeslib.as_array(found, shape=(self._labels,)))

    def _opening(self) -> int:
        native, vocabulary = self.native, self.vocabulary
        wanted = native.llama_vocab_get_add_bos(vocabulary)
        return int(native.llama_vocab_bos(vocabulary)) if wanted else -1

    def _closing(self) -> int:
        """Return the token that ends each of the two, or -1."""
        native, vocabulary = self.native, self.vocabulary
        separator = int(native.llama_vocab_sep(vocabulary))
        if separator >= 0 and native.llama_vocab_get_add_sep(vocabulary):
            return separator
        ending = int(native.llama_vocab_eos(vocabulary))
        return ending if ending >= 0 else separator

    def _opened(self, threads: int) -> Any:
        wanted = self.native.llama_context_default_params()
        wanted.n_ctx = wanted.n_batch = wanted.n_ubatch = MOST_TOKENS
        wanted.n_seq_max = MOST_TEXTS
        wanted.kv_unified = True
        wanted.embeddings = True
        wanted.pooling_type = self.native.LLAMA_POOLING_TYPE_RANK
        wanted.n_threads = wanted.n_threads_batch = threads
        context = self.native.llama_init_from_model(self.weights, wanted)
        if not context:
            raise ModelError("The reranking model could not be loaded; is there enough memory?")
        return context


def chance(outputs: Any) -> float:
    """Return the first of a model's outputs as a number from 0 to 1.

    Most models give a logit; those that judge by two words give shares that add up to 1.
    """
    first = float(outputs[0])
    if not np.isfinite(outputs).all():
        raise ModelError(DAMAGED)
    if len(outputs) > 1 and min(outputs) >= 0 and abs(float(sum(outputs)) - 1) < 1e-3:
        return min(1.0, first)
    if first < 0:
        return exp(max(first, -700.0)) / (1 + exp(max(first, -700.0)))
    return 1 / (1 + exp(-first))
