"""Chat with servers that speak the OpenAI protocol, on this computer or where one was set up."""

import json
import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from threading import Event
from typing import Any

from app.domain.jobs.working import Working, WorkStage
from app.domain.language.foreign import read_json, whole_of
from app.domain.limits import LONGEST_ANSWER, is_crowded
from app.domain.model import ChatInfo
from app.errors import EndpointError, ModelError
from app.providers.base import (
    ChatModel,
    Counting,
    Measured,
    ModelUse,
    PromptTurn,
    Sampling,
    too_long,
)
from app.providers.estimate import Weight, weigh, weigh_prompt
from app.providers.remote import refusals, sse, windows
from app.providers.remote.dialects import Dialect, unstreamed
from app.providers.remote.endpoint import Endpoint, ResponseHead, Streaming
from app.providers.remote.learnt import Known, ServerMemory
from app.providers.remote.refusals import Refusal, RefusalKind
from app.providers.thoughts import without_thoughts

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 300.0
_LONGEST_SECONDS = 3600.0
_MOST_STREAMED = 128_000_000
_MOST_LISTED = 4_000_000
_MOST_MODELS, _LONGEST_NAME = 1_000, 200
_MOST_TRIES = 8
_MOST_AFTER = 20
_SHORTEST_ANSWER = 16
FILLED = 3  # so many times what a prompt is taken for may be what it has
_MAY_BE_FULL = 0.5  # of a window, by the estimate of what is in it


class _RefusedError(EndpointError):
    """The server refused; another wording may do."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.said)
        self.refusal = refusal


class _NothingError(EndpointError):
    """The server promised an answer and sent none of it."""


class _BrokeOffError(EndpointError):
    """The server ended its answer before the end."""


class OpenAIChat:
    """A chat model behind an OpenAI-compatible server.

    Args:
        endpoint: Where it is.
        model: As the server calls it.
        identity: What settings store.
        context_tokens: How much of a conversation it shall see; never more than it can.
        learnt: What is known of it from before.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        identity: str,
        context_tokens: int,
        learnt: ServerMemory | None = None,
    ) -> None:
        self._endpoint, self._model = endpoint, model
        self._learnt = learnt or ServerMemory()
        self._last_use: ModelUse | None = None
        self._to_be_asked, self._told = True, False
        self._no_room = False
        self._info = ChatInfo(identity, model, context_tokens, endpoint.local)

    @property
    def info(self) -> ChatInfo:
        """Say what this model is; the server is not asked for it."""
        most = self._info.context_tokens
        return replace(self._info, context_tokens=min(most, self._known.window or most))

    @property
    def last_use(self) -> ModelUse | None:
        """What the last call took, as the server counted it."""
        return self._last_use

    def count(self, text: str) -> int:
        """Return about how many tokens a text has, by what the server counted before."""
        return self._known.ratio.tokens(weigh(text))

    def measure(self, prompt: Sequence[PromptTurn], cancel: Event) -> Measured:
        """Return about how many tokens a prompt takes of the window, which the server is asked for.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        self._ask_for_window(cancel)
        return Measured(self._estimated(prompt), self.info.context_tokens, exact=False)

    def stream(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[str]:
        """Yield the answer piece by piece; what came before an error stays valid."""
        self._last_use = None
        return without_thoughts(self._spoken(prompt, sampling, cancel), cancel)

    def prepared(self, cancel: Event) -> Iterator[Working]:
        """Say who is waited for; nothing else is known of what a server does."""
        yield Working(WorkStage.WAITING, self._endpoint.host)

    def told(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Iterator[Working | str]:
        """Do as ``stream`` does: a server does not say how far it has read."""
        return self.stream(prompt, sampling, cancel)

    @property
    def _known(self) -> Known:
        return self._learnt.of(self._endpoint.base_url, self._model)

    def _estimated(self, prompt: Sequence[PromptTurn]) -> int:
        return self._known.ratio.tokens(weigh_prompt(prompt))

    def _ask_for_window(self, cancel: Event) -> None:
        """Ask once before the first answer, and where that was in vain, once after it."""
        if self._to_be_asked and not self._told:
            self._to_be_asked = False
            said = windows.ask(self._endpoint, self._model, cancel)
            self._told = said.window > 0
            self._learn(window=said.window, parameters=said.parameters)

    def _learn(
        self,
        prompt: Sequence[PromptTurn] = (),
        *,
        window: int = 0,
        read: int = 0,
        dialect: Dialect | None = None,
        parameters: int = 0,
    ) -> None:
        """Keep what the server made known; 0 is what it did not say."""
        known, address = self._known, self._endpoint.base_url
        ratio = known.ratio.after(weigh_prompt(prompt), read) if read else None
        self._learnt.learn(
            address,
            self._model,
            window=window,
            ratio=ratio,
            dialect=dialect,
            parameters=parameters,
        )

    def _spoken(
        self, prompt: Sequence[PromptTurn], sampling: Sampling, cancel: Event
    ) -> Generator[str, None, None]:
        """Ask, in other words where the server refuses the first ones."""
        dialect, begun, written = self._known.dialect, False, Weight()
        for _ in range(_MOST_TRIES):
            try:
                body = dialect.body(self._model, prompt, sampling)
                for piece in self._answer(body, cancel):
                    begun, written = True, written + weigh(piece)
                    yield piece
            except _RefusedError as refused:
                shorter = _shorter(refused.refusal, sampling)
                other = dialect.after(refused.refusal, sampling.schema is not None)
                if begun or not (shorter or other):
                    raise self._final(refused.refusal, prompt, cancel) from None
                dialect, sampling = other or dialect, shorter or sampling
            except _BrokeOffError:
                if begun and self._fills_window(prompt, written):
                    return
                if begun or not self._leaves_no_room(prompt):
                    raise
                self._no_room = True
                raise too_long(self._model, self._known.window, self._known.window) from None
            else:
                self._no_room = False
                if not cancel.is_set():
                    self._answered(prompt, dialect)
                return
        raise self._endpoint.nonsense()

    def _fills_window(self, prompt: Sequence[PromptTurn], written: Weight) -> bool:
        """Return whether an answer came to its end by filling the window, and learn that it did.

        Some servers then stop in the middle of a letter, and do not say why.
        """
        window, answer = self._known.window, self._known.ratio.tokens(written)
        if not 0 < window * _MAY_BE_FULL <= self._estimated(prompt) + answer:
            return False
        log.info("a server broke off an answer that fills its window")
        self._learn(prompt, read=max(window - answer, 0))
        return True

    def _leaves_no_room(self, prompt: Sequence[PromptTurn]) -> bool:
        """Return whether an answer without a word may be for want of room, and learn that it is.

        Some servers accept a prompt that fills their window and break off at the first word. Where
        a shorter one fares no better, that is not the reason.
        """
        window = self._known.window
        if self._no_room or not window or self._estimated(prompt) * FILLED < window:
            self._no_room = False
            return False
        self._learn(prompt, read=window)
        return True

    def _answered(self, prompt: Sequence[PromptTurn], dialect: Dialect) -> None:
        self._to_be_asked = True
        read = self._last_use.prompt_tokens if self._last_use else 0
        self._learn(prompt, read=read, dialect=dialect)

    def _final(self, refusal: Refusal, prompt: Sequence[PromptTurn], cancel: Event) -> ModelError:
        """Return what is told of a refusal; what it says of window and tokens is kept."""
        if refusal.kind is not RefusalKind.TOO_LONG:
            return self._endpoint.refused(refusal, self._model)
        self._learn(prompt, window=refusal.window, read=refusal.tokens)
        if not refusal.window:
            self._ask_for_window(cancel)
        tokens = refusal.tokens or self._estimated(prompt)
        return too_long(self._model, tokens, self._known.window)

    def _answer(self, body: dict[str, Any], cancel: Event) -> Iterator[str]:
        """Yield the answer; where a stream has nothing in it, ask for the reason, or all at once.

        Servers that notice only after the head that they cannot answer can no longer say why.
        """
        try:
            yield from self._exchanged(body, cancel)
        except _NothingError:
            log.info("a server streamed nothing; it is asked for the whole answer")
            yield from self._exchanged(unstreamed(body), cancel)

    def _exchanged(self, body: dict[str, Any], cancel: Event) -> Iterator[str]:
        streaming = Streaming(self._endpoint, "/chat/completions", body, _PATIENCE_SECONDS)
        try:
            items = streaming.items(cancel, _LONGEST_SECONDS)
            head = next(items, None)
            if not isinstance(head, ResponseHead):
                return
            if head.status != 200:
                raise _RefusedError(refusals.read(head.status, head.headers, head.error_body))
            chunks = (item for item in items if isinstance(item, bytes))
            if "json" in head.headers.get("content-type", ""):
                yield from self._whole(b"".join(self._endpoint.bounded(chunks)), cancel)
            else:
                came = _Came(self._endpoint.bounded(chunks, _MOST_STREAMED))
                yield from self._pieces(came, cancel, retry=bool(body["stream"]))
        finally:
            streaming.close()

    def _pieces(self, came: "_Came", cancel: Event, *, retry: bool) -> Iterator[str]:
        """Yield the text of a stream of chunks, and notice one that ends before its end."""
        finished = understood = False
        length = after = 0
        try:
            for data in sse.events(came):
                after += finished
                if cancel.is_set() or data.strip() == "[DONE]" or after > _MOST_AFTER:
                    return
                chunk = _parsed(data)
                if chunk is None:
                    log.info("a server sent a chunk that cannot be read")
                    continue
                self._check(chunk)
                understood = True
                self._last_use = _use(chunk) or self._last_use
                text, last = _delta(chunk, "delta")
                finished = finished or last
                length += len(text)
                if length > LONGEST_ANSWER:
                    raise self._endpoint.endless()
                if text:
                    yield text
        except EndpointError as error:
            if retry and not came.anything and not isinstance(error, _RefusedError):
                raise _NothingError(str(error)) from None
            if not finished:
                raise
        if not finished and not cancel.is_set():
            if retry and not came.anything:
                raise _NothingError
            raise self._broke_off() if understood else self._endpoint.nonsense()

    def _whole(self, body: bytes, cancel: Event) -> Iterator[str]:
        """Yield the text of a server that does not stream."""
        if cancel.is_set():
            return
        chunk = _parsed(body)
        if chunk is None:
            raise self._endpoint.nonsense()
        self._check(chunk)
        self._last_use = _use(chunk)
        text, _ = _delta(chunk, "message")
        if text:
            yield text[:LONGEST_ANSWER]
        if len(text) > LONGEST_ANSWER:
            raise self._endpoint.endless()

    def _check(self, chunk: dict[str, Any]) -> None:
        if chunk.get("error"):
            raise _RefusedError(refusals.read(500, {}, json.dumps(chunk).encode()))

    def _broke_off(self) -> EndpointError:
        return _BrokeOffError(f"{self._endpoint.host} broke off in the middle of the answer.")


class _Came:
    """What comes of a stream, and whether that is anything but signs of life."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self.anything = chunks, False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            lines = chunk.splitlines()
            self.anything |= any(line.strip() and not line.startswith(b":") for line in lines)
            yield chunk


def _shorter(refusal: Refusal, sampling: Sampling) -> Sampling | None:
    """Return how to ask for a shorter answer, where the prompt alone would fit."""
    room = refusal.window - refusal.tokens
    fits = refusal.kind is RefusalKind.TOO_LONG and refusal.tokens > 0
    if not fits or not _SHORTEST_ANSWER <= room < sampling.max_tokens:
        return None
    return replace(sampling, max_tokens=room)


def list_models(endpoint: Endpoint, *, seconds: float = 10.0) -> list[str]:
    """Return the names of a server's models.

    Raises:
        EndpointError: With one sentence for the person.
    """
    found = endpoint.fetch(
        "/models", seconds=seconds, connect_seconds=min(seconds, 5.0), most=_MOST_LISTED
    )
    if not isinstance(found, dict) or not isinstance(found.get("data", 0), list | None):
        raise endpoint.nonsense()
    names = (row.get("id") for row in found["data"] or () if isinstance(row, dict))
    usable = {name for name in names if isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME}
    return sorted(usable)[:_MOST_MODELS]


def _parsed(data: str | bytes) -> dict[str, Any] | None:
    if is_crowded(data):
        return None
    try:
        found = read_json(data)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _delta(chunk: dict[str, Any], key: str) -> tuple[str, bool]:
    """Return the text of a chunk, and whether it is the last one."""
    choices = chunk.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return "", False
    delta = choice.get(key)
    text = delta.get("content") if isinstance(delta, dict) else None
    return text if isinstance(text, str) else "", bool(choice.get("finish_reason"))


def _use(chunk: dict[str, Any]) -> ModelUse | None:
    """Return what a chunk says the call took, if it says so and that can be believed."""
    told = chunk.get("usage")
    if not isinstance(told, dict):
        return None
    try:
        read, written = (whole_of(told.get(f"{what}_tokens")) for what in ("prompt", "completion"))
    except ValueError:
        return None
    return ModelUse(read, written, counted=True)


def _checked(endpoint: Endpoint) -> tuple[ChatModel, Counting]:
    """Let the type checker prove that the protocols are kept."""
    return OpenAIChat(endpoint, "", "", 0), OpenAIChat(endpoint, "", "", 0)
