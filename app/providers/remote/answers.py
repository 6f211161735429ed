"""Reads the answer of a server off the wire, in a stream of chunks or in one piece."""

import json
import logging
from collections.abc import Iterator
from threading import Event
from typing import Any

from app.domain.language.foreign import read_json, whole_of
from app.domain.limits import LONGEST_ANSWER, is_crowded
from app.domain.prompting.tools import ToolCall
from app.errors import EndpointError
from app.providers.base import ModelUse
from app.providers.remote import refusals, sse
from app.providers.remote.dialects import unstreamed
from app.providers.remote.endpoint import Endpoint, ResponseHead, Streaming
from app.providers.remote.received_calls import ReceivedCalls
from app.providers.remote.refusals import Refusal

log = logging.getLogger(__name__)

_PATIENCE_SECONDS = 300.0
_LONGEST_SECONDS = 3600.0
_MOST_STREAMED = 128_000_000
_MOST_AFTER = 20


class RefusedError(EndpointError):
    """The server refused; another wording may do."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.said)
        self.refusal = refusal


class _NothingError(EndpointError):
    """The server promised an answer and sent none of it."""


class BrokeOffError(EndpointError):
    """The server ended its answer before the end."""


class ServerAnswer:
    """One answer.

    Args:
        endpoint: Where the server is.
        body: What is posted to it.

    Attributes:
        use: What it took, as the server counted it; None where it does not say.
    """

    def __init__(self, endpoint: Endpoint, body: dict[str, Any]) -> None:
        self._endpoint, self._body = endpoint, body
        self._calls = ReceivedCalls()
        self._cut = False
        self.use: ModelUse | None = None

    def pieces(self, cancel: Event) -> Iterator[str | ToolCall]:
        """Yield its text, and then the tools that are called, if any were offered.

        Where a stream has nothing in it, the server is asked for the reason, or for all at once: if
        it notices only after the head that it cannot answer, it can no longer say why.

        Raises:
            RefusedError: The server refused.
            BrokeOffError: It ended before its end.
            EndpointError: With one sentence for the person.
        """
        try:
            yield from self._exchanged(self._body, cancel)
        except _NothingError:
            log.info("a server streamed nothing; it is asked for the whole answer")
            yield from self._exchanged(unstreamed(self._body), cancel)
        if not cancel.is_set():
            yield from self._calls.whole(cut=self._cut)

    def _exchanged(self, body: dict[str, Any], cancel: Event) -> Iterator[str]:
        streaming = Streaming(self._endpoint, "/chat/completions", body, _PATIENCE_SECONDS)
        try:
            items = streaming.items(cancel, _LONGEST_SECONDS)
            head = next(items, None)
            if not isinstance(head, ResponseHead):
                return
            if head.status != 200:
                raise RefusedError(refusals.read(head.status, head.headers, head.error_body))
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
                self.use = _use(chunk) or self.use
                text, last, called = self._taken(chunk, "delta")
                finished = finished or last
                length += len(text) + called
                if length > LONGEST_ANSWER:
                    raise self._endpoint.endless()
                if text:
                    yield text
        except EndpointError as error:
            if retry and not came.anything and not isinstance(error, RefusedError):
                raise _NothingError(str(error)) from None
            if not finished:
                raise
        if not finished and not cancel.is_set():
            if retry and not came.anything:
                raise _NothingError
            raise self._broke_off() if understood else self._endpoint.nonsense()

    def _taken(self, chunk: dict[str, Any], key: str) -> tuple[str, bool, int]:
        """Return the text of a chunk, whether it is the last one, and how much of calls it has."""
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return "", False, 0
        delta, reason = choice.get(key), choice.get("finish_reason")
        text = delta.get("content") if isinstance(delta, dict) else None
        called = self._calls.add(delta) if "tools" in self._body else 0
        self._cut = self._cut or reason == "length"
        return text if isinstance(text, str) else "", bool(reason), called

    def _whole(self, body: bytes, cancel: Event) -> Iterator[str]:
        """Yield the text of a server that does not stream."""
        if cancel.is_set():
            return
        chunk = _parsed(body)
        if chunk is None:
            raise self._endpoint.nonsense()
        self._check(chunk)
        self.use = _use(chunk)
        text, _, called = self._taken(chunk, "message")
        if text:
            yield text[:LONGEST_ANSWER]
        if len(text) + called > LONGEST_ANSWER:
            raise self._endpoint.endless()

    def _check(self, chunk: dict[str, Any]) -> None:
        if chunk.get("error"):
            raise RefusedError(refusals.read(500, {}, json.dumps(chunk).encode()))

    def _broke_off(self) -> EndpointError:
        """Return what is told of an answer without an end; one that is full may end in a word."""
        kind = EndpointError if self._calls else BrokeOffError
        return kind(f"{self._endpoint.host} broke off in the middle of the answer.")


class _Came:
    """What comes of a stream, and whether that is anything but signs of life."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self.anything = chunks, False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            lines = chunk.splitlines()
            self.anything |= any(line.strip() and not line.startswith(b":") for line in lines)
            yield chunk


def _parsed(data: str | bytes) -> dict[str, Any] | None:
    if is_crowded(data):
        return None
    try:
        found = read_json(data)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


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
