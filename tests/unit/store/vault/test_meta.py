"""Named values of a vault: made once, noted once, whatever is opened in between."""

import os

from app.store.vault.file import Vault
from app.store.vault.meta import Meta


def test_what_happens_for_the_first_time_is_so_once_in_a_vault(tmp_path):
    key, path = os.urandom(32), tmp_path / "vault.db"
    vault = Vault(path, key)
    assert Meta(vault).first("told")
    assert not Meta(vault).first("told")
    assert Meta(vault).first("another")
    vault.close()
    vault = Vault(path, key)
    assert not Meta(vault).first("told")
    vault.close()
