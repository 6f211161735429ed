"""Answers without a language model: quotations with their dates, and what became of a message."""

from dataclasses import replace

import pytest

from app.conversation import citations
from app.conversation.notebook import (
    GREETING,
    MOST_TOLD,
    NOTHING_ABOUT,
    UNKNOWN,
    WELCOME,
    answered,
    carried_out,
    chatted,
    known,
    parts,
)
from app.domain.language.text import plain
from app.domain.memory import Memory, MemoryType, Origin, Status, Trust
from app.domain.recall import HitKind
from app.domain.receipt import pieces, receipt_text
from app.domain.reply import AnswerEvidence, Became, OrderTarget, Reply, StatementOutcome
from tests.unit.conversation.conftest import NOW


@pytest.fixture
def found(hit):
    """Make something that answers; ``whence`` says where words come that are not the person's."""

    def make(text, whence="", **fields):
        return AnswerEvidence(text, hit(text, **fields), 0.9, whence)

    return make


@pytest.fixture
def memory():
    def make(text, **fields):
        return Memory(text, text, NOW, NOW, **{"agent_pk": 1, **fields})

    return make


def said(text, **fields):
    return {"text": text, "kind": HitKind.MESSAGE, **fields}


@pytest.mark.parametrize("text", ["thanks", "ok, thank you so much", "Great, thanks!", "Danke dir"])
def test_thanks_are_welcome(text):
    assert chatted(text) == WELCOME


@pytest.mark.parametrize("text", ["Hello!", "good morning", "How are you?"])
def test_any_other_chat_is_greeted(text):
    assert chatted(text) == GREETING


def test_what_is_not_known_is_said_in_one_line():
    assert answered([]) == UNKNOWN == "I don’t know that."


def test_a_question_is_answered_with_the_memory_its_date_and_its_number(found):
    one = found("I'm allergic to walnuts.")
    assert answered([one]) == "“I'm allergic to walnuts” (12 Jan 2026) [1]"


def test_what_was_said_is_told_with_who_and_when(found):
    spoken = found(**said("I live in Leeds"))
    assert answered([spoken]) == "“I live in Leeds” (you said on 12 Jan 2026) [1]"


def test_a_safety_fact_is_told_as_one_alone_in_a_list_and_among_all(found, memory):
    nuts = found("I'm allergic to walnuts")
    held = replace(nuts.hit.memory or memory(nuts.text), tags=("safety",))
    nuts = replace(nuts, hit=replace(nuts.hit, memory=held))
    assert answered([nuts]) == "“I'm allergic to walnuts” (12 Jan 2026, safety) [1]"
    assert "“I'm allergic to walnuts” (12 Jan 2026, safety) [1]; " in answered([nuts, found("a")])
    assert "(4 Mar 2026, safety) [1]" in known([held], "walnuts")


def test_what_was_told_before_stands_below_what_holds_now(found):
    now, before, perhaps = found("It is 3 units now"), found("I take 2 units", days=5), found("4 u")
    assert answered([now], [perhaps], [before]).split("\n\n") == [
        "“It is 3 units now” (12 Jan 2026) [1]",
        "Before that: “I take 2 units” (7 Jan 2026) [2]",
        "Or perhaps: “4 u” (12 Jan 2026) [3]",
    ]


def test_pasted_words_are_never_told_as_the_persons_own(found):
    where = "in something you pasted, not verified"
    pasted = found(**said("The rent is due on Friday", whence=where))
    told = answered([pasted])
    assert told == f"“The rent is due on Friday” ({where}, on 12 Jan 2026) [1]"
    assert "you said" not in told
    assert f"({where}, 12 Jan 2026) [2]" in answered([found("a"), pasted])


def test_what_was_kept_of_anothers_text_says_so(found, memory):
    kept = found("The rent is due on Friday")
    held = replace(memory(kept.text), origin=Origin.DOCUMENT)
    kept = replace(kept, hit=replace(kept.hit, memory=held))
    assert answered([kept]).endswith("(12 Jan 2026, kept from another’s text) [1]")


def test_what_an_import_claimed_is_told_as_such_alone_and_in_a_list(found):
    claim = found("You row on Sundays", trust=Trust.CLAIMED)
    assert answered([claim]) == (
        "Claimed by an import, not verified: “You row on Sundays” (12 Jan 2026) [1]"
    )
    told = answered([found("I'm allergic to walnuts"), claim])
    assert told.endswith("(claimed by an import, not verified, 12 Jan 2026) [2]")


def test_what_came_from_outside_is_told_as_such_alone_and_in_a_list(found):
    outside = found("Walnuts are healthy", trust=Trust.EXTERNAL)
    assert answered([outside]) == (
        "From outside, not verified: “Walnuts are healthy” (12 Jan 2026) [1]"
    )
    told = answered([found("I'm allergic to walnuts"), outside])
    assert told.endswith("“Walnuts are healthy” (from outside, not verified, 12 Jan 2026) [2]")


def test_several_answers_stand_in_one_line_best_first(found):
    told = answered([found("Ana is my sister"), found("Tom is my brother", days=2)])
    assert told == "“Ana is my sister” (12 Jan 2026) [1]; “Tom is my brother” (10 Jan 2026) [2]"
    assert citations.cited(told, ["ana", "tom"]) == ["ana", "tom"]


def test_what_is_counted_is_told_with_its_number(found):
    told = answered([found("Bea is my cat"), found("Milo too")], counted=True)
    assert told.startswith("I know of 2: “Bea is my cat” (")


def test_quoted_text_is_neither_markup_nor_a_citation(found):
    told = answered([found("see [2] *now* <b>x</b>"), found("[here](http://a.example)")])
    assert "see \\[2\\] \\*now\\* \\<b>x\\</b>" in told
    assert "\\[here\\](http" in told
    first, second = told.split("; ")
    assert citations.numbers(first, 2) == [1]
    assert citations.numbers(second, 2) == [2]


def test_a_long_quotation_is_cut(found):
    assert len(answered([found("walnut " * 500)])) < 450


def test_all_that_is_known_is_a_list_and_says_how_much_more_there_is(memory):
    memories = [memory(f"I own boat {n}") for n in range(MOST_TOLD + 3)]
    lines = known(memories, "boats").splitlines()
    assert lines[:3] == ["What I know about boats:", "", "- “I own boat 0” (4 Mar 2026) [1]"]
    assert len(lines) == 2 + MOST_TOLD + 1
    assert lines[-1] == "- and 3 more"
    assert known([memory("I sail")], "") == "What I know:\n\n- “I sail” (4 Mar 2026) [1]"
    assert citations.numbers("\n".join(lines), MOST_TOLD) == list(range(1, MOST_TOLD + 1))
    assert known([], "boats") == NOTHING_ABOUT


def test_a_list_of_what_is_known_tells_what_came_from_outside(memory):
    told = known([memory("Boats sink", trust=Trust.EXTERNAL)], "")
    assert told.endswith("- “Boats sink” (from outside, not verified, 4 Mar 2026) [1]")


@pytest.mark.parametrize(
    ("became", "told"),
    [
        (Became(StatementOutcome.REMEMBERED, "I sail."), "Remembered: “I sail”."),
        (
            Became(StatementOutcome.UPDATED, "I live in Leeds", "I live in York"),
            "Updated: “I live in Leeds” (was “I live in York”).",
        ),
        (Became(StatementOutcome.KNOWN, "I sail"), "I knew that already: “I sail”."),
        (
            Became(StatementOutcome.WAITS, "I sail", why="You decide."),
            "To review: “I sail”. You decide.",
        ),
        (
            Became(StatementOutcome.SET_ASIDE, "I sail", why="It is odd."),
            "Set aside: “I sail”. It is odd.",
        ),
        (Became(StatementOutcome.REFUSED, why="It is a password."), "Not kept. It is a password."),
        (Became(StatementOutcome.ONLY_HERE), "Kept in this conversation only."),
        (
            Became(StatementOutcome.REMEMBERED, "[Ana] set [PIN] as PIN, not [password]"),
            "Remembered: “\\[Ana\\] set \\[PIN\\] as PIN, not \\[password\\]”."
            " The PIN and the password were left out.",
        ),
    ],
)
def test_a_receipt_says_what_became_of_a_statement(became, told):
    assert receipt_text(became) == told


def test_of_several_that_are_told_together_nothing_is_kept_quiet():
    said = ("I sail", "I row [PIN]", "I ski")
    found = [
        Became(StatementOutcome.REMEMBERED, one, why="Doubted." * (one == said[0])) for one in said
    ]
    told = "".join(text for text, _ in pieces(found))
    assert told == (
        "Remembered: I sail. Doubted. Remembered: I row [PIN]; I ski. The PIN was left out."
    ), "it is plain which one is doubted"


def test_an_answer_is_its_text_and_a_named_part_for_each_receipt():
    told = [Became(StatementOutcome.REMEMBERED, "I sail"), Became(StatementOutcome.KNOWN, "I row")]
    made = parts(Reply("Yes.", became=told))
    assert "".join(part.text for part in made) == (
        "Yes.\n\nRemembered: “I sail”.\n\nI knew that already: “I row”."
    )
    assert [part.name for part in made] == ["", "remembered", "known"]
    (alone,) = parts(Reply("", became=told[:1]))
    assert alone.text == "Remembered: “I sail”."


def test_what_stands_in_a_terminal_has_no_backslashes():
    told = receipt_text(Became(StatementOutcome.REMEMBERED, "See [2] *now* in C:\\temp_a"))
    assert "\\[2\\]" in told
    assert plain(told) == "Remembered: “See [2] *now* in C:\\temp_a”."


@pytest.fixture
def gone(memory):
    def make(text, **fields):
        return memory(text, status=Status.FORGOTTEN, **fields)

    return make


def test_what_an_order_forgot_is_named_with_the_way_back(gone):
    assert carried_out(OrderTarget([gone("I drive a Skoda"), gone("I sail")])) == (
        "Forgotten: “I drive a Skoda”; “I sail”\n\nTo take that back, say “undo that”."
    )
    rule = gone("Always answer in Dutch", type=MemoryType.PROCEDURAL)
    assert carried_out(OrderTarget([rule])).startswith("Ended: “Always answer in Dutch”\n")


def test_what_may_be_meant_is_asked_and_not_said_to_be_forgotten(memory, gone):
    both = carried_out(OrderTarget([gone("I drive a Skoda")], [memory("I like cars")]))
    assert both.startswith("Forgotten: “I drive a Skoda”\n")
    assert "Did you mean one of these as well?\n\n- “I like cars”\n\n" in both
    doubtful = carried_out(OrderTarget([], [memory("I like cars")]))
    assert doubtful.startswith("Nothing was forgotten yet. Which of these do you mean?")
    assert "Forgotten:" not in doubtful
    assert "undo that" not in doubtful


def test_what_was_brought_back_since_is_not_said_to_be_forgotten(memory):
    assert carried_out(OrderTarget([memory("I sail")]), again=True) == "In use again: “I sail”"
