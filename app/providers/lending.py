"""A chat model for as long as a caller may keep it, and the account of what its calls take."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from math import inf
from threading import Event
from time import perf_counter
from typing import Protocol

from app.domain.jobs.working import Took, Working
from app.domain.model import ChatInfo
from app.domain.prompting.tools import ToolCall, ToolSpec
from app.errors import Cancelled
from app.providers.base import (
    ChatModel,
    Counting,
    Measured,
    ModelUse,
    ProgressingModel,
    PromptTurn,
    Sampling,
)
from app.providers.veil import NoVeil, Veil

_LOOK_SECONDS = 0.05

Asked = Callable[[Sequence[PromptTurn], Sampling, Event], Iterator[Working | str | ToolCall]]


class Lent:
    """A chat model for as long as a caller may keep it.

    Attributes:
        sent: The prompt of the last call, as it was sent.
    """

    def __init__(
        self,
        model: ChatModel,
        wanted_back: Event,
        note: Callable[[ModelUse], None] = lambda use: None,
        veil: Veil | None = None,
    ) -> None:
        self._model, self._wanted_back, self._note = model, wanted_back, note
        self._veil = veil or NoVeil()
        self.sent: tuple[PromptTurn, ...] = ()
        self._last_use: ModelUse | None = None

    @property
    def info(self) -> ChatInfo:
        """Say what this model is."""
        return self._model.info

    @property
    def calls_tools(self) -> bool:
        """Whether it can be offered tools, as far as is known."""
        return self._model.calls_tools

    @property
    def took(self) -> Took | None:
        """What the last call took; None before there was any."""
        use = self._last_use
        if use is None:
            return None
        return Took(
            use.prompt_tokens,
            use.completion_tokens,
            self.info.context_tokens,
            use.counted,
            use.kept_tokens,
            use.read_seconds,
            use.write_seconds,
        )

    def count(self, text: str) -> int:
        """Return the number of tokens in a text."""
        return self._model.count(text)

    def measure(
        self, prompt: Sequence[PromptTurn], cancel: Event, tools: Sequence[ToolSpec] = ()
    ) -> Measured:
        """Return what a prompt takes of the model's window, with what is told of tools.

        Raises:
            Cancelled: ``cancel`` was set, or somebody needed the model first.
        """
        either = Either(cancel, self._wanted_back)
        return self._model.measure(self.outgoing(prompt), either, tools)

    def outgoing(self, prompt: Sequence[PromptTurn]) -> Sequence[PromptTurn]:
        """Return a prompt as it would be sent."""
        return self._veil.concealed(prompt)

    def prepared(self, cancel: Event) -> Iterator[Working]:
        """Get the model ready, and say how far that is: nothing where there is nothing to wait for.

        Raises:
            ModelError: It cannot be loaded.
        """
        if isinstance(self._model, ProgressingModel):
            yield from self._model.prepared(Either(cancel, self._wanted_back))

    def stream(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[str]:
        """Yield the text of the answer piece by piece, and note what it took.

        Raises:
            Cancelled: Somebody needed the model first.
        """
        with closing(self.told(prompt, sampling, cancel)) as told:
            yield from (piece for piece in told if isinstance(piece, str))

    def told(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Generator[Working | str | ToolCall, None, None]:
        """Do as ``stream`` does, and yield besides what is done before, and what is called."""
        model, either = self._model, Either(cancel, self._wanted_back)
        asked: Asked = model.told if isinstance(model, ProgressingModel) else model.stream
        written: list[str] = []
        times: list[float] = []
        prompt = self.sent = tuple(self.outgoing(prompt))
        try:
            for piece in self._veil.revealed(asked(prompt, sampling, either)):
                if not isinstance(piece, Working):
                    written.append(_written(piece))
                    times[1:] = [perf_counter()]
                yield piece
        finally:
            use = used(model, prompt, written, sampling.tools)
            self._last_use = _timed(use, times)
            self._note(use)
        if self._wanted_back.is_set() and not cancel.is_set():
            raise Cancelled("A conversation needed the model first.")


class Meter(Protocol):
    """Whoever keeps account of what models take."""

    def hindrance(self, info: ChatInfo) -> str:
        """Return in a sentence why background work may not use a model; empty where it may."""

    def note(self, interactive: bool, info: ChatInfo, use: ModelUse) -> None:
        """Note what a call took."""


class Free:
    """Keeps no account."""

    def hindrance(self, info: ChatInfo) -> str:
        """Hinder nothing."""
        return ""

    def note(self, interactive: bool, info: ChatInfo, use: ModelUse) -> None:
        """Note nothing."""


def used(
    model: ChatModel,
    prompt: Sequence[PromptTurn],
    written: Sequence[str],
    tools: Sequence[ToolSpec] = (),
) -> ModelUse:
    """Return what a call took: as the provider counted it, else about."""
    told = model.last_use if isinstance(model, Counting) else None
    if told is not None:
        return told
    from app.providers.estimate import Ratio, weigh, weigh_prompt  # brings numpy, late

    guess = Ratio().tokens
    read, wrote = weigh_prompt(prompt, tools), weigh("".join(written))
    return ModelUse(guess(read), guess(wrote), counted=False)


def _written(piece: str | ToolCall) -> str:
    return piece if isinstance(piece, str) else f"{piece.name} {piece.raw}"


def _timed(use: ModelUse, times: Sequence[float]) -> ModelUse:
    """Return what a call took with the time from its first piece to its last, unless it is told."""
    if use.write_seconds or len(times) < 2:
        return use
    return replace(use, write_seconds=times[-1] - times[0])


class Either(Event):
    """Is set once one of two events is."""

    def __init__(self, first: Event, second: Event) -> None:
        super().__init__()
        self._both = first, second

    def is_set(self) -> bool:
        """Look at both."""
        return any(event.is_set() for event in self._both)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until one of them is set, or so many seconds; return whether one is."""
        until = inf if timeout is None else perf_counter() + timeout
        while not self.is_set() and (left := until - perf_counter()) > 0:
            self._both[0].wait(min(left, _LOOK_SECONDS))
        return self.is_set()
