"""Schema migrations: frozen SQL files, applied once each and in order, after a backup.

Each file is one transaction together with the note that it was applied (``sqlite_utils``). A vault
whose ``user_version`` is higher than ours was written by a newer Loci and is not touched.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.domain.ids import Clock, to_ms
from app.errors import VaultBusy, VaultTooNew
from app.store.vault import backup, sealing
from app.store.vault.chain import Chain
from app.store.vault.connection import Connection, plain_errors
from app.store.vault.locks import BUSY, FileLock

FOLDER = Path(__file__).parent
FILES = (
    "m0001_initial",
    "m0002_merged_entities",
    "m0003_usefulness_by_agent",
    "m0004_upkeep",
    "m0005_claimed",
    "m0006_chain",
    "m0007_typed_reasons",
    "m0008_summaries",
    "m0009_tool_uses",
    "m0010_sent",
    "m0011_documents",
)
SET = "loci"
_SEALED = FILES.index("m0006_chain") + 1


def apply(
    connection: Connection,
    path: Path,
    key: bytes,
    clock: Clock,
    use: FileLock,
    files: Sequence[str] = FILES,
    folder: Path = FOLDER,
) -> None:
    """Bring the vault to the newest schema.

    An empty vault is filled at once. One with rows is copied first, and nobody else may have it
    open meanwhile: a program of an older version would not know the new tables.

    Args:
        connection: The writing connection.
        path: The vault.
        key: Its key, for the backup and the seals.
        clock: The present.
        use: The lock that is shared by all who have the vault open.
        files: Names of the migrations, oldest first.
        folder: Where their SQL lies.

    Raises:
        VaultTooNew: A newer version of Loci wrote it.
        VaultBusy: Another program has it open.
    """
    with plain_errors():
        found = version(connection)
        if found > len(files):
            raise VaultTooNew(
                "This vault was written by a newer version of Loci. "
                "Update Loci to open it; nothing was changed."
            )
        if found == len(files):
            return
        if found == 0:
            _run(connection, key, clock, files, folder)
            return
        alone = use.acquire(exclusive=True, unless=lambda: version(connection) == len(files))
        try:
            if version(connection) < len(files):
                if not alone:
                    raise VaultBusy(BUSY)
                backup.create(path, key, clock)
                _run(connection, key, clock, files, folder)
        finally:
            use.acquire(exclusive=False)


def version(connection: Connection) -> int:
    """Return the number of migrations the vault has had."""
    return int(connection.execute("PRAGMA user_version").fetchall()[0][0])


def _run(
    connection: Connection, key: bytes, clock: Clock, files: Sequence[str], folder: Path
) -> None:
    """Apply what is missing; several processes may do so at once."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations(SET)
    for name in files:
        migrations(name=name)(_script(folder / f"{name}.sql"))
    database = Database(connection, recursive_triggers=False, execute_plugins=False)
    for number in range(version(connection) + 1, len(files) + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            if version(connection) < number:
                migrations.apply(database, stop_before=files[number:])
                if number == 1:
                    _date_first_agent(connection, clock)
                if number == _SEALED:
                    sealing.begin(connection, Chain(key))
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except BaseException:
            connection.rollback()
            raise


def _script(path: Path) -> Callable[[Any], None]:
    def run(database: Any) -> None:
        for statement in statements(path.read_text("utf-8")):
            database.conn.execute(statement)

    return run


def _date_first_agent(connection: Connection, clock: Clock) -> None:
    now = to_ms(clock())
    connection.execute("UPDATE agents SET created_at = ?, updated_at = ?", (now, now))


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
