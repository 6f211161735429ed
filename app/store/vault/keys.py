"""The ways in to a vault: create them, open with them, add, remove and destroy them.

The vault's key is 32 random bytes that nobody sees. Each way in wraps it on its own (``slots``):

* the system keyring keeps a random wrapping key, and the person notices nothing
* a passphrase, from which scrypt derives the wrapping key
* a recovery code, written on paper
* a key file beside the vault, where there is neither keyring nor passphrase; it protects a copy of
  the vault alone, not a copy of the folder, and the person is told so

Of the slots and of a key file there are two copies; whatever opens the vault mends the other one.
"""

import logging
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from app.domain.ids import Clock, to_ms, utc_now
from app.domain.profile import SlotKind
from app.errors import Refused, StoreError, VaultLocked
from app.paths import ProfilePaths
from app.store.vault import entries, recovery, slots
from app.store.vault.files import shred
from app.store.vault.keychain import Keyring
from app.store.vault.scratch import write_private
from app.store.vault.slots import Slot, SlotFile

KEY_BYTES = 32
MENDED = "A copy of {}, which opens this profile, was missing or damaged; it was written anew."
_COST, _MAX_COST = 2**17, 2**20
_ORDER = (SlotKind.RECOVERY, SlotKind.PASSPHRASE, SlotKind.KEY_FILE, SlotKind.KEYRING)
_UNFIT = {
    SlotKind.RECOVERY: "This recovery code does not open this profile.",
    SlotKind.PASSPHRASE: "The passphrase is not right.",
    SlotKind.KEY_FILE: "The file vault.key does not open this profile.",
    SlotKind.KEYRING: "What the system keyring holds does not open this profile.",
}
_ADVICE = {
    SlotKind.RECOVERY: "use the recovery code",
    SlotKind.PASSPHRASE: "enter its passphrase",
    SlotKind.KEY_FILE: "put vault.key back from a copy of the folder",
    SlotKind.KEYRING: "unlock the system keyring",
}
_log = logging.getLogger(__name__)
Tell = Callable[[str], object]


def new_key() -> bytes:
    """Return a random key for a new vault."""
    return os.urandom(KEY_BYTES)


def create_slots(
    paths: ProfilePaths,
    key: bytes,
    *,
    passphrase: str | None = None,
    keyring: Keyring | None = None,
    clock: Clock = utc_now,
) -> tuple[SlotKind, ...]:
    """Make the first way in: the passphrase if one is given, else the keyring, else a key file.

    A passphrase goes without the keyring, which would open the vault to whoever sits down at the
    computer; it can be added. A recovery code is added when the person wants one.

    Returns:
        The ways in; with ``KEY_FILE`` among them the person is owed a notice.
    """
    file = SlotFile(id=os.urandom(8).hex())
    at = to_ms(clock())
    if passphrase is not None:
        slot = _by_passphrase(key, passphrase, at)
    else:
        slot = entries.slot_of(key, keyring, file.id, at) or _by_key_file(paths, key, at)
    slots.save(paths, file.having(slot))
    return (slot.kind,)


def unlock(
    paths: ProfilePaths,
    *,
    passphrase: str | None = None,
    recovery: str | None = None,
    keyring: Keyring | None = None,
    tell: Tell = lambda sentence: None,
) -> bytes:
    """Return the vault's key, from the first way in that works; ``tell`` of each file mended.

    Raises:
        VaultLocked: None does; the sentence says what to do.
    """
    given = {SlotKind.RECOVERY: recovery, SlotKind.PASSPHRASE: passphrase}
    reasons: dict[SlotKind, str] = {}
    for file in slots.readable(paths):
        for slot in sorted(file.slots, key=lambda slot: _ORDER.index(slot.kind)):
            try:
                key = _opened(slot, _wrappings(paths, slot, given.get(slot.kind), keyring))
            except VaultLocked as reason:
                reasons.setdefault(slot.kind, str(reason))
                continue
            if key is not None:
                _settle(paths, file, tell, keyring)
                return key
            reasons.setdefault(slot.kind, _UNFIT[slot.kind])
    raise VaultLocked(_why(reasons, given))


def check(paths: ProfilePaths, key: bytes, *, keyring: Keyring | None = None) -> None:
    """See that both copies of what opens the vault are there and do; mend one from the other.

    Only the ways in that need nothing from the person can be tried.

    Raises:
        VaultLocked: No copy is left that opens it; a new way in should be added.
    """
    file = slots.load(paths)
    for slot in file.slots:
        asks = slot.kind in (SlotKind.PASSPHRASE, SlotKind.RECOVERY)
        if not asks and _opened(slot, _wrappings(paths, slot, None, keyring)) != key:
            raise VaultLocked(_UNFIT[slot.kind])
    _settle(paths, file, lambda sentence: None, keyring)


def _settle(paths: ProfilePaths, file: SlotFile, tell: Tell, keyring: Keyring | None) -> None:
    """Finish what was interrupted: copies alike, and none left of a way in that is gone.

    A folder that cannot be written is left as it is; it opened all the same.
    """
    try:
        if slots.settle(paths, file):
            tell(MENDED.format(paths.slots.name))
        _settle_key_file(paths, file.of(SlotKind.KEY_FILE), tell)
        entries.tidy(paths, file, keyring)
    except StoreError as error:
        _log.warning("a copy of the keys could not be written (%s)", type(error).__name__)


def _settle_key_file(paths: ProfilePaths, slot: Slot | None, tell: Tell) -> None:
    if slot is None:
        _shred_key_file(paths)
        return
    both = (paths.key_file, paths.key_spare)
    good = next((w for path in both if (w := _key_in(path)) and slots.unwrap(slot, w)), None)
    for path in both:
        if good is not None and _bytes_of(path) != good.hex().encode():
            _log.warning("%s was missing or damaged; it was written anew", path.name)
            write_private(path, good.hex().encode())
            tell(MENDED.format(path.name))


def list_slots(paths: ProfilePaths) -> tuple[SlotKind, ...]:
    """Return the ways in."""
    return slots.load(paths).kinds


def wants_keyring(paths: ProfilePaths) -> bool:
    """Say whether the keyring has something of this vault: a way in, or what is left of one."""
    file = slots.load(paths)
    return SlotKind.KEYRING in file.kinds or bool(file.leaving)


def add_slot(
    paths: ProfilePaths,
    key: bytes,
    kind: SlotKind,
    *,
    passphrase: str | None = None,
    keyring: Keyring | None = None,
    clock: Clock = utc_now,
) -> str:
    """Add a way in; one of the same kind is replaced.

    Returns:
        The recovery code, if that is what was added; else nothing. It is shown once.

    Raises:
        VaultLocked: The keyring is out of reach.
    """
    file, at, code = slots.load(paths), to_ms(clock()), ""
    old = file.of(kind)
    slot: Slot | None
    if kind is SlotKind.PASSPHRASE:
        slot = _by_passphrase(key, passphrase or "", at)
    elif kind is SlotKind.RECOVERY:
        code = recovery.new_code()
        slot = _by_recovery(key, code, at)
    elif kind is SlotKind.KEYRING:
        slot = entries.slot_of(key, keyring, file.id, at)
    else:
        slot = old or _by_key_file(paths, key, at)
    if slot is None:
        raise VaultLocked("There is no system keyring within reach that could keep the key.")
    entries.tidy(paths, slots.change(paths, lambda file: file.having(slot)), keyring)
    return code


def remove_slot(paths: ProfilePaths, kind: SlotKind, *, keyring: Keyring | None = None) -> None:
    """Remove a way in.

    Raises:
        Refused: It is the last one, the recovery code apart.
    """

    def edit(file: SlotFile) -> SlotFile:
        rest = file.lacking(kind)
        if not set(rest.kinds) - {SlotKind.RECOVERY}:
            raise Refused("This is the only way in to the profile. Add another one first.")
        return rest

    entries.tidy(paths, slots.change(paths, edit), keyring)
    if kind is SlotKind.KEY_FILE:
        _shred_key_file(paths)


def set_passphrase(
    paths: ProfilePaths,
    key: bytes,
    passphrase: str,
    *,
    keyring: Keyring | None = None,
    clock: Clock = utc_now,
) -> None:
    """Let nothing but this passphrase open the vault, and a recovery code if there is one.

    One write makes it so, whatever happens after; what the other ways in needed is removed then, or
    at the next start. The vault's key stays the same: an older copy of the folder still opens with
    what opened it then.

    Raises:
        Refused: It is empty.
    """
    slot = _by_passphrase(key, passphrase, to_ms(clock()))

    def edit(file: SlotFile) -> SlotFile:
        return file.having(slot).lacking(SlotKind.KEYRING).lacking(SlotKind.KEY_FILE)

    edited = slots.change(paths, edit)
    if set(edited.kinds) - {SlotKind.PASSPHRASE, SlotKind.RECOVERY}:
        raise StoreError("Another way in to the profile was added meanwhile. Try again.")
    entries.tidy(paths, edited, keyring)
    _shred_key_file(paths)


def _shred_key_file(paths: ProfilePaths) -> None:
    for path in (paths.key_file, paths.key_spare):
        shred(path)


def destroy(paths: ProfilePaths, *, keyring: Keyring | None = None) -> list[str]:
    """Destroy every copy of the key; what it encrypted is noise from then on.

    Returns:
        One line for each thing that is gone.
    """
    try:
        file = slots.load(paths)
    except VaultLocked:
        file = SlotFile(id="")
    forgotten = entries.destroy(file, keyring)
    copies = (paths.key_file, paths.key_spare, paths.slots, slots.spare(paths))
    files = [path for path in copies if shred(path)]
    gone = [f"Overwritten and removed: {path.name}" for path in files]
    return gone + ["Removed from the system keyring: one entry"] * forgotten


def _by_passphrase(key: bytes, passphrase: str, at: int) -> Slot:
    if not passphrase.strip():
        raise Refused("A passphrase needs at least one character.")
    kind, salt = SlotKind.PASSPHRASE, os.urandom(16)
    nonce, wrapped = slots.wrap(key, _scrypt(passphrase, salt, _COST), kind)
    return Slot(kind, nonce, wrapped, salt=salt, cost=_COST, created_at=at)


def _by_recovery(key: bytes, code: str, at: int) -> Slot:
    kind, salt = SlotKind.RECOVERY, os.urandom(16)
    nonce, wrapped = slots.wrap(key, _hkdf(recovery.secret_of(code), salt), kind)
    return Slot(kind, nonce, wrapped, salt=salt, created_at=at)


def _by_key_file(paths: ProfilePaths, key: bytes, at: int) -> Slot:
    kind, wrapping = SlotKind.KEY_FILE, os.urandom(KEY_BYTES)
    for path in (paths.key_file, paths.key_spare):
        write_private(path, wrapping.hex().encode())
    nonce, wrapped = slots.wrap(key, wrapping, kind)
    return Slot(kind, nonce, wrapped, created_at=at)


def _opened(slot: Slot, wrappings: Iterable[bytes]) -> bytes | None:
    """Return the vault's key, by the first wrapping key that unwraps it."""
    return next((key for one in wrappings if (key := slots.unwrap(slot, one)) is not None), None)


def _wrappings(
    paths: ProfilePaths, slot: Slot, given: str | None, keyring: Keyring | None
) -> list[bytes]:
    """Return the wrapping keys that a way in produces; a key file's two copies may differ.

    Raises:
        VaultLocked: It produces none.
    """
    if slot.kind is SlotKind.PASSPHRASE:
        if given is None:
            raise VaultLocked("This profile is protected by a passphrase.")
        return [_scrypt(given, slot.salt, min(slot.cost, _MAX_COST))]
    if slot.kind is SlotKind.RECOVERY:
        if given is None:
            raise VaultLocked("No recovery code was given.")
        return [_hkdf(recovery.secret_of(given), slot.salt)]
    if slot.kind is SlotKind.KEY_FILE:
        kept = [one for p in (paths.key_file, paths.key_spare) if (one := _key_in(p)) is not None]
        if not kept:
            raise VaultLocked("The file vault.key of this profile is missing or damaged.")
        return kept
    return [entries.wrapping_of(slot, keyring)]


def _key_in(path: Path) -> bytes | None:
    try:
        return bytes.fromhex(path.read_text("ascii"))
    except (OSError, ValueError):
        return None


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _scrypt(passphrase: str, salt: bytes, cost: int) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    text = unicodedata.normalize("NFKC", passphrase).encode()
    return Scrypt(salt=salt, length=KEY_BYTES, n=cost, r=8, p=1).derive(text)


def _hkdf(secret: bytes, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), KEY_BYTES, salt, b"loci recovery slot").derive(secret)


def _why(reasons: Mapping[SlotKind, str], given: Mapping[SlotKind, str | None]) -> str:
    """Return the reason that concerns the person most, and the way out."""
    tried = [kind for kind, text in given.items() if text is not None and kind in reasons]
    asked = [kind for kind in (SlotKind.PASSPHRASE, *_ORDER[2:]) if kind in reasons]
    chosen = (tried or asked or list(reasons))[0]
    others = [kind for kind in _ORDER if kind in reasons and kind is not chosen]
    ways = [_ADVICE[kind] for kind in (chosen, *reversed(others))]
    return f"{reasons[chosen]} To open the profile, {', or '.join(ways)}."
