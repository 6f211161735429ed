"""Erasing leaves no readable trace, and what was around it still reads (E12)."""

from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Evidence, Memory, MemoryFilter, Status
from app.domain.recall import Hit, HitKind, Recall
from app.errors import Cancelled, NotFound, Refused, VaultBusy
from app.jobs.operation import drive
from app.memory.erase import named_after, occurrences
from app.memory.index import Indexer
from app.paths import Paths
from app.providers.hash import HashEmbedder
from app.services.erasure import ErasureService
from app.services.scrub import SCRUB, Scrubber
from app.settings import computer
from app.store import backup, wipe
from app.store.conversations import Conversations
from app.store.jobs import JobRows
from app.store.memories import Memories, Note
from app.store.meta import Erasures, Exports
from app.store.profiles import Profiles
from app.store.recalls import Recalls
from app.store.tombstones import Tombstones
from app.store.vectors import Vectors
from tests.unit.services.profile import NOW, learn, send

CANARY = "Quetzalcoatlus"
SAID = f"I keep a {CANARY} in the cellar."


class Home:
    def __init__(self, folder, patience=60):
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
            patience,
        )

    def destroy(self, asking):
        self.vault.close()
        return self.profiles.delete(self.profile.slug, asking=asking)

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
    assert texts[0] == "Good morning. [erased]. It sings."
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
    assert home.tombstones.spans(said.id) == [(14, 14 + len(SAID) - 1)]


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
    assert [e.quote for e in home.memories.evidence("m2")] == ["[erased]. It sings."]
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


def until_waiting(home):
    """Erase everything up to where others are waited for."""
    erasing = home.service.erase_everything("Ada")
    assert [next(erasing).label, next(erasing).label.split()[0]] == [
        "Looking at what there is",
        "Waiting",
    ]
    return erasing


@pytest.fixture
def other(home, filled):
    """Another program that has the profile open."""
    vault = home.profiles.open("Ada")
    yield vault
    vault.close()


def test_others_are_asked_to_close_before_everything_is_erased(home, other):
    erasing = until_waiting(home)
    assert other.asked
    other.close()
    assert any("vault.db" in line for line in drive(erasing, Event()).removed)
    assert not home.vault.path.parent.exists()


def test_waiting_for_others_can_be_stopped_and_asks_no_more(home, other):
    erasing = until_waiting(home)
    with pytest.raises(Cancelled):
        erasing.throw(Cancelled("Stopped."))
    assert not other.asked
    assert home.memories.get("m1").text == Memories(other).get("m1").text


def test_others_who_do_not_close_in_time_keep_everything(tmp_path):
    home = Home(tmp_path, patience=0)
    other = home.profiles.open("Ada")
    home.memories.insert(Memory("m1", SAID, NOW, NOW), (), Note("user", "insert", "b1"))
    with pytest.raises(VaultBusy, match="another window"):
        drive(home.service.erase_everything("Ada"), Event())
    assert not other.asked
    assert Memories(other).get("m1").text == home.memories.get("m1").text == SAID
    other.close()
    home.vault.close()


def test_every_erasure_is_counted_in_its_transaction(home, filled, monkeypatch):
    erasures = Erasures(home.vault)
    with monkeypatch.context() as patched:
        patched.setattr(Scrubber, "begin", lambda _self: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            erase(home)
    assert erasures.count() == 0
    erase(home)
    drive(home.service.erase_conversation(filled.id, frozenset()), Event())
    assert erasures.count() == 2


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


def tell(services, text, talk=None):
    talk_id, _events = send(services, text, talk)
    learn(services)
    return talk_id


@pytest.mark.parametrize(
    "said",
    [
        "I am allergic to walnuts.",
        "My favourite restaurant is the Golden Dragon of Quetzaltenango near the harbour.",
        "Hello! I live in Quetzaltenango, by the way.",
    ],
)
def test_an_erasure_takes_the_title_made_of_the_message_and_what_answers_say(opened, said):
    services, vault = opened.services, opened.vault
    talk = tell(services, said)
    title = services.conversations.get(talk).title
    assert title
    (memory,) = services.memories.list(MemoryFilter())
    inventory = services.erasure.of_memory(memory.id)
    assert f"title:{talk}" in {c.key for c in inventory.copies if c.ticked}
    ticked = frozenset(c.key for c in inventory.copies if c.ticked)
    proof = drive(services.erasure.erase_memory(memory.id, ticked), Event())
    assert (proof.found_before > 0, proof.found_after) == (True, 0)
    assert services.conversations.get(talk).title == "Untitled"
    word = memory.text.split()[-1]
    needles = [n for t in (word, title.rstrip("…")) for n in wipe.needles(t)]
    assert drive(wipe.scan(vault.path, vault.key, needles), Event()).found == 0


def test_a_title_is_known_by_the_words_it_was_cut_from():
    said = "Please note: my **cousin** Anna lives in a yellow house. Bye!"
    text = ["my cousin Anna lives in a yellow house"]
    assert named_after("My cousin Anna lives…", said, text)
    assert named_after("Please note: my cousin…", said, text)
    assert not named_after("Bye", said, text)
    assert not named_after("Something else", said, text)


def test_a_copy_that_was_missed_is_counted_and_its_place_told(home, filled):
    with home.vault.write() as connection:
        connection.execute(
            "INSERT INTO settings (key, value, updated_at) VALUES ('x', ?, 0)", (f'"{SAID}"',)
        )
    proof = erase(home)
    assert proof.found_after > 0
    assert proof.remaining[0] == (
        "Not everything is gone: the vault still holds these words in its settings."
    )


def test_what_is_told_of_other_memories_is_redacted(home, filled):
    text = f"You keep a {CANARY} in the cellar"
    reason = f"It contradicts what you pinned: {text}"
    home.memories.insert(
        Memory("m2", text, NOW, NOW, key="bird"), (), Note("user", "insert", "b7", reason)
    )
    later = {"text": "You keep a parrot", "status_reason": reason}
    home.memories.update("m2", later, Note("user", "edit", "b8", reason))
    assert erase(home).found_after == 0
    assert home.memories.get("m2").status_reason == "It contradicts what you pinned: [erased]"
    assert home.found(CANARY).found == 0


def test_what_it_said_before_an_edit_is_erased_too(home, filled):
    home.memories.update("m1", {"text": "You keep a bird downstairs"}, Note("user", "edit", "b5"))
    kinds = [c.kind for c in home.service.of_memory("m1").copies if c.ticked]
    assert "answer" in kinds
    assert erase(home).found_after == 0
    assert home.found(CANARY).found == 0


def test_an_answer_that_used_it_in_other_words_is_offered(home, filled):
    parts = (Part("It is that big bird, downstairs.", PartOrigin.MODEL),)
    answer = home.talks.add_message(filled.id, Role.ASSISTANT, parts)
    memory = home.memories.get("m1")
    hit = Hit("m1", HitKind.MEMORY, memory.text, NOW, pk=memory.pk)
    home.recalls.save(answer.id, Recall(hits=(hit,)), ["m1"], ["m1"])
    (copy,) = [c for c in home.service.of_memory("m1").copies if not c.ticked]
    assert copy.label.startswith("An answer that used it")
    ticked = frozenset(c.key for c in home.service.of_memory("m1").copies)
    drive(home.service.erase_memory("m1", ticked), Event())
    assert home.talks.message(answer.id).text == "[erased]"


def test_a_mention_of_its_value_is_offered_but_not_ticked(home):
    home.memories.insert(
        Memory("m1", "You live in Ghent", NOW, NOW, key="home_city", value="Ghent"),
        (),
        Note("user", "insert", "b1"),
    )
    talk = home.talks.create(title="Museums in Ghent")
    said = home.talks.add_message(
        talk.id, Role.USER, (Part("Which museums are in Ghent?", PartOrigin.TYPED),)
    )
    offered = [c.key for c in home.service.of_memory("m1").copies if not c.ticked]
    assert offered == [f"message:{said.id}", f"title:{talk.id}"]
    proof = erase(home)
    assert proof.found_after == 0
    assert any("You kept other rows" in sentence for sentence in proof.remaining)
    assert home.talks.message(said.id).text == "Which museums are in Ghent?"


def test_a_memory_without_a_message_is_not_learnt_again(home):
    home.memories.insert(
        Memory("m1", f"You feed the {CANARY}", NOW, NOW), (), Note("user", "insert", "b1")
    )
    assert erase(home).found_after == 0
    assert home.tombstones.has(f"you feed the {CANARY}.")


def test_a_typed_memory_is_not_learnt_again(opened):
    services = opened.services
    services.memories.add("You feed the swans at noon")
    (memory,) = services.memories.list(MemoryFilter())
    drive(services.erasure.erase_memory(memory.id, frozenset()), Event())
    assert Tombstones(opened.vault).has("You feed the swans at noon")


def test_erasing_everything_clears_the_computer_of_it(home, filled):
    data = home.profiles.paths
    computer.save(data.settings, {"computer.last_profile": home.profile.slug, "computer.x": 1})
    data.logs.mkdir()
    (data.logs / "loci.log").write_text("an event\n")
    assert any(c.label.startswith("The log") for c in home.service.of_everything().copies)
    proof = drive(home.service.erase_everything("Ada"), Event())
    assert computer.load(data.settings) == {"computer.x": 1}
    assert (data.logs / "loci.log").read_text() == ""
    assert "Emptied: the log" in proof.removed
