"""The profiles of this computer: list, make, rename, delete, and change the ways in."""

from collections.abc import Sequence
from pathlib import Path

from app.domain.backup import Backup
from app.domain.changes import Changes
from app.domain.profile import Profile, SlotKind
from app.errors import Refused
from app.store.profiles import Profiles
from app.store.vault import backup, keys


class ProfilesService:
    """What concerns profiles whether or not one is open."""

    def __init__(self, profiles: Profiles) -> None:
        self._profiles = profiles

    def list(self) -> Sequence[Profile]:
        """Return every profile, oldest first."""
        return self._profiles.list()

    def create(self, name: str, passphrase: str | None = None) -> Profile:
        """Make a profile; with a passphrase, that is the way in."""
        vault, profile = self._profiles.create(name, passphrase=passphrase)
        vault.close()
        return profile

    def rename(self, slug: str, name: str) -> Profile:
        """Call a profile by another name."""
        return self._profiles.rename(slug, name)

    def delete(self, slug: str, typed_name: str) -> Sequence[str]:
        """Erase a profile that is not open here; return a line for each thing that is gone.

        Raises:
            Refused: The name that was typed is not the profile's.
            VaultBusy: Another program was asked to close it and did not.
        """
        profile = self._profiles.get(slug)
        if typed_name.strip() != profile.name:
            raise Refused(f"Type {profile.name} to erase it. Nothing was erased.")
        return self._profiles.delete(slug)

    def is_asked_for(self, slug: str) -> bool:
        """Say whether somebody asks that a profile be closed, to erase or restore it."""
        return self._profiles.is_asked_for(slug)

    def backups(self, slug: str) -> Sequence[Backup]:
        """Return the backups of a profile, newest first."""
        return backup.listed(self._profiles.files(slug).vault)

    def restore(
        self, slug: str, copy: Path, passphrase: str | None = None, recovery: str | None = None
    ) -> Path | None:
        """Put a backup in the vault's place; return where the replaced vault is kept now.

        Raises:
            VaultLocked: No way in works.
            VaultBusy: Another program was asked to close it and did not.
            VaultCorrupt: The backup is damaged; nothing was changed.
        """
        return self._profiles.restore(slug, copy, passphrase=passphrase, recovery=recovery)


class AccessService:
    """The ways in to the open profile."""

    def __init__(self, profiles: Profiles, slug: str, key: bytes) -> None:
        self._profiles = profiles
        self._paths = profiles.files(slug)
        self._key = key

    def slots(self) -> Sequence[SlotKind]:
        """Return the ways in."""
        return keys.list_slots(self._paths)

    def add_recovery_code(self) -> str:
        """Make a recovery code in place of an older one; it is shown this once."""
        return keys.add_slot(self._paths, self._key, SlotKind.RECOVERY)

    def set_passphrase(self, passphrase: str) -> Changes:
        """Ask for a passphrase from now on, and let no keyring or key file open the vault."""
        keys.set_passphrase(self._paths, self._key, passphrase, keyring=self._profiles.keyring())
        return Changes(profile=True)

    def remove_passphrase(self) -> Changes:
        """Let the system keyring open the vault again, or a key file where there is none."""
        keyring = self._profiles.keyring()
        kind = SlotKind.KEY_FILE if keyring is None else SlotKind.KEYRING
        keys.add_slot(self._paths, self._key, kind, keyring=keyring)
        keys.remove_slot(self._paths, SlotKind.PASSPHRASE, keyring=keyring)
        return Changes(profile=True)
