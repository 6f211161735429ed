"""New vaults as copies of one: the migrations take longer than most tests of the store."""

import shutil
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock

from app.domain.ids import utc_now
from app.store.vault import migrations, sealing
from app.store.vault.chain import Chain
from app.store.vault.connection import READ_CACHE_KB, connect, driver
from app.store.vault.file import Vault

_KEY = bytes(32)


class Blank:
    """A vault to which the migrations were applied, and nothing else was done.

    Args:
        path: Where it is made, once it is asked for.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = Lock()
        self._opened = Vault._opened_writer

    def opened_writer(self, vault: Vault, wal: bool) -> object:
        """Open a vault for writing as it opens itself; where it is new, it begins as a copy."""
        with self._turn:
            if vault.path.stat().st_size == 0:
                with suppress(OSError):  # a full disk, or one that is not to be written
                    self._copy(vault)
        return self._opened(vault, wal)

    def _copy(self, vault: Vault) -> None:
        if not self._path.exists():
            with closing(_connected(self._path)) as made:
                migrations.apply(made, self._path, _KEY, utc_now, vault._use)
        try:
            shutil.copyfile(self._path, vault.path)
            with closing(_connected(vault.path)) as copied:
                copied.execute(f"PRAGMA rekey = \"x'{vault.key.hex()}'\"")
                copied.execute("BEGIN")
                migrations._date_first_agent(copied, vault.clock)
                sealing.begin(copied, Chain(vault.key))
                copied.execute("COMMIT")
        except (OSError, driver.Error):
            vault.path.write_bytes(b"")


def _connected(path: Path) -> driver.Connection:
    made = connect(path, _KEY, cache_kb=READ_CACHE_KB, read_only=False, wal=False)
    made.execute("PRAGMA journal_mode = OFF")
    made.execute("PRAGMA synchronous = OFF")
    return made
