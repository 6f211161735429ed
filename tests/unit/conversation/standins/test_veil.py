"""Whole prompts go out through the veil, whatever their turns hold, and answers come back."""

from dataclasses import dataclass

from app.conversation.standins.standins import StandIns
from app.conversation.standins.veil import StandInVeil
from app.domain.prompting.tools import ToolCall
from app.providers.base import PromptTurn


@dataclass(frozen=True, slots=True)
class WithCalls(PromptTurn):
    """A turn as one with tools may be."""

    calls: tuple[ToolCall, ...] = ()


def test_what_a_turn_holds_beside_its_text_is_hidden_too():
    veil = StandInVeil(StandIns("talk", ["Anna"]))
    call = ToolCall("call_1", "find", {"about": ["Anna"], "limit": 3}, '{"about": ["Anna"]}')
    sent = veil.concealed([PromptTurn("user", "Who is Anna?"), WithCalls("tool", "", (call,))])
    assert "Anna" not in str(sent)
    assert (sent[1].role, sent[1].calls[0].id, sent[1].calls[0].name) == ("tool", "call_1", "find")
    name = sent[0].content.removeprefix("Who is ").rstrip("?")
    assert sent[1].calls[0].arguments == {"about": [name], "limit": 3}
    back = ToolCall("call_2", "find", {"about": name}, f'{{"about": "{name}"}}')
    pieces = [*veil.revealed(["Let me ", f"ask {name}", back, " now."])]
    assert [one for one in pieces if isinstance(one, ToolCall)] == [
        ToolCall("call_2", "find", {"about": "Anna"}, '{"about": "Anna"}')
    ]
    texts = [one if isinstance(one, str) else "|" for one in pieces]
    assert "".join(texts) == "Let me ask Anna| now."


def test_what_is_said_before_the_first_word_comes_at_once():
    veil = StandInVeil(StandIns("talk"))
    veil.concealed([PromptTurn("user", "Hello.")])
    doing = object()

    def coming():
        yield doing
        raise AssertionError("asked for more before it was passed on")

    assert next(veil.revealed(coming())) is doing
