"""What every test of the services has: a real profile that is open, without any model."""

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Evidence, Memory
from app.domain.recall import Hit, HitKind, Recall
from app.main.build import build
from app.paths import Paths
from app.store.journal.entries import Note
from app.store.profiles import Profiles
from tests.fakes.openai_server import OpenAIServer
from tests.unit.services.house import House
from tests.unit.services.profile import CANARY, NOW, SAID, Home


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


@pytest.fixture
def house(tmp_path):
    """A vault with nightly work, on a clock that is put forward by hand."""
    house = House(tmp_path / "ada")
    yield house
    house.vault.close()


@pytest.fixture
def home(tmp_path):
    """A profile that can be erased down to its files."""
    home = Home(tmp_path)
    yield home
    home.vault.close()


@pytest.fixture
def filled(home):
    """A conversation that holds the canary in a message, an answer, a title and a draft."""
    talk = home.talks.create(1, title=SAID)
    home.talks.set_draft(talk.id, f"and {SAID}")
    parts = (Part(f"Good morning. {SAID} It sings.", PartOrigin.TYPED),)
    said = home.messages.add(talk.id, Role.USER, parts)
    text = f"You told me: You keep a {CANARY} in the cellar. [1]"
    answer = home.messages.add(talk.id, Role.ASSISTANT, (Part(text, PartOrigin.MODEL),))
    home.messages.add(talk.id, Role.USER, (Part("Thank you!", PartOrigin.TYPED),))
    memory = home.memories.insert(
        Memory("m1", f"You keep a {CANARY} in the cellar", NOW, NOW, agent_pk=1),
        (Evidence(SAID, NOW, said.id),),
        Note("user", "insert", "b1", message_id=said.id),
    )
    home.memories.update("m1", {"tags": ("pets",)}, Note("user", "edit", "b2"))
    hit = Hit("m1", HitKind.MEMORY, memory.text, NOW, pk=memory.pk)
    home.recalls.save(answer.id, Recall(hits=(hit,)), ["m1"], ["m1"])
    home.index()
    return talk


@pytest.fixture
def server(services):
    """The scripted server, chosen to answer."""
    with OpenAIServer() as server:
        services.library.choose_chat(f"server:{server.url}#fake")
        yield server
