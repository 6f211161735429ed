"""What a model called while it answered stands above the answer, folded until it is wanted."""

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.prompting.tools import ToolCall


@pytest.fixture
def long_talk(talk, opened, off_gui):
    """A conversation of which most is summed up, open on the screen."""
    talk.say("Good morning!")

    def fill():
        for n in range(240):
            own = n % 2 == 0
            parts = [Part(f"Boat {n} lies in Split, at pier {n + 7}. " * 4, PartOrigin.TYPED)]
            opened.store.messages.add(talk.id, Role.USER if own else Role.ASSISTANT, parts)
        key = f"summarise:{talk.id}"
        opened.store.jobs.enqueue("summarise", key, {"conversation": talk.id})

    off_gui(fill)
    talk.learn()
    return talk


def call(number, query):
    return ToolCall(f"k{number}", "ctx_search", {"query": query})


def test_calls_are_a_folded_line_that_opens(long_talk, brain, qtbot):
    t = long_talk
    brain.calls_tools = True
    brain.calls = [[call(1, "pier 47")], [call(2, "Vis")]]
    brain.says = "Boat 40 lies there."
    t.say("Which boat lies at pier 47?")
    view = t.last()
    t.until(lambda: not view.turn.live)
    fold = view.tools
    assert fold.isVisible()
    assert fold.button.text() == "Searched this conversation for “pier 47”, and 1 more"
    assert t.find("tool_call", view) == []
    fold.button.click()
    assert [label.text() for label in t.find("tool_call", view)] == [
        "Searched this conversation for “pier 47”",
        "Searched this conversation for “Vis”",
    ]
    assert any("at pier 47." in label.text() for label in t.find("tool_result", view))


def test_what_is_kept_is_shown_when_the_conversation_is_opened_again(long_talk, brain):
    t = long_talk
    brain.calls_tools = True
    brain.calls = [[call(1, "pier 47")]]
    t.say("Which boat lies at pier 47?")
    kept = t.id
    t.screen.start_new()
    t.settle()
    t.screen.open(kept)
    t.settle()
    t.until(lambda: t.pane.transcript.views)
    assert t.last().tools.button.text() == "Searched this conversation for “pier 47”"


def test_an_answer_without_calls_has_no_line(talk):
    talk.say("Good morning!")
    assert not talk.last().tools.isVisible()
