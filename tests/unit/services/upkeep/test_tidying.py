"""Dreams and thinning as a person meets them: what is written is findable, what goes is gone."""

import json
from datetime import timedelta
from threading import Event

import pytest

from app.domain.history import SourceKind
from app.domain.jobs.kinds import COMPACT, DREAM
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Memory, MemoryFilter, Status
from app.errors import SettingsError
from app.main.build import build
from app.paths import Paths
from app.store.memories import Memories, Note
from app.store.profiles import Profiles
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.unit.services.profile import NOW

LONG = (
    "You were diagnosed with Quetzalitis by Dr. Harrow in the spring and you take two green tablets"
    " every single morning before breakfast with a full glass of cold water"
)
SUMMARY = "You like apples, pears, plums, cherries and grapes."


class Home:
    """A profile in which nobody has chosen a chat model."""

    def __init__(self, folder):
        self.now = NOW
        profiles = Profiles(Paths(folder), lambda: self.now, lambda: None)
        self.vault, profile = profiles.create("Ada")
        self.opened = build(profiles, profile, self.vault, lambda: self.now)
        self.services = self.opened.services
        self.memories = Memories(self.vault)
        self.services.preferences.set("chat.model", "notebook")
        self.services.preferences.set("models.embedder", "hash")

    def know(self, *texts, **fields):
        found = []
        for text in texts:
            self.now += timedelta(seconds=1)
            memory = Memory("", text, self.now, self.now, **{"agent_pk": 1, **fields})
            found.append(self.memories.insert(memory, (), Note("user", "insert", f"said {text}")))
        return found

    def run(self, kind):
        self.services.upkeep.start(kind)
        drive(self.services.background.run(upkeep=True), Event())
        return self.services.upkeep.history(1)[0]

    def thin(self):
        for key, value in (("enabled", True), ("target_size", 2), ("threshold", 3)):
            self.services.preferences.set(f"memory.compaction.{key}", value)
        return self.run(COMPACT)

    def drawn(self):
        wanted = MemoryFilter(statuses=frozenset({Status.ACTIVE}))
        return [
            memory
            for memory in self.memories.list(DEFAULT_SCOPE, wanted, limit=-1)
            if memory.source_ids
        ]

    def erase(self, memory_id):
        inventory = self.services.erasure.of_memory(memory_id)
        ticked = frozenset(copy.key for copy in inventory.copies if copy.ticked)
        return inventory, drive(self.services.erasure.erase_memory(memory_id, ticked), Event())

    def missing(self):
        drive(self.services.background.run(), Event())
        return self.services.memories.embedding_status().missing


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path)
    yield home
    home.opened.close()


@pytest.fixture
def server(home):
    with OpenAIServer() as server:
        server.respond = lambda body: Reply(json.dumps({"summaries": [{"content": SUMMARY}]}))
        home.services.preferences.set("chat.model", f"server:{server.url}#fake")
        home.services.preferences.set("upkeep.dream.summarise", True)
        yield server


@pytest.fixture
def foods(home):
    return home.know(
        *(f"You like {name}" for name in ("apples", "pears", "plums", "cherries", "grapes")),
        category="food",
    )


def test_the_proof_of_an_erasure_is_true_of_lists_too(home):
    (memory,) = home.know(LONG)
    home.know(*(f"You bought item{n}" for n in range(6)))
    home.thin()
    assert any("Quetzalitis" in one.text for one in home.drawn())
    inventory, proof = home.erase(memory.id)
    assert any("A list of archived memories" in copy.label for copy in inventory.copies)
    assert (proof.found_before > 0, proof.found_after) == (True, 0)
    assert not any("still holds" in sentence for sentence in proof.remaining)
    assert not any("Quetzalitis" in m.text for m in home.memories.list(DEFAULT_SCOPE, limit=-1))
    assert any("item0" in one.text for one in home.drawn())
    assert home.missing() == 0


def test_the_proof_of_an_erasure_is_true_of_summaries_too(home, server, foods):
    home.run(DREAM)
    assert [one.text for one in home.drawn()] == [SUMMARY]
    inventory, proof = home.erase(foods[1].id)
    assert any("A summary drawn from it" in copy.label for copy in inventory.copies)
    assert (proof.found_before > 0, proof.found_after) == (True, 0)
    active = home.services.memories.list(MemoryFilter(statuses=frozenset({Status.ACTIVE})))
    assert {m.text for m in active} == {m.text for m in foods} - {foods[1].text}


def test_what_is_forgotten_or_edited_is_said_by_nothing_and_comes_back_with_one_undo(home):
    made = home.know(*(f"You bought item{n}" for n in range(6)))
    home.thin()
    before = [one.text for one in home.drawn()]
    changes = home.services.memories.forget([made[0].id])
    assert not any("item0" in one.text for one in home.drawn())
    assert home.missing() == 0
    (batch,) = changes.batches
    home.services.undo.undo(batch)
    assert [one.text for one in home.drawn()] == before
    now = home.memories.get(made[1].id)
    home.services.memories.edit(now.id, now.revision, {"text": "You bought a yacht"})
    assert not any("item1" in one.text for one in home.drawn())
    assert any("yacht" in one.text for one in home.drawn())


def test_forgetting_a_source_leaves_no_list_that_says_it(home):
    home.know(*(f"You bought item{n}" for n in range(4)))
    memory = Memory("", "You bought secret9", NOW, NOW, origin="import", actor="import", agent_pk=1)
    home.memories.insert(memory, (), Note("import", "insert", "brought in"))
    home.thin()
    assert any("secret9" in one.text for one in home.drawn())
    (source,) = [s for s in home.services.sources.list() if s.kind is SourceKind.IMPORT]
    home.services.sources.forget(source)
    assert not any("secret9" in one.text for one in home.drawn())
    assert any("item0" in one.text for one in home.drawn())


def test_a_dream_says_what_it_would_summarise(home, server, foods):
    (planned,) = [p for p in home.services.tidying.dream_preview() if p.word == "Summarise"]
    assert planned.text == "5 memories in the category “food”, by a model"


def test_what_tidying_writes_is_found_by_meaning(home, server, foods):
    assert home.run(DREAM).figures["summaries"] == 1
    assert home.services.memories.embedding_status().missing == 0
    home.know(*(f"You bought item{n}" for n in range(6)))
    assert home.thin().figures["archived"]
    assert home.services.memories.embedding_status().missing == 0


def test_a_dream_deletes_no_originals_and_the_summary_can_be_taken_back_a_year_later(
    home, server, foods
):
    batch = home.run(DREAM).batch
    home.now += timedelta(days=365)
    assert not any(p.word == "Delete" for p in home.services.tidying.dream_preview())
    home.run(DREAM)
    home.services.undo.undo(batch)
    now = home.memories.by_ids([food.id for food in foods])
    assert [memory.status for memory in now] == [Status.ACTIVE] * 5


def test_a_target_above_the_threshold_is_refused_in_a_sentence(home):
    with pytest.raises(SettingsError, match="must not be above"):
        home.services.preferences.set("memory.compaction.target_size", 9999)
