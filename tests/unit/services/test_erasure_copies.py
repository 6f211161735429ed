"""Where the same words are found: other memories, titles, answers, what was before an edit."""

from threading import Event

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.memory import Evidence, Memory, MemoryFilter
from app.domain.recall import Hit, HitKind, Recall
from app.memory.text.passages import named_after, occurrences
from app.store.memories import Note
from app.store.vault import wipe
from tests.unit.services.profile import CANARY, NOW, SAID, erase, learn, send


def test_the_inventory_names_every_copy_before_anything_is_touched(home, filled):
    kinds = [c.kind for c in home.service.of_memory("m1").copies]
    assert kinds == ["memory", "evidence", "answer", "title", "draft", "trace", "journal"]
    assert all(c.ticked for c in home.service.of_memory("m1").copies)
    assert home.found(CANARY).found > 0


def test_other_memories_with_the_same_words_are_named_too(home, filled):
    home.memories.insert(
        Memory("m2", f"You keep a {CANARY} in the cellar", NOW, NOW, key="pet", agent_pk=1),
        (),
        Note("user", "insert", "b9"),
    )
    copies = [c for c in home.service.of_memory("m1").copies if c.key == "memory:m2"]
    assert len(copies) == 1
    assert erase(home).found_after == 0


def test_another_memory_from_the_same_words_stays_without_them(home, filled):
    said = home.messages.branch(filled.id)[0]
    home.memories.insert(
        Memory("m2", "You have a cellar", NOW, NOW, agent_pk=1),
        (Evidence(f"{SAID} It sings.", NOW, said.id),),
        Note("user", "insert", "b9", message_id=said.id),
    )
    assert erase(home).found_after == 0
    assert [e.quote for e in home.memories.evidence("m2")] == ["[erased]. It sings."]
    assert home.found(CANARY).found == 0


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
    services, vault = opened.services, opened.store.vault
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


def test_what_is_told_of_other_memories_is_redacted(home, filled):
    text = f"You keep a {CANARY} in the cellar"
    reason = f"It contradicts what you pinned: {text}"
    home.memories.insert(
        Memory("m2", text, NOW, NOW, key="bird", agent_pk=1),
        (),
        Note("user", "insert", "b7", reason),
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


def given(home, talk, text, cited):
    """Add an answer that had the memory before it; return its id."""
    parts = (Part(text, PartOrigin.MODEL),)
    answer = home.messages.add(talk.id, Role.ASSISTANT, parts)
    memory = home.memories.get("m1")
    hit = Hit("m1", HitKind.MEMORY, memory.text, NOW, pk=memory.pk)
    home.recalls.save(answer.id, Recall(hits=(hit,)), ["m1"], ["m1"] if cited else [])
    return answer.id


def test_an_answer_derived_from_it_goes_what_only_had_it_to_go_by_is_offered(home, filled):
    derived = given(home, filled, "It is that big bird, downstairs.", cited=True)
    other = given(home, filled, "Paris is lovely in spring.", cited=False)
    copies = {c.key: c for c in home.service.of_memory("m1").copies}
    assert (copies[f"whole:{derived}"].ticked, copies[f"whole:{derived}"].why) == (
        True,
        "was derived from it",
    )
    assert not copies[f"whole:{other}"].ticked
    proof = erase(home)
    assert home.messages.get(derived).text == "[erased]"
    assert home.messages.get(other).text == "Paris is lovely in spring."
    (line,) = proof.left
    assert line.startswith("It was not ticked: An answer that used it: “Paris is lovely")


def test_only_the_sentence_that_cites_it_goes_from_an_answer(home, filled):
    answer = given(home, filled, "Dinosaurs are fun. Yours lives below [1]. Shall we go on?", True)
    erase(home)
    assert home.messages.get(answer).text == "Dinosaurs are fun. [erased]. Shall we go on?"


def ghent(home, mentions):
    """Remember a home town, mention it, and return the messages and their conversation."""
    home.memories.insert(
        Memory("m1", "You live in Ghent", NOW, NOW, key="home_city", value="Ghent", agent_pk=1),
        (),
        Note("user", "insert", "b1"),
    )
    talk = home.talks.create(1, title="Museums in Ghent")
    part = Part("Which museums are in Ghent?", PartOrigin.TYPED)
    return [home.messages.add(talk.id, Role.USER, (part,)) for _ in range(mentions)], talk


def test_a_rare_name_goes_wherever_it_stands_and_nothing_around_it(home):
    (said,), talk = ghent(home, 1)
    copies = {c.key: c for c in home.service.of_memory("m1").copies}
    assert copies[f"message:{said.id}"].why == "holds “Ghent”"
    assert copies[f"title:{talk.id}"].why == "holds “Ghent”"
    proof = erase(home)
    assert (proof.found_after, proof.left) == (0, ())
    assert home.messages.get(said.id).text == "Which museums are in [erased]?"


def test_a_common_name_is_left_and_the_proof_says_so(home):
    said, _talk = ghent(home, 20)
    copies = home.service.of_memory("m1").copies
    assert not any(c.ticked for c in copies if c.key.startswith("message:"))
    proof = erase(home)
    assert proof.found_after == 0
    assert len([line for line in proof.left if line.startswith("It was not ticked: ")]) >= 20
    assert any("too common to tell" in line for line in proof.left)
    assert home.messages.get(said[0].id).text == "Which museums are in Ghent?"
