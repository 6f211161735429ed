"""Forms of one word share a stem, and other words do not."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.text import shown, stem


@pytest.mark.parametrize(
    ("one", "other"),
    [("walks", "walking"), ("allergies", "allergy"), ("stopped", "stop"), ("moved", "moving"),
     ("nurse", "nurses"), ("needed", "need")],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(one, other):
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"), [("universe", "university"), ("general", "generous"), ("dying", "dye")]
)
def test_other_words_do_not(one, other):
    assert stem(one) != stem(other)


def test_what_is_no_english_word_stays():
    assert [stem(word) for word in ("12", "фото", "寿司", "b")] == ["12", "фото", "寿司", "b"]


def test_threads_do_not_disturb_one_another():
    words = [f"{letter}{n}alking" for letter in "wtb" for n in range(500)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(stem, words))
    assert found == [word.removesuffix("ing") for word in words]


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("plain text,\n\ttabs and “quotes”", "plain text,\n\ttabs and “quotes”"),
        ("\x1b[2J\x1b]0;title\x07gone", "\ufffd[2J\ufffd]0;title\ufffdgone"),
        ("one\rtwo\x9b31m", "one\ufffdtwo\ufffd31m"),
        ("dose \u202e05 gm", "dose 05 gm"),
        ("\u2066a\u2069\u2067b\u2069", "ab"),
        ("hi\U000e0041\U000e0042 there", "hi there"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", None),
        ("🏴\U000e0067\U000e0062\U000e0078\U000e007f flag", "🏴 flag"),
        ("a\U000e0101\U000e0142b 葛\U000e0100", "ab 葛\U000e0100"),
        ("x\udcff.zip", "x\ufffd.zip"),
        ("👩‍👩‍👧 שלום \u200f, ﻡ", None),
        ("line\r\nbreak", "line\nbreak"),
    ],
)
def test_what_is_shown_moves_no_cursor_and_hides_nothing(raw, seen):
    assert shown(raw) == (raw if seen is None else seen)


@given(st.text())
def test_what_may_be_shown_may_be_shown_again(text):
    assert shown(shown(text)) == shown(text)
    assert not set(shown(text)) & {chr(c) for c in (*range(9), *range(11, 32), *range(127, 160))}
