"""Schema migrations: frozen SQL files, applied once each and in order, after a backup.

Each file is one transaction together with the note that it was applied (``sqlite_utils``). A vault
whose ``user_version`` is higher than ours was written by a newer Loci and is not touched.
"""

from pathlib import Path
from typing import Any

from app.domain.ids import Clock, to_ms
from app.errors import VaultTooNew
from app.store.connection import plain_errors

FILES = ("m0001_initial",)
VERSION = len(FILES)


def apply(connection: Any, path: Path, clock: Clock) -> None:
    """Bring the vault to the newest schema.

    Raises:
        VaultTooNew: A newer version of Loci wrote it.
    """
    with plain_errors():
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if found > VERSION:
            raise VaultTooNew(
                "This vault was written by a newer version of Loci. "
                "Update Loci to open it; nothing was changed."
            )
        for number, name in enumerate(FILES[found:], start=found + 1):
            _one(connection, number, name, clock)


def _one(connection: Any, number: int, name: str, clock: Clock) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements((Path(__file__).parent / f"{name}.sql").read_text("utf-8")):
            connection.execute(statement)
        if number == 1:
            now = to_ms(clock())
            connection.execute("UPDATE agents SET created_at = ?, updated_at = ?", (now, now))
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def statements(script: str) -> list[str]:
    """Split an SQL script into its statements, triggers kept whole."""
    import sqlcipher3.dbapi2 as driver

    found, lines = [], []
    for line in script.splitlines():
        lines.append(line)
        text = "\n".join(lines)
        if line.rstrip().endswith(";") and driver.complete_statement(text):
            found.append(text.strip())
            lines = []
    return found
