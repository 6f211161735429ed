import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conversation.titles import LENGTH, from_message


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hi, can you help me plan a trip to Rome in May?", "Plan a trip to Rome in May"),
        ("hello", "Hello"),
        ("I'm allergic to walnuts. Also to cats.", "I'm allergic to walnuts"),
        ("Dr. Smith called about the results", "Dr. Smith called about the results"),
        ("please translate **this** `word`", "Translate this word"),
        ("see https://www.example.com/a?b=c for more", "See example.com for more"),
        ("[the menu](https://x.y/z) looks good", "The menu looks good"),
        ("```py\nx = 1\n```\nwhy does this fail?", "Why does this fail"),
        ("我住在北京。你呢？", "我住在北京"),
        ("  \n ", ""),
        ("?!", ""),
    ],
)
def test_from_message(text, title):
    assert from_message(text) == title


def test_a_long_first_sentence_is_cut_between_words():
    title = from_message(
        "Tell me everything about the history of the lighthouse on the north coast"
    )
    assert title == "Tell me everything about the history of the…"
    assert len(title) <= LENGTH


@given(st.text(max_size=300))
def test_any_text_gives_one_short_line(text):
    title = from_message(text)
    assert len(title) <= LENGTH + 2
    assert "\n" not in title
