"""Answers of a local chat model; runs inside the chat child process and is imported by no other."""

import codecs
import ctypes
import json
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from app.errors import ModelError
from app.providers.base import Sampling, too_long
from app.providers.chat_template import ChatTemplate, Said, Stops
from app.providers.thoughts import OPEN

_PIECE_BYTES = 512


@dataclass(frozen=True, slots=True)
class About:
    """What the worker says of the model it loaded."""

    context_tokens: int


def build(path: str, context_tokens: int, threads: int, gpu_layers: int) -> "Generation":
    """Load the chat model; the chat child's worker."""
    return Generation(path, context_tokens, threads, gpu_layers)


class Generation:
    """A GGUF chat model in this process; its memory of the last prompt speeds up the next."""

    def __init__(self, path: str, context_tokens: int, threads: int, gpu_layers: int) -> None:
        from llama_cpp import llama_cpp as native

        self._native = native
        self._name = Path(path).stem
        self._llama = _loaded(path, context_tokens, threads, gpu_layers)
        self._vocabulary = native.llama_model_get_vocab(self._llama.model)
        self._template = self._own_template()
        self._marks: re.Pattern[str] | None = None
        self.about = About(int(self._llama.n_ctx()))

    def work(self, method: str, argument: Any, cancel: Event) -> Iterator[Any]:
        """Answer ``count`` (of a text's tokens), ``measure`` (of a prompt's) or ``answer``."""
        if method == "count":
            yield len(self._tokens(argument))
        elif method == "measure":
            yield len(self._prompt(argument))
        else:
            turns, sampling = argument
            yield from self._answer(turns, sampling, cancel)

    def _answer(self, turns: Sequence[Said], sampling: Sampling, cancel: Event) -> Iterator[str]:
        prompt = self._prompt(turns)
        room = self.about.context_tokens - len(prompt)
        if room < 1:
            raise too_long(self._name, len(prompt), self.about.context_tokens)
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        stops = Stops(self._template.stops)
        begun = sampling.schema is None and self._opens_thought(prompt)
        if begun:
            yield OPEN
        for token in self._drawn(prompt, sampling, min(room, sampling.max_tokens), cancel):
            piece = stops.passed(decoder.decode(self._bytes(token)))
            if not begun:
                piece = piece.lstrip()
            if piece:
                begun = True
                yield piece
            if stops.reached:
                return
        if tail := stops.rest() + decoder.decode(b"", final=True):
            yield tail

    def _drawn(
        self, prompt: list[int], sampling: Sampling, most: int, cancel: Event
    ) -> Iterator[int]:
        """Yield tokens until the model ends, the limit is reached or ``cancel`` is set."""
        seed = sampling.seed if sampling.seed is not None else secrets.randbits(31)
        self._llama.set_seed(seed)
        drawn = self._llama.generate(
            prompt, temp=sampling.temperature, grammar=self._grammar(sampling.schema)
        )
        try:
            for number in range(most):
                token = self._first(drawn, cancel) if not number else next(drawn)
                if cancel.is_set() or self._native.llama_vocab_is_eog(self._vocabulary, token):
                    return
                yield token
        except RuntimeError as error:
            if not cancel.is_set():
                raise ModelError(f"{self._name} failed while it was answering.") from error
        finally:
            drawn.close()

    def _first(self, drawn: Iterator[int], cancel: Event) -> int:
        """Read the prompt, which can take minutes, in a way that a cancellation interrupts."""
        asked = self._native.ggml_abort_callback(lambda _: cancel.is_set())
        context = self._llama.ctx
        self._native.llama_set_abort_callback(context, asked, ctypes.c_void_p(0))
        try:
            return next(drawn)
        finally:
            never = self._native.ggml_abort_callback()
            self._native.llama_set_abort_callback(context, never, ctypes.c_void_p(0))

    def _prompt(self, turns: Sequence[Said]) -> list[int]:
        """Return the tokens of the prompt; words that look like the model's marks are defused."""
        if self._marks is None:
            self._marks = self._control_marks()
        safe = [(role, self._marks.sub(_broken_up, content)) for role, content in turns]
        tokens = self._tokens(self._template.render(safe), special=True)
        first = self._native.llama_vocab_bos(self._vocabulary)
        wanted = first >= 0 and self._native.llama_vocab_get_add_bos(self._vocabulary)
        return [first, *tokens] if wanted and tokens[:1] != [first] else tokens

    def _tokens(self, text: str, *, special: bool = False) -> list[int]:
        raw = text.encode("utf-8", "replace")
        found: list[int] = self._llama.tokenize(raw, add_bos=False, special=special)
        return found

    def _opens_thought(self, prompt: Sequence[int]) -> bool:
        """Whether the template itself begins a thought, so that the answer starts inside of it."""
        end = b"".join(self._bytes(token, special=True) for token in prompt[-8:])
        return end.rstrip().endswith(OPEN.encode())

    def _bytes(self, token: int, *, special: bool = False) -> bytes:
        buffer = ctypes.create_string_buffer(_PIECE_BYTES)
        length = self._native.llama_token_to_piece(
            self._vocabulary, token, buffer, _PIECE_BYTES, 0, special
        )
        return buffer.raw[: max(length, 0)]

    def _control_marks(self) -> re.Pattern[str]:
        """Return what matches the written form of any token that steers the model."""
        native, vocabulary = self._native, self._vocabulary
        marks = set()
        for token in range(native.llama_vocab_n_tokens(vocabulary)):
            if native.llama_vocab_is_control(vocabulary, token):
                text = native.llama_vocab_get_text(vocabulary, token).decode("utf-8", "replace")
                if len(text) > 2 and not text.isalnum():
                    marks.add(re.escape(text))
        return re.compile("|".join(sorted(marks, key=len, reverse=True)) or r"(?!)")

    def _grammar(self, schema: dict[str, Any] | None) -> Any:
        """Return a grammar for a schema, or None where llama.cpp cannot make one of it."""
        if schema is None:
            return None
        from llama_cpp.llama_grammar import LlamaGrammar

        try:
            grammar = LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
        except Exception:  # noqa: BLE001 - a schema it cannot express; the answer is parsed leniently
            return None
        probe = self._native.llama_sampler_init_grammar(
            self._vocabulary, grammar._grammar.encode(), b"root"
        )
        if not probe:
            return None
        self._native.llama_sampler_free(probe)
        return grammar

    def _own_template(self) -> ChatTemplate:
        source = self._llama.metadata.get("tokenizer.chat_template")
        first, last = self._llama.token_bos(), self._llama.token_eos()
        return ChatTemplate(source, self._written(first), self._written(last))

    def _written(self, token: int) -> str:
        if token < 0:
            return ""
        text: bytes = self._native.llama_vocab_get_text(self._vocabulary, token)
        return text.decode("utf-8", "replace")


def _broken_up(mark: re.Match[str]) -> str:
    return f"{mark[0][0]} {mark[0][1:]}"


def _loaded(path: str, context_tokens: int, threads: int, gpu_layers: int) -> Any:
    """Load the weights; where the graphics card has no room, on the processor."""
    from llama_cpp import Llama

    cores = os.cpu_count() or 1
    attempts = [gpu_layers] if gpu_layers == 0 else [gpu_layers, 0]
    for layers in attempts:
        try:
            return Llama(
                path,
                n_ctx=context_tokens,
                n_gpu_layers=layers,
                n_threads=threads or max(cores // 2, 1),
                n_threads_batch=threads or cores,
                verbose=False,
            )
        except ValueError:
            continue
    name = Path(path).stem
    raise ModelError(f"{name} could not be loaded; it may need more memory or a newer Loci.")
