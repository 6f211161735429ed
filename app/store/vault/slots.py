"""The slots file beside a vault: the vault's key, wrapped once for each way in.

Each slot holds the same 32-byte key, encrypted with AES-256-GCM under a wrapping key that only its
way in can produce. The file says nothing secret; a second copy of it lies beside the first, since
without either no passphrase and no recovery code is worth anything. Each carries a checksum and the
number of changes before it: which copy counts is never a guess.
"""

import hashlib
import json
import logging
import os
from collections.abc import Callable, Set
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from app.domain.language.foreign import number_of, read_json, text_of, whole_of
from app.domain.profile import SlotKind
from app.errors import VaultLocked, VaultTooNew
from app.paths import ProfilePaths
from app.store.vault.locks import alone
from app.store.vault.scratch import write_private

FORMAT = 1
_BYTES = ("nonce", "wrapped", "salt")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Slot:
    """One way in.

    Attributes:
        nonce: 12 bytes, for AES-GCM.
        wrapped: The vault's key, encrypted, with its 16-byte tag.
        salt: For the key derivation of a passphrase or recovery code.
        cost: Scrypt's N, for a passphrase.
        entry: The name under which the keyring keeps the wrapping key.
        created_at: Milliseconds UTC.
    """

    kind: SlotKind
    nonce: bytes
    wrapped: bytes
    salt: bytes = b""
    cost: int = 0
    entry: str = ""
    created_at: int = 0


@dataclass(frozen=True, slots=True)
class SlotFile:
    """What slots.json says.

    Attributes:
        id: A random name of this vault, under which the keyring keeps what belongs to it.
        slots: At most one of each kind.
        secrets: Names of the endpoint keys kept in the keyring, so that they can be removed.
        leaving: Entries of the keyring that no slot needs any more and that are not gone yet.
        turn: How often it was changed; of two whole copies the later one counts.
        whole: Whether its checksum said so when it was read.
    """

    id: str
    slots: tuple[Slot, ...] = ()
    secrets: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    turn: int = 0
    whole: bool = field(default=True, compare=False)

    @property
    def kinds(self) -> tuple[SlotKind, ...]:
        """The ways in."""
        return tuple(slot.kind for slot in self.slots)

    def of(self, kind: SlotKind) -> Slot | None:
        """Return the slot of that kind, if there is one."""
        return next((slot for slot in self.slots if slot.kind is kind), None)

    def having(self, slot: Slot) -> "SlotFile":
        """Return a copy with this slot in place of the one of its kind."""
        return replace(self.lacking(slot.kind), slots=(*self.lacking(slot.kind).slots, slot))

    def lacking(self, kind: SlotKind) -> "SlotFile":
        """Return a copy without the slot of that kind."""
        return replace(self, slots=tuple(s for s in self.slots if s.kind is not kind))

    def since(self, old: "SlotFile") -> "SlotFile":
        """Return a copy that notes the entries of the keyring that ``old`` needed alone."""
        used = {slot.entry for slot in self.slots}
        unused = [slot.entry for slot in old.slots if slot.entry and slot.entry not in used]
        return replace(self, leaving=tuple(dict.fromkeys([*self.leaving, *unused])))

    def rid_of(self, gone: Set[str]) -> "SlotFile":
        """Return a copy that no longer notes these entries of the keyring."""
        return replace(self, leaving=tuple(e for e in self.leaving if e not in gone))


def wrap(key: bytes, wrapping: bytes, kind: SlotKind) -> tuple[bytes, bytes]:
    """Encrypt the vault's key; return the nonce and the encrypted key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(12)
    return nonce, AESGCM(wrapping).encrypt(nonce, key, _context(kind))


def unwrap(slot: Slot, wrapping: bytes) -> bytes | None:
    """Return the vault's key, or None if the wrapping key is not the one it was wrapped with."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(wrapping).decrypt(slot.nonce, slot.wrapped, _context(slot.kind))
    except (InvalidTag, ValueError):
        return None


def spare(paths: ProfilePaths) -> Path:
    """Return the second copy of the slots file."""
    return paths.slots.with_suffix(".bak")


def load(paths: ProfilePaths) -> SlotFile:
    """Read the slots file, or its second copy.

    Raises:
        VaultLocked: Both are missing or damaged.
        VaultTooNew: A newer version of Loci wrote it.
    """
    return readable(paths)[0]


def readable(paths: ProfilePaths) -> list[SlotFile]:
    """Return the slots files that may open the vault, the one that counts first.

    Of two whole copies of one vault the later one counts alone, since the other may be of before a
    passphrase was set; where the first is damaged, though it reads, the second comes first.

    Raises:
        VaultLocked: Both are missing or damaged.
        VaultTooNew: A newer version of Loci wrote it.
    """
    both = (paths.slots, spare(paths))
    found = [file for path in both if (file := _read(path, paths)) is not None]
    if not found:
        raise VaultLocked(
            f"The file {paths.slots.name} in {paths.folder}, which opens this profile, is missing "
            "or damaged. Put it back from a copy of that folder."
        )
    first, *others = found
    if not first.whole:
        return sorted(found, key=lambda file: not file.whole)
    alike = [first, *(one for one in others if one.whole and one.id == first.id)]
    latest = max(alike, key=lambda file: file.turn)  # the first of those that are equal
    return [latest, *(other for other in others if other.id != first.id)]


def settle(paths: ProfilePaths, file: SlotFile) -> bool:
    """Make both copies say what opened the vault; return whether one of them did not."""
    kept = [_read(path, paths) for path in (paths.slots, spare(paths))]
    if any(one is None or not one.whole or one != file for one in kept):
        _log.warning(
            "a copy of %s was missing, damaged or old; it was written anew", paths.slots.name
        )
        save(paths, file)
        return True
    return False


def _read(path: Path, paths: ProfilePaths) -> SlotFile | None:
    try:
        return _decoded(read_json(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        # While a profile is erased, others may look just when its files are being overwritten.
        level = logging.INFO if paths.erase_todo.exists() else logging.WARNING
        _log.log(level, "%s cannot be read: %s", path.name, type(error).__name__)
        return None


def change(paths: ProfilePaths, edit: Callable[[SlotFile], SlotFile]) -> SlotFile:
    """Rewrite the slots file; one process at a time, whole or not at all.

    Entries of the keyring that are of no use from then on are noted in the same write.
    """
    with alone(paths.folder / "slots.lock"):
        old = load(paths)
        edited = replace(edit(old).since(old), turn=old.turn + 1)
        save(paths, edited)
    return edited


def save(paths: ProfilePaths, file: SlotFile) -> None:
    """Write the slots file and its second copy."""
    data = json.dumps(_encoded(file), indent=1).encode()
    write_private(paths.slots, data)
    write_private(spare(paths), data)


def _context(kind: SlotKind) -> bytes:
    return f"loci slot {FORMAT} {kind}".encode()


def _encoded(file: SlotFile) -> dict[str, Any]:
    slots = []
    for slot in file.slots:
        row = asdict(slot)
        slots.append(row | {name: row[name].hex() for name in _BYTES})
    data = {"format": FORMAT, "id": file.id, "slots": slots, "secrets": list(file.secrets)}
    data |= {"leaving": list(file.leaving), "turn": file.turn}
    return data | {"sha256": _checksum(data)}


def _checksum(data: dict[str, Any]) -> str:
    said = {name: value for name, value in data.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _decoded(data: dict[str, Any]) -> SlotFile:
    if data["format"] > FORMAT:
        raise VaultTooNew("A newer version of Loci wrote this profile's keys. Update Loci.")
    slots = []
    for row in data["slots"]:
        fields = row | {name: bytes.fromhex(row[name]) for name in _BYTES}
        fields["kind"] = SlotKind(row["kind"])
        fields["cost"] = _cost(row.get("cost", 0), fields["kind"])
        fields["entry"] = text_of(row.get("entry", ""))
        slots.append(Slot(**fields | {"created_at": int(number_of(row.get("created_at", 0)))}))
    if not slots:
        raise ValueError("no slots")
    secrets = [text_of(name) for name in data.get("secrets", ())]
    leaving = tuple(text_of(entry) for entry in data.get("leaving", ()))
    whole = data.get("sha256") == _checksum(data)
    turn = whole_of(data.get("turn", 0))
    return SlotFile(text_of(data["id"]), tuple(slots), tuple(secrets), leaving, turn, whole)


def _cost(given: Any, kind: SlotKind) -> int:
    """Return the cost of a way in: a power of two for a passphrase, or it could not be tried."""
    cost = whole_of(given)
    if kind is SlotKind.PASSPHRASE and (cost < 2 or cost & (cost - 1)):
        raise ValueError("no power of two")
    return cost
