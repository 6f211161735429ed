from threading import Event

import pytest
from keyring.backends import fail, null

from app.errors import VaultLocked
from app.store.vault import keychain
from app.store.vault.keychain import LimitedKeyring


class Broken:
    def get_password(self, service, username):
        raise RuntimeError("no D-Bus")

    set_password = delete_password = get_password


class Stuck:
    def __init__(self):
        self.released = Event()

    def get_password(self, service, username):
        self.released.wait()

    set_password = delete_password = get_password


def test_a_working_keyring_is_passed_through(keyring):
    limited = LimitedKeyring(keyring)
    limited.set_password("Loci", "a", "secret")
    assert limited.get_password("Loci", "a") == "secret"
    limited.delete_password("Loci", "a")
    limited.delete_password("Loci", "a")
    assert limited.get_password("Loci", "a") is None


@pytest.mark.expects_warnings
def test_a_failing_keyring_gives_a_sentence():
    with pytest.raises(VaultLocked, match="did not answer"):
        LimitedKeyring(Broken()).get_password("Loci", "a")


@pytest.mark.expects_warnings
def test_a_stuck_keyring_does_not_hold_anybody_up():
    stuck = Stuck()
    with pytest.raises(VaultLocked, match="did not answer"):
        LimitedKeyring(stuck, seconds=0.01).get_password("Loci", "a")
    stuck.released.set()


@pytest.mark.parametrize("backend", [fail.Keyring(), null.Keyring()])
def test_a_keyring_that_keeps_nothing_counts_as_none(monkeypatch, backend):
    monkeypatch.setattr("keyring.get_keyring", lambda: backend)
    assert keychain.system() is None


@pytest.mark.expects_warnings
def test_a_keyring_that_cannot_be_found_counts_as_none(monkeypatch):
    def broken():
        raise RuntimeError("no D-Bus")

    monkeypatch.setattr("keyring.get_keyring", broken)
    assert keychain.system() is None


def test_a_real_backend_is_taken_behind_the_limit(monkeypatch, keyring):
    keyring.priority = 5
    monkeypatch.setattr("keyring.get_keyring", lambda: keyring)
    found = keychain.system()
    found.set_password("Loci", "a", "b")
    assert keyring.kept == {("Loci", "a"): "b"}
