"""A question about the world is told from one about somebody's life."""

import numpy as np
import pytest

from app.memory.recall.personal import KINDS, lowered, signs
from app.providers.base import Embedding, Personal, Purpose

NOTHING = Embedding(np.zeros(2, np.float32))


def test_each_kind_of_word_and_a_known_name_count_once():
    assert len(KINDS) == 4
    assert signs("What did she say about my brother and me?", known=False) == [1, 1, 1, 1, 0]
    assert signs("How do vaccines work?", known=True) == [0, 0, 0, 0, 1]


def test_without_a_model_of_it_the_words_decide():
    assert lowered("How do vaccines work?", (), NOTHING, None) > 0
    assert lowered("How do my vaccines work?", (), NOTHING, None) == 0
    assert lowered("Where is Ruth from?", ["Ruth"], NOTHING, None) == 0


def test_with_one_vector_and_words_add_up_within_bounds():
    personal = Personal(-4.0, (5.0, 0, 0, 0, 0), (1.0, 0.0))
    low = lowered("How do vaccines work?", (), NOTHING, personal)
    some = lowered("What is my doctor called?", (), NOTHING, Personal(-5, (5, 0, 0, 0, 0), (1, 0)))
    none = lowered("What is my doctor called?", (), NOTHING, personal)
    sure = lowered("Vaccines?", (), Embedding(np.array([9, 0], np.float32)), personal)
    assert (none, sure) == (0, 0)
    assert 0 < some < low == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("text", "somebody"),
    [
        ("Where did I park the car?", True),
        ("what do i take for my headaches", True),
        ("Why was Ruth angry with her sister?", True),
        ("How do vaccines work?", False),
        ("How do I reverse a list in Python?", False),
        ("Who composed the Brandenburg Concertos?", False),
    ],
)
def test_the_bundled_embedder_knows_the_difference(embedder, text, somebody):
    question = embedder.embed([text], Purpose.QUERY)[0]
    known = ["Ruth"] if "Ruth" in text else []
    assert (lowered(text, known, question, embedder.info.personal) == 0) is somebody
