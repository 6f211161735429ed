"""How models are worded and ordered on the models screen."""

from collections.abc import Sequence

from app.domain.jobs.pace import megabytes
from app.domain.model import (
    EmbeddingStatus,
    FoundServer,
    ModelChoice,
    ModelPlace,
    ModelRole,
    RerankerStatus,
)

ICONS = {
    ModelPlace.BUNDLED: "package",
    ModelPlace.FILE: "hard-drive",
    ModelPlace.SERVER: "cloud",
    ModelPlace.BUILT_IN: "notebook",
}


def server_choice_id(base_url: str, model: str) -> str:
    """Return what settings store for a model of a server."""
    return f"server:{base_url}#{model}"


def server_choices(
    servers: Sequence[FoundServer], known: Sequence[ModelChoice]
) -> list[ModelChoice]:
    """Return the models of the servers that were found and are not on the list yet."""
    listed = {choice.id for choice in known}
    found = []
    for server in servers:
        for model in server.models:
            choice_id = server_choice_id(server.base_url, model)
            if choice_id not in listed:
                detail = f"{server.name}, running on this computer"
                found.append(
                    ModelChoice(choice_id, model, ModelRole.CHAT, ModelPlace.SERVER, detail)
                )
    return found


def ordered(choices: Sequence[ModelChoice], found: Sequence[ModelChoice]) -> list[ModelChoice]:
    """Return every model, those of servers that were found before those that are no model."""
    models = [c for c in choices if c.place is not ModelPlace.BUILT_IN]
    return [*models, *found, *(c for c in choices if c.place is ModelPlace.BUILT_IN)]


def best_first(choices: Sequence[ModelChoice]) -> list[ModelChoice]:
    """Return the models that lie in files: what nothing speaks against comes first."""
    files = [c for c in choices if c.place is ModelPlace.FILE]
    return sorted(files, key=lambda c: (bool(c.problem), bool(c.warning)))


def said_of(choice: ModelChoice) -> str:
    """Return what there is to say of a model besides its name."""
    told = (choice.detail, choice.state, choice.warning)
    return choice.problem or ". ".join(filter(None, told))


def is_near(choice: ModelChoice) -> bool:
    """Return whether text given to a model stays on this computer."""
    if choice.place is not ModelPlace.SERVER:
        return True
    return any(host in choice.id for host in ("//127.", "//localhost", "//[::1]"))


def icon(choice: ModelChoice) -> str:
    """Return the icon of the place where a model runs."""
    near = choice.place is ModelPlace.SERVER and is_near(choice)
    return "desktop" if near else ICONS[choice.place]


def embedding_words(status: EmbeddingStatus) -> str:
    """Return how far the memories are embedded."""
    if not status.missing and status.total < 2:
        return "Everything can be found by meaning."
    if not status.missing:
        return f"All {status.total:,} memories and messages can be found by meaning."
    done = status.total - status.missing
    waiting = f"{done:,} of {status.total:,} can be found by meaning; {status.missing:,} to go"
    again = f", {status.stale:,} of them to be embedded again" if status.stale else ""
    return f"{waiting}{again}. Until then they are found by words."


def needs_key(choice: ModelChoice) -> bool:
    """Return whether an embedder sends text to a company and wants a key for it."""
    return choice.id.startswith(("openai:", "voyage:"))


def reranker_words(status: RerankerStatus, *, refused: bool) -> tuple[str, str]:
    """Return the state of the reranker, and what there is to know about its file."""
    size = megabytes(status.bytes)
    if status.present:
        state = f"On: {status.file}" if status.on else "Off"
        detail = f"On this computer, {size}"
        return state, detail if status.on else f"{status.file}. {detail}"
    state = "Off" if refused else "Not downloaded" if status.offered else "Not found"
    if status.fetched:
        return state, f"{status.file}. {fetched_words(status.fetched, status.bytes)} downloaded."
    return state, f"{status.file}. {size}, downloaded once." if status.offered else status.file


def download_words(status: RerankerStatus) -> str:
    """Return what the button for the download says."""
    if status.present:
        return "Download again"
    if status.fetched:
        return f"Resume ({megabytes(status.bytes - status.fetched)} left)"
    return f"Download ({megabytes(status.bytes)})"


def fetched_words(done: int, total: int) -> str:
    """Return how much of a file has come."""
    return f"{done / 1e6:,.0f} of {megabytes(total)}"
