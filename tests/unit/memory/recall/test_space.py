import numpy as np
import pytest

from app.domain.recall import HitKind
from app.memory.recall.space import Space, background
from app.providers.base import EmbedderInfo, Embedding
from app.store.index.vectors import Vectors


class Biased:
    """An embedder in which everything looks alike, as some are."""

    info = EmbedderInfo("biased", "Biased", 8, True)

    def __init__(self):
        self.calls = 0

    def embed(self, texts, purpose):
        self.calls += 1
        vectors = [np.array([3.0, *np.eye(7)[hash(t) % 7]], np.float32) for t in texts]
        return [Embedding(v / np.linalg.norm(v)) for v in vectors]


def test_the_bundled_embedder_gives_unrelated_sentences_almost_nothing(embedder):
    assert 0 <= background(embedder) < 0.15


def test_an_embedder_in_which_all_is_alike_has_a_high_background():
    assert background(Biased()) >= 0.85


def test_relevance_is_what_lies_above_the_background_asked_once(vault):
    biased = Biased()
    space = Space(Vectors(vault), lambda: biased)
    level = background(biased)
    biased.calls = 0
    assert space.above_background(1.0) == 1.0
    assert space.above_background(level - 0.1) == 0.0
    assert space.above_background((1 + level) / 2) == pytest.approx(0.5)
    assert biased.calls == 2


def test_cosines_of_rows_that_have_a_vector(world):
    walnuts = world.learn("You are allergic to walnuts")
    unindexed = world.learn("You like salmon")
    space = Space(Vectors(world.vault), lambda: world.embedder)
    found = world.embedder.embed([walnuts.text], "passage")
    Vectors(world.vault).put("memory", [(walnuts.pk, found[0])], space.pk)
    cosines = space.cosines(HitKind.MEMORY, found[0].vector, [walnuts.pk, unindexed.pk])
    assert cosines == {walnuts.pk: pytest.approx(1.0, abs=1e-5)}
