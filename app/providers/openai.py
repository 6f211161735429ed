"""Chat with servers that speak the OpenAI protocol, on this computer or where one was set up."""

import json
import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

from app.domain.foreign import read_json, whole_of
from app.domain.limits import LONGEST_ANSWER, is_crowded
from app.errors import EndpointError
from app.providers import sse
from app.providers.base import (
    ChatInfo,
    ChatModel,
    Counting,
    Sampling,
    Turn,
    Use,
    rough_count,
)
from app.providers.endpoint import Endpoint, Head, Streaming
from app.providers.thoughts import without_thoughts

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 300.0
_LONGEST_SECONDS = 3600.0
_MOST_STREAMED = 128_000_000
_MOST_LISTED = 4_000_000
_MOST_MODELS, _LONGEST_NAME = 1_000, 200
_MOST_TRIES = 5
_MOST_AFTER = 20


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What of the protocol a server understands; learnt from its refusals."""

    limit: str = "max_tokens"
    temperature: bool = True
    formats: tuple[str, ...] = ("json_schema", "json_object", "")
    usage: bool = True

    def after(self, refusal: str, asked_format: bool) -> "_Dialect | None":
        """Return what to try next, or None where nothing is left to give in."""
        if "max_completion_tokens" in refusal and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in refusal and self.temperature:
            return replace(self, temperature=False)
        if self.usage and ("stream_options" in refusal or "include_usage" in refusal):
            return replace(self, usage=False)
        if asked_format and len(self.formats) > 1:
            return replace(self, formats=self.formats[1:])
        return None


class _RequestRefusedError(EndpointError):
    """The server did not like the request itself; another wording may do."""


class OpenAIChat:
    """A chat model behind an OpenAI-compatible server."""

    def __init__(self, endpoint: Endpoint, model: str, identity: str, context_tokens: int) -> None:
        self._endpoint, self._model = endpoint, model
        self._dialect = _Dialect()
        self._last_use: Use | None = None
        self._info = ChatInfo(identity, model, context_tokens, endpoint.local)

    @property
    def info(self) -> ChatInfo:
        """Say what this model is."""
        return self._info

    @property
    def last_use(self) -> Use | None:
        """What the last call took, as the server counted it."""
        return self._last_use

    def count(self, text: str) -> int:
        """Return about how many tokens a text has; the server's tokenizer is out of reach."""
        return rough_count(text)

    def stream(self, prompt: Sequence[Turn], sampling: Sampling, cancel: Event) -> Iterator[str]:
        """Yield the answer piece by piece; what came before an error stays valid."""
        self._last_use = None
        return without_thoughts(self._spoken(prompt, sampling, cancel), cancel)

    def _spoken(
        self, prompt: Sequence[Turn], sampling: Sampling, cancel: Event
    ) -> Generator[str, None, None]:
        """Ask, in other words where the server refuses the first ones."""
        dialect = self._dialect
        for _ in range(_MOST_TRIES):
            try:
                yield from self._answer(self._body(prompt, sampling, dialect), cancel)
            except _RequestRefusedError as refusal:
                wording = dialect.after(str(refusal).lower(), sampling.schema is not None)
                if wording is None:
                    raise EndpointError(str(refusal)) from None
                dialect = wording
            else:
                self._dialect = dialect
                return
        raise self._endpoint.nonsense()

    def _body(
        self, prompt: Sequence[Turn], sampling: Sampling, dialect: _Dialect
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": turn.role, "content": turn.content} for turn in prompt],
            "stream": True,
            dialect.limit: sampling.max_tokens,
        }
        if dialect.usage:
            body["stream_options"] = {"include_usage": True}
        if dialect.temperature:
            body["temperature"] = sampling.temperature
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        if sampling.schema is not None and dialect.formats[0]:
            body["response_format"] = _format(dialect.formats[0], sampling.schema)
        return body

    def _answer(self, body: dict[str, Any], cancel: Event) -> Iterator[str]:
        streaming = Streaming(self._endpoint, "/chat/completions", body, _PATIENCE_SECONDS)
        try:
            items = streaming.items(cancel, _LONGEST_SECONDS)
            head = next(items, None)
            if not isinstance(head, Head):
                return
            if head.status != 200:
                raise self._refused(head)
            chunks = (item for item in items if isinstance(item, bytes))
            if "json" in head.headers.get("content-type", ""):
                yield from self._whole(b"".join(self._endpoint.bounded(chunks)), cancel)
            else:
                bounded = self._endpoint.bounded(chunks, _MOST_STREAMED)
                yield from self._pieces(sse.events(bounded), cancel)
        finally:
            streaming.close()

    def _refused(self, head: Head) -> EndpointError:
        error = self._endpoint.refusal(head.status, head.headers, head.error_body, self._model)
        return _RequestRefusedError(str(error)) if head.status in (400, 422) else error

    def _pieces(self, events: Iterator[str], cancel: Event) -> Iterator[str]:
        """Yield the text of a stream of chunks, and notice one that ends before its end."""
        finished = understood = False
        length = after = 0
        try:
            for data in events:
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
        except EndpointError:
            if not finished:
                raise
        if not finished and not cancel.is_set():
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
            raise self._endpoint.refusal(500, {}, json.dumps(chunk).encode())

    def _broke_off(self) -> EndpointError:
        return EndpointError(f"{self._endpoint.host} broke off in the middle of the answer.")


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


def _format(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    if kind == "json_object":
        return {"type": "json_object"}
    named = {"name": "answer", "schema": schema, "strict": True}
    return {"type": "json_schema", "json_schema": named}


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


def _use(chunk: dict[str, Any]) -> Use | None:
    """Return what a chunk says the call took, if it says so and that can be believed."""
    told = chunk.get("usage")
    if not isinstance(told, dict):
        return None
    try:
        read, written = (whole_of(told.get(f"{what}_tokens")) for what in ("prompt", "completion"))
    except ValueError:
        return None
    return Use(read, written, counted=True)


def _checked(endpoint: Endpoint) -> tuple[ChatModel, Counting]:
    """Let the type checker prove that the protocols are kept."""
    return OpenAIChat(endpoint, "", "", 0), OpenAIChat(endpoint, "", "", 0)
