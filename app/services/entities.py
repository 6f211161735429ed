"""The names that memories mention, and which of them mean one: as the person puts it right."""

from collections.abc import Sequence

from app.domain.changes import Changes
from app.domain.entity import Entity
from app.domain.memory import DEFAULT_SCOPE
from app.store.entities import Entities


class EntitiesService:
    """Lists, merges and splits names; whatever was merged can be split again, and the reverse."""

    def __init__(self, entities: Entities) -> None:
        self._rows = entities

    def list(self, limit: int = 500) -> Sequence[Entity]:
        """Return what memories mention, most often first."""
        return self._rows.list(DEFAULT_SCOPE.agent_pk, limit)

    def named(self, name: str) -> Entity:
        """Return what a name means."""
        return self._rows.named(name, DEFAULT_SCOPE.agent_pk)

    def memory_ids(self, name: str) -> Sequence[str]:
        """Return the memories that mention what a name means."""
        return sorted(self._rows.memory_ids(self._rows.named(name, DEFAULT_SCOPE.agent_pk).id))

    def merge(self, name: str, into: str) -> Changes:
        """Let one name mean what another means; ``split`` takes it back."""
        return self._changed(self._rows.merge(name, into, DEFAULT_SCOPE.agent_pk))

    def split(self, name: str) -> Changes:
        """Let a name that was merged into another mean its own again."""
        touched = self._changed(self._rows.named(name, DEFAULT_SCOPE.agent_pk))
        self._rows.split(name, DEFAULT_SCOPE.agent_pk)
        return touched

    def move(self, name: str, to: str, memory_ids: Sequence[str]) -> Changes:
        """Say that some memories with a name mean another, as where two people share it.

        Moving them back takes it back.
        """
        self._rows.move(name, to, memory_ids, DEFAULT_SCOPE.agent_pk)
        return Changes(memories=frozenset(memory_ids))

    def _changed(self, entity: Entity) -> Changes:
        return Changes(memories=frozenset(self._rows.memory_ids(entity.id)))
