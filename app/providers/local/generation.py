"""Answers of a local chat model; runs inside the chat child process and is imported by no other."""

import codecs
import ctypes
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from time import perf_counter
from typing import Any

from app.domain.jobs.working import Working, WorkStage
from app.domain.prompting.tools import ToolCall, ToolSpec
from app.errors import ModelError
from app.providers.base import ModelUse, PromptTurn, Sampling, too_long
from app.providers.local import native as calls
from app.providers.local.chat_template import ChatTemplate, Stops
from app.providers.local.contexts import Context, Threads
from app.providers.local.drawing import sampler
from app.providers.local.threads import Tuned, measure
from app.providers.thoughts import OPEN
from app.providers.written_calls import MARKS

_PIECE_BYTES = 512
_ASIDE_STEP, _ASIDE_AT_ONCE = 1024, 128

Report = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class GenerationAbout:
    """What the worker says of the model it loaded."""

    context_tokens: int


@dataclass(frozen=True, slots=True)
class Request:
    """What the model is asked to write.

    Attributes:
        aside: Whether this is background work, which must not disturb the conversation.
    """

    turns: Sequence[PromptTurn]
    sampling: Sampling
    aside: bool = False


def build(
    path: str, context_tokens: int, threads: Threads, gpu_layers: int, report: Report
) -> "GgufGeneration":
    """Load the chat model; the chat child's worker."""
    return GgufGeneration(path, context_tokens, threads, gpu_layers, report)


class GgufGeneration:
    """A GGUF chat model in this process; its memory of the last prompt speeds up the next."""

    def __init__(
        self,
        path: str,
        context_tokens: int,
        threads: Threads,
        gpu_layers: int,
        report: Report = lambda share: None,
    ) -> None:
        from llama_cpp import llama_cpp as native

        self._native = native
        self._name = Path(path).stem
        calls.silence(native)
        native.llama_backend_init()
        self._threads = threads
        self._weights, self._main = self._loaded(path, context_tokens, gpu_layers, report)
        self._aside: Context | None = None
        self._vocabulary = native.llama_model_get_vocab(self._weights)
        self._template = self._own_template()
        self._marks: re.Pattern[str] | None = None
        self._call_marks: frozenset[int] = frozenset()
        self.about = GenerationAbout(self._main.size)

    def work(self, method: str, argument: Any, cancel: Event) -> Iterator[Any]:
        """Answer ``answer``, ``count`` a text's tokens, ``measure`` a prompt's, or ``tune``.

        An answer is Working while the prompt is read, then pieces of text, then what it took.
        """
        if method == "count":
            yield len(self._tokens(argument))
        elif method == "measure":
            yield len(self._prompt(*argument))
        elif method == "tune":
            yield from self._tuned(cancel)
        else:
            yield from self._answer(argument, cancel)

    def _tuned(self, cancel: Event) -> Iterator[Tuned]:
        """Measure how many threads write fastest, and write with so many from now on."""
        context, reading = self._beside(_ASIDE_STEP), self._threads.reading
        for tuned in measure(context, 0, reading, cancel):
            self._threads = Threads(tuned.threads, reading)
            self._main.use_threads(self._threads)
            yield tuned
        context.use_threads(self._threads)

    def rest(self) -> None:
        """Free the memory that background work took."""
        aside, self._aside = self._aside, None
        if aside is not None:
            aside.close()

    def _answer(self, request: Request, cancel: Event) -> Iterator[str | Working | ModelUse]:
        sampling = request.sampling
        prompt = self._prompt(request.turns, sampling.tools)
        room = self.about.context_tokens - len(prompt)
        if room < 1:
            raise too_long(self._name, len(prompt), self.about.context_tokens)
        most = min(room, sampling.max_tokens)
        context = self._beside(len(prompt) + most) if request.aside else self._main
        kept, started = context.begin(prompt), perf_counter()
        yield self._reading(kept, len(prompt))
        for done in context.read(prompt[kept:], cancel):
            yield self._reading(kept + done, len(prompt))
        if cancel.is_set():
            return
        read, written = perf_counter(), 0
        drawn = self._drawn(context, sampling, most, cancel)
        for number, piece in self._written(prompt, sampling, drawn):
            written = number
            if piece:
                yield piece
        yield ModelUse(len(prompt), written, True, kept, read - started, perf_counter() - read)

    def _reading(self, done: int, total: int) -> Working:
        return Working(WorkStage.READING, self._name, done, total)

    def _written(
        self, prompt: Sequence[int], sampling: Sampling, drawn: Iterator[int]
    ) -> Iterator[tuple[int, str]]:
        """Yield how many tokens were drawn, and the text that came by the last of them."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        stops, count = Stops(self._template.stops), 0
        begun = sampling.schema is None and self._opens_thought(prompt)
        if begun:
            yield 0, OPEN
        for count, token in enumerate(drawn, start=1):
            marked = bool(sampling.tools) and token in self._call_marks
            piece = stops.passed(decoder.decode(self._bytes(token, special=marked)))
            if not begun:
                piece = piece.lstrip()
            begun = begun or bool(piece)
            yield count, piece
            if stops.reached:
                return
        yield count, stops.rest() + decoder.decode(b"", final=True)

    def _drawn(
        self, context: Context, sampling: Sampling, most: int, cancel: Event
    ) -> Iterator[int]:
        """Yield tokens until the model ends, the limit is reached or ``cancel`` is set."""
        native, vocabulary = self._native, self._vocabulary
        seed = sampling.seed if sampling.seed is not None else secrets.randbits(31)
        with sampler(native, vocabulary, sampling, seed) as draws:
            for number in range(most):
                token = context.draw(draws)
                if cancel.is_set() or native.llama_vocab_is_eog(vocabulary, token):
                    return
                yield token
                if number + 1 < most:
                    context.add(token)

    def _beside(self, tokens: int) -> Context:
        """Return the context of background work, with room for so many tokens.

        Where there is no memory for it, that is the conversation's own.
        """
        if self._aside is None or self._aside.size < tokens:
            self.rest()
            room = min(-(-tokens // _ASIDE_STEP) * _ASIDE_STEP, self.about.context_tokens)
            with suppress(ModelError):
                self._aside = Context(
                    self._native, self._weights, room, self._threads, _ASIDE_AT_ONCE
                )
        return self._aside or self._main

    def _prompt(self, turns: Sequence[PromptTurn], tools: Sequence[ToolSpec] = ()) -> list[int]:
        """Return the tokens of the prompt; words that look like the model's marks are defused."""
        if self._marks is None:
            self._marks, self._call_marks = self._control_marks()
        calling = bool(tools) or any(turn.calls or turn.call_id for turn in turns)
        marks = [self._marks, _MARKS_OF_CALLS] if calling else [self._marks]
        safe = [_defused(turn, marks) for turn in turns]
        tokens = self._tokens(self._template.render(safe, tools), special=True)
        first = self._native.llama_vocab_bos(self._vocabulary)
        wanted = first >= 0 and self._native.llama_vocab_get_add_bos(self._vocabulary)
        return [first, *tokens] if wanted and tokens[:1] != [first] else tokens

    def _tokens(self, text: str, *, special: bool = False) -> list[int]:
        return calls.tokens(self._native, self._vocabulary, text, marks=special)

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

    def _control_marks(self) -> tuple[re.Pattern[str], frozenset[int]]:
        """Return what matches the written form of any token that steers the model.

        And those of these tokens with which it calls tools.
        """
        native, vocabulary = self._native, self._vocabulary
        marks, calling = set(), set()
        for token in range(native.llama_vocab_n_tokens(vocabulary)):
            if native.llama_vocab_is_control(vocabulary, token):
                text = native.llama_vocab_get_text(vocabulary, token).decode("utf-8", "replace")
                if len(text) > 2 and not text.isalnum():
                    marks.add(re.escape(text))
                if text in MARKS:
                    calling.add(token)
        pattern = "|".join(sorted(marks, key=len, reverse=True)) or r"(?!)"
        return re.compile(pattern), frozenset(calling)

    def _own_template(self) -> ChatTemplate:
        native, vocabulary = self._native, self._vocabulary
        source = calls.meta(native, self._weights, "tokenizer.chat_template")
        first, last = native.llama_vocab_bos(vocabulary), native.llama_vocab_eos(vocabulary)
        return ChatTemplate(source, self._written_form(first), self._written_form(last))

    def _written_form(self, token: int) -> str:
        if token < 0:
            return ""
        text: bytes = self._native.llama_vocab_get_text(self._vocabulary, token)
        return text.decode("utf-8", "replace")

    def _loaded(
        self, path: str, context_tokens: int, gpu_layers: int, report: Report
    ) -> tuple[Any, Context]:
        """Load the weights; where the graphics card has no room, on the processor."""
        native = self._native
        for layers in [gpu_layers] if gpu_layers == 0 else [gpu_layers, 0]:
            weights = None
            try:
                weights = calls.loaded(native, path, layers, "a chat model", report)
                return weights, Context(native, weights, context_tokens, self._threads)
            except ModelError:
                if weights is not None:
                    native.llama_model_free(weights)
        raise ModelError(
            f"{self._name} could not be loaded; it may need more memory or a newer Loci."
        )


_MARKS_OF_CALLS = re.compile(
    r"</?tool_(?:call|response)>|</?tools>|\[/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]"
    r"|\[(?:ARGS|CALL_ID)\]"
)


def _defused(turn: PromptTurn, marks: Sequence[re.Pattern[str]]) -> PromptTurn:
    """Return a turn of which nothing that somebody wrote can be taken for a mark."""

    def safe(value: Any) -> Any:
        if isinstance(value, str):
            for pattern in marks:
                value = pattern.sub(_broken_up, value)
        elif isinstance(value, list):
            value = [safe(one) for one in value]
        elif isinstance(value, dict):
            value = {safe(name): safe(one) for name, one in value.items()}
        return value

    calls = (ToolCall(one.id, safe(one.name), safe(dict(one.arguments))) for one in turn.calls)
    return replace(turn, content=safe(turn.content), calls=tuple(calls))


def _broken_up(mark: re.Match[str]) -> str:
    return f"{mark[0][0]} {mark[0][1:]}"
