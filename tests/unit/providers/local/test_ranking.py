"""The reranker: what it says is what its weights say, and nobody waits for it too long."""

from threading import Event

import numpy as np
import pytest

from app.assets import resource
from app.domain.model import ModelRole
from app.errors import ModelDied, ModelError, ModelFileError, ModelLate
from app.providers.local import gguf, ranking
from app.providers.local.children import Child
from app.providers.local.llamacpp import LlamaEmbedder
from app.providers.local.ranking import batches, chance
from app.providers.local.reranker import LlamaReranker
from tests.fakes import tiny_gguf, tiny_ranker, workers

ASK = "where do i live"
TEXTS = [
    "you live in porto",
    "tea",
    "you drink coffee",
    "",
    "walnuts like the sea",
    "coffee in lisbon",
]
PATIENT = 60.0


@pytest.fixture(scope="module", params=["bert", "xlm-r"])
def flavour(request):
    return request.param


@pytest.fixture(scope="module")
def reranker(flavour, tmp_path_factory):
    path = tiny_ranker.ranker(tmp_path_factory.mktemp("models") / "tiny.gguf", flavour=flavour)
    made = LlamaReranker(path, threads=1)
    made.prepare(PATIENT)
    yield made
    made.close()


@pytest.fixture
def made(tmp_path):
    """A reranker whose process is the scripted one."""
    kept = []

    def make(*arguments):
        reranker = LlamaReranker(tiny_ranker.ranker(tmp_path / "tiny.gguf"))
        reranker.child = Child("The reranker", workers.build_ranker, arguments)
        kept.append(reranker)
        reranker.prepare(PATIENT)
        return reranker

    yield make
    for reranker in kept:
        reranker.close()


def test_scores_are_those_of_the_weights(reranker, flavour):
    expected = [tiny_ranker.score(ASK, text, flavour) for text in TEXTS]
    found = reranker.score(ASK, TEXTS, PATIENT)
    assert found == pytest.approx(expected, abs=2e-3)
    assert np.argsort(found).tolist() == np.argsort(expected).tolist()


def test_the_same_text_has_the_same_score_wherever_it_stands(reranker):
    alone = [reranker.score(ASK, [text], PATIENT)[0] for text in TEXTS]
    assert reranker.score(ASK, TEXTS, PATIENT) == pytest.approx(alone, abs=2e-3)
    assert reranker.score(ASK, TEXTS * 12, PATIENT) == pytest.approx(alone * 12, abs=2e-3)
    assert reranker.score(ASK, [], PATIENT) == []


@pytest.mark.parametrize(
    "text", ["\0", "\ud800", "\u200b", "[SEP] </s>", "tea " * 5_000, "x" * 9_999]
)
def test_any_text_and_any_question_are_taken(reranker, text):
    for question, answer in ((ASK, text), (text, "tea"), (text, text)):
        (score,) = reranker.score(question, [answer], PATIENT)
        assert 0 <= score <= 1


def test_only_so_much_of_a_text_is_read(reranker):
    words = "sea " * 2_000
    cut = words[: ranking.LONGEST_TEXT]
    assert reranker.score(ASK, [words + "tea"], PATIENT) == reranker.score(ASK, [cut], PATIENT)


def test_words_that_look_like_marks_are_words(reranker, flavour):
    mark = "[SEP]" if flavour == "bert" else "</s>"
    (marked,) = reranker.score("do i", [f"{mark} live"], PATIENT)
    forged = [2, 6, 7, 3, 3, 8, 3] if flavour == "bert" else [0, 6, 7, 2, 2, 2, 8, 2]
    assert marked != pytest.approx(tiny_ranker.score_of(forged, flavour), abs=1e-4)


def test_a_template_of_the_model_says_how_a_pair_is_put_together(tmp_path):
    """Where it has one; what the question and the text say never becomes a mark of it."""
    path = tiny_ranker.ranker(tmp_path / "t.gguf", template="tea {query} [SEP] {document} sea")
    model = ranking.Ranking(str(path), 1, 0)
    known = tiny_ranker.vocabulary().index
    (score,) = next(model.work("score", ("live", ["porto"]), Event()))
    wanted = [2, *map(known, ("▁tea", "▁live", "[SEP]", "▁porto", "▁sea"))]
    assert score == pytest.approx(tiny_ranker.score_of(wanted), abs=2e-3)


def test_what_is_no_reranker_is_a_sentence(tmp_path):
    chat = tiny_gguf.chat_model(tmp_path / "chat.gguf")
    headless = tiny_ranker.ranker(tmp_path / "headless.gguf", head=False)
    whole = tiny_ranker.ranker(tmp_path / "whole.gguf").read_bytes()
    (tmp_path / "cut.gguf").write_bytes(whole[:-100])
    (tmp_path / "text.gguf").write_bytes(b"hello")
    for path, says in [
        (chat, "chat.gguf is not a reranking model"),
        (resource("models/loci-minilm-v2-Q8_0.gguf"), "is not a reranking model"),
        (headless, "headless.gguf is not a reranking model"),
        (tmp_path / "cut.gguf", "is incomplete"),
        (tmp_path / "text.gguf", "is not a GGUF"),
        (tmp_path / "gone.gguf", "not there any more"),
    ]:
        with pytest.raises(ModelFileError, match=says):
            LlamaReranker(path)


def test_a_reranker_is_no_embedder(tmp_path):
    path = tiny_ranker.ranker(tmp_path / "tiny.gguf", pooling=None)
    assert gguf.read(path).role is ModelRole.RERANK, "older files do not say how they pool"
    with pytest.raises(ModelFileError, match="not an embedding model"):
        LlamaEmbedder(path, "x")


@pytest.mark.expects_warnings
def test_a_file_that_is_sound_but_breaks_the_loader_harms_nothing_else(tmp_path, embedder):
    odd = tiny_ranker.ranker(tmp_path / "odd.gguf", hidden=8)
    reranker = LlamaReranker(odd)
    reranker.prepare(PATIENT)
    with pytest.raises(ModelError, match=r"could not be loaded|stopped unexpectedly"):
        reranker.score(ASK, TEXTS, PATIENT)
    assert embedder.info.dims == 384
    reranker.close()


def test_who_asks_before_it_is_loaded_does_not_wait(tmp_path):
    reranker = LlamaReranker(tiny_ranker.ranker(tmp_path / "tiny.gguf"))
    assert reranker.child.pid is None, "nothing starts before it is used"
    with pytest.raises(ModelError, match="still being loaded"):
        reranker.score(ASK, TEXTS, PATIENT)
    reranker.prepare(PATIENT)
    assert len(reranker.score(ASK, TEXTS, PATIENT)) == len(TEXTS)
    reranker.close()


def test_an_answer_that_comes_too_late_is_dropped_and_never_taken_for_another(made):
    reranker = made()
    for _ in range(3):
        with pytest.raises(ModelLate, match="longer than 0 ms"):
            reranker.score("late", ["a", "bb"], 0.0)
        assert reranker.score("soon", ["a", "bb"], PATIENT) == [0.1, 0.2]
    assert reranker.child.running


def test_a_slow_computer_judges_fewer_and_none_where_even_one_takes_too_long(made):
    """Ten words take 0.3 s here, as was measured when the model was loaded."""
    reranker = made(0.1)
    assert reranker.score("a", ["tea!", "tea!", "tea!"], 0.6) == [0.4, 0.4]
    with pytest.raises(ModelLate, match="too slow on this computer"):
        reranker.score("a", ["tea!"], 0.1)


@pytest.mark.expects_warnings
def test_a_process_that_dies_is_a_sentence_and_comes_back(made):
    reranker = made()
    with pytest.raises(ModelDied, match="stopped unexpectedly"):
        reranker.score("die", ["a"], PATIENT)
    reranker.prepare(PATIENT)
    assert reranker.score("soon", ["a"], PATIENT) == [0.1]


def test_work_in_the_child_ends_soon_after_it_is_cancelled(tmp_path):
    model = ranking.Ranking(str(tiny_ranker.ranker(tmp_path / "tiny.gguf")), 1, 0)
    cancel = Event()
    cancel.set()
    assert list(model.work("score", (ASK, TEXTS), cancel)) == []
    assert len(next(model.work("score", (ASK, TEXTS), Event()))) == len(TEXTS)


def test_batches_keep_the_order_and_the_limits():
    pairs = [[n] * size for n, size in enumerate([300, 212, 1, 512, 200, *[5] * 80])]
    made = list(batches(pairs))
    assert [pair for batch in made for pair in batch] == pairs
    assert all(sum(map(len, batch)) <= ranking.MOST_TOKENS for batch in made)
    assert max(map(len, made)) == ranking.MOST_TEXTS
    assert list(batches([])) == []


@pytest.mark.parametrize(
    ("outputs", "score"),
    [
        ([0.0], 0.5),
        ([1e9], 1.0),
        ([-1e9], 0.0),
        ([2.0], 0.880797),
        ([0.7, 0.3], 0.7),
        ([3, 1], 0.952574),
    ],
)
def test_logits_become_numbers_from_0_to_1_and_shares_stay(outputs, score):
    assert chance(np.array(outputs)) == pytest.approx(score, abs=1e-6)


@pytest.mark.parametrize("outputs", [[float("nan")], [float("inf")], [0.5, float("nan")]])
def test_no_number_is_an_error(outputs):
    with pytest.raises(ModelError, match="returned no numbers"):
        chance(np.array(outputs))
