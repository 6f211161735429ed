"""What ``loci doctor`` reports of a vault: versions, integrity, drift of what is derived, room."""

import shutil
from contextlib import suppress
from typing import Any

from app.errors import VaultCorrupt
from app.store.index import bits, vectors
from app.store.vault import migrations
from app.store.vault.connection import Connection
from app.store.vault.file import Vault
from app.store.vault.word_index import INDEXED

_KINDS = {"memories": "memory", "messages": "message"}


def report(
    vault: Vault, *, embedder_id: str | None = None, thorough: bool = False
) -> dict[str, Any]:
    """Return everything worth knowing, as plain values.

    Args:
        vault: The open vault.
        embedder_id: The embedder in use; None counts the vectors of any.
        thorough: Whether to check every index too, which takes about a second for 50 MB.
    """
    problems = _problems(vault, thorough)
    drift: dict[str, dict[str, int]] = {}
    with suppress(VaultCorrupt):  # which the problems tell by then
        drift = _drift(vault, embedder_id)
    return {
        "ok": not any(problems.values()),
        "problems": problems,
        "versions": _versions(vault),
        "drift": drift,
        "file": _file(vault),
    }


def _problems(vault: Vault, thorough: bool) -> dict[str, list[str]]:
    """Return what each check found wrong; empty lists are good news."""
    found = {
        "pages": _found(vault, "PRAGMA cipher_integrity_check"),
        "rows": _found(vault, f"PRAGMA {'integrity' if thorough else 'quick'}_check"),
        "links": _found(vault, "PRAGMA foreign_key_check"),
    }
    for index in INDEXED.values():
        found[index] = _index_problems(vault, index)
    return found


def _found(vault: Vault, check: str) -> list[str]:
    try:
        rows = vault.rows(check)
    except VaultCorrupt as error:
        return [str(error)]
    return [" ".join(str(value) for value in row) for row in rows if row[0] != "ok"]


def _index_problems(vault: Vault, index: str) -> list[str]:
    """Ask a full-text index whether it says what its table says."""
    try:
        with vault.write() as connection:
            connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")
    except VaultCorrupt:
        return ["The index does not say what its table says."]
    return []


def _versions(vault: Vault) -> dict[str, str]:
    with vault.read() as connection:
        return {
            "schema": str(migrations.version(connection)),
            "sqlite": _one(connection, "SELECT sqlite_version()"),
            "sqlcipher": _one(connection, "PRAGMA cipher_version"),
            "cryptography": _one(connection, "PRAGMA cipher_provider_version"),
            "sqlite_vec": _one(connection, "SELECT vec_version()"),
        }


def _drift(vault: Vault, embedder_id: str | None) -> dict[str, dict[str, int]]:
    """Count rows, and those that lack the words, floats or bits they should have."""
    with vault.read() as connection:
        chosen = "(SELECT pk FROM embedders WHERE ?1 IS NULL OR id = ?1)"
        return {
            table: {
                "rows": _count(connection, f"SELECT count(*) FROM {table}"),
                "without_words": _count(
                    connection,
                    f"SELECT count(*) FROM {table}"
                    f" WHERE pk NOT IN (SELECT id FROM {INDEXED[table]}_docsize)",
                ),
                "without_vectors": _count(
                    connection,
                    f"SELECT count(*) FROM ({vectors.owed(kind)}) WHERE pk NOT IN"
                    f" (SELECT pk FROM {bits.floats(kind)} WHERE embedder_pk IN {chosen})",
                    embedder_id,
                ),
                "without_bits": _without_bits(connection, kind),
            }
            for table, kind in _KINDS.items()
        }


def _without_bits(connection: Connection, kind: str) -> int:
    """Count floats that the bit index, which is searched first, does not know."""
    have = {row[0] for row in connection.execute("SELECT name FROM sqlite_master").fetchall()}
    missing = 0
    for (embedder_pk,) in connection.execute("SELECT pk FROM embedders").fetchall():
        known = f"{bits.table(kind, embedder_pk)}_rowids"
        lacks = f" AND pk NOT IN (SELECT rowid FROM {known})" if known in have else ""
        question = f"SELECT count(*) FROM {bits.floats(kind)} WHERE embedder_pk = ?{lacks}"
        missing += _count(connection, question, embedder_pk)
    return missing


def _file(vault: Vault) -> dict[str, Any]:
    log = vault.path.with_name(vault.path.name + "-wal")
    with vault.read() as connection:
        journal = _one(connection, "PRAGMA journal_mode")
        unused = int(_one(connection, "PRAGMA freelist_count"))
    return {
        "path": str(vault.path),
        "bytes": vault.path.stat().st_size,
        "wal_bytes": log.stat().st_size if log.exists() else 0,
        "unused_pages": unused,
        "journal_mode": journal,
        "free_bytes": shutil.disk_usage(vault.path.parent).free,
    }


def _count(connection: Connection, question: str, *values: Any) -> int:
    return int(connection.execute(question, values).fetchall()[0][0])


def _one(connection: Connection, question: str) -> str:
    return str(connection.execute(question).fetchall()[0][0])
