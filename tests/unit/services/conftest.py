"""What every test of the services has: a real profile that is open, without any model."""

import pytest

from app.main.build import build
from app.paths import Paths
from app.store.profiles import Profiles
from tests.unit.services.profile import NOW


@pytest.fixture
def opened(tmp_path):
    """A real vault and real services; the notebook answers, and words find by themselves."""
    profiles = Profiles(Paths(tmp_path), lambda: NOW, lambda: None)
    vault, profile = profiles.create("Ada")
    opened = build(profiles, profile, vault, lambda: NOW)
    opened.services.preferences.set("chat.model", "notebook")
    opened.services.preferences.set("models.embedder", "hash")
    yield opened
    opened.close()


@pytest.fixture
def services(opened):
    """Everything the profile offers."""
    return opened.services
