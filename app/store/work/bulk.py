"""Write very many made-up rows fast, to measure a large vault; nothing else may use this.

What is written is found and read like any other row, but it has no journal and no parts: a vault of
a million rows is ready in minutes.
"""

from collections.abc import Sequence
from datetime import datetime

from app.domain.ids import new_id, to_ms
from app.domain.language.text import content_hash
from app.store.vault.file import Vault

FILL_CACHE_KB = 262_144

Said = Sequence[tuple[str, datetime]]


def widen(vault: Vault) -> None:
    """Give the writer a large cache, until the vault is closed."""
    with vault.write() as connection:
        connection.execute(f"PRAGMA cache_size = -{FILL_CACHE_KB}")


def memories(vault: Vault, texts: Said) -> None:
    """Store memories of the first agent, in one transaction; no two texts may be the same."""
    with vault.write() as connection:
        before = connection.execute("SELECT coalesce(max(pk), 0) FROM memories").fetchone()[0]
        connection.executemany(
            "INSERT INTO memories (id, agent_pk, trust, origin, actor, text, content_hash, scope,"
            " created_at, updated_at) VALUES (?1, 1, 'learned', 'user_typed', 'user', ?2, ?3, 1,"
            " ?4, ?4)",
            [(new_id(at), text, content_hash(text), to_ms(at)) for text, at in texts],
        )
        made = connection.execute("SELECT pk FROM memories WHERE pk > ?", (before,))
        vault.chain.reseal(connection, [row["pk"] for row in made])
