"""Asks a server of one of its models how much it reads at once, and how large it is.

Each kind of server says that elsewhere; the size is taken where it comes along with the rest.

What is asked for are lists and states; nothing of a conversation is sent. A public service is asked
for what its protocol has and no more, and no server is asked for longer than a moment.
"""

import ipaddress
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from threading import Event
from typing import Any
from urllib.parse import quote, urlsplit

from app.domain.language.foreign import whole_of
from app.errors import EndpointError
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.learnt import LARGEST, MOST_PARAMETERS, SMALLEST

SECONDS = 6.0  # for all that one server is asked
OLLAMA_DEFAULT = 4096
_MOST = 4_000_000
_LISTED = (
    "max_model_len",  # vLLM, SGLang
    "context_length",  # OpenRouter, Together
    "context_window",  # Groq
    "max_context_length",  # Mistral
)


_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?) ?([KMBT])", re.IGNORECASE)  # "134.52M", "8.0B"
_UNITS = {"K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}


@dataclass(frozen=True, slots=True)
class ServerModel:
    """What a server says of one of its models; 0 is what it does not say.

    Attributes:
        window: How many tokens it reads at once.
        parameters: How many numbers it is made of.
    """

    window: int = 0
    parameters: int = 0


def ask(endpoint: Endpoint, model: str, cancel: Event) -> ServerModel:
    """Return what its server says of a model; it is asked no further than for the window.

    Raises:
        Cancelled: It was.
    """
    ways = _WAYS if _is_near(endpoint) else _WAYS[:1]
    asked = _Asked(endpoint, model, cancel, time.monotonic() + SECONDS)
    window = parameters = 0
    for way in ways:
        said = way(asked)
        window, parameters = said.window, parameters or said.parameters
        if window:
            break
    return ServerModel(window, parameters)


class _Asked:
    """A server that is asked of one model; what it does not know is nothing."""

    def __init__(self, endpoint: Endpoint, model: str, cancel: Event, end: float) -> None:
        self.model, self._cancel, self._endpoint, self._end = model, cancel, endpoint, end

    def listed(self) -> Any:
        """Return what the list of models says of it."""
        return self._row(self._fetched(self._endpoint, "/models"), "data", "id")

    def own(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return what is at a path of the server's own, beside those of the protocol."""
        root = self._endpoint.base_url.removesuffix("/v1")
        return self._fetched(replace(self._endpoint, base_url=root), path, body)

    def row(self, path: str, rows: str, *names: str) -> Any:
        """Return what a list at a path of the server's own says of it."""
        return self._row(self.own(path), rows, *names)

    def _row(self, found: Any, rows: str, *names: str) -> Any:
        listed = found.get(rows) if isinstance(found, dict) else None
        listed = (
            [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
        )
        mine = [row for row in listed if any(self._is_it(row.get(name)) for name in names)]
        return next(iter(mine or (listed if len(listed) == 1 else [])), {})

    def _is_it(self, name: Any) -> bool:
        return isinstance(name, str) and name.removesuffix(":latest") == self.model.removesuffix(
            ":latest"
        )

    def _fetched(
        self, endpoint: Endpoint, path: str, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        left = self._end - time.monotonic()
        if left <= 0:
            return {}
        try:
            found = endpoint.fetch(
                path,
                body,
                seconds=left,
                connect_seconds=left,
                most=_MOST,
                cancel=self._cancel,
            )
        except EndpointError:
            return {}
        return found if isinstance(found, dict) else {}


def _by_the_list(asked: _Asked) -> ServerModel:
    row = asked.listed()
    meta = row.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    window = _tokens(meta.get("n_ctx")) or next(_told(row, *_LISTED), 0)
    return ServerModel(window, _parameters(meta.get("n_params")))


def _llama_server(asked: _Asked) -> ServerModel:
    found = asked.own(f"/props?model={quote(asked.model, safe='')}")
    running = found.get("default_generation_settings")
    return ServerModel(_tokens(running.get("n_ctx")) if isinstance(running, dict) else 0)


def _lm_studio(asked: _Asked) -> ServerModel:
    row = asked.row("/api/v0/models", "data", "id")
    return ServerModel(next(_told(row, "loaded_context_length"), 0))


def _ollama_running(asked: _Asked) -> ServerModel:
    row = asked.row("/api/ps", "models", "name", "model")
    return ServerModel(next(_told(row, "context_length"), 0), _detailed(row))


def _ollama(asked: _Asked) -> ServerModel:
    """Return what Ollama would load it with; it cuts off what is longer, and says nothing."""
    found = asked.own("/api/show", {"model": asked.model})
    made, chosen = found.get("model_info"), found.get("parameters")
    if not isinstance(made, dict):
        return ServerModel(parameters=_detailed(found))
    set_ = re.search(r"^num_ctx\s+(\d{1,9})\s*$", chosen, re.M) if isinstance(chosen, str) else None
    most = next((n for key, n in made.items() if str(key).endswith(".context_length")), None)
    trained = _tokens(most) or OLLAMA_DEFAULT
    window = _tokens(int(set_[1])) or OLLAMA_DEFAULT if set_ else OLLAMA_DEFAULT
    parameters = _parameters(made.get("general.parameter_count")) or _detailed(found)
    return ServerModel(min(window, trained), parameters)


def _detailed(row: dict[str, Any]) -> int:
    """Return the size that Ollama writes as a person would, such as ``8.0B``."""
    details = row.get("details")
    said = details.get("parameter_size") if isinstance(details, dict) else None
    size = _SIZE.fullmatch(said) if isinstance(said, str) else None
    return _parameters(round(float(size[1]) * _UNITS[size[2].upper()])) if size else 0


_WAYS: tuple[Callable[[_Asked], ServerModel], ...] = (
    _by_the_list,
    _llama_server,
    _lm_studio,
    _ollama_running,
    _ollama,
)


def _told(row: dict[str, Any], *keys: str) -> Iterator[int]:
    return (found for key in keys if (found := _tokens(row.get(key))))


def _tokens(value: Any) -> int:
    try:
        return whole_of(value, SMALLEST, LARGEST)
    except ValueError:
        return 0


def _parameters(value: Any) -> int:
    try:
        return whole_of(value, 1, MOST_PARAMETERS)
    except ValueError:
        return 0


def _is_near(endpoint: Endpoint) -> bool:
    """Whether a server is on this computer or in this house, and not somebody's public service."""
    host = urlsplit(endpoint.base_url).hostname or ""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".home.arpa", ".internal"))
