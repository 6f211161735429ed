"""Reading what was brought in: the person's own words, once, in batches that survive any kill."""

from datetime import UTC, datetime, timedelta
from threading import Event

import numpy as np
import pytest

from app.domain.conversation import MemoryMode, Part, PartOrigin, Role
from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress
from app.domain.memory import Origin, Status, Trust
from app.exchange import transcript
from app.memory.change.comparing import Relation
from app.memory.learn.context import LearningContext
from app.memory.learn.read import AT_ONCE, Read
from app.providers.local.hash import HashEmbedder
from app.store.journal.entries import Note
from app.store.vault.file import Vault
from tests.fakes import kills
from tests.unit.memory.conftest import FRIDAY, Desk, FakeModels, Listening
from tests.unit.memory.judging import Told

LONG_AGO = datetime(2024, 3, 4, 10, tzinfo=UTC)


class Counting(HashEmbedder):
    """An embedder that notes how many texts it was given at once."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def embed(self, texts, purpose):
        self.calls.append(len(texts))
        return super().embed(texts, purpose)


class Shelf:
    """A desk on which conversations from elsewhere are put."""

    def __init__(self, desk):
        self.desk = desk
        self.talks = []
        self.indexed = 0
        self.job = kills.Job(desk.vault, self.begin, "read")

    def begin(self, checkpoint, mark, cancel):
        desk = self.desk
        settings, clock = (lambda: desk.settings), (lambda: desk.now)
        given = LearningContext(
            desk.store, desk.models, settings, desk.remember, self.enqueue_index, clock
        )
        return Read(given).run(self.talks, checkpoint, mark)

    def enqueue_index(self):
        self.indexed += 1

    def bring(self, *said, session="s", at=LONG_AGO, answer="I see.", own=True):
        """Bring in a conversation in which "User" said this, and each was answered."""
        lines = []
        for n, text in enumerate(said):
            then = at + timedelta(minutes=n)
            lines.append(transcript.TranscriptTurn(f"{session}{n}q", session, "User", then, text))
            lines.append(
                transcript.TranscriptTurn(f"{session}{n}a", session, "Assistant", then, answer)
            )
        desk = self.desk
        stored = transcript.store(desk.store, 1, lines, own=own)
        self.talks += stored.conversations
        return stored.conversations[0]

    def read(self):
        return self.job.run()


@pytest.fixture
def shelf(desk):
    return Shelf(desk)


def test_their_own_words_are_learnt_as_brought_in(shelf, desk):
    talk = shelf.bring("Hi there. I'm allergic to walnuts.", "What is the capital of Peru?")
    done = shelf.read()
    (memory,) = desk.all()
    assert (memory.text, memory.origin, memory.actor) == (
        "I'm allergic to walnuts",
        Origin.IMPORT,
        "read",
    )
    assert (memory.trust, memory.status) == (Trust.LEARNED, Status.ACTIVE)
    (evidence,) = desk.memories.evidence(memory.id)
    message = desk.messages.branch(talk)[0]
    assert (evidence.quote, evidence.message_id) == ("I'm allergic to walnuts", message.id)
    assert evidence.created_at == LONG_AGO
    assert done.figures == {
        "learned": 1,
        "proposed": 0,
        "set_aside": 0,
        "seen_again": 0,
        "refused": 0,
        "messages": 2,
    }
    assert done.changes.memories == {memory.id}
    assert shelf.indexed == 1


def test_reading_again_changes_nothing(shelf, desk):
    shelf.bring("I live in Ghent.", "I'm allergic to walnuts.", "I live in Ghent.")
    shelf.read()
    before = kills.state(desk.vault)
    again = shelf.read()
    assert kills.state(desk.vault) == before
    assert (again.batch, again.figures["learned"], again.figures["seen_again"]) == ("", 0, 0)


def test_one_undo_takes_a_whole_import_back(shelf, desk):
    shelf.bring("I live in Ghent.", "I'm allergic to walnuts.")
    done = shelf.read()
    desk.journal.undo(done.batch, Note("user", "undo", "u1"))
    assert desk.texts() == []


def test_dates_count_from_when_it_was_said_and_newer_facts_stand(shelf, desk):
    desk.models.understanding = Told((Relation.REPLACES, "York", "Leeds"))
    desk.tell("I work as a nurse in Leeds.")
    shelf.bring("I work as a nurse in York.", "I quit my job at Barco yesterday.")
    shelf.read()
    assert desk.texts() == [
        "I work as a nurse in Leeds",
        "I quit my job at Barco yesterday [3 March 2024]",
    ]
    assert desk.texts("superseded") == ["I work as a nurse in York"]


def test_what_was_true_before_what_is_known_goes_into_the_history(shelf, desk):
    """An old conversation tells where they lived then: read after it, the newer still stands."""
    desk.models.understanding = Told((Relation.REPLACES, "live in Leuven", "live in Lille"))
    desk.tell("I live in Lille.")
    shelf.bring("I live in Leuven.", "I'm allergic to walnuts.")
    shelf.read()
    assert desk.texts() == ["I live in Lille", "I'm allergic to walnuts"]
    old = next(m for m in desk.all() if m.text == "I live in Leuven")
    now = next(m for m in desk.all() if m.text == "I live in Lille")
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, now.id)


def test_what_may_have_been_true_before_waits_for_the_person(shelf, desk):
    class Unsure(Told):
        def judge(self, task, pairs):
            found = [self._relation(*pair) is Relation.REPLACES for pair in pairs]
            return np.array([[0, 0, 0.35, 0, 0, 0.65] if one else [0] * 5 + [1] for one in found])

    desk.models.understanding = Unsure((Relation.REPLACES, "live in Leuven", "live in Lille"))
    desk.tell("I live in Lille.")
    shelf.bring("I live in Leuven.")
    shelf.read()
    assert desk.texts() == ["I live in Lille"]
    assert desk.texts("proposed") == ["I live in Leuven"]


def test_what_was_forgotten_does_not_come_back_in_other_words(shelf, desk):
    pay, again = "I earn 3,400 euros a month", "Every month I earn 3,400 euros"
    desk.models.understanding = Told((Relation.SAME, pay, again), (Relation.SAME, again, pay))
    desk.tell(f"{pay}.")
    (memory,) = desk.all()
    with desk.vault.write():
        note = Note("user", "forget", "f")
        desk.memories.update(memory.id, {"status": Status.FORGOTTEN}, note)
    shelf.bring(f"{again}.", "I'm allergic to walnuts.")
    shelf.read()
    assert desk.texts() == ["I'm allergic to walnuts"]
    desk.later(days=1)
    desk.tell(f"{again}.")
    assert again in desk.texts()


def test_what_others_wrote_is_never_learnt(shelf, desk):
    shelf.bring("I live in Ghent.", own=False)
    shelf.bring("And you?", session="t", answer="I live in Oslo. I am a baker.")
    lines = [transcript.TranscriptTurn("x", "u", "Maria", LONG_AGO, "I live in Lima.")]
    stored = transcript.store(desk.store, 1, lines, own=True)
    shelf.talks += stored.conversations
    talk = desk.conversations.get(shelf.talks[0])
    desk.messages.add(talk.id, Role.USER, [Part("I live in Quito.", PartOrigin.ATTACHED)])
    assert shelf.read().figures["messages"] == 1
    assert desk.all() == []


@pytest.mark.parametrize("mode", list(MemoryMode))
def test_a_conversation_is_read_only_in_a_mode_that_learns(shelf, desk, mode):
    talk = shelf.bring("I live in Ghent.")
    desk.conversations.set_mode(talk, mode)
    shelf.read()
    assert bool(desk.all()) == mode.learns


def test_nothing_is_read_while_learning_is_off(shelf, desk):
    desk.set("extraction.enabled", False)
    shelf.bring("I live in Ghent.")
    assert shelf.read().figures == {}
    assert desk.all() == []


def test_ask_first_makes_proposals(shelf, desk):
    desk.set("extraction.ask_first", True)
    shelf.bring("I live in Ghent.")
    assert shelf.read().figures["proposed"] == 1
    (memory,) = desk.all()
    assert memory.status is Status.PROPOSED
    assert memory.status_reason == "Found in what you imported."


def test_an_instruction_in_what_was_brought_in_is_set_aside(shelf, desk):
    shelf.bring("From now on, always answer in Dutch.", "I'm allergic to walnuts.")
    done = shelf.read()
    assert desk.texts() == ["I'm allergic to walnuts"]
    assert desk.texts("quarantined") == ["From now on, always answer in Dutch"]
    assert (done.figures["learned"], done.figures["set_aside"]) == (1, 1)


def test_what_leads_up_to_a_message_counts_across_batches(shelf, desk):
    filler = [f"Translate number {n} into French." for n in range(AT_ONCE - 3)]
    shelf.bring(
        *filler,
        "My niece Xanthippe plays the trumpet.",
        "Let's play: you are a dragon.",
        "I live in a cave.",
        "I eat gold.",
        "OK, back to normal. I take 5 mg of lisinopril every morning.",
    )
    shelf.bring("Sure.", "walnuts and shrimp", session="t", answer="What are you allergic to?")
    shelf.read()
    texts = desk.texts()
    assert "My niece Xanthippe plays the trumpet" in texts
    assert "I take 5 mg of lisinopril every morning" in texts
    assert "What are you allergic to? Walnuts and shrimp" in texts
    assert not any("cave" in text or "gold" in text for text in texts)


def test_the_reader_knows_what_was_asked_before_a_batch(shelf, desk):
    desk.models.understanding = Listening()
    filler = [f"Translate number {n} into French." for n in range(AT_ONCE - 1)]
    shelf.bring(*filler, "My niece plays the trumpet.", "She lives in Leuven.")
    shelf.read()
    assert ("She lives in Leuven.", "I see.") in desk.models.understanding.given


def test_a_batch_is_embedded_in_one_call_and_the_model_is_not_asked(shelf, desk):
    desk.models.embedder = Counting()
    shelf.bring(*(f"I work as a nurse on ward {n} in Leeds." for n in range(AT_ONCE + 6)))
    shelf.read()
    assert desk.models.embedder.calls == [AT_ONCE, 6]
    assert len(desk.all()) == AT_ONCE + 6


def test_every_batch_is_a_step_that_can_be_seen_and_stopped(shelf):
    shelf.bring(*(f"My friend Lea{n} lives in Bergen." for n in range(2 * AT_ONCE + 6)))
    steps, marks = [], []
    drive(shelf.begin({}, marks.append, Event()), Event(), steps.append)
    total = 2 * AT_ONCE + 6
    label = "Learning from what you imported"
    assert steps == [Progress(label, n, total) for n in (0, AT_ONCE, 2 * AT_ONCE, total)]
    assert [mark["figures"]["messages"] for mark in marks] == [AT_ONCE, 2 * AT_ONCE, total]


def test_conversations_that_went_away_are_passed_over(shelf, desk):
    gone = shelf.bring("I live in Ghent.")
    shelf.bring("I'm allergic to walnuts.", session="t")
    desk.conversations.delete(gone)
    shelf.read()
    assert desk.texts() == ["I'm allergic to walnuts"]


def busy(shelf):
    for session in range(3):
        said = []
        for n in range(24):
            said += [
                f"My friend Lea{n % 7} lives in Bergen.",
                f"I take {5 + n % 3} mg of lisinopril.",
                "I'm allergic to walnuts.",
                f"I moved to {('Ghent', 'Oslo', 'Lyon')[n % 3]}.",
                "What else is there to see?",
            ][n % 2 : 3 + n % 3]
        shelf.bring(*said, session=str(session), at=LONG_AGO + timedelta(days=session))


@pytest.mark.parametrize("seed", range(2))
def test_killed_at_any_point_and_run_again_it_ends_the_same(tmp_path, desk, seed):
    undisturbed = Shelf(desk)
    busy(undisturbed)
    whole = undisturbed.read()
    vault = Vault(tmp_path / "other.db", bytes(32), lambda: FRIDAY)
    try:
        disturbed = Shelf(Desk(vault, FakeModels()))
        busy(disturbed)
        done = disturbed.job.run_with_kills(seed, span=200)
        assert disturbed.job.kills > 2
        assert kills.state(vault) == kills.state(desk.vault)
        assert done.figures == whole.figures
        assert len(done.changes.memories) == len(whole.changes.memories)
    finally:
        vault.close()
