"""Keep the names that memories mention, so that what concerns one person or place is found.

Only equal keys are the same entity: nothing is merged for being alike. The person may say that two
names mean one; each then keeps its own row and links and points to the other, so that taking it
back is exact, and a name that is used later still belongs where the person put it.
"""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime

from app.domain.entity import Entity
from app.domain.ids import new_id, to_ms
from app.domain.language.foreign import storable
from app.errors import NotFound, Refused
from app.store.dialect import gathered, greatest, listed
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps

Names = list[str]
EntityList = list[Entity]

_ENTITY = (
    "SELECT e.id, e.name,"
    f" (SELECT {gathered('o.name')} FROM (SELECT name FROM entities"
    " WHERE merged_into_pk = e.pk ORDER BY pk) AS o) AS also,"
    " (SELECT count(DISTINCT l.memory_pk) FROM entity_links AS l WHERE l.entity_pk = e.pk"
    " OR l.entity_pk IN (SELECT pk FROM entities WHERE merged_into_pk = e.pk)) AS mentions"
    " FROM entities AS e"
)


def canonical_key(name: str) -> str:
    """Return what two spellings of the same name share: no case, no accents, single spaces."""
    decomposed = unicodedata.normalize("NFKD", name.strip().lower())
    bare = "".join(letter for letter in decomposed if unicodedata.category(letter)[0] != "M")
    return " ".join(bare.split())


class Entities:
    """The named things of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def link(self, memory_pk: int, names: Iterable[str], agent_pk: int, now: datetime) -> int:
        """Note that a memory mentions these names; only equal keys are the same entity.

        Returns:
            How many links are new.
        """
        spelled: dict[str, str] = {}
        for name in map(storable, names):
            if key := canonical_key(name):
                spelled.setdefault(key, " ".join(name.split()))
        with self._vault.write() as connection:
            return sum(
                _link(connection, memory_pk, _named(connection, name, key, agent_pk, now), now)
                for key, name in spelled.items()
            )

    def link_new(self, found: Iterable[tuple[int, Sequence[str]]]) -> int:
        """Link memories that have no links yet to the names in their text.

        Links that a model or the person made are left as they are.

        Returns:
            How many links are new.
        """
        made = 0
        with self._vault.write() as connection:
            for memory_pk, names in found:
                row = connection.execute(
                    "SELECT agent_pk FROM memories WHERE pk = ?1 AND NOT EXISTS"
                    " (SELECT 1 FROM entity_links WHERE memory_pk = ?1)",
                    (memory_pk,),
                ).fetchone()
                if row is not None:
                    made += self.link(memory_pk, names, row["agent_pk"], self._vault.clock())
        return made

    def of_memory(self, memory_pk: int) -> Names:
        """Return the names a memory mentions, in alphabetical order."""
        found = self._vault.rows(
            "SELECT e.name FROM entity_links AS l JOIN entities AS e ON e.pk = l.entity_pk"
            " WHERE l.memory_pk = ? ORDER BY e.canonical_key",
            (memory_pk,),
        )
        return [row["name"] for row in found]

    def mentioned(self, keys: Iterable[str], agent_pk: int) -> set[str]:
        """Return which of some canonical keys are names that memories mention."""
        found = self._vault.rows(
            "SELECT canonical_key FROM entities WHERE agent_pk = ?"
            f" AND canonical_key IN {listed()}",
            (agent_pk, dumps(list(keys))),
        )
        return {row["canonical_key"] for row in found}

    def list(self, agent_pk: int, limit: int = 500) -> EntityList:
        """Return what is mentioned, most often first, merged names under the one they mean."""
        found = self._vault.rows(
            f"{_ENTITY} WHERE e.agent_pk = ? AND e.merged_into_pk IS NULL"
            " ORDER BY mentions DESC, e.canonical_key LIMIT ?",
            (agent_pk, limit),
        )
        return [_entity(row) for row in found]

    def names(self) -> Names:
        """Return every name that memories of any agent mention: none of them may leave."""
        return [row["name"] for row in self._vault.rows("SELECT name FROM entities")]

    def named(self, name: str, agent_pk: int) -> Entity:
        """Return what a name means.

        Raises:
            NotFound: No memory mentions it.
        """
        with self._vault.read() as connection:
            row = connection.execute(
                f"{_ENTITY} WHERE e.pk = ?", (_meant(connection, name, agent_pk),)
            ).fetchone()
        return _entity(row)

    def memory_ids(self, entity_id: str) -> set[str]:
        """Return the memories that mention it, under any of its names."""
        found = self._vault.rows(
            "SELECT m.id FROM entities AS e JOIN entities AS o ON e.pk IN (o.pk,"
            " o.merged_into_pk) JOIN entity_links AS l ON l.entity_pk = o.pk"
            " JOIN memories AS m ON m.pk = l.memory_pk WHERE e.id = ?",
            (entity_id,),
        )
        return {row["id"] for row in found}

    def merge(self, name: str, into: str, agent_pk: int) -> Entity:
        """Let a name, with all that was merged into it, mean what another one means.

        Raises:
            NotFound: No memory mentions one of them.
            Refused: They mean the same already.
        """
        with self._vault.write() as connection:
            gone, stays = (_meant(connection, one, agent_pk) for one in (name, into))
            if gone == stays:
                raise Refused(f"“{name}” and “{into}” are one already.")
            connection.execute(
                "UPDATE entities SET merged_into_pk = ?2 WHERE ?1 IN (pk, merged_into_pk)",
                (gone, stays),
            )
            return self.named(into, agent_pk)

    def split(self, name: str, agent_pk: int) -> Entity:
        """Let a name that was merged into another mean its own again.

        Raises:
            NotFound: No memory mentions it.
            Refused: It was not merged into another.
        """
        with self._vault.write() as connection:
            row = _row(connection, name, agent_pk)
            if row["merged_into_pk"] is None:
                raise Refused(f"“{row['name']}” was not merged into another name.")
            connection.execute("UPDATE entities SET merged_into_pk = NULL WHERE pk = ?", row[:1])
            return self.named(name, agent_pk)

    def move(self, name: str, to: str, memory_ids: Sequence[str], agent_pk: int) -> Entity:
        """Say that some memories with a name mean another one, which may be new.

        This is how one name that two people share is told apart; moving back restores it.

        Raises:
            NotFound: No memory mentions the name.
            Refused: The other name is empty, or none of the memories mentions the first.
        """
        key, now = canonical_key(storable(to)), self._vault.clock()
        if not key:
            raise Refused("A name needs at least one letter.")
        with self._vault.write() as connection:
            old = _row(connection, name, agent_pk)["pk"]
            found = connection.execute(
                "SELECT m.pk FROM memories AS m JOIN entity_links AS l ON l.memory_pk = m.pk"
                f" WHERE l.entity_pk = ? AND m.id IN {listed()}",
                (old, dumps(list(memory_ids))),
            ).fetchall()
            if not found:
                raise Refused(f"None of these memories mentions “{name}”.")
            new = _named(connection, " ".join(to.split()), key, agent_pk, now)
            for row in found if new != old else ():
                _unlink(connection, row["pk"], [old])
                _link(connection, row["pk"], new, now)
            return self.named(to, agent_pk)


def unlink(connection: Connection, memory_pk: int) -> None:
    """Forget which names a memory mentions, and those that nothing mentions any more."""
    found = connection.execute(
        "SELECT entity_pk FROM entity_links WHERE memory_pk = ?", (memory_pk,)
    ).fetchall()
    _unlink(connection, memory_pk, [row["entity_pk"] for row in found])


def _unlink(connection: Connection, memory_pk: int, entity_pks: Sequence[int]) -> None:
    for pk in entity_pks:
        connection.execute(
            "DELETE FROM entity_links WHERE memory_pk = ? AND entity_pk = ?", (memory_pk, pk)
        )
        connection.execute(
            f"UPDATE entities SET mention_count = {greatest('0', 'mention_count - 1')}"
            " WHERE pk = ?",
            (pk,),
        )
        connection.execute(
            "DELETE FROM entities WHERE pk = ?1 AND NOT EXISTS"
            " (SELECT 1 FROM entity_links WHERE entity_pk = ?1)",
            (pk,),
        )


def _link(connection: Connection, memory_pk: int, entity_pk: int, now: datetime) -> int:
    cursor = connection.execute(
        "INSERT INTO entity_links (memory_pk, entity_pk) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (memory_pk, entity_pk),
    )
    if not cursor.rowcount:
        return 0
    connection.execute(
        "UPDATE entities SET mention_count = mention_count + 1,"
        f" last_seen = {greatest('last_seen', '?')}"
        " WHERE pk = ?",
        (to_ms(now), entity_pk),
    )
    return 1


def _named(connection: Connection, name: str, key: str, agent_pk: int, now: datetime) -> int:
    """Return the row of a name, made where it is new."""
    connection.execute(
        "INSERT INTO entities (id, agent_pk, name, canonical_key, first_seen, last_seen)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?5) ON CONFLICT (agent_pk, canonical_key) DO NOTHING",
        (new_id(now), agent_pk, name, key, to_ms(now)),
    )
    found = connection.execute(
        "SELECT pk FROM entities WHERE agent_pk = ? AND canonical_key = ?", (agent_pk, key)
    )
    return int(found.fetchone()[0])


def _row(connection: Connection, name: str, agent_pk: int) -> Row:
    row = connection.execute(
        "SELECT pk, name, merged_into_pk FROM entities WHERE agent_pk = ? AND canonical_key = ?",
        (agent_pk, canonical_key(name)),
    ).fetchone()
    if row is None:
        raise NotFound(f"No memory mentions “{name}”.")
    return row


def _meant(connection: Connection, name: str, agent_pk: int) -> int:
    row = _row(connection, name, agent_pk)
    return int(row["merged_into_pk"] or row["pk"])


def _entity(row: Row) -> Entity:
    return Entity(
        id=row["id"],
        name=row["name"],
        also=tuple(json.loads(row["also"])),
        mentions=row["mentions"],
    )
