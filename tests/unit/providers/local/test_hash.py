import subprocess
import sys

import numpy as np
import pytest

from app.providers.base import Purpose
from app.providers.local.hash import HashEmbedder


def vector(text, dims=32):
    return HashEmbedder(dims).embed([text], Purpose.PASSAGE)[0].vector


def test_c6_hash_embedder_is_deterministic_across_processes():
    code = (
        "from app.providers.base import Purpose\n"
        "from app.providers.local.hash import HashEmbedder\n"
        "print(HashEmbedder().embed(['I live in Zürich'], Purpose.QUERY)[0].vector.tobytes().hex())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {vector("I live in Zürich").tobytes().hex()}


def test_words_are_counted_whatever_their_order_and_case():
    assert np.array_equal(vector("Tea and tea"), vector("and TEA  tea\n"))
    assert not np.array_equal(vector("tea and tea"), vector("tea and"))
    assert np.linalg.norm(vector("Tea and tea")) == pytest.approx(1)


def test_an_empty_text_is_zero():
    assert not vector(" \n").any()
    assert vector("").shape == (32,)


def test_its_name_tells_its_width():
    info = HashEmbedder(64).info
    assert (info.id, info.dims, info.local) == ("hash-64", 64, True)
    assert HashEmbedder().info.id == "hash-32"
    with pytest.raises(ValueError):
        HashEmbedder(30)
