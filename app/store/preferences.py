"""Keep the settings that the person changed, by their dotted key."""

from contextlib import suppress
from typing import Any

from app.domain.ids import to_ms
from app.domain.language.foreign import read_json
from app.store.vault.file import Vault
from app.store.vault.rows import dumps


class Preferences:
    """The changed settings of a vault; what they mean is the settings table's business."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def all(self) -> dict[str, Any]:
        """Return every stored value by key."""
        found = self._vault.rows("SELECT key, value FROM settings ORDER BY key")
        values: dict[str, Any] = {}
        for row in found:
            with suppress(ValueError):  # what cannot be read any more has its default
                values[row["key"]] = read_json(row["value"])
        return values

    def set(self, key: str, value: Any) -> None:
        """Store one value."""
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value,"
                " updated_at = excluded.updated_at",
                (key, dumps(value), to_ms(self._vault.clock())),
            )

    def remove(self, key: str) -> None:
        """Go back to the default."""
        with self._vault.write() as connection:
            connection.execute("DELETE FROM settings WHERE key = ?", (key,))
