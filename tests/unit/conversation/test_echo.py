"""An answer that repeats what the model was given is held back, whatever pieces it comes in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation import block
from app.conversation.context import INSTRUCTIONS
from app.conversation.echo import Echo

KNOWN = "\n".join([block.ABOUT, block.HEADER, "1. 12 Jan 2026: I like tea", "2. 3 May 2026: No"])
BARE = "\n".join([block.FACTS, "- I like tea (said on 12 Jan 2026)"])


def heard(answer, known=KNOWN, size=3):
    """Return what is shown of an answer, and whether anything was left out."""
    echo = Echo(known)
    pieces = [answer[at : at + size] for at in range(0, len(answer), size)]
    shown = "".join([*map(echo.passed, pieces), echo.rest()])
    return shown, bool(echo.lost)


@pytest.mark.parametrize("size", [1, 3, 500])
@pytest.mark.parametrize(
    "answer",
    [
        "[1]",
        " [1, 2].",
        "[1]\n[2]\n",
        "(1)",
        KNOWN,
        "1. 12 Jan 2026: I like tea",
        "**1. 12 Jan 2026, confirmed: I like tea**",
        "1. 9 Feb 2025: I like tea\n2. 3 May 2026, the user said: “No",
        "> Known about the user: everything",
        "1. 12 Jan 2026: I like tea\n2. 3 May",
        "1. 12 Jan 2026: I li",
        "1. 12 Jan 2026: I li\n",
        "1. 12 Jan 2026: I like tea\n2",
        block.ABOUT.upper(),
        "12 Jan 2026: I like tea",
        "1) 12 Jan 2026: I like tea",
        "**1. 12 Jan 2026**: I like tea",
        "**3 May 2026:** No",
        INSTRUCTIONS,
        "2",
        "**2.**",
        "2 [1]",
        "12 Jan 2026",
        "3 May 2026.",
        "<<<0123456789ab in something the user pasted:",
        "0123456789ab>>>",
    ],
)
def test_an_echo_is_never_shown(answer, size):
    assert heard(answer, size=size) == ("", True)


@pytest.mark.parametrize("size", [1, 3, 500])
@pytest.mark.parametrize(
    "answer",
    [
        "I like tea",
        "[1] You like tea.",
        "13 Jan 2026",
        "4 Jan",
        "12 Jan 2026: You like tea",
        "12 Jan 2026 is when you said so.",
        "I like tea (said on 12 Jan 2026)",
        "1. 12 Jan 2026: You like tea.\n2. 3 May 2026: You said no.",
        "1. 12 Jan 2026",
        "3",
        "3.",
        "2 cups",
        "1. Boil water.\n2. Wait.\n",
        "Known",
        "...",
        "",
        "\n\n  - You like tea\n",
        "a[1] = 2",
        "<<<<<<< HEAD\n=======",
        "beadfeed and more",
        "```\nx[1]\n```",
        "You like tea.\r\nAnd no wine.",
    ],
)
def test_what_is_none_is_shown_as_it_is(answer, size):
    assert heard(answer, size=size) == (answer, False)


def test_lines_of_the_block_are_left_out_wherever_they_stand():
    shown, lost = heard(f"You like tea.\n{KNOWN}\nAnd no wine.")
    assert shown == "You like tea.\nAnd no wine."
    assert lost


@pytest.mark.parametrize("size", [1, 3, 500])
def test_the_label_of_a_note_is_left_out_before_other_words(size):
    answer = (
        "1. 12 Jan 2026, health or safety: You like tea.\n**2. 3 May 2026, the user said**: So."
    )
    assert heard(answer, size=size) == ("You like tea.\nSo.", True)


def test_a_bare_list_is_told_by_its_head_alone():
    assert heard("I like tea", BARE) == ("I like tea", False)
    assert heard("- I like tea", BARE) == ("- I like tea", False)
    assert heard(block.FACTS, BARE) == ("", True)
    for size in (1, 3, 500):
        said = "- I like tea (said on 12 Jan 2026, happened 1 Jan 2026).\nSo do I (said one)."
        assert heard(said, BARE, size) == ("- I like tea.\nSo do I (said one).", True)
        assert heard("Tea (sa", BARE, size) == ("Tea (sa", False)
        assert heard("Tea ", BARE, size) == ("Tea ", False)
    assert heard("[1]", "") == ("[1]", False), "without notes a mark is what the person asked for"


def test_a_number_or_date_that_a_note_speaks_of_is_an_answer():
    known = f"{KNOWN}\n3. 4 Jul 2026: I have 2 dogs since 12 Jan 2026"
    assert heard("2", known) == ("2", False)
    assert heard("12 Jan 2026 [3]", known) == ("12 Jan 2026 [3]", False)
    assert heard("3", known) == ("", True)


def test_asked_again_a_number_is_an_answer():
    echo = Echo(KNOWN, labels=False)
    assert echo.passed("2") + echo.rest() == "2"


def test_a_word_is_shown_as_soon_as_it_is_no_echo():
    echo = Echo(KNOWN)
    assert echo.passed("Kno") == ""
    assert echo.passed("wn to be") == "Known to be"
    assert echo.passed(" good") == " good"


@given(st.text(alphabet="abK1.[] \n<>2", max_size=60), st.integers(1, 9))
def test_the_pieces_do_not_matter(answer, size):
    assert heard(answer, size=size) == heard(answer, size=len(answer) + 1)


@given(st.text(max_size=80), st.integers(1, 9))
def test_nothing_is_added_and_without_loss_nothing_is_missing(answer, size):
    shown, lost = heard(answer, size=size)
    assert lost or shown == answer
