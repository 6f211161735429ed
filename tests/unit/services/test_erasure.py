"""Erasing leaves no readable trace, and what was around it still reads (E12)."""

from datetime import UTC, datetime
from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Evidence, Memory, Status
from app.domain.recall import Hit, HitKind, Recall
from app.errors import NotFound, Refused
from app.jobs.operation import drive
from app.memory.erase import occurrences
from app.memory.index import Indexer
from app.paths import Paths
from app.providers.hash import HashEmbedder
from app.services.erasure import ErasureService
from app.services.scrub import SCRUB, Scrubber
from app.store import backup, wipe
from app.store.conversations import Conversations
from app.store.jobs import JobRows
from app.store.memories import Memories, Note
from app.store.meta import Exports
from app.store.profiles import Profiles
from app.store.recalls import Recalls
from app.store.tombstones import Tombstones
from app.store.vectors import Vectors

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CANARY = "Quetzalcoatlus"
SAID = f"I keep a {CANARY} in the cellar."


class Home:
    def __init__(self, folder):
        self.profiles = Profiles(Paths(folder), lambda: NOW, lambda: None)
        self.vault, self.profile = self.profiles.create("Ada")
        self.talks, self.memories = Conversations(self.vault), Memories(self.vault)
        self.recalls, self.tombstones = Recalls(self.vault), Tombstones(self.vault)
        self.exports = Exports(self.vault)
        self.service = ErasureService(
            self.vault,
            self.profiles.files(self.profile.slug),
            "Ada",
            Scrubber(self.vault),
            self.destroy,
        )

    def destroy(self):
        self.vault.close()
        return self.profiles.delete(self.profile.slug)

    def index(self):
        embedder = HashEmbedder()
        drive(Indexer(Vectors(self.vault), lambda: embedder).run(Event()), Event())

    def found(self, *texts):
        needles = [n for t in texts for n in wipe.needles(t)]
        return drive(wipe.scan(self.vault.path, self.vault.key, needles), Event())


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path)
    yield home
    home.vault.close()


@pytest.fixture
def filled(home):
    """A conversation that holds the canary in a message, an answer, a title and a draft."""
    talk = home.talks.create(title=SAID)
    home.talks.set_draft(talk.id, f"and {SAID}")
    parts = (Part(f"Good morning. {SAID} It sings.", PartOrigin.TYPED),)
    said = home.talks.add_message(talk.id, Role.USER, parts)
    text = f"You told me: You keep a {CANARY} in the cellar. [1]"
    answer = home.talks.add_message(talk.id, Role.ASSISTANT, (Part(text, PartOrigin.MODEL),))
    home.talks.add_message(talk.id, Role.USER, (Part("Thank you!", PartOrigin.TYPED),))
    memory = home.memories.insert(
        Memory("m1", f"You keep a {CANARY} in the cellar", NOW, NOW),
        (Evidence(SAID, NOW, said.id),),
        Note("user", "insert", "b1", message_id=said.id),
    )
    home.memories.update("m1", {"tags": ("pets",)}, Note("user", "edit", "b2"))
    hit = Hit("m1", HitKind.MEMORY, memory.text, NOW, pk=memory.pk)
    home.recalls.save(answer.id, Recall(hits=(hit,)), ["m1"], ["m1"])
    home.index()
    return talk


def erase(home, memory_id="m1", untick=()):
    inventory = home.service.of_memory(memory_id)
    ticked = frozenset(c.key for c in inventory.copies if c.ticked and c.key not in untick)
    return drive(home.service.erase_memory(memory_id, ticked), Event())


def test_e12_erasing_a_memory_leaves_no_canary(home, filled):
    live = home.found(CANARY)
    assert live.database + live.wal > 0
    assert live.wal > 0, "the canary should be in the write-ahead log before"
    home.vault.checkpoint()
    assert home.found(CANARY).database > 0, "and in the database"
    proof = erase(home)
    assert proof.found_before > 0
    assert proof.found_after == 0
    assert proof.scanned_bytes > 100_000
    assert home.found(CANARY, CANARY[:8]).found == 0
    with pytest.raises(NotFound):
        home.memories.get("m1")


def test_the_conversation_around_it_still_reads(home, filled):
    erase(home)
    texts = [m.text for m in home.talks.messages(filled.id)]
    assert texts[0] == "Good morning. [erased] It sings."
    assert texts[1].startswith("You told me: [erased]")
    assert texts[2] == "Thank you!"
    assert home.talks.get(filled.id).title == "Untitled"
    assert home.talks.draft(filled.id) == ""


def test_the_inventory_names_every_copy_before_anything_is_touched(home, filled):
    kinds = [c.kind for c in home.service.of_memory("m1").copies]
    assert kinds == ["memory", "evidence", "answer", "title", "draft", "trace", "journal"]
    assert all(c.ticked for c in home.service.of_memory("m1").copies)
    assert home.found(CANARY).found > 0


def test_what_is_unticked_stays_and_the_proof_says_so(home, filled):
    key = next(c.key for c in home.service.of_memory("m1").copies if c.kind == "evidence")
    proof = erase(home, untick={key})
    assert SAID in home.talks.messages(filled.id)[0].text
    assert any("You kept other rows" in sentence for sentence in proof.remaining)
    assert proof.found_after == 0


def test_what_was_erased_is_not_learnt_again(home, filled):
    erase(home)
    assert home.tombstones.has(f"you keep a {CANARY.upper()} in the cellar!")
    assert home.tombstones.has(SAID)
    said = home.talks.messages(filled.id)[0]
    assert home.tombstones.spans(said.id) == [(14, 14 + len(SAID))]


def test_other_memories_with_the_same_words_are_named_too(home, filled):
    home.memories.insert(
        Memory("m2", f"You keep a {CANARY} in the cellar", NOW, NOW, key="pet"),
        (),
        Note("user", "insert", "b9"),
    )
    copies = [c for c in home.service.of_memory("m1").copies if c.key == "memory:m2"]
    assert len(copies) == 1
    assert erase(home).found_after == 0


def test_another_memory_from_the_same_words_stays_without_them(home, filled):
    said = home.talks.messages(filled.id)[0]
    home.memories.insert(
        Memory("m2", "You have a cellar", NOW, NOW),
        (Evidence(f"{SAID} It sings.", NOW, said.id),),
        Note("user", "insert", "b9", message_id=said.id),
    )
    assert erase(home).found_after == 0
    assert [e.quote for e in home.memories.evidence("m2")] == ["[erased] It sings."]
    assert home.found(CANARY).found == 0


def test_older_backups_are_replaced(home, filled):
    old = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    assert drive(wipe.scan(old, home.vault.key, [CANARY.encode()]), Event()).found > 0
    proof = erase(home)
    assert any("replaced by a new one" in line for line in proof.removed)
    copies = backup.copies(home.vault.path)
    assert len(copies) == 1
    assert drive(wipe.scan(copies[0], home.vault.key, [CANARY.encode()]), Event()).found == 0


def test_a_forgotten_memory_can_be_erased(home, filled):
    home.memories.update("m1", {"status": Status.FORGOTTEN}, Note("user", "forget", "b3"))
    assert erase(home).found_after == 0


def test_erasing_a_conversation(home, filled):
    home.memories.insert(
        Memory("m2", "You sing on Sundays", NOW, NOW), (), Note("user", "insert", "b4")
    )
    inventory = home.service.of_conversation(filled.id)
    assert [c.kind for c in inventory.copies] == ["conversation", "memory"]
    ticked = frozenset(c.key for c in inventory.copies)
    proof = drive(home.service.erase_conversation(filled.id, ticked), Event())
    assert proof.found_before > 0
    assert proof.found_after == 0
    assert home.found(CANARY, "Thank you").found == 0
    assert home.memories.get("m2").text == "You sing on Sundays"
    with pytest.raises(NotFound):
        home.talks.get(filled.id)


def test_erasing_everything_wants_the_name_and_leaves_no_file(home, filled):
    home.exports.add("/somewhere/out.zip", 0)
    folder = home.profiles.files(home.profile.slug).folder
    inventory = home.service.of_everything()
    assert {"file", "key", "export"} <= {c.kind for c in inventory.copies}
    with pytest.raises(Refused, match="Type Ada"):
        drive(home.service.erase_everything("ada lovelace"), Event())
    assert folder.exists()
    proof = drive(home.service.erase_everything(" Ada "), Event())
    assert not folder.exists()
    assert proof.removed
    assert any("/somewhere/out.zip" in sentence for sentence in proof.remaining)


def test_an_interrupted_erasure_is_finished_later(home, filled, monkeypatch):
    """The rows are gone with the transaction; the rewrite is owed until it is done."""
    monkeypatch.setattr(wipe, "scrub", lambda vault: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        erase(home)
    monkeypatch.undo()
    with pytest.raises(NotFound):
        home.memories.get("m1")
    jobs = JobRows(home.vault)
    assert jobs.by_key(SCRUB).state == "queued"
    Scrubber(home.vault).finish()
    assert home.found(CANARY).found == 0
    assert jobs.by_key(SCRUB).state == "done"


def test_occurrences_ignore_case_and_never_overlap():
    text = "I like tea. i LIKE tea and cake. Tea!"
    assert occurrences(text, ["tea", "I like tea"]) == [(0, 10), (12, 22), (33, 36)]
    assert occurrences("a+b", ["a+b", ""]) == [(0, 3)]
