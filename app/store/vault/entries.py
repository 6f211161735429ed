"""What the system keyring keeps of a vault: the wrapping key of a way in, and keys of endpoints.

The slots file names every entry, also those that no way in needs any more, until they are gone from
the keyring: a wrapping key that stays there would open an older copy of the profile's folder.
"""

import logging
import os
from collections.abc import Iterator

from app.domain.profile import SlotKind
from app.errors import StoreError, VaultLocked
from app.paths import ProfilePaths
from app.store.vault import slots
from app.store.vault.keychain import SERVICE, Keyring
from app.store.vault.slots import Slot, SlotFile

_BYTES = 32
_log = logging.getLogger(__name__)


def slot_of(key: bytes, keyring: Keyring | None, vault_id: str, at: int) -> Slot | None:
    """Return a keyring slot, or None when the keyring does not give back what it was given."""
    if keyring is None:
        return None
    kind, wrapping = SlotKind.KEYRING, os.urandom(_BYTES)
    entry = f"{vault_id}:key:{os.urandom(4).hex()}"
    try:
        keyring.set_password(SERVICE, entry, wrapping.hex())
        if keyring.get_password(SERVICE, entry) != wrapping.hex():
            return None
    except VaultLocked:
        return None
    nonce, wrapped = slots.wrap(key, wrapping, kind)
    return Slot(kind, nonce, wrapped, entry=entry, created_at=at)


def wrapping_of(slot: Slot, keyring: Keyring | None) -> bytes:
    """Return the wrapping key that the keyring keeps for a slot.

    Raises:
        VaultLocked: The keyring is out of reach, or does not have it.
    """
    if keyring is None:
        raise VaultLocked("The system keyring, which keeps this profile's key, is out of reach.")
    kept = keyring.get_password(SERVICE, slot.entry)
    try:
        return bytes.fromhex(kept or "missing")
    except ValueError:
        raise VaultLocked("The system keyring no longer has this profile's key.") from None


def secret(file: SlotFile, name: str) -> str:
    """Return the name under which the keyring keeps an endpoint key of this vault."""
    return f"{file.id}:secret:{name}"


def destroy(file: SlotFile, keyring: Keyring | None) -> int:
    """Remove all that the keyring keeps of a vault; return how many entries that were."""
    return sum(_remove(keyring, entry) is True for entry in _all(file))


def tidy(paths: ProfilePaths, file: SlotFile, keyring: Keyring | None) -> None:
    """Remove what no way in needs any more; what is out of reach waits for the next time."""
    gone = {entry for entry in file.leaving if _remove(keyring, entry) is not None}
    if not gone:
        return
    try:
        slots.change(paths, lambda file: file.rid_of(gone))
    except StoreError as error:  # they are gone all the same, which the next time notices
        _log.warning("the slots file could not be written (%s)", type(error).__name__)


def _all(file: SlotFile) -> Iterator[str]:
    yield from (slot.entry for slot in file.slots if slot.entry)
    yield from (secret(file, name) for name in file.secrets)
    yield from file.leaving


def _remove(keyring: Keyring | None, entry: str) -> bool | None:
    """Remove an entry; return whether it was there, or None where the keyring is out of reach."""
    if keyring is None:
        return None
    try:
        if keyring.get_password(SERVICE, entry) is None:
            return False
        keyring.delete_password(SERVICE, entry)
    except VaultLocked:
        _log.warning("An entry of the keyring could not be removed")
        return None
    return True
