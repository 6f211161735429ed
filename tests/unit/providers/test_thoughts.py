from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.prompting.tools import ToolCall
from app.errors import ModelError
from app.providers.thoughts import without_thoughts


def heard(pieces, cancel=None):
    return list(without_thoughts((piece for piece in pieces), cancel or Event()))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Hello there.", "Hello there."),
        ("<think>Hm, a greeting.</think>\n\nHello.", "Hello."),
        ("\n<think></think>Hello.", "Hello."),
        ("<think>a</think> <think>b</think> c", "c"),
        ("<b>bold</b> <think>late</think>", "<b>bold</b> <think>late</think>"),
        ("<thi", "<thi"),
        ("", ""),
    ],
)
def test_the_answer_is_what_is_left(said, answer):
    assert "".join(heard([said])) == answer
    assert "".join(heard(said)) == answer


@given(st.lists(st.sampled_from(["<think>", "</think>", "<", "think>", "a", " ", "\n"])))
def test_it_does_not_matter_how_the_answer_arrives(pieces):
    cancelled = Event()
    cancelled.set()
    text = "".join(pieces)
    assert "".join(heard(pieces, cancelled)) == "".join(heard([text], cancelled))


def test_an_answer_arrives_piece_by_piece():
    assert heard(["<think>x", "y</think>", "\n", "One", " two"]) == ["One", " two"]


def test_a_thought_that_never_ends_is_said_unless_it_was_stopped():
    with pytest.raises(ModelError, match="still thinking"):
        heard(["<think>", "and then", " " * 10_000])
    cancelled = Event()
    cancelled.set()
    assert heard(["<think>", "and"], cancelled) == []


def test_a_call_ends_a_thought_and_comes_after_what_was_said():
    call = ToolCall("c1", "forget")
    assert heard(["<think>", "Hm.", call]) == [call]
    assert heard(["One ", "two", call, call]) == ["One ", "two", call, call]
    assert heard(["<thi", call]) == ["<thi", call]


def test_leaving_early_closes_what_it_reads():
    closed = []

    def pieces():
        try:
            yield "one"
            yield "two"
        finally:
            closed.append(True)

    answer = without_thoughts(pieces(), Event())
    next(answer)
    answer.close()
    assert closed == [True]
