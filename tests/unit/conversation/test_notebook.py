from datetime import UTC, datetime

import pytest

from app.conversation import citations
from app.conversation.notebook import (
    GREETING,
    NEEDS_MODEL,
    NO_MODEL,
    NOTHING,
    Kind,
    answer,
    kind_of,
)
from app.domain.conversation import Role
from app.domain.memory import Trust
from app.domain.recall import HitKind

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Hello!", Kind.GREETING),
        ("good morning", Kind.GREETING),
        ("Thank you!", Kind.THANKS),
        ("ok, thanks for that", Kind.THANKS),
        ("Thanks, but where do I live?", Kind.QUESTION),
        ("I moved to Leeds", Kind.STATEMENT),
        ("Remember that I park on level 3", Kind.STATEMENT),
        ("Please don't forget: the wifi code is 1234", Kind.STATEMENT),
        ("From now on call me Jo", Kind.STATEMENT),
        ("Do you remember where I park?", Kind.QUESTION),
        ("where did I park", Kind.QUESTION),
        ("Tell me about my sister", Kind.QUESTION),
        ("Write a poem about autumn", Kind.REQUEST),
        ("Can you summarise this for me?", Kind.REQUEST),
        ("please help me plan a trip", Kind.REQUEST),
        ("Plan B is to stay home.", Kind.STATEMENT),
        ("My sister explains things well", Kind.STATEMENT),
    ],
)
def test_kinds(text, kind):
    assert kind_of(text) is kind


def test_a_question_is_answered_with_the_memory_its_date_and_its_number(hit):
    said = answer("What am I allergic to?", [hit("You are allergic to walnuts")], NOW)
    assert said == "You are allergic to walnuts (12 Jan 2026) [1]"


def test_several_finds_are_quoted_best_first(hit):
    said = {"kind": HitKind.MESSAGE}
    hits = [
        hit("You are allergic to walnuts"),
        hit("I can't eat walnuts", role=Role.USER, **said),
        hit("Noted: walnuts.", role=Role.ASSISTANT, **said),
        hit("Bring walnuts", speaker="Ruth", role=Role.USER, **said),
        hit("Walnuts are healthy", trust=Trust.EXTERNAL),
    ]
    assert answer("What about walnuts?", hits, NOW) == (
        "Here is what I have:\n\n"
        "- You are allergic to walnuts (12 Jan 2026) [1]\n"
        "- On 12 Jan 2026 you said: “I can't eat walnuts” [2]\n"
        "- On 12 Jan 2026 I said: “Noted: walnuts.” [3]\n"
        "- On 12 Jan 2026 Ruth said: “Bring walnuts” [4]\n"
        "- From outside, not verified: Walnuts are healthy (12 Jan 2026) [5]"
    )


def test_today_and_yesterday_are_called_so(hit):
    hits = [hit("a", kind=HitKind.MESSAGE), hit("b", days=1, kind=HitKind.MESSAGE)]
    said = answer("What did I say?", hits, datetime(2026, 1, 12, 18, tzinfo=UTC))
    assert "- Today you said: “a” [1]" in said
    assert "- Yesterday you said: “b” [2]" in said


def test_a_weak_find_is_called_the_closest(hit):
    said = answer("What am I allergic to?", [hit("You like nuts", relevance=0.32)], NOW)
    assert said.startswith("This is the closest I have:")


def test_nothing_known_is_said_plainly_with_the_way_to_a_model():
    assert answer("Where do I live?", [], NOW) == f"{NOTHING}\n\n{NO_MODEL}"
    assert "**Models**" in NO_MODEL


def test_a_statement_is_acknowledged_without_a_claim(hit):
    assert answer("I moved to Leeds", [], NOW) == "Noted."
    assert answer("I moved to Leeds", [hit("You like tea", relevance=0.4)], NOW) == "Noted."
    related = answer("I moved to Leeds", [hit("You live in York")], NOW)
    assert related == (
        "Noted. This goes with what I already had:\n\n- You live in York (12 Jan 2026) [1]"
    )
    for text in ("I moved to Leeds", "remember that I moved"):
        assert not {"saved", "stored", "remembered"} & set(answer(text, [], NOW).lower().split())


def test_work_for_a_model_is_declined_with_what_may_help(hit):
    assert answer("Write a poem", [], NOW) == NEEDS_MODEL
    helped = answer("Write a poem about Ruth", [hit("Ruth is your sister")], NOW)
    assert helped.endswith("What I have that may help:\n\n- Ruth is your sister (12 Jan 2026) [1]")


def test_pleasantries():
    assert answer("Hi there!", [], NOW) == GREETING
    assert answer("thanks", [], NOW) == "You’re welcome."


def test_quoted_text_is_neither_markup_nor_a_citation(hit):
    said = answer("What about it?", [hit("see [2] *now* <b>x</b>"), hit("two")], NOW)
    assert "see \\[2\\] \\*now\\* \\<b>x\\</b>" in said
    assert citations.numbers(said, 2) == [1, 2]
    assert citations.numbers(said.splitlines()[2], 2) == [1]


def test_a_question_asked_before_is_not_quoted_as_an_answer(hit):
    asked = hit("What are my cats called?", kind=HitKind.MESSAGE)
    told = hit("Miso and Tofu are my cats. Did I tell you?", kind=HitKind.MESSAGE)
    found = answer("What are the names of my cats?", [asked, told], NOW)
    assert "called?" not in found
    assert found.endswith("“Miso and Tofu are my cats. Did I tell you?” [2]")
    assert answer("What are my cats called?", [asked], NOW).startswith("I have nothing about that")
