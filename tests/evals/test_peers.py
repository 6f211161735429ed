"""The peers' measurement without the peers: its figures are those of ``loci bench recall``."""

import numpy as np
import pytest

from app.bench import recall as bench
from app.cli.program import run
from app.main.program import Program
from app.providers.local.hash import HashEmbedder
from tests.evals import peer_worker
from tests.evals.peers import arrays, embedded, main, preset, scored, words


@pytest.fixture
def talks(file):
    return embedded(file, HashEmbedder())


def test_the_figures_are_those_of_the_benchmark(file, talks):
    wanted = {"models.embedder": "hash", "rag.floor": "0"}
    found, rankings = run(bench.recall_quality(file, Program().temporary, wanted, foreign=False))
    questions = [question for talk in talks for question in talk.questions]
    ours = scored(questions, [rankings.get(question["id"], []) for question in questions])
    assert ours == {key: found[key] for key in ours}
    assert ours["questions"] == 4
    assert 0 < ours["recall@1"] < 1


def test_words_alone_find_what_shares_them(talks):
    found = words(talks)
    assert found.rankings == [["a1", "a2"], ["a0"], [], [], []]
    assert len(found.latency) == 5


def test_a_peer_reads_what_was_written_for_it(talks, tmp_path):
    np.savez(tmp_path / "in.npz", **arrays(talks))
    read = list(peer_worker.talks(tmp_path / "in.npz"))
    assert [(talk.ids, talk.texts) for talk in read] == [(t.ids, t.texts) for t in talks]
    assert read[1].questions == ["Where did we meet?", "What did I sell?"]
    assert np.array_equal(read[0].asked, talks[0].asked)


def test_the_reference_preset_finds_messages():
    assert preset()["rag.messages"] == "true"
    assert preset()["rag.fusion"] == "ranks"


@pytest.mark.parametrize("address", [("192.0.2.1", 443), ("example.org", 443)])
def test_a_peer_reaches_nobody(address):
    with pytest.raises(OSError, match="no network"):
        peer_worker.refuse("socket.connect", (None, address))
    peer_worker.refuse("socket.connect", (None, ("127.0.0.1", 9)))


def test_what_cannot_be_measured_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit, match="could not be read"):
        main([str(tmp_path / "none.json")])
    with pytest.raises(SystemExit):
        main(["x.json", "--only", "chroma,nobody"])
    assert "'nobody' is none of loci" in capsys.readouterr().err
