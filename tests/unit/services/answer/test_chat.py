"""A message's way to its answer, over the real vault, server, child process and embedder."""

import os
import re
import signal
import threading
from datetime import timedelta
from threading import Event

import pytest

from app.conversation import context, history
from app.conversation.notebook import OTHER_LANGUAGES
from app.domain.conversation import MemoryMode, MessageState, Part, PartOrigin, Role
from app.domain.events import Answered, MessageStored, Notice, Recalled, Token
from app.domain.jobs.operation import drive
from app.domain.memory import MemoryFilter, Trust
from app.domain.trace import KEPT_IN_MIND, NO_ROOM
from app.errors import Refused, VaultBusy
from app.store.vault.file import Vault
from tests.fakes.openai_server import Reply
from tests.fakes.tiny_gguf import chat_model
from tests.unit.services.profile import NOW, learn, memories, send

FACT = "I'm allergic to walnuts."
KEPT = "I'm allergic to walnuts"


def test_events_come_in_order_and_everything_is_stored(services):
    talk, events = send(services, FACT)
    kinds = [type(e) for e in events if not isinstance(e, Notice)]
    assert kinds == [MessageStored, Recalled, Answered]
    said, answered = services.conversations.messages(talk)
    assert (said.text, said.role) == (FACT, Role.USER)
    assert (answered.model, answered.state) == ("notebook", MessageState.COMPLETE)
    assert services.conversations.get(talk).title == KEPT


def test_what_was_said_comes_back_in_another_conversation_with_its_trace(services):
    send(services, FACT)
    learn(services)
    talk, events = send(services, "What am I allergic to?")
    answer = next(e for e in events if isinstance(e, Answered))
    assert "walnuts" in answer.message.text
    assert answer.recall is not None
    assert len(answer.recall.cited) == 1
    stored = services.conversations.recalls(talk)[answer.message.id]
    assert stored.recall.hits[0].text == KEPT


def test_c4_the_answer_of_a_model_never_waits_for_learning(services, server):
    """The answer is whole and stored before anything is learnt; learning is a job of its own."""
    talk, events = send(services, FACT)
    assert isinstance(events[-1], Answered)
    assert memories(services) == set()
    assert services.queue.pending() > 0
    learn(services)
    assert memories(services) == {KEPT}
    assert len(services.conversations.messages(talk)) == 2


def test_without_a_model_the_answer_says_what_became_of_the_message_and_it_is_true(services):
    _, events = send(services, FACT)
    assert events[-1].message.text == f"Remembered: “{KEPT}”."
    (memory,) = services.memories.list(MemoryFilter())
    learn(services)
    (after,) = services.memories.list(MemoryFilter())
    assert (after.text, after.seen_count) == (KEPT, 1), "the job learns nothing a second time"
    assert after.revision == memory.revision
    _, events = send(services, FACT)
    assert events[-1].message.text == f"I knew that already: “{KEPT}”."


def test_c2_history_is_kept_with_learning_off_and_facts_only_with_it_on(services):
    services.preferences.set("extraction.enabled", False)
    talk, _ = send(services, FACT)
    learn(services)
    assert memories(services) == set()
    assert len(services.conversations.messages(talk)) == 2
    services.preferences.set("extraction.enabled", True)
    send(services, "I live in Ghent.", talk)
    learn(services)
    assert memories(services) == {"I live in Ghent"}
    assert len(services.conversations.messages(talk)) == 4


def test_modes_decide_what_is_read_and_learnt(services):
    send(services, FACT)
    learn(services)
    for mode, reads in ((MemoryMode.READS_ONLY, True), (MemoryMode.OFF, False)):
        talk = services.conversations.create(mode)
        _, events = send(services, "What am I allergic to?", talk.id)
        recalled = next(e for e in events if isinstance(e, Recalled))
        assert bool(recalled.recall.hits) is reads
        send(services, f"I own {mode} shoes and I live in Bruges.", talk.id)
    learn(services)
    assert memories(services) == {KEPT}


def test_pasted_text_and_answers_are_never_evidence(services):
    parts = [
        Part("Look at this: ", PartOrigin.TYPED),
        Part("I am allergic to penicillin.", PartOrigin.PASTED),
        Part("I live in Oslo.", PartOrigin.ATTACHED, "letter.txt"),
    ]
    send(services, parts)
    learn(services)
    assert memories(services) == set()


def test_a_server_streams_and_is_given_the_block_beside_the_new_message(services, server):
    send(services, FACT)
    learn(services)
    server.requests.clear()
    server.script(Reply("No walnuts [1], then."))
    talk, events = send(services, "What am I allergic to?")
    assert len([e for e in events if isinstance(e, Token)]) > 2
    sent = next(r for r in server.requests if r.path.endswith("/chat/completions")).body
    assert [m["role"] for m in sent["messages"]] == ["system", "user"]
    last = sent["messages"][-1]["content"]
    line = f"1. 20 Nov 2026, health or safety: {KEPT}"
    assert f"\nKnown about the user:\n{line}\n\nWhat" in last
    assert last.endswith("What am I allergic to?")
    said, answer = services.conversations.messages(talk)
    assert said.text == "What am I allergic to?", "the block is never stored"
    assert answer.text == "No walnuts [1], then."


@pytest.fixture
def read(services, server):
    """Return the messages that the model is sent for a text, and the answer's trace."""

    def read(text, says="Yes [1]."):
        server.requests.clear()
        server.script(Reply(says))
        talk, _ = send(services, text)
        sent = next(r for r in server.requests if r.path.endswith("/chat/completions")).body
        (stored,) = services.conversations.recalls(talk).values()
        return [message["content"] for message in sent["messages"]], stored

    return read


def keep(services, text, **fields):
    """Pin a memory; return its id."""
    (memory_id,) = services.memories.add(text, pinned=True).memories
    if fields:
        revision = services.memories.detail(memory_id).memory.revision
        services.memories.edit(memory_id, revision, fields)
    return memory_id


def test_what_is_pinned_stands_in_every_prompt_while_it_lives_and_is_trusted(services, read):
    keep(services, "I prefer short answers", trust=Trust.SYSTEM)
    keep(services, "I am on holiday", expires_at=NOW - timedelta(days=1))
    keep(services, "I am in Rome", expires_at=NOW + timedelta(days=1))
    keep(services, "The web says I like jazz", trust=Trust.EXTERNAL)
    keep(services, "I like opera", trust=Trust.LEARNED)
    (system, _), _ = read("Good morning!")
    kept = system.partition(context.PINNED)[2]
    assert all(text in kept for text in ("short answers", "Rome", "opera"))
    assert "holiday" not in system
    assert "jazz" not in system
    services.preferences.set("rag.include_trust_levels", "system, learned, external")
    assert "jazz" not in read("Good morning!")[0][0], "what is external never instructs"
    services.preferences.set("rag.include_trust_levels", "system")
    (system, _), _ = read("Good morning!")
    assert "short answers" in system
    assert "opera" not in system


def test_what_is_pinned_and_recalled_is_read_once_and_its_trace_says_where(services, read):
    pinned = keep(services, "I am allergic to walnuts")
    services.memories.add("I am allergic to cats")
    learn(services)
    sent, stored = read("What am I allergic to?", "Cats [1], and that [2].")
    assert "\n".join(sent).count("walnuts") == 1
    assert "walnuts" in sent[0]
    assert stored.in_prompt[-1] == pinned
    assert stored.cited == stored.in_prompt[:1], "only lines with a number can be cited"
    (hit,) = (hit for hit in stored.recall.hits if hit.id == pinned)
    assert KEPT_IN_MIND in hit.reasons
    assert services.memories.detail(pinned).memory.access_count == 1


def test_the_notebook_quotes_what_is_pinned_too(services):
    keep(services, "I am allergic to walnuts")
    learn(services)
    _, events = send(services, "What am I allergic to?")
    assert "walnuts" in next(e for e in events if isinstance(e, Answered)).message.text


def test_what_had_no_room_in_the_prompt_is_told_from_what_had(services, read):
    for n in range(5):
        services.memories.add(f"My salmon recipe number {n}: {'butter ' * 60}{n}")
    learn(services)
    services.preferences.set("rag.max_context_chars", 2300)
    _, stored = read("What is my salmon recipe?")
    recall = stored.recall
    assert 0 < len(recall.hits) == len(stored.in_prompt) < 5
    cut = [hit for hit in recall.dropped if hit.dropped == NO_ROOM]
    assert cut
    assert (recall.steps[-1].name, recall.steps[-1].after) == ("prompt", len(recall.hits))
    assert recall.lost >= len(recall.dropped) >= len(cut)


@pytest.fixture
def tiny(services, tmp_path):
    services.library.folder.mkdir(parents=True, exist_ok=True)
    chat_model(services.library.folder / "tiny.gguf")
    services.library.choose_chat("file:tiny.gguf")
    services.preferences.set("models.context_tokens", 512)
    return services


@pytest.mark.expects_warnings
def test_a_local_model_streams_and_survives_the_death_of_its_process(tiny, opened):
    """Killing the child mid-answer keeps the partial answer, and the next message works."""
    killed = []

    def hear(event):
        if isinstance(event, Token) and not killed:
            killed.append(_chat_child(opened))
            os.kill(killed[0], signal.SIGKILL)

    talk, _ = send(tiny, "Tell me.", hear=hear)
    answer = tiny.conversations.messages(talk)[-1]
    assert answer.state is MessageState.PARTIAL
    assert answer.text
    assert answer.error
    _, events = send(tiny, "Again.", talk)
    answer = tiny.conversations.messages(talk)[-1]
    assert answer.state is MessageState.COMPLETE
    assert any(isinstance(e, Token) for e in events)
    assert _chat_child(opened) != killed[0]


def _chat_child(opened):
    (seat,) = [s for s in opened.host._seats.values() if getattr(s.model, "child", None)]
    return seat.model.child.pid


def test_many_conversations_at_once_do_not_mix(services):
    """Two threads talk at the same time; each answer lands in its own conversation."""
    talks = [services.conversations.create() for _ in range(4)]

    def chat(talk):
        for n in range(3):
            send(services, f"I own {n} boats in {talk.id}.", talk.id)

    threads = [threading.Thread(target=chat, args=(t,)) for t in talks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for talk in talks:
        texts = [m.text for m in services.conversations.messages(talk.id) if m.role is Role.USER]
        assert texts == [f"I own {n} boats in {talk.id}." for n in range(3)]


def test_remembering_a_whole_message_takes_the_typed_words_alone(services):
    parts = [
        Part("My locker is number 12.", PartOrigin.TYPED),
        Part("I am allergic to penicillin.", PartOrigin.PASTED),
    ]
    talk, _ = send(services, parts)
    said = services.conversations.messages(talk)[0]
    services.memories.remember_message(said.id)
    assert all("penicillin" not in text for text in memories(services))
    assert any("locker" in text for text in memories(services))


def test_the_notebook_says_when_it_learns_nothing(services):
    talk = services.conversations.create(MemoryMode.READS_ONLY)
    _, events = send(services, "I live in Ghent.", talk.id)
    answer = next(e for e in events if isinstance(e, Answered))
    assert "Remembering is off here" in answer.message.text


def test_an_embedder_that_needs_a_key_is_not_chosen_without_one(services):
    with pytest.raises(Refused, match="needs a key"):
        services.library.choose_embedder("voyage:voyage-3.5")
    assert services.preferences.values().models.embedder == "hash"
    services.library.choose_embedder("voyage:voyage-3.5", key="secret")
    assert services.preferences.values().models.embedder == "voyage:voyage-3.5"


def test_erasing_everything_waits_for_other_programs_and_goes_on_meanwhile(opened, services):
    other = Vault(opened.store.vault.path, opened.store.vault.key, lambda: NOW)
    with pytest.raises(VaultBusy):
        drive(services.erasure.erase_everything("Ada"), Event())
    send(services, FACT)
    other.close()
    drive(services.erasure.erase_everything("Ada"), Event())
    assert not opened.store.vault.path.exists()


GIANT = "The tide table of the harbour says nothing new today. " * 37_038  # 2 MB


def notices(events):
    return [event.text for event in events if isinstance(event, Notice)]


FOUND_BY_WORDS = (
    "Only the first 6,144 characters of it can be found by meaning; all of it, by its words."
)


def test_a_paste_that_is_too_long_for_the_model_says_what_was_left_out(services, server):
    pasted = [Part(GIANT, PartOrigin.PASTED, "Pasted text"), Part("Sum it up.", PartOrigin.TYPED)]
    talk, events = send(services, pasted)
    notice, found = notices(events)
    assert found == FOUND_BY_WORDS
    given = server.requests[-1].body["messages"][-1]["content"]
    whole = history.worded(events[0].message)
    left = len(whole) - sum(map(len, re.split(r"\n\[… .+ …\]\n", given)))
    assert notice == (
        f"The model cannot read so much at once: {left:,} characters in the middle were left out."
    )
    stored = services.conversations.recalls(talk)[events[-1].message.id]
    assert list(stored.recall.degraded) == [notice, found], "it is still said later"
    assert notices(send(services, "Thank you.", talk)[1]) == []


def test_typing_more_than_is_read_says_how_much_is_read(services):
    assert notices(send(services, GIANT)[1]) == [
        "To learn from it, only the first 4,000 characters that you typed are read now."
    ]
    talk = services.conversations.create(MemoryMode.READS_ONLY)
    assert notices(send(services, GIANT, talk.id)[1]) == [FOUND_BY_WORDS]


def test_that_a_language_cannot_be_read_is_said_once_beside_the_answer_of_a_model(services, server):
    italian = "Mio marito si chiama Paolo e fa l'idraulico da vent'anni."
    talk, events = send(services, italian)
    assert notices(events) == [OTHER_LANGUAGES]
    stored = services.conversations.recalls(talk)[events[-1].message.id]
    assert list(stored.recall.degraded) == [OTHER_LANGUAGES], "it is still said later"
    assert notices(send(services, italian, talk)[1]) == []
    learn(services)
    assert memories(services) == set()
    assert notices(send(services, FACT, talk)[1]) == []
    learn(services)
    assert memories(services) == {KEPT}
