"""Standing instructions end by an order that speaks of them, and by no other."""

from app.conversation.notebook import NO_RULE
from app.domain.memory import MemoryFilter, Status
from tests.unit.services.notebook import say, texts


def rules(services):
    return [m.text for m in services.memories.list(MemoryFilter()) if m.type.value == "procedural"]


def test_an_order_ends_the_rule_it_speaks_of(services):
    for text in ("Always answer in British English.", "From now on, never use bullet points."):
        say(services, text)
    assert len(rules(services)) == 2
    answer = say(services, "You can stop the British spelling now.").text
    assert answer.startswith("Ended: “Always answer in British English")
    assert "Nothing was" in say(services, "You don't have to call me Captain any more.").text
    assert len(texts(services, Status.FORGOTTEN)) == 1


def test_the_only_rule_ends_where_none_is_named(services):
    say(services, "Always answer in British English.")
    assert say(services, "End that instruction.").text.startswith("Ended: ")
    assert say(services, "End that instruction.").text == NO_RULE
