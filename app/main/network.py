"""What the services ask of model servers; what speaks with them is imported when it is used."""

from collections.abc import Sequence

from app.domain.model import FoundServer
from app.services.library import ServerQueries


def server_queries() -> ServerQueries:
    """Return how servers are found, and their models listed."""

    def find_servers() -> Sequence[FoundServer]:
        from app.providers.remote import servers

        return servers.find_servers()

    def list_models(address: str, key: str) -> Sequence[str]:
        from app.providers.remote.endpoint import Endpoint, normal_url
        from app.providers.remote.openai import list_models

        return list_models(Endpoint(normal_url(address), key))

    return ServerQueries(find_servers, list_models)
