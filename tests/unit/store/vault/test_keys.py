import hashlib
import json
import logging
import os

import pytest

from app.domain.profile import SlotKind
from app.errors import Refused, VaultLocked, VaultTooNew
from app.store.vault import keys, slots
from app.store.vault.keychain import LimitedKeyring


class Unreachable:
    def get_password(self, service, username):
        raise RuntimeError("locked")

    set_password = delete_password = get_password


def mode(path):
    return path.stat().st_mode & 0o777


def test_the_keyring_opens_and_nothing_secret_lies_in_the_folder(profile_paths, key, keyring):
    assert keys.create_slots(profile_paths, key, keyring=keyring) == (SlotKind.KEYRING,)
    assert keys.unlock(profile_paths, keyring=keyring) == key
    wrapping = next(iter(keyring.kept.values()))
    for file in (f for f in profile_paths.folder.iterdir() if f.is_file()):
        assert mode(file) == 0o600
        assert key.hex() not in file.read_text()
        assert wrapping not in file.read_text()


def test_a_passphrase_opens_and_nothing_else_does(profile_paths, key, keyring):
    made = keys.create_slots(profile_paths, key, passphrase="grüne Äpfel", keyring=keyring)
    assert made == (SlotKind.PASSPHRASE,)
    assert not keyring.kept
    assert keys.unlock(profile_paths, passphrase="gru\u0308ne A\u0308pfel") == key
    with pytest.raises(VaultLocked, match="passphrase is not right"):
        keys.unlock(profile_paths, passphrase="red apples", keyring=keyring)
    with pytest.raises(VaultLocked, match="protected by a passphrase"):
        keys.unlock(profile_paths, keyring=keyring)
    with pytest.raises(Refused):
        keys.create_slots(profile_paths, key, passphrase="  ")


def test_guessing_a_passphrase_costs_what_it_should(profile_paths, key):
    """Worked out by another library: 2**17 rounds in 128 MB for every guess, never less."""
    keys.create_slots(profile_paths, key, passphrase="green apples")
    (slot,) = slots.load(profile_paths).slots
    hard = {"n": 2**17, "r": 8, "p": 1, "maxmem": 2**28, "dklen": 32}
    wrapping = hashlib.scrypt(b"green apples", salt=slot.salt, **hard)
    assert slots.unwrap(slot, wrapping) == key
    assert (slot.cost, len(slot.salt)) == (2**17, 16)
    keys.add_slot(profile_paths, key, SlotKind.PASSPHRASE, passphrase="green apples")
    (again,) = slots.load(profile_paths).slots
    assert again.cost == 2**17
    assert again.salt != slot.salt


@pytest.mark.expects_warnings
@pytest.mark.parametrize("there", [None, LimitedKeyring(Unreachable())])
def test_without_keyring_and_passphrase_a_key_file_opens(profile_paths, key, there):
    assert keys.create_slots(profile_paths, key, keyring=there) == (SlotKind.KEY_FILE,)
    assert mode(profile_paths.key_file) == 0o600
    assert keys.unlock(profile_paths) == key
    assert mode(profile_paths.key_spare) == 0o600
    profile_paths.key_file.unlink()
    profile_paths.key_spare.unlink()
    with pytest.raises(VaultLocked, match=r"vault\.key .* missing"):
        keys.unlock(profile_paths)
    profile_paths.key_file.write_text("00" * 32)
    with pytest.raises(VaultLocked, match=r"vault\.key does not open this profile"):
        keys.unlock(profile_paths)


@pytest.mark.expects_warnings
@pytest.mark.parametrize("damage", [None, "", "zz", "00" * 32])
def test_a_key_file_is_mended_from_its_second_copy(profile_paths, key, damage):
    keys.create_slots(profile_paths, key)
    right = profile_paths.key_file.read_text()
    for path in (profile_paths.key_file, profile_paths.key_spare):
        path.unlink()
        if damage is not None:
            path.write_text(damage)
        assert keys.unlock(profile_paths) == key
        assert path.read_text() == right


@pytest.mark.expects_warnings
def test_a_copy_that_differs_in_a_bit_is_written_anew_though_it_reads_the_same(profile_paths, key):
    keys.create_slots(profile_paths, key)
    right, told = profile_paths.key_file.read_text(), []
    profile_paths.key_spare.write_text(right.upper())
    assert keys.unlock(profile_paths, tell=told.append) == key
    assert profile_paths.key_spare.read_text() == right
    assert len(told) == 1


def test_a_recovery_code_opens_where_the_keyring_is_lost(profile_paths, key, keyring):
    keys.create_slots(profile_paths, key, keyring=keyring)
    code = keys.add_slot(profile_paths, key, SlotKind.RECOVERY)
    with pytest.raises(VaultLocked, match=r"out of reach.*recovery code"):
        keys.unlock(profile_paths)
    assert keys.unlock(profile_paths, recovery=code.lower()) == key
    keyring.kept.clear()
    with pytest.raises(VaultLocked, match="no longer has"):
        keys.unlock(profile_paths, keyring=keyring)
    newer = keys.add_slot(profile_paths, key, SlotKind.RECOVERY)
    assert keys.unlock(profile_paths, recovery=newer) == key
    with pytest.raises(VaultLocked, match="code does not open this profile"):
        keys.unlock(profile_paths, recovery=code)
    with pytest.raises(VaultLocked, match="typing mistake"):
        keys.unlock(profile_paths, recovery="0" + newer[1:] if newer[0] != "0" else "1" + newer[1:])


@pytest.mark.expects_warnings
def test_a_keyring_that_does_not_answer_leaves_the_other_ways(profile_paths, key, keyring):
    keys.create_slots(profile_paths, key, keyring=keyring)
    code = keys.add_slot(profile_paths, key, SlotKind.RECOVERY)
    locked = LimitedKeyring(Unreachable())
    with pytest.raises(VaultLocked, match="did not answer"):
        keys.unlock(profile_paths, keyring=locked)
    assert keys.unlock(profile_paths, recovery=code, keyring=locked) == key
    with pytest.raises(VaultLocked):
        keys.add_slot(profile_paths, key, SlotKind.KEYRING, keyring=locked)
    assert keys.unlock(profile_paths, keyring=keyring) == key


def test_ways_in_are_added_replaced_and_removed(profile_paths, key, keyring):
    keys.create_slots(profile_paths, key)
    keys.add_slot(profile_paths, key, SlotKind.PASSPHRASE, passphrase="one")
    keys.add_slot(profile_paths, key, SlotKind.KEYRING, keyring=keyring)
    keys.add_slot(profile_paths, key, SlotKind.KEYRING, keyring=keyring)
    assert len(keyring.kept) == 1
    assert set(keys.list_slots(profile_paths)) == {
        SlotKind.KEY_FILE,
        SlotKind.PASSPHRASE,
        SlotKind.KEYRING,
    }
    keys.remove_slot(profile_paths, SlotKind.KEY_FILE)
    assert not profile_paths.key_file.exists()
    keys.remove_slot(profile_paths, SlotKind.KEYRING, keyring=keyring)
    assert not keyring.kept
    keys.add_slot(profile_paths, key, SlotKind.RECOVERY)
    with pytest.raises(Refused, match="only way in"):
        keys.remove_slot(profile_paths, SlotKind.PASSPHRASE)
    keys.add_slot(profile_paths, key, SlotKind.PASSPHRASE, passphrase="two")
    assert keys.unlock(profile_paths, passphrase="two") == key
    with pytest.raises(VaultLocked):
        keys.unlock(profile_paths, passphrase="one")


@pytest.mark.expects_warnings
@pytest.mark.parametrize("damage", [None, b"", b"{", b'{"format": 1, "id": "x", "slots": []}'])
def test_a_lost_or_damaged_slots_file_is_read_from_its_second_copy(profile_paths, key, damage):
    keys.create_slots(profile_paths, key)
    both, right = (
        (profile_paths.slots, slots.spare(profile_paths)),
        profile_paths.slots.read_bytes(),
    )

    def lose(path):
        path.unlink()
        if damage is not None:
            path.write_bytes(damage)

    for path in both:
        lose(path)
        assert keys.unlock(profile_paths) == key
        assert path.read_bytes() == right
    for path in both:
        lose(path)
    with pytest.raises(VaultLocked, match=r"missing or damaged\. Put it back"):
        keys.unlock(profile_paths)


@pytest.mark.expects_warnings
@pytest.mark.parametrize("number", [0, 1])
def test_a_slots_file_that_reads_and_does_not_open_is_mended(profile_paths, key, number):
    """One bit of the wrapped key is flipped; the other copy opens, and mends it."""
    keys.create_slots(profile_paths, key)
    path = (profile_paths.slots, slots.spare(profile_paths))[number]
    right = path.read_bytes()
    data = json.loads(right)
    wrapped = bytearray.fromhex(data["slots"][0]["wrapped"])
    wrapped[5] ^= 1
    data["slots"][0]["wrapped"] = wrapped.hex()
    path.write_text(json.dumps(data))
    assert keys.unlock(profile_paths) == key
    assert path.read_bytes() == right


@pytest.mark.expects_warnings
def test_a_passphrase_whose_setting_was_cut_short_is_the_only_way_in(
    profile_paths, key, monkeypatch
):
    """Killed after its first write, with the key file and the older second copy left behind."""
    keys.create_slots(profile_paths, key)
    written = slots.write_private

    def killed(path, data):
        written(path, data)
        raise KeyboardInterrupt

    monkeypatch.setattr(slots, "write_private", killed)
    with pytest.raises(KeyboardInterrupt):
        keys.set_passphrase(profile_paths, key, "green apples")
    monkeypatch.undo()
    assert profile_paths.key_file.exists()
    with pytest.raises(VaultLocked, match="protected by a passphrase"):
        keys.unlock(profile_paths)
    assert keys.unlock(profile_paths, passphrase="green apples") == key
    assert slots.spare(profile_paths).read_bytes() == profile_paths.slots.read_bytes()
    assert not profile_paths.key_file.exists()
    assert not profile_paths.key_spare.exists()


@pytest.mark.expects_warnings
@pytest.mark.parametrize("which", [0, 1])
def test_of_two_whole_copies_the_later_one_counts(profile_paths, key, which):
    keys.create_slots(profile_paths, key, passphrase="green apples")
    old = profile_paths.slots.read_bytes()
    keys.set_passphrase(profile_paths, key, "red apples")
    both = (profile_paths.slots, slots.spare(profile_paths))
    new = both[which].read_bytes()
    both[which].write_bytes(old)  # as a sync service or a copy of the folder leaves it
    with pytest.raises(VaultLocked, match="The passphrase is not right"):
        keys.unlock(profile_paths, passphrase="green apples")
    assert [path.read_bytes() for path in both].count(new) == 1, "nothing was written over it"
    told = []
    assert keys.unlock(profile_paths, passphrase="red apples", tell=told.append) == key
    assert told == [keys.MENDED.format("slots.json")]
    assert [path.read_bytes() for path in both] == [new, new]


@pytest.mark.expects_warnings
@pytest.mark.parametrize("cut", [0, 1])
def test_a_keyring_entry_that_a_cut_short_change_left_goes_at_the_next_start(
    profile_paths, key, keyring, monkeypatch, cut
):
    """Killed after its first or its last write, before the keyring was asked to forget."""
    keys.create_slots(profile_paths, key, keyring=keyring)
    written, writes = slots.write_private, []

    def killed(path, data):
        written(path, data)
        writes.append(path)
        if len(writes) > cut:
            raise KeyboardInterrupt

    monkeypatch.setattr(slots, "write_private", killed)
    with pytest.raises(KeyboardInterrupt):
        keys.set_passphrase(profile_paths, key, "green apples", keyring=keyring)
    monkeypatch.undo()
    assert len(keyring.kept) == 1
    assert keys.wants_keyring(profile_paths)
    assert keys.unlock(profile_paths, passphrase="green apples") == key
    assert len(keyring.kept) == 1, "there was no keyring to ask"
    assert keys.wants_keyring(profile_paths)
    away = LimitedKeyring(Unreachable())
    assert keys.unlock(profile_paths, passphrase="green apples", keyring=away) == key
    assert keys.unlock(profile_paths, passphrase="green apples", keyring=keyring) == key
    assert not keyring.kept
    assert not keys.wants_keyring(profile_paths)


def test_what_waits_in_the_keyring_goes_with_the_profile(profile_paths, key, keyring):
    keys.create_slots(profile_paths, key, keyring=keyring)
    keys.set_passphrase(profile_paths, key, "green apples")
    assert len(keyring.kept) == 1
    assert "Removed from the system keyring: one entry" in keys.destroy(
        profile_paths, keyring=keyring
    )
    assert not keyring.kept


@pytest.mark.expects_warnings  # the second copy of the key file is written anew
def test_setting_a_passphrase_leaves_the_key_so_older_copies_open(profile_paths, key):
    """What SECURITY.md says and the change itself tells."""
    keys.create_slots(profile_paths, key)
    names = ("slots.json", "slots.bak", "vault.key")
    older = {name: (profile_paths.folder / name).read_bytes() for name in names}
    keys.set_passphrase(profile_paths, key, "green apples")
    for name, data in older.items():
        (profile_paths.folder / name).write_bytes(data)
    assert keys.unlock(profile_paths) == key


def test_setting_a_passphrase_closes_every_weaker_way_in(profile_paths, key, keyring):
    keys.create_slots(profile_paths, key, keyring=keyring)
    keys.add_slot(profile_paths, key, SlotKind.KEY_FILE)
    code = keys.add_slot(profile_paths, key, SlotKind.RECOVERY)
    keys.set_passphrase(profile_paths, key, "green apples", keyring=keyring)
    assert set(keys.list_slots(profile_paths)) == {SlotKind.PASSPHRASE, SlotKind.RECOVERY}
    assert not keyring.kept
    assert not profile_paths.key_file.exists()
    assert not profile_paths.key_spare.exists()
    assert keys.unlock(profile_paths, recovery=code) == key


@pytest.mark.expects_warnings
def test_the_keys_are_checked_and_mended_while_the_vault_is_open(profile_paths, key):
    keys.create_slots(profile_paths, key)
    slots.spare(profile_paths).write_text("{")
    profile_paths.key_spare.unlink()
    keys.check(profile_paths, key)
    assert slots.spare(profile_paths).read_bytes() == profile_paths.slots.read_bytes()
    assert profile_paths.key_spare.read_bytes() == profile_paths.key_file.read_bytes()
    with pytest.raises(VaultLocked):
        keys.check(profile_paths, os.urandom(32))


def test_slots_of_a_newer_version_are_left_alone(profile_paths, key):
    keys.create_slots(profile_paths, key)
    data = json.loads(profile_paths.slots.read_text())
    profile_paths.slots.write_text(json.dumps(data | {"format": 2}))
    with pytest.raises(VaultTooNew):
        keys.unlock(profile_paths)


def test_a_slot_cannot_be_passed_off_as_another_kind(key):
    wrapping = os.urandom(32)
    nonce, wrapped = slots.wrap(key, wrapping, SlotKind.KEYRING)
    assert slots.unwrap(slots.Slot(SlotKind.KEYRING, nonce, wrapped), wrapping) == key
    assert slots.unwrap(slots.Slot(SlotKind.RECOVERY, nonce, wrapped), wrapping) is None


@pytest.mark.expects_warnings
def test_destroying_leaves_nothing_that_opens(profile_paths, key, keyring):
    keys.create_slots(profile_paths, key, keyring=keyring)
    keys.add_slot(profile_paths, key, SlotKind.KEY_FILE)
    lines = keys.destroy(profile_paths, keyring=keyring)
    assert len(lines) == 5
    assert not keyring.kept
    assert not [f for f in profile_paths.folder.rglob("*") if f.is_file() and f.suffix != ".lock"]
    assert keys.destroy(profile_paths, keyring=keyring) == []


def test_who_looks_while_a_profile_is_erased_sees_no_alarm(profile_paths, key, caplog):
    keys.create_slots(profile_paths, key, passphrase="correct horse")
    caplog.clear()
    profile_paths.erase_todo.write_bytes(b"everything\n")
    for path in (profile_paths.slots, profile_paths.slots.with_suffix(".bak")):
        path.write_bytes(b"\xff\xfe\x00 overwritten")
    with pytest.raises(VaultLocked):
        keys.unlock(profile_paths)
    assert not [r for r in caplog.records if r.levelno >= logging.WARNING]
