import pytest

from app.errors import VaultLocked
from app.store.vault import keys
from app.store.vault.keychain import LimitedKeyring
from app.store.work.secrets import Secrets, VaultSecrets


class Unreachable:
    def get_password(self, service, username):
        raise RuntimeError("locked")

    set_password = delete_password = get_password


@pytest.fixture
def with_slots(profile_paths, key):
    keys.create_slots(profile_paths, key)


@pytest.mark.usefixtures("with_slots")
def test_secrets_lie_in_the_keyring_and_go_with_the_profile(profile_paths, vault, keyring):
    secrets = Secrets(profile_paths, VaultSecrets(vault), lambda: keyring)
    secrets.set("openai", "sk-1")
    secrets.set("openai", "sk-2")
    secrets.set("voyage", "pa-1")
    assert secrets.get("openai") == "sk-2"
    assert sorted(keyring.kept.values()) == ["pa-1", "sk-2"]
    assert "sk-2" not in profile_paths.slots.read_text()
    with vault.read() as connection:
        assert not connection.execute("SELECT * FROM meta WHERE key LIKE 'secret:%'").fetchall()
    secrets.delete("openai")
    assert secrets.get("openai") is None
    keys.destroy(profile_paths, keyring=keyring)
    assert not keyring.kept


@pytest.mark.expects_warnings
@pytest.mark.usefixtures("with_slots")
@pytest.mark.parametrize("there", [None, LimitedKeyring(Unreachable())])
def test_without_a_keyring_secrets_lie_in_the_vault(profile_paths, vault, there):
    secrets = Secrets(profile_paths, VaultSecrets(vault), lambda: there)
    secrets.set("openai", "sk-1")
    secrets.set("openai", "sk-2")
    assert secrets.get("openai") == "sk-2"
    secrets.delete("openai")
    secrets.delete("openai")
    assert secrets.get("openai") is None


@pytest.mark.usefixtures("with_slots")
def test_a_secret_in_a_lost_keyring_gives_a_sentence(profile_paths, vault, keyring):
    Secrets(profile_paths, VaultSecrets(vault), lambda: keyring).set("openai", "sk-1")
    lost = Secrets(profile_paths, VaultSecrets(vault), lambda: None)
    with pytest.raises(VaultLocked, match="Enter the key once more"):
        lost.get("openai")
    lost.set("openai", "sk-2")
    assert lost.get("openai") == "sk-2"
