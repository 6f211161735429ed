from datetime import timedelta

from app.domain.conversation import MemoryMode, Role
from app.domain.memory import Scope, Status, Trust
from app.domain.recall import HitKind
from tests.unit.memory.recall.conftest import NOW


def test_the_message_lanes_leave_out_what_they_must(world):
    off = world.conversations.create(1, mode=MemoryMode.OFF)
    reads = world.conversations.create(1, mode=MemoryMode.READS_ONLY)
    writes = world.conversations.create(1, mode=MemoryMode.WRITES_ONLY)
    answer = {"role": Role.ASSISTANT}
    world.say("My walnut allergy began in 2019")
    world.say("My walnut allergy is secret", talk=off)
    world.say("My walnut allergy is unread", talk=reads)
    world.say("My walnut allergy is written", talk=writes)
    world.say("You told me of a walnut allergy.", model="notebook", **answer)
    world.say("A walnut allergy can be serious.", model="file:x.gguf", **answer)
    now = world.say("What about my walnut allergy?", days=0)
    seen = world.say("My walnut allergy stands in the window", days=0)
    world.index()
    for limit in (None, 50):
        assert set(world.texts("walnut allergy", exclude={now.id, seen.id}, limit=limit)) == {
            "My walnut allergy began in 2019",
            "My walnut allergy is written",
            "A walnut allergy can be serious.",
        }


def test_messages_come_with_speaker_role_and_conversation(world):
    talk = world.conversations.create(1, title="Family")
    world.say("I adore smoked salmon", speaker="Ruth", talk=talk)
    world.index()
    (hit,) = world.recall("Who adores smoked salmon?").hits
    assert hit.kind is HitKind.MESSAGE
    assert (hit.speaker, hit.role, hit.conversation_title) == ("Ruth", Role.USER, "Family")
    assert hit.source == hit.id


def test_past_messages_can_be_left_out(world, with_setting):
    world.say("My walnut allergy began in 2019")
    world.index()
    with_setting("rag.messages", False)
    assert world.texts("walnut allergy") == []


def test_only_active_living_memories_of_the_scope_are_found(world):
    world.learn("A walnut for me")
    world.learn("A walnut superseded", status=Status.SUPERSEDED)
    world.learn("A walnut expired", expires_at=NOW - timedelta(seconds=1))
    world.learn("A walnut from outside", trust=Trust.EXTERNAL)
    world.index()
    assert world.texts("walnut") == ["A walnut for me"]
    assert world.texts("walnut", scope=Scope(2)) == []


def test_a_question_for_everything_known_is_answered_with_pinned_then_newest(world):
    for day in range(1, 9):
        world.learn(f"Fact number {day}", days=day)
    world.learn("The pinned one", days=90, pinned=True)
    world.index()
    texts = world.texts("What do you know about me?")
    assert len(texts) == 5
    assert "The pinned one" in texts
    assert "Fact number 1" in texts
    assert "Fact number 8" not in texts


def test_that_question_finds_nothing_in_an_empty_vault(world):
    assert world.texts("What do you know about me?") == []
