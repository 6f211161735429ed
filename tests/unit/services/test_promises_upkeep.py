"""What is promised of learning in the background, over real services and a server (spec 8.4)."""

import json
import random
import re
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.events import Answered
from app.domain.jobs.kinds import REVIEW
from app.domain.jobs.operation import drive
from app.domain.jobs.upkeep import RunOutcome, Trigger
from app.domain.memory import MemoryFilter, Origin, Scope, Status, Trust
from app.errors import Cancelled
from app.main.build import build
from app.paths import Paths
from app.providers.base import Purpose
from app.providers.local.hash import HashEmbedder
from app.store.conversations import Conversations
from app.store.index.vectors import Vectors
from app.store.messages import Messages
from app.store.profiles import Profiles
from tests.fakes import kills
from tests.fakes.openai_server import OpenAIServer, Reply
from tests.unit.services.profile import NOW, learn, send

UNSEEN = 500
ROPES = re.compile(r"^\[(\d+)\] [^:]*, the person: (Somebody gave a ship \D+\d+ new ropes)", re.M)


def proposals(body):
    """Propose what stands on the page, among items that are of no use."""
    page = body["messages"][-1]["content"]
    items = [
        {
            "reasoning": "Ropes last.",
            "message": int(number),
            "quote": said,
            "content": said,
            "kind": "fact",
            "causes": [{"effect": "I'm allergic to walnuts"}],
        }
        for number, said in ROPES.findall(page)
    ]
    bad = [{"content": "Nobody said this"}, "nonsense", {"quote": 7, "entities": 7}]
    return Reply(f"Here you are:\n```json\n{json.dumps({'memories': [*bad, *items]})}\n```")


@pytest.fixture
def server():
    with OpenAIServer() as server:
        server.respond = proposals
        yield server


@contextmanager
def profile(folder, server):
    """Open a profile that a scripted model on this computer answers in."""
    profiles = Profiles(Paths(folder), lambda: NOW, lambda: None)
    vault, made = profiles.create("Ada")
    opened = build(profiles, made, vault, lambda: NOW)
    opened.services.preferences.set("models.embedder", "hash")
    opened.services.preferences.set("upkeep.review.max_tokens", 768)
    opened.services.library.choose_chat(f"server:{server.url}#fake")
    try:
        yield opened
    finally:
        opened.close()


def unseen(vault, count=UNSEEN):
    """Store messages that nobody has learnt from, in ten conversations."""
    talks, at = Conversations(vault), NOW - timedelta(days=20)
    messages = Messages(vault)
    with vault.write():
        for number in range(count // 2):
            if number % (count // 20) == 0:
                at += timedelta(days=1)
                talk = talks.create(1, created_at=at)
            at += timedelta(minutes=1)
            said = (
                f"Somebody gave a ship called Marie {number} new ropes.",
                f"My friend Lea{number % 40} lives in Bergen.",
                "I'm allergic to walnuts.",
                "What else is there to see in the harbour?",
            )[number % 4]
            for role, text, origin in (
                (Role.USER, said, PartOrigin.TYPED),
                (Role.ASSISTANT, "Tell me more about it.", PartOrigin.MODEL),
            ):
                messages.add(talk.id, role, (Part(text, origin),), created_at=at)


def review(services):
    services.upkeep.start(REVIEW)
    drive(services.background.run(upkeep=True), Event())


def review_with_kills(opened, seed):
    """Review in processes that die, each after some of its writes; return how many died."""
    chance, died = random.Random(seed), 0
    opened.services.upkeep.start(REVIEW)
    while True:
        try:
            with kills.killing(
                opened.store.vault, chance.randrange(1, 200) if died < 8 else None, chance
            ):
                drive(opened.services.background.run(upkeep=True), Event())
        except kills.KilledError:
            died += 1
            opened.services.background.take_over()
        else:
            return died


def test_m2_a_review_of_500_unseen_messages_survives_any_kill(tmp_path, server):
    with profile(tmp_path / "a", server) as whole, profile(tmp_path / "b", server) as killed:
        for opened in (whole, killed):
            unseen(opened.store.vault)
        review(whole.services)
        assert review_with_kills(killed, seed=5) > 2
        found = kills.state(whole.store.vault)
        assert kills.state(killed.store.vault) == found
        assert len(found["memories"]) == 63 + 10 + 1  # of ropes, friends and walnuts
        assert len(found["causes"]) == 63
        (run, *_) = killed.services.upkeep.history()
        assert run.figures == whole.services.upkeep.history()[0].figures
        assert (run.figures["conversations"], run.figures["messages"]) == (10, UNSEEN // 2)


def test_m2_review_learns_once_by_schedule_with_learned_trust(tmp_path, server):
    with profile(tmp_path, server) as opened:
        services = opened.services
        unseen(opened.store.vault, 100)
        (standing,) = [s for s in services.upkeep.standings() if s.kind == REVIEW]
        assert standing.enabled
        assert (standing.next_at.hour, standing.next_at.minute) == (2, 0)
        review(services)
        (run,) = services.upkeep.history()
        assert (run.kind, run.trigger, run.outcome) == (REVIEW, Trigger.NOW, RunOutcome.DONE)
        memories = services.memories.list(MemoryFilter())
        assert {(m.trust, m.origin, m.actor) for m in memories} == {
            (Trust.LEARNED, Origin.REVIEW, "review")
        }
        (walnuts,) = [m for m in memories if "walnuts" in m.text]
        assert walnuts.seen_count == 12  # the same text is one memory
        assert services.memories.embedding_status().missing == 0
        asked, before = len(server.requests), kills.state(opened.store.vault)
        review(services)  # nothing is new
        assert services.upkeep.history()[0].outcome is RunOutcome.NOTHING
        assert (len(server.requests), kills.state(opened.store.vault)) == (asked, before)
        services.undo.undo(run.batch)
        statuses = {m.status for m in services.memories.list(MemoryFilter())}
        assert statuses == {Status.FORGOTTEN}


def test_c4_a_reply_is_not_delayed_by_extraction(tmp_path, server):
    asked, hanging = Event(), Event()

    def hang(_body):
        asked.set()
        return Reply(before=hanging)

    with profile(tmp_path, server) as opened:
        services = opened.services
        server.script(Reply("Noted."))
        server.respond = hang
        send(services, "I live in Ghent, and the barge Marie is mine.")
        learning = Thread(target=learn_or_give_way, args=(services,))
        learning.start()
        assert asked.wait(60)  # the model is asked what to learn, and does not answer
        server.script(Reply("Hello."))
        _, events = send(services, "Good morning.")
        assert isinstance(events[-1], Answered)
        assert events[-1].message.text == "Hello."
        hanging.set()
        learning.join()


def learn_or_give_way(services):
    try:
        learn(services)
    except Cancelled:
        return


@pytest.mark.parametrize("failure", [Reply("Busy.", status=500), Reply("No JSON at all.")])
def test_c4_extraction_that_fails_leaves_reply_and_transcript(tmp_path, server, failure):
    with profile(tmp_path, server) as opened:
        services = opened.services
        server.script(Reply("Noted."), failure)
        talk, _ = send(services, "I live in Ghent.")
        before = services.conversations.messages(talk)
        learn(services)
        assert services.conversations.messages(talk) == before
        assert [m.text for m in before][1] == "Noted."
        assert [m.text for m in services.memories.list(MemoryFilter())] == ["I live in Ghent"]


def test_c5_the_nearest_by_cosine_among_rows_of_the_same_embedder(opened):
    services, vault = opened.services, opened.store.vault
    texts = (
        "My aunt in Kiel has grey geese",
        "I keep two grey geese",
        "I sail to Riga every spring",
    )
    for text in texts:
        services.memories.add(text)
    learn(services)
    vectors, embedder = Vectors(vault), HashEmbedder()
    (asked,) = embedder.embed(["two grey geese"], Purpose.QUERY)

    def nearest(embedder_pk, k):
        found = vectors.nearest(
            "memory", asked.vector, k, embedder_pk=embedder_pk, scope=Scope(1), now=NOW
        )
        by_pk = {m.pk: m.text for m in services.memories.list(MemoryFilter())}
        return [(by_pk[pk], cosine) for pk, cosine in found]

    own = vectors.use(embedder.info.id, embedder.info.dims)
    two = nearest(own, 2)
    assert [text for text, _ in two] == [texts[1], texts[0]]
    (passage,) = embedder.embed([texts[1]], Purpose.PASSAGE)
    assert two[0][1] == pytest.approx(float(asked.vector @ passage.vector), abs=1e-5)
    assert len(nearest(own, 9)) == 3
    assert nearest(vectors.use("another-32", 32), 9) == []


def test_c5_what_is_alike_beyond_a_threshold_that_can_be_set_is_not_new(opened):
    services = opened.services
    services.preferences.set("extraction.plain_threshold", True)
    for threshold, kept in ((0.5, 1), (0.999, 2)):
        services.preferences.set("extraction.dedup_threshold", threshold)
        send(services, "I have two old cats called after painters.")
        learn(services)
        send(services, "I have three old cats called after painters.")
        learn(services)
        assert len(services.memories.list(MemoryFilter())) == kept
