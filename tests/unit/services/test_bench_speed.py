"""The benchmark of speed: what it prints, and what its made-up vault holds."""

from contextlib import contextmanager
from threading import Event

import numpy as np
import pytest

from app.bench import fill as bench_fill
from app.bench import speed as bench_speed
from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress
from app.providers.base import Embedding
from app.store.index.vectors import Vectors

ASKED = 3  # what was asked while answers were timed, and is not indexed yet
KEYS = {
    *("memories", "messages", "recall_ms", "rerank_ms", "without_rerank_ms", "file_mb", "peak_mb"),
    *("notebook_answer_ms", "inserts_per_second", "embedding"),
}


@pytest.fixture
def measure(opened, monkeypatch):
    """Measure the vault of the test, with few questions."""
    monkeypatch.setattr(bench_speed, "QUESTIONS", 3)
    monkeypatch.setattr(bench_speed, "ANSWERS", 1)

    @contextmanager
    def lent(_clock):
        yield opened.services, opened.store

    return lambda count: bench_speed.recall_speed(count, lent)


def test_up_to_a_bound_everything_is_embedded(measure, opened):
    figures = drive(measure(20), Event())
    assert set(figures) == KEYS
    assert figures["embedding"] == "real"
    assert figures["recall_ms"]["p95"] >= figures["recall_ms"]["p50"] > 0
    assert opened.services.memories.embedding_status().missing == ASKED


def test_beyond_it_rows_are_written_in_bulk_with_made_up_vectors(measure, opened, monkeypatch):
    for name, value in (("TIMED", 10), ("CHUNK", 15), ("VECTORS", 25), ("SEEDS", 8)):
        monkeypatch.setattr(bench_fill, name, value)
    monkeypatch.setattr(bench_speed, "REAL_UP_TO", 30)
    monkeypatch.setattr(bench_speed, "MESSAGES_UP_TO", 10)
    events = []
    operation = measure(60)
    try:
        while True:
            events.append(next(operation))
    except StopIteration as ended:
        figures = ended.value
    assert (figures["memories"], figures["messages"]) == (60, 10)
    assert figures["embedding"] == "synthetic"
    assert {event.label for event in events if isinstance(event, Progress)} >= {
        *("Writing memories", "Writing messages", "Writing vectors", "Recalling"),
    }
    status = opened.services.memories.embedding_status()
    assert status.total >= 70
    assert status.missing == ASKED
    vectors = Vectors(opened.store.vault)
    info = opened.services.runtime.embedder_info()
    pk = vectors.use(info.id, info.dims)
    lengths = [np.linalg.norm(v) for v in vectors.vectors("memory", [1, 30, 60], pk).values()]
    assert lengths == pytest.approx([1, 1, 1], abs=1e-5)


def test_made_up_embeddings_lie_near_real_ones_and_have_their_tokens():
    numbers = np.random.default_rng(1)
    vector = numbers.normal(size=64).astype(np.float32)
    bits = numbers.integers(0, 256, (200, 8), np.uint8)
    real = Embedding(vector / np.linalg.norm(vector), bits, np.arange(200, dtype=np.int32))
    for made in bench_fill.MadeUp([real]).draw(3):
        assert 0.9 < float(made.vector @ real.vector) < 1
        assert np.array_equal(made.token_ids, real.token_ids)
        turned = np.unpackbits(made.token_bits ^ bits).mean()
        assert 0.09 < turned < 0.16
    bare = Embedding(real.vector)
    assert next(bench_fill.MadeUp([bare]).draw(1)).token_bits is None


def test_text_has_the_frequencies_of_real_words():
    said = " ".join(bench_fill.Draw(1).sentences(400, 10, 10)).split()
    assert len(said) == 4000
    assert said.count("the") > 100 > said.count("boat")
    assert bench_fill.Draw(1).sentences(5, 2, 9) == bench_fill.Draw(1).sentences(5, 2, 9)
