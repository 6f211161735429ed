"""What an erasure leaves elsewhere: found, listed with why, and named where it is left."""

from contextlib import closing
from threading import Event

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.memory import Evidence, Memory
from app.domain.recall import Hit, HitKind, Recall
from app.errors import ModelError
from app.memory.erasure.elsewhere import BLIND
from app.memory.erasure.restated import Restated
from app.memory.text.distinctive import OF_ANOTHER
from app.services.erasure import ErasureService
from app.services.upkeep.scrub import Scrubber
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.store import Store
from app.store.vault import backup, mark
from app.store.vault.file import Vault
from tests.unit.services.profile import CANARY, NOW, SAID, erase


def say(home, talk, text, role=Role.USER):
    origin = PartOrigin.TYPED if role is Role.USER else PartOrigin.MODEL
    return home.messages.add(talk.id, role, (Part(text, origin),)).id


def remember(home, memory_id, text, *evidence):
    home.memories.insert(
        Memory(memory_id, text, NOW, NOW, agent_pk=1), evidence, Note("user", "insert", memory_id)
    )


def elsewhere(home):
    """Fill another conversation with what restates, quotes and used the canary; return texts."""
    talk = home.talks.create(1, title=f"Feeding a {CANARY}")
    said = say(home, talk, f"What do I feed my {CANARY}? It is hungry.")
    answer = say(home, talk, f"Since you keep a {CANARY}, fish. Paris is nice.", Role.ASSISTANT)
    derived = say(home, talk, "Cellars are cool. Mind the stairs [1]. Bye!", Role.ASSISTANT)
    memory = home.memories.get("m1")
    hit = Hit("m1", HitKind.MEMORY, memory.text, NOW, pk=memory.pk)
    home.recalls.save(derived, Recall(hits=(hit,)), ["m1"], ["m1"])
    remember(home, "m3", "You tend bees")
    home.memories.update("m3", {"text": "You sold the bees"}, Note("user", "edit", "e3"))
    return talk, said, answer, derived


def test_erasing_a_conversation_takes_its_words_out_of_others(home, filled):
    talk, said, answer, derived = elsewhere(home)
    inventory = home.service.of_conversation(filled.id)
    why = {c.key: c.why for c in inventory.copies if c.ticked}
    assert why[f"message:{said}"] == f"holds “{CANARY}”"
    assert why[f"message:{derived}"] == "was derived from it"
    assert f"title:{talk.id}" in why
    ticked = frozenset(c.key for c in inventory.copies if c.ticked)
    proof = drive(home.service.erase_conversation(filled.id, ticked), Event())
    (ordinary,) = proof.left
    assert ordinary.startswith("“keep”, “cellar” stand in other places too, and were not sought")
    assert proof.found_after == 0
    assert home.messages.get(said).text == "What do I feed my [erased]? It is hungry."
    assert home.messages.get(answer).text.endswith("Paris is nice.")
    assert home.messages.get(derived).text == "Cellars are cool. [erased]. Bye!"
    assert home.talks.get(talk.id).title == "Untitled"
    assert home.memories.get("m3").text == "You sold the bees"
    assert home.found(CANARY).found == 0


def test_an_answer_is_listed_as_the_person_reads_it(home, filled):
    talk = home.talks.create(1, title="Later")
    quoted = say(home, talk, f"“A {CANARY} \\[in May\\] eats \\*fish\\*” [1].", Role.ASSISTANT)
    labels = {copy.key: copy.label for copy in home.service.of_conversation(filled.id).copies}
    assert labels[f"message:{quoted}"].endswith(f"A {CANARY} [in May] eats *fish*” [1]”")


def test_what_stays_is_named_with_the_person_as_the_reason_only_if_they_kept_it(home, filled):
    _, said, _, _ = elsewhere(home)
    inventory = home.service.of_conversation(filled.id)
    ticked = frozenset(c.key for c in inventory.copies if c.ticked) - {f"message:{said}"}
    talk = home.talks.create(1, title="Later")
    say(home, talk, f"Has the {CANARY} grown?")
    proof = drive(home.service.erase_conversation(filled.id, ticked), Event())
    kept, came, ordinary = proof.left
    assert kept.startswith("You kept it: Your message in “Feeding a")
    assert ordinary in [copy.label for copy in inventory.copies if copy.fixed]
    assert came.startswith("It came up after you chose: Your message in “Later”")
    assert proof.found_after == 0


def test_a_memory_that_says_the_same_goes_with_the_words_it_rests_on(home, filled):
    talk = home.talks.create(1, title="Again")
    said = say(home, talk, "Below the house lives a huge reptile of mine. Sleep well.")
    quote = "Below the house lives a huge reptile of mine"
    remember(home, "m2", f"In the cellar you keep a big {CANARY}", Evidence(quote, NOW, said))
    copies = {c.key: c for c in home.service.of_memory("m1").copies}
    assert copies["memory:m2"].why == "says the same"
    assert copies[f"message:{said}"].follows == {"memory:m2"}
    assert erase(home, untick={"memory:m2"}).left[0].startswith("You kept it: Another memory")
    assert home.messages.get(said).text.startswith(quote)


def test_what_is_somebody_elses_stays_unless_it_is_ticked_and_is_named(home):
    own, his = "I drive a Skoda Octavia", "My brother Tom drives a Skoda Octavia too"
    talk = home.talks.create(1, title="Cars")
    said = say(home, talk, f"{own}. {his}. My Skoda Octavia is red.")
    remember(home, "own", own, Evidence(own, NOW, said))
    remember(home, "his", his, Evidence(his, NOW, said))
    copies = {c.key: c for c in home.service.of_memory("own").copies}
    assert not copies["memory:his"].ticked
    assert copies["memory:his"].why.endswith(OF_ANOTHER)
    ticked = frozenset(key for key, copy in copies.items() if copy.ticked)
    proof = drive(home.service.erase_memory("own", ticked), Event())
    assert home.messages.get(said).text == f"[erased]. {his}. [erased]."
    assert [one.quote for one in home.memories.evidence("his")] == [his]
    assert proof.found_after == 0
    assert [line for line in proof.left if f"“{his}” stays" in line]
    assert [
        line for line in proof.left if line.startswith("It was not ticked: Another memory: “My")
    ]


def test_the_same_goes_from_a_backup_of_before_the_memory(home, filled):
    _, said, _, _ = elsewhere(home)
    old = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    proof = erase(home)
    assert "The same in 1 older backup" in proof.removed
    assert backup.copies(home.vault.path) == [old]
    assert home.messages.get(said).text == "What do I feed my [erased]? It is hungry."


def test_what_only_a_backup_holds_goes_from_it_with_the_words_it_rests_on(home, filled):
    talk = home.talks.create(1, title="Soon gone")
    said = say(home, talk, f"My {CANARY} bites. I fear it greatly. Sleep well.")
    quote = "I fear it greatly"
    remember(home, "m2", f"You fear the {CANARY} that you keep", Evidence(quote, NOW, said))
    old = backup.create(home.vault.path, home.vault.key, lambda: NOW)
    home.memories.delete("m2")
    home.talks.delete(talk.id)
    proof = erase(home)
    assert "The same in 1 older backup" in proof.removed
    mark.begin(old.with_suffix(".mark"), home.vault.key)
    with closing(Vault(old, home.vault.key, lambda: NOW, wal=False, create=False)) as vault:
        assert Messages(vault).get(said).text == "My [erased] bites. [erased]. Sleep well."
        assert Memories(vault).by_ids(["m1", "m2"]) == []


def test_several_memories_are_erased_as_one_with_one_proof(home, filled):
    remember(home, "m2", "You feed the swans of Zwijnaarde")
    inventory = drive(home.service.looking_for_memories(["m1", "m2"]), Event())
    assert inventory.title == "Erase 2 memories"
    keys = [c.key for c in inventory.copies]
    assert len(keys) == len(set(keys))
    ticked = frozenset(c.key for c in inventory.copies if c.ticked)
    proof = drive(home.service.erase_memories(["m1", "m2"], ticked), Event())
    assert (proof.found_after, home.found(CANARY, "Zwijnaarde").found) == (0, 0)


def test_whoever_is_erased_goes_from_every_mention_however_common(home):
    talk = home.talks.create(1, title="People")
    said = [say(home, talk, f"Mirabel came by, {n} times") for n in range(12)]
    remember(home, "m1", "Mirabel is your neighbour")
    look = home.service.looking_for_memories(["m1"], ["Mirabel"])
    ticked = frozenset(c.key for c in drive(look, Event()).copies if c.ticked)
    proof = drive(home.service.erase_memories(["m1"], ticked, ["Mirabel"]), Event())
    assert home.messages.get(said[3]).text == "[erased] came by, 3 times"
    assert (proof.found_after, home.found("Mirabel").found, proof.left) == (0, 0, ())


def test_what_only_the_person_can_change_is_told_and_not_touched(home, filled):
    with home.vault.write() as connection:
        connection.execute("UPDATE agents SET instructions = ?", (f"Be nice to the {CANARY}",))
    (told,) = [c for c in home.service.of_memory("m1").copies if c.fixed]
    assert "in the instructions of an agent" in told.label
    assert told.label in erase(home).left


class Silent:
    """A model that is not there."""

    @property
    def info(self):
        raise ModelError("The model is not there.")


def test_that_nobody_could_look_for_other_words_is_said(home, filled):
    service = ErasureService(
        Store(home.vault),
        home.profiles.files(home.profile.slug),
        "Ada",
        Scrubber(Store(home.vault)),
        home.destroy,
        restated=lambda: Restated(Store(home.vault), Silent, Silent, lambda: NOW),
    )
    ticked = frozenset(c.key for c in service.of_memory("m1").copies if c.ticked)
    assert drive(service.erase_memory("m1", ticked), Event()).left == (BLIND,)
    assert SAID not in home.messages.branch(filled.id)[0].text
