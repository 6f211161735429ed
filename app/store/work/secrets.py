"""Keys for endpoints: in the system keyring, or in the encrypted vault where there is none."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from app.errors import VaultLocked
from app.paths import ProfilePaths
from app.store.vault import entries, facts, slots
from app.store.vault.file import Vault
from app.store.vault.keychain import SERVICE, Keyring


class SecretStore(Protocol):
    """Keeps short secrets by name."""

    def get(self, name: str) -> str | None:
        """Return the secret, or None."""

    def set(self, name: str, value: str) -> None:
        """Store or replace it."""

    def delete(self, name: str) -> None:
        """Remove it; one that is not there counts as removed."""


class VaultSecrets:
    """Secrets as rows of the encrypted vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def get(self, name: str) -> str | None:
        """Return the secret, or None."""
        with self._vault.read() as connection:
            found = facts.value_of(connection, _row(name))
        return found if isinstance(found, str) else None

    def set(self, name: str, value: str) -> None:
        """Store or replace it."""
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (_row(name), value),
            )

    def delete(self, name: str) -> None:
        """Remove it; one that is not there counts as removed."""
        with self._vault.write() as connection:
            connection.execute("DELETE FROM meta WHERE key = ?", (_row(name),))


class Secrets:
    """Secrets in the system keyring, falling back to the vault.

    Args:
        paths: The profile; its slots file remembers which names the keyring holds.
        inside: The vault's, where they go when the keyring is absent or out of reach.
        find_keyring: Returns the system keyring, or None; asked only when it is needed.
    """

    def __init__(
        self, paths: ProfilePaths, inside: SecretStore, find_keyring: Callable[[], Keyring | None]
    ) -> None:
        self._paths = paths
        self._inside = inside
        self._find_keyring = find_keyring

    def get(self, name: str) -> str | None:
        """Return the secret, or None.

        Raises:
            VaultLocked: It lies in the keyring, which is out of reach.
        """
        file = slots.load(self._paths)
        if name in file.secrets:
            keyring = self._find_keyring()
            if keyring is None:
                raise VaultLocked(
                    "The key for this endpoint lies in the system keyring, "
                    "which is out of reach. Enter the key once more."
                )
            return keyring.get_password(SERVICE, entries.secret(file, name))
        return self._inside.get(name)

    def set(self, name: str, value: str) -> None:
        """Store or replace it."""
        self.delete(name)
        if not self._kept(name, value):
            self._inside.set(name, value)

    def delete(self, name: str) -> None:
        """Remove it from wherever it is."""
        file = slots.load(self._paths)
        if name in file.secrets:
            if (keyring := self._find_keyring()) is not None:
                with suppress(VaultLocked):  # the keyring has noted in the log that it is away
                    keyring.delete_password(SERVICE, entries.secret(file, name))
            slots.change(self._paths, lambda f: replace(f, secrets=tuple({*f.secrets} - {name})))
        self._inside.delete(name)

    def _kept(self, name: str, value: str) -> bool:
        """Try the keyring; its name is noted first, so that it can always be removed."""
        keyring = self._find_keyring()
        if keyring is None:
            return False
        file = slots.change(self._paths, lambda f: replace(f, secrets=tuple({*f.secrets, name})))
        try:
            keyring.set_password(SERVICE, entries.secret(file, name), value)
        except VaultLocked:
            slots.change(self._paths, lambda f: replace(f, secrets=tuple({*f.secrets} - {name})))
            return False
        return True


def _row(name: str) -> str:
    return f"secret:{name}"
