"""Looks for model servers on this computer: only when asked to, and only on loopback."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from app.domain.model import FoundServer
from app.errors import EndpointError
from app.providers.remote.endpoint import Endpoint
from app.providers.remote.openai import list_models

USUAL_PORTS = {"Ollama": 11434, "LM Studio": 1234, "llama-server": 8080}
_SECONDS = 0.8


def find_servers(ports: Mapping[str, int] = USUAL_PORTS) -> list[FoundServer]:
    """Return the OpenAI-compatible servers that answer on their usual ports, within a second."""
    with ThreadPoolExecutor(max_workers=max(len(ports), 1)) as pool:
        found = pool.map(_probe, ports.items())
        return [server for server in found if server is not None]


def _probe(named: tuple[str, int]) -> FoundServer | None:
    name, port = named
    endpoint = Endpoint(f"http://127.0.0.1:{port}/v1")
    try:
        models = list_models(endpoint, seconds=_SECONDS)
    except EndpointError:
        return None
    return FoundServer(name, endpoint.base_url, tuple(models))
