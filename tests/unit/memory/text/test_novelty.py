"""Likeness nominates a duplicate, and the words decide."""

import pytest

from app.assets import resource
from app.domain.memory import Memory
from app.memory.text import novelty
from app.providers.base import Purpose
from app.providers.local.llamacpp import LlamaEmbedder
from tests.unit.memory.conftest import FRIDAY

DIFFERENT = [
    ("You are allergic to nuts", "You are not allergic to nuts"),
    ("You take 5 mg of lisinopril", "You take 10 mg of lisinopril"),
    ("You live in Ghent", "You used to live in Ghent"),
    ("You live in Ghent", "You lived in Ghent"),
    ("Your birthday is on 14 March", "Your birthday is on 15 March"),
    ("You like tea", "You love tea"),
    ("You like tea", "You like green tea"),
    ("You moved from Ghent to Lille", "You moved from Lille to Ghent"),
    ("Ruth loves Tom", "Tom loves Ruth"),
    ("You have two cats", "You have three cats"),
    ("You work at KBC", "You will work at KBC"),
    ("Your sister is Ruth", "Your sister is Rita"),
    ("You quit smoking", "You do not smoke"),
    ("You quit smoking", "You smoke"),
    ("You want any more tea", "You want tea"),
]
SAME = [
    ("You live in Ghent", "You are living in Ghent."),
    ("You don't eat pork", "You do not eat pork"),
    ("Your favourite colour is blue", "Blue is your favourite colour"),
    ("You take 5mg of lisinopril", "You take 5 mg of lisinopril"),
    ("You have a dog called Rex", "You have a dog, Rex"),
    ("you like TEA", "You really like tea"),
    ("You still live in Ghent", "You live in Ghent"),
    ("You do not eat pork any more.", "You do not eat pork"),
    ("You like tea a lot", "You like tea very much"),
    ("You like tea a lot", "You like tea"),
    ("You swim on Sunday mornings", "You swim on Sunday morning"),
]


def memory(text):
    return Memory("m", text, FRIDAY, FRIDAY, agent_pk=1)


@pytest.mark.parametrize(("new", "old"), DIFFERENT)
def test_a_number_name_negation_tense_or_word_makes_a_difference(new, old):
    assert not novelty.adds_nothing(new, old)
    assert not novelty.adds_nothing(old, new)


@pytest.mark.parametrize(("new", "old"), SAME)
def test_other_words_for_nothing_new_make_none(new, old):
    assert novelty.adds_nothing(new, old)
    assert novelty.adds_nothing(old, new)


def test_c5_novelty_threshold():
    old = memory("You live in Ghent")
    near = [(old, 0.9)]
    # At or above the threshold a memory is looked at, and then its words decide ...
    assert novelty.duplicate("You are living in Ghent", near, threshold=0.9) is old
    assert novelty.duplicate("You are living in Ghent", near, threshold=0.91) is None
    assert novelty.duplicate("You used to live in Ghent", near, threshold=0.9) is None
    # ... while in the reference behaviour likeness alone decides, at or above the threshold.
    assert novelty.duplicate("You used to live in Ghent", near, threshold=0.9, plain=True) is old
    assert novelty.duplicate("You used to live in Ghent", near, threshold=0.91, plain=True) is None


def test_the_same_text_is_the_same_however_little_alike_its_vectors():
    old = memory("You live in Ghent.")
    assert novelty.duplicate("you live in  GHENT", [(old, 0.0)], threshold=0.9) is old


def test_texts_that_differ_in_a_number_alone_are_rivals():
    assert novelty.rivals("You have two cats", "You have three cats")
    assert novelty.rivals("You sleep 7 hours a night", "You sleep 8 hours a night")
    assert not novelty.rivals("You have two cats", "You have two dogs")
    assert not novelty.rivals("You have two cats", "You have two cats")


def test_the_bundled_embedder_nominates_what_only_words_can_tell_apart():
    embedder = LlamaEmbedder(resource("models/loci-minilm-v2-Q8_0.gguf"), "bundled")
    try:
        texts = ["You take 5 mg of lisinopril", "You take 10 mg of lisinopril"]
        one, other = (e.vector for e in embedder.embed(texts, Purpose.PASSAGE))
    finally:
        embedder.close()
    cosine = float(one @ other)
    assert cosine > 0.9
    assert novelty.duplicate(texts[0], [(memory(texts[1]), cosine)], threshold=0.9) is None
