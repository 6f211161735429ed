"""What may go to a connection beyond this computer: which memories, and whether by name."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.language.foreign import read_json
from app.domain.memory import MemoryType
from app.domain.recall import Hit, HitKind


class Shared(StrEnum):
    """Which memories may go."""

    ALL = "all"
    SOME = "some"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class SharingRule:
    """What may go to one connection.

    What else memories may be chosen by, such as their project, is one more field, and one more line
    in ``allows``.

    Attributes:
        types: Of which types, where some memories may go.
        tags: With which tags besides, where some may go.
        stand_ins: Whether names and numbers are replaced, and put back in the answer.
    """

    memories: Shared = Shared.ALL
    types: frozenset[MemoryType] = frozenset()
    tags: frozenset[str] = frozenset()
    stand_ins: bool = False

    def allows(self, hit: Hit) -> bool:
        """Return whether a find may go; a past message has neither type nor tag."""
        if self.memories is not Shared.SOME:
            return self.memories is Shared.ALL
        if hit.kind is not HitKind.MEMORY:
            return False
        tags = hit.memory.tags if hit.memory is not None else ()
        return hit.type in self.types or not self.tags.isdisjoint(tags)

    @property
    def words(self) -> str:
        """What it says, in a sentence."""
        named = [*sorted(self.types), *(f"“{tag}”" for tag in sorted(self.tags))]
        which = {
            Shared.ALL: "All memories may go there",
            Shared.SOME: f"Only some memories may go there ({', '.join(named) or 'none is named'})",
            Shared.NONE: "No memories may go there",
        }[self.memories]
        how = "replaced by stand-ins" if self.stand_ins else "sent as they are"
        return f"{which}; names and numbers are {how}."


OPEN = SharingRule()
CAREFUL = SharingRule(stand_ins=True)  # what is offered for a new connection

Rules = Mapping[str, SharingRule]


def rules(text: str) -> dict[str, SharingRule]:
    """Return the rules a setting holds, by address; one that cannot be read is none."""
    try:
        found = read_json(text) if text else {}
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    read = {address: _rule(one) for address, one in found.items() if isinstance(one, dict)}
    return {address: one for address, one in read.items() if one is not None}


def setting_of(known: Rules) -> str:
    """Return rules as a setting holds them."""
    return json.dumps({address: _plain(rule) for address, rule in sorted(known.items())})


def _rule(said: Mapping[str, object]) -> SharingRule | None:
    types, tags, stand_ins = said.get("types", []), said.get("tags", []), said.get("stand_ins")
    if not (isinstance(types, list) and isinstance(tags, list) and isinstance(stand_ins, bool)):
        return None
    try:
        return SharingRule(
            Shared(str(said.get("memories"))),
            frozenset(MemoryType(str(one)) for one in types),
            frozenset(str(tag) for tag in tags),
            stand_ins,
        )
    except ValueError:
        return None


def _plain(rule: SharingRule) -> dict[str, object]:
    return {
        "memories": rule.memories,
        "types": sorted(rule.types),
        "tags": sorted(rule.tags),
        "stand_ins": rule.stand_ins,
    }
