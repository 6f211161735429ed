import os

import pytest

from app.errors import SettingsError
from app.services.preferences import PreferencesService
from app.settings import computer
from app.settings.spec import ColourScheme
from app.store.preferences import Preferences
from app.store.vault.file import Vault


@pytest.fixture
def made(tmp_path):
    vaults = []

    def make(name="ada"):
        vaults.append(Vault(tmp_path / name / "vault.db", os.urandom(32)))
        return PreferencesService(Preferences(vaults[-1]), tmp_path / "app.json")

    yield make
    for vault in vaults:
        vault.close()


def test_a_profiles_settings_lie_in_its_vault_and_the_computers_beside_it(made, tmp_path):
    ada, bob = made("ada"), made("bob")
    assert ada.set("rag.max_results", "9").settings == {"rag.max_results"}
    ada.set("appearance.theme", "dark")
    assert ada.values().rag.max_results == 9
    assert bob.values().rag.max_results == 5
    assert bob.values().appearance.theme is ColourScheme.DARK
    assert computer.load(tmp_path / "app.json") == {"appearance.theme": "dark"}


def test_a_wrong_value_changes_nothing(made):
    ada = made()
    with pytest.raises(SettingsError):
        ada.set("rag.max_results", 1000)
    assert ada.values().rag.max_results == 5


def test_a_target_above_what_it_is_the_target_of_is_refused(made):
    ada = made()
    with pytest.raises(
        SettingsError, match="“Memories left” must not be above “Most memories”, which is 1000"
    ):
        ada.set("memory.compaction.target_size", 1001)
    with pytest.raises(
        SettingsError, match="“Most memories” must not be below “Memories left”, which is 500"
    ):
        ada.set("memory.compaction.threshold", 499)
    ada.set("memory.compaction.threshold", 5000)
    ada.set("memory.compaction.target_size", 1001)
    ada.refresh()
    assert ada.values().memory.compaction.target_size == 1001
    with pytest.raises(
        SettingsError, match="“Most memories” must not be below “Memories left”, which is 1001"
    ):
        ada.reset("memory.compaction.threshold")
    assert ada.values().memory.compaction.threshold == 5000


def test_what_an_older_version_left_is_ignored(made, tmp_path):
    ada = made()
    Preferences(ada._rows._vault).set("rag.gone", 1)
    computer.save(tmp_path / "app.json", {"appearance.theme": "pink"})
    ada.refresh()
    assert ada.values().appearance.theme is ColourScheme.SYSTEM


def test_the_reference_preset_and_back(made):
    ada = made()
    default = ada.values()
    ada.use_reference()
    assert ada.values().extraction.plain_threshold
    ada.use_defaults()
    assert ada.values() == default


def test_a_setting_given_back_leaves_nothing_so_that_a_later_default_counts(made, tmp_path):
    ada = made()
    for key, value in (("rag.max_results", 9), ("appearance.theme", "dark")):
        ada.set(key, value)
        assert ada.reset(key).settings == {key}
    assert (ada.values().rag.max_results, ada.values().appearance.theme) == (5, ColourScheme.SYSTEM)
    assert Preferences(ada._rows._vault).all() == {}
    assert computer.load(tmp_path / "app.json") == {}
