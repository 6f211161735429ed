"""What one agent is told changes nothing of what another finds, however much it is."""

import pytest

from app.domain.memory import Scope
from app.memory.recall.lanes.asked import BEHIND

QUESTIONS = (
    "What am I allergic to?",
    "What did Ruth bake in Ghent?",
    "Where does my sister live?",
    "Does Keisha like walnuts?",
    "What do you know about me?",
)
LANES = ("entity_lane", "lanes.temporal", "lanes.causal", "lanes.pinned", "feedback")


@pytest.fixture
def both(world):
    """One agent's life, and another that has said next to nothing."""
    with world.vault.write() as connection:
        connection.execute(
            "INSERT INTO agents (pk, id, name, created_at, updated_at) VALUES (2, 'b', 'B', 0, 0)"
        )
    world.learn("You are allergic to walnuts")
    world.learn("Your sister Ruth lives in Lille")
    world.learn("You visited Ruth in Ghent", days=3)
    talk = world.conversations.create(1)
    for text in ("Ruth baked a walnut cake in Ghent", "I like smoked salmon", "We walked home"):
        world.say(text, talk=talk)
    return world


def finds(world):
    return {
        question: [
            (hit.id, hit.score, hit.base, hit.relevance) for hit in world.recall(question).hits
        ]
        for question in QUESTIONS
    }


@pytest.mark.parametrize("lanes", [(), LANES], ids=["as shipped", "with every lane"])
def test_neither_finds_nor_scores_change(both, with_setting, lanes):
    for name in lanes:
        with_setting(f"rag.{name}.enabled", True)
    both.index()
    before = finds(both)
    assert before["What am I allergic to?"]
    theirs = both.conversations.create(2)
    with both.vault.write():
        for number in range(40):
            text = f"Ruth, Keisha and a walnut cake in Ghent, Lille, number {number}"
            both.say(text, talk=theirs)
            both.learn(f"{text}, sister", agent_pk=2, pinned=True)
    assert finds(both) == before, "before it is indexed"
    both.index()
    assert finds(both) == before
    assert not both.recall(QUESTIONS[0]).degraded
    assert both.recall(QUESTIONS[1], scope=Scope(2)).hits


def test_what_waits_of_another_is_not_said_to_wait(both):
    both.index()
    theirs = both.conversations.create(2)
    for number in range(20):
        both.say(f"Ruth and walnuts {number}", talk=theirs)
    assert not both.recall(QUESTIONS[0]).degraded
    assert both.recall(QUESTIONS[0], scope=Scope(2)).degraded == (BEHIND,)
