"""What the person set aside gets into memory by no tool, and is found elsewhere by none."""

from app.domain.conversation import Part, PartOrigin, Role, Standing
from app.domain.memory import Status
from app.memory.by_model.vouching import SET_ASIDE, WAITS


def set_aside(home, text, agent="Loci"):
    """Say something that is not to be remembered."""
    if agent not in home.talk:
        home.talk[agent] = home.store.conversations.create(home.agent[agent].pk)
    parts = [Part(text, PartOrigin.TYPED)]
    home.store.messages.add(home.talk[agent].id, Role.USER, parts, standing=Standing.ASIDE)


def test_a_model_writes_down_nothing_of_it_later(home):
    set_aside(home, "I have an interview in Porto on Monday.")
    turn = home.turn("Please remember that.")
    done = turn.call("memory_store", content="Has an interview in Porto")
    assert done.failed
    assert SET_ASIDE in done.text
    assert home.rows() == []


def test_what_is_said_again_is_remembered(home):
    set_aside(home, "I have an interview in Porto on Monday.")
    turn = home.turn("I have an interview in Porto on Monday, remember that.")
    turn.call("memory_store", content="Has an interview in Porto on Monday")
    assert [row.status for row in home.rows()] == [Status.ACTIVE]


def test_what_has_nothing_to_do_with_it_waits_as_ever(home):
    set_aside(home, "I have an interview in Porto on Monday.")
    turn = home.turn("Tell me a joke.")
    turn.call("memory_store", content="Keeps two cats")
    assert [row.status_reason for row in home.rows()] == [WAITS]


def test_nor_under_a_key(home):
    home.make("Nora")
    set_aside(home, "My boss is called Ottokar.", "Nora")
    turn = home.turn("Remember that.", "Nora")
    done = turn.call("rememberFact", key="boss", value="Ottokar")
    assert done.failed
    assert SET_ASIDE in done.text
    assert home.rows() == []


def test_no_other_conversation_finds_it(home):
    home.services.preferences.set("context.engine", "pipeline")
    set_aside(home, "We talked of the lighthouse keeper.")
    other = home.store.conversations.create(1)
    parts = [Part("We talked of the harbour master.", PartOrigin.TYPED)]
    home.store.messages.add(other.id, Role.USER, parts)
    found = home.store.conversations.search
    assert found("lighthouse", 1)
    assert found("lighthouse", 1, elsewhere=True) == []
    assert found("harbour", 1, elsewhere=True)
    assert found("ighthous", 1, elsewhere=True) == []
