"""Named values of a vault: made once, noted once, whatever is opened in between."""

import os

from app.store.meta import Meta
from app.store.vault import Vault


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
