"""One server of somebody's choice: its address, its key, and plain words for what goes wrong.

Connections go to that address and nowhere else: no proxy from the environment, no redirect. What
comes back is limited in size and time, and can be broken off at any moment.
"""

import ipaddress
import logging
import os
import socket
import struct
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from math import inf
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.domain.jobs.stopping import stop_of_work
from app.domain.language.foreign import read_json
from app.domain.limits import is_crowded
from app.errors import Cancelled, EndpointError
from app.providers.remote import refusals
from app.providers.remote.refusals import Refusal, RefusalKind

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.05
_CLOSE_SECONDS = 0.5
_REFUSING = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)  # on, for no seconds
_LONGEST_ERROR = 65_536
_ERROR_SECONDS = 10.0
MOST_BYTES = 16_000_000


def normal_url(text: str) -> str:
    """Return an address as settings store it: with scheme and path, without a slash at the end.

    Raises:
        EndpointError: It is no address of a server.
    """
    text = text.strip()
    if "://" not in text:
        host = text.partition("/")[0].rpartition(":")[0] or text.partition("/")[0]
        text = f"{'http' if _loopback(host.strip('[]')) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        raise EndpointError(f"{text} is not the address of a server.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise EndpointError(f"{text} is not the address of a server.")
    path = parts.path.rstrip("/")
    for tail in ("/chat/completions", "/embeddings", "/models"):
        path = path.removesuffix(tail)
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server is, and what opens it.

    Attributes:
        base_url: What paths such as ``/models`` are added to.
    """

    base_url: str
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """What the person calls the server."""
        return urlsplit(self.base_url).netloc

    @property
    def local(self) -> bool:
        """Whether it runs on this computer."""
        return _loopback(urlsplit(self.base_url).hostname or "")

    def client(self, *, read_seconds: float, connect_seconds: float = 5.0) -> "httpx.Client":
        """Return a client that talks to this server and to no other."""
        import ssl  # takes a while to import, and a start needs none

        import httpx

        headers = {"Accept-Encoding": "identity"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        # Without TLS nobody's certificate is looked at, and to load all of them takes a while.
        plain = urlsplit(self.base_url).scheme == "http"
        return httpx.Client(
            headers=headers,
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else True,
            timeout=httpx.Timeout(30.0, connect=connect_seconds, read=read_seconds),
            limits=httpx.Limits(max_keepalive_connections=0),
            trust_env=False,
            follow_redirects=False,
        )

    def fetch(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        seconds: float = 60.0,
        connect_seconds: float = 5.0,
        most: int = MOST_BYTES,
        asked_for: str = "",
        cancel: Event | None = None,
    ) -> Any:
        """Get (or post ``body``) and return the JSON answer.

        Args:
            path: What is added to the address.
            body: What is posted; None to get.
            seconds: How long all of it may take.
            connect_seconds: How long it may take until somebody answers at all.
            most: How many bytes are taken.
            asked_for: The model that was asked for.
            cancel: Ends it when set; without it, what stops the work of this thread does.

        Raises:
            Cancelled: It was.
            EndpointError: With one sentence for the person.
        """
        stop = cancel or stop_of_work()
        streaming = Streaming(self, path, body, seconds, connect_seconds=connect_seconds)
        with closing(streaming):
            items = streaming.items(stop, seconds)
            head = next(items, None)
            if isinstance(head, ResponseHead) and head.status != 200:
                raise self.refusal(head.status, head.headers, head.error_body, asked_for)
            raw = b"".join(self.bounded((one for one in items if isinstance(one, bytes)), most))
        if stop.is_set():
            raise Cancelled("Stopped.")
        if is_crowded(raw):
            raise self.endless()
        try:
            return read_json(raw)
        except ValueError:
            raise self.nonsense() from None

    def bounded(self, chunks: Iterable[bytes], most: int = MOST_BYTES) -> Iterator[bytes]:
        """Yield what a server sends.

        Raises:
            EndpointError: It is more than ``most`` bytes.
        """
        came = 0
        for chunk in chunks:
            came += len(chunk)
            if came > most:
                raise self.endless()
            yield chunk

    # -- plain words -------------------------------------------------------------------------------

    def refusal(
        self, status: int, headers: Mapping[str, str], body: bytes, asked_for: str = ""
    ) -> EndpointError:
        """Return the sentence for an answer that is no success."""
        return self.refused(refusals.read(status, headers, body), asked_for)

    def refused(self, refusal: Refusal, asked_for: str = "") -> EndpointError:
        """Return the sentence for what a server means by such an answer."""
        host, kind, again = self.host, refusal.kind, f"Try again {_when(refusal.wait)}."
        model = asked_for or "the model"
        said = f": {refusal.said.rstrip('.')}" if refusal.said else ""
        sentences = {
            RefusalKind.TOO_LONG: f"This is more than {model} reads at once.",
            RefusalKind.LOADING: f"{host} is still loading {model}. {again}",
            RefusalKind.NOT_LOADED: (
                f"{host} has not loaded {model}; load it there, then ask again."
            ),
            RefusalKind.UNKNOWN_MODEL: f"{host} has no model called {asked_for}.",
            RefusalKind.KEY: f"{host} refused the key." if self.key else f"{host} asks for a key.",
            RefusalKind.FORBIDDEN: f"{host} refused access to {model}{said}.",
            RefusalKind.UNPAID: f"The account at {host} has no credit left.",
            RefusalKind.LIMITED: f"{host} takes no more requests for now. {again}",
            RefusalKind.BUSY: f"{host} is busy or not ready. {again}",
            RefusalKind.MOVED: f"{host} points to another address; Loci does not follow.",
            RefusalKind.FAILED: f"{host} failed ({refusal.status}){said}.",
        }
        if kind is RefusalKind.UNKNOWN_MODEL and not asked_for:
            kind = RefusalKind.REQUEST
        refused = f"{host} refused the request ({refusal.status}){said}."
        return EndpointError(sentences.get(kind, refused))

    def broken(self, error: Exception) -> EndpointError:
        """Return the sentence for a connection that failed."""
        import httpx

        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            return EndpointError(f"Nothing answers at {self.host}; is the server running?")
        if isinstance(error, httpx.TimeoutException):
            return self.late()
        if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
            return EndpointError(f"{self.base_url} is not the address of a server.")
        return EndpointError(f"{self.host} broke off the connection.")

    def nonsense(self) -> EndpointError:
        """Return the sentence for an answer that is not in the protocol."""
        return EndpointError(f"{self.host} does not speak the OpenAI protocol.")

    def endless(self) -> EndpointError:
        """Return the sentence for an answer that is larger than any can be."""
        return EndpointError(f"{self.host} sent more than an answer can be; Loci stopped reading.")

    def late(self) -> EndpointError:
        """Return the sentence for an answer that takes too long."""
        return EndpointError(f"{self.host} did not answer in time.")


@dataclass(frozen=True, slots=True)
class ResponseHead:
    """The beginning of an answer; ``error_body`` is read only where the status is no success."""

    status: int
    headers: Mapping[str, str]
    error_body: bytes = b""


class Streaming:
    """One request whose answer arrives little by little, on a thread that can be cut off.

    Without a body it is a GET.

    A blocked socket does not hear of a cancellation, so whoever waits is another thread than the
    one that reads, and ``stop`` shuts the socket down under the reader.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        path: str,
        body: Mapping[str, Any] | None,
        seconds: float,
        headers: Mapping[str, str] | None = None,
        *,
        connect_seconds: float = 5.0,
    ) -> None:
        self._endpoint, self._path, self._body, self._seconds = endpoint, path, body, seconds
        self._connect_seconds = connect_seconds
        self._headers = headers
        self._items: Queue[ResponseHead | bytes | EndpointError | None] = Queue(maxsize=256)
        self._stopped = Event()
        self._socket: socket.socket | None = None
        self._thread = Thread(target=self._read, name="endpoint", daemon=True)
        self._thread.start()

    def items(self, cancel: Event, seconds: float = inf) -> Iterator[ResponseHead | bytes]:
        """Yield the head, then the bytes; end once ``cancel`` is set or so many seconds passed.

        Raises:
            EndpointError: The connection failed, or it takes longer.
        """
        end = time.monotonic() + seconds
        while not cancel.is_set():
            if time.monotonic() >= end:
                raise self._endpoint.late()
            try:
                item = self._items.get(timeout=_LOOK_SECONDS)
            except Empty:
                continue
            if item is None:
                return
            if isinstance(item, EndpointError):
                raise item
            yield item

    def close(self) -> None:
        """Close the connection now, wherever the exchange stands.

        What is not read is refused: a server whose words wait for room would wait for ever else.
        """
        self._stopped.set()
        if self._socket is not None:
            with suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _REFUSING)
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        self._thread.join(_CLOSE_SECONDS)

    def _read(self) -> None:
        import httpx

        try:
            self._exchange()
            self._put(None)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            self._put(self._endpoint.broken(error))
        except Exception as error:
            if not self._stopped.is_set():
                log.exception("an exchange with a server failed")
            self._put(self._endpoint.broken(error))

    def _exchange(self) -> None:
        with (
            self._endpoint.client(
                read_seconds=self._seconds, connect_seconds=self._connect_seconds
            ) as client,
            client.stream(
                "GET" if self._body is None else "POST",
                self._endpoint.base_url + self._path,
                json=self._body,
                headers=self._headers,
                extensions={"trace": self._trace},
            ) as response,
        ):
            if response.status_code not in (200, 206):
                body = self._error_body(response.iter_raw())
                self._put(ResponseHead(response.status_code, response.headers, body))
                return
            self._put(ResponseHead(response.status_code, response.headers))
            for chunk in response.iter_raw():  # never unpacked: a little can become a lot
                if self._stopped.is_set():
                    return
                self._put(chunk)

    def _error_body(self, chunks: Iterator[bytes]) -> bytes:
        """Return what a server says of its error: the beginning of it, and what comes soon."""
        found, end = bytearray(), time.monotonic() + _ERROR_SECONDS
        for chunk in chunks:
            found += chunk
            over = len(found) > _LONGEST_ERROR or time.monotonic() >= end
            if over or self._stopped.is_set():
                break
        return bytes(found[:_LONGEST_ERROR])

    def _put(self, item: ResponseHead | bytes | EndpointError | None) -> None:
        while not self._stopped.is_set():
            try:
                return self._items.put(item, timeout=_LOOK_SECONDS)
            except Full:
                continue
        return None

    def _trace(self, name: str, info: Mapping[str, Any]) -> None:
        """Learn of the socket as soon as there is one; send nothing once stopped."""
        if name in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._stopped.is_set():
                info["return_value"].close()  # nobody else knows of it yet
                raise EndpointError("Stopped.")


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _when(seconds: int) -> str:
    return f"in {seconds} seconds" if seconds else "later"
