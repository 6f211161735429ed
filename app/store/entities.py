"""Keep the names that memories mention, so that what concerns one person or place is found."""

import unicodedata
from collections.abc import Iterable
from datetime import datetime

from app.domain.ids import new_id, to_ms
from app.store.vault import Vault


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
        for name in names:
            if key := canonical_key(name):
                spelled.setdefault(key, " ".join(name.split()))
        made = 0
        with self._vault.write() as connection:
            for key, name in spelled.items():
                connection.execute(
                    "INSERT INTO entities (id, agent_pk, name, canonical_key, first_seen,"
                    " last_seen) VALUES (?1, ?2, ?3, ?4, ?5, ?5)"
                    " ON CONFLICT (agent_pk, canonical_key) DO NOTHING",
                    (new_id(now), agent_pk, name, key, to_ms(now)),
                )
                pk = connection.execute(
                    "SELECT pk FROM entities WHERE agent_pk = ? AND canonical_key = ?",
                    (agent_pk, key),
                ).fetchone()[0]
                cursor = connection.execute(
                    "INSERT INTO entity_links (memory_pk, entity_pk) VALUES (?, ?)"
                    " ON CONFLICT DO NOTHING",
                    (memory_pk, pk),
                )
                if cursor.rowcount:
                    made += 1
                    connection.execute(
                        "UPDATE entities SET mention_count = mention_count + 1,"
                        " last_seen = max(last_seen, ?) WHERE pk = ?",
                        (to_ms(now), pk),
                    )
        return made

    def of_memory(self, memory_pk: int) -> list[str]:
        """Return the names a memory mentions, in alphabetical order."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT e.name FROM entity_links AS l JOIN entities AS e ON e.pk = l.entity_pk"
                " WHERE l.memory_pk = ? ORDER BY e.canonical_key",
                (memory_pk,),
            ).fetchall()
        return [row["name"] for row in found]
