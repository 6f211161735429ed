"""Marks are set behind the sentences that tell what a line says, and nowhere else."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation.citations import numbers
from app.conversation.marks import marked


def words(line, sentence):
    """Return the words of five letters and more that two texts share."""
    return frozenset(w for w in line.split() if len(w) > 4 and w in sentence)


LINES = ["walnuts are forbidden", "Ghent since 2019", "walnuts from Perigord"]
mark = partial(marked, lines=LINES, likeness=words)


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("No walnuts.", "No walnuts [1]."),
        ("No walnuts", "No walnuts [1]"),
        ("No **walnuts!** Ever.", "No **walnuts!** [1] Ever."),
        ("In Ghent. With walnuts, as forbidden.", "In Ghent [2]. With walnuts, as forbidden [1]."),
        ("Both forbidden walnuts and Ghent!", "Both forbidden walnuts and Ghent [1][2]!"),
        ("The walnuts from Perigord.", "The walnuts from Perigord [3]."),
        ("Ask Dr. Aerts in Ghent.", "Ask Dr. Aerts in Ghent [2]."),
        ("Since 9.30 in Ghent. Good", "Since 9.30 in Ghent [2]. Good"),
        ("- walnuts\n- Ghent\n\nNone.", "- walnuts [1]\n- Ghent [2]\n\nNone."),
        ("住在Ghent。好。", "住在Ghent [2]。好。"),
        ("No walnuts [1], then.", "No walnuts [1], then."),
        ("No walnuts. [1] In Ghent.", "No walnuts. [1] In Ghent [2]."),
        ("No walnuts [9].", "No walnuts [9] [1]."),
        ("Do you like walnuts?", "Do you like walnuts?"),
        ("# About walnuts\n", "# About walnuts\n"),
        ("| walnuts | Ghent |", "| walnuts | Ghent |"),
        ("Call `walnuts()` in Ghent.", "Call `walnuts()` in Ghent."),
        ("```\nwalnuts\n```\nGhent.", "```\nwalnuts\n```\nGhent [2]."),
        ("Nothing of it.", "Nothing of it."),
        ("", ""),
    ],
)
def test_marked(answer, shown):
    assert mark(answer) == shown


def test_without_lines_nothing_is_marked():
    assert marked("No walnuts.", [], words) == "No walnuts."


@given(st.text(alphabet="walnuts Ghent.[1]\n`!?", max_size=80))
def test_only_marks_are_added_and_the_second_time_none(answer):
    shown = mark(answer)
    rest = iter(shown)
    assert all(letter in rest for letter in answer), "every letter stands where it stood"
    assert set(numbers(answer, 3)) <= set(numbers(shown, 3))
    assert mark(shown) == shown
