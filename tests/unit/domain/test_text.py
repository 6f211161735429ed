"""Forms of one word share a stem, and other words do not."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.domain.text import stem


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
