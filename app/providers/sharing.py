"""Which rule holds for a model: the person's; else all on this computer, nothing beyond it."""

from app.domain.sharing.rule import OPEN, Shared, SharingRule, rules
from app.errors import EndpointError
from app.providers.remote.endpoint import Endpoint, normal_url

SERVER = "server:"
SETTING = "models.sharing"
NOT_LEARNING = (
    "Not all memories may go to {}, so its model does not learn or summarize; Loci learns without."
)


def address_of(choice_id: str) -> str:
    """Return where a chat model is, as rules are kept for it; empty where it is on no server."""
    if not choice_id.startswith(SERVER):
        return ""
    try:
        return normal_url(choice_id.removeprefix(SERVER).rpartition("#")[0])
    except EndpointError:
        return ""


def rule_for(choice_id: str, kept: str) -> SharingRule | None:
    """Return what may go to a chat model; None where the person is to be asked first.

    Args:
        choice_id: The model, as settings name it.
        kept: The rules, as settings keep them.
    """
    address = address_of(choice_id)
    if not address:
        return OPEN
    return rules(kept).get(address) or (OPEN if Endpoint(address).local else None)


def not_learning(choice_id: str, kept: str) -> str:
    """Return in a sentence why a model may not learn; empty where nothing speaks against it."""
    rule = rule_for(choice_id, kept)
    if rule is not None and rule.memories is Shared.ALL:
        return ""
    return NOT_LEARNING.format(Endpoint(address_of(choice_id)).host)
