"""Which words can stand for one name."""

import pytest

from app.memory.reading.agreeing import PronounReference, agreeing


@pytest.mark.parametrize(
    ("words", "good"),
    [
        ("he:Emrys:.9 she:Emrys:.8", [True, False]),
        ("he:Emrys:.6 she:Emrys:.9", [False, True]),
        ("he:Emrys:.6 his:Emrys:.6 she:emrys:.9", [True, True, False]),
        ("he:Emrys:.9 she:Nel:.8", [True, True]),
        ("it:mr_grimshaw:.9", [False]),
        ("he:My_mother:.9", [False]),
        ("her:My_mother’s_sister:.9", [True]),
        ("he:my_mother’s_husband:.9 she:my_mother’s_husband:.6", [True, False]),
        ("it:the_studio:.9 there:the_studio:.6 they:the_studio:.6", [True, True, True]),
    ],
)
def test_words_that_cannot_mean_the_same_do_not(words, good):
    meant = []
    for told in words.split():
        word, name, sure = told.split(":")
        meant.append(PronounReference(word, name.replace("_", " "), float(sure)))
    assert agreeing(meant) == good


def test_nothing_stands_for_nothing():
    assert agreeing([]) == []
