"""What may leave this computer."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.services.sharing import Connection


def connection(one: "Connection") -> dict[str, Any]:
    """Return a server, and what may go there."""
    rule = one.rule
    return {
        "address": one.address,
        "local": one.local,
        "model": one.model,
        "asks": rule is None,
        "memories": rule.memories if rule else None,
        "types": sorted(rule.types) if rule else [],
        "tags": sorted(rule.tags) if rule else [],
        "stand_ins": rule.stand_ins if rule else None,
        "told": one.words,
    }
