"""A real vault in a temporary folder, and a keyring that lives in memory."""

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from app.paths import ProfilePaths
from app.store.vault import Vault


class MemoryKeyring:
    """A keyring that answers at once."""

    def __init__(self):
        self.kept = {}

    def get_password(self, service, username):
        return self.kept.get((service, username))

    def set_password(self, service, username, password):
        self.kept[service, username] = password

    def delete_password(self, service, username):
        del self.kept[service, username]


@pytest.fixture
def keyring():
    return MemoryKeyring()


@pytest.fixture
def key():
    return os.urandom(32)


@pytest.fixture
def profile_paths(tmp_path):
    folder = tmp_path / "profiles" / "personal"
    folder.mkdir(parents=True, mode=0o700)
    return ProfilePaths(folder)


@pytest.fixture
def vault(profile_paths, key):
    vault = Vault(profile_paths.vault, key)
    yield vault
    vault.close()


@pytest.fixture
def unprivileged():
    """Be somebody whom permissions stop, also where the administrator runs the tests."""
    if sys.platform == "win32":
        pytest.skip("permissions work otherwise here")

    @contextmanager
    def somebody():
        with TemporaryDirectory() as name:
            folder = Path(name)
            if os.geteuid() != 0:
                yield folder
                return
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
            try:
                yield folder
            finally:
                os.seteuid(0)

    return somebody
