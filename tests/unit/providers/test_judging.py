"""The judge: what it says of two texts are chances; what it lacks is a sentence."""

from threading import Event

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.assets import resource
from app.errors import ModelError
from app.providers.host import ANSWERS, BUNDLED, JUDGE, LATE
from app.providers.judging import (
    LONGEST,
    READ,
    Heads,
    Task,
    WordByWord,
    agreed,
    alone,
    asked_and_told,
    completed,
    likeliest,
    paired,
)
from app.providers.local.embedding import GgufEmbedding, UnderstandingModels
from tests.fakes.understanding import worker

CLASSES = {Task.COMPARE: 6, Task.ENTAIL: 2, Task.ANSWER: 2, Task.NEWER: 2}
SAME, UNRELATED, FAITHFUL = 0, 5, 1
PAIRS = [
    ("I live in Ghent", "I live in Ghent"),
    ("I live in Ghent", "I moved to Porto last week"),
    ("I'm allergic to walnuts", "My sister Ana plays the cello"),
    ("Ich wohne in Leipzig", "私は東京に住んでいます"),
    ("", ""),
    ("x" * 9_000, "walnut " * 900),
]


def judged(task, *pairs):
    return worker().judge(task, pairs)


class Letters:
    """An encoder whose tokens are the numbers of the letters."""

    first, last = 1, 2

    def tokens(self, text):
        return [self.first, *map(ord, text), self.last]


@pytest.mark.parametrize("task", Task)
def test_there_is_a_chance_for_every_class_and_they_make_one(task):
    found = judged(task, *PAIRS)
    assert found.shape == (len(PAIRS), CLASSES[task])
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    assert np.allclose(found.sum(1), 1, atol=1e-4)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(Task), *[st.text(alphabet=st.characters(), max_size=80)] * 2)
def test_any_two_texts_are_judged(task, one, other):
    (found,) = judged(task, (one, other))
    assert found.sum() == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("task", Task)
def test_the_same_is_said_each_time(task):
    assert np.array_equal(judged(task, *PAIRS), judged(task, *PAIRS))


@pytest.mark.parametrize("task", Task)
def test_pairs_are_judged_in_order_however_many_there_are(task):
    many = judged(task, *PAIRS * 4)
    assert many.shape == (4 * len(PAIRS), CLASSES[task])
    for place, row in enumerate(many):
        (alone,) = judged(task, PAIRS[place % len(PAIRS)])
        assert np.allclose(row, alone, atol=0.05)


def test_what_answers_in_place_of_an_older_statement_is_told_from_what_is_said_beside_it():
    told = asked_and_told("How much bisoprolol do I take?", "I take 5 mg of bisoprolol")
    new, beside = judged(
        Task.NEWER,
        (told, "They put my bisoprolol up to 10 mg"),
        (told, "My sister plays the cello"),
    )
    assert new[1] > 0.85 > 0.1 > beside[1]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(-30, 10)), max_size=60))
def test_of_each_question_the_likeliest_are_read_together_and_nothing_else_is_likelier(found):
    questions, odds = [question for question, _ in found], [one for _, one in found]
    read = likeliest(questions, odds)
    for question in "ab":
        mine = [n for n in range(len(found)) if questions[n] == question]
        chosen = [n for n in read if questions[n] == question]
        assert len(chosen) == min(READ, len(mine))
        assert min((odds[n] for n in chosen), default=0) >= max(
            (odds[n] for n in mine if n not in chosen), default=-99
        )
    both = {n: np.array([0.4, 0.6], np.float32) for n in read}
    chances = completed([(question, "") for question in questions], odds, both)
    assert len(chances) == len(found)
    for n, (no, yes) in enumerate(chances):
        assert yes == pytest.approx(1 - no, abs=1e-5)
        assert n in read or yes <= 0.6 + 1e-6


def test_nothing_is_judged_where_there_are_no_pairs():
    assert len(judged(Task.COMPARE)) == 0


def test_what_is_blatant_is_seen():
    same, _, unrelated, *_ = judged(Task.COMPARE, *PAIRS)
    assert same.argmax() == SAME
    assert unrelated.argmax() == UNRELATED
    typed = "I take 5 mg of lisinopril every morning"
    kept, twisted = judged(
        Task.ENTAIL, (typed, typed), (typed, "My sister Ana never takes lisinopril")
    )
    assert kept[FAITHFUL] > twisted[FAITHFUL]


def test_both_texts_are_read_and_a_long_one_leaves_room_for_the_other():
    assert paired(Letters(), "ab", "c") == [1, 97, 98, 2, 99, 2]
    long = paired(Letters(), "a" * 500, "b" * 500)
    assert long == [1, *[97] * LONGEST, 2, *[98] * LONGEST, 2]


def test_chances_come_from_the_first_token_and_the_mean_of_all(tmp_path):
    """Two classes over vectors of width one: the hidden layer passes first and mean on."""
    weights = {
        "answer.0.weight": np.eye(2),
        "answer.0.bias": np.zeros(2),
        "answer.3.weight": np.eye(2),
        "answer.3.bias": np.zeros(2),
    }
    np.savez(tmp_path / "heads.npz", **weights)
    found = Heads(tmp_path / "heads.npz").chances(
        Task.ANSWER, np.array([[1.0], [0.0], [-4.0]], np.float32)
    )
    wanted = np.exp(np.tanh([1.0, -1.0]))
    assert found == pytest.approx(wanted / wanted.sum(), abs=1e-6)


def test_a_text_is_read_alone_up_to_the_longest():
    assert alone(Letters(), "ab") == [1, 97, 98, 2]
    assert alone(Letters(), "a" * 500) == [1, *[97] * LONGEST, 2]


def test_word_by_word_each_word_of_the_question_counts_its_likest(tmp_path):
    """Two words asked: one stands in the text, the other is at right angles to all of it."""
    np.savez(tmp_path / "late.npz", **{"late.scale": 10.0, "late.shift": -3.0})
    late = WordByWord(tmp_path / "late.npz")
    asked = np.array([[2.0, 0.0, 0.0], [0.0, 0.0, 3.0]], np.float32)
    said = np.array([[0.0, 5.0, 0.0], [4.0, 0.0, 0.0]], np.float32)
    assert late.odds(asked, said) == pytest.approx(10 * (1 + 0) / 2 - 3)
    assert late.odds(asked, asked) == pytest.approx(10 - 3)


@given(st.floats(0, 1), st.floats(-30, 30))
def test_two_judges_meet_half_way(sure, odds):
    no, yes = agreed(np.array([1 - sure, sure], np.float32), odds)
    assert no + yes == pytest.approx(1, abs=1e-5)
    alone = np.log(np.clip(sure, 1e-6, 1)) - np.log(np.clip(1 - sure, 1e-6, 1))
    assert (
        min(alone, odds) - 0.1 <= np.log(max(yes, 1e-9) / max(no, 1e-9)) <= max(alone, odds) + 0.1
    )


def test_both_models_have_a_say_in_what_answers():
    question, text = "Where do I work?", "I do front desk at the Larkhill hotel"
    (both,) = judged(Task.ANSWER, (question, text))
    (late,) = worker()._late_odds([(question, text)])
    assert both[1] > 0.5
    assert late > 0


def test_what_may_answer_is_read_once_until_it_is_to_be_forgotten(monkeypatch):
    pairs = [("Where do I work?", f"I work at the hotel, {n} days") for n in range(4)]
    first = judged(Task.ANSWER, *pairs)
    assert [text for _, text in pairs] == list(worker()._known)[-4:]
    assert np.array_equal(judged(Task.ANSWER, *pairs), first), "from memory the same is said"
    monkeypatch.setattr("app.providers.local.embedding.MOST_KNOWN", 2)
    judged(Task.ANSWER, *pairs)
    assert [text for _, text in pairs[2:]] == list(worker()._known), "no more than fit is kept"
    assert list(worker().work("forget", None, Event())) == [True]
    assert not worker()._known
    assert np.array_equal(judged(Task.ANSWER, *pairs), first)


@pytest.mark.parametrize(
    ("task", "lost"), [(Task.COMPARE, JUDGE), (Task.ANSWER, ANSWERS), (Task.ANSWER, LATE)]
)
@pytest.mark.parametrize("ending", ["-Q8_0.gguf", ".npz"])
def test_a_missing_file_is_one_sentence(task, lost, ending, tmp_path):
    for name in (JUDGE, ANSWERS, LATE):
        for one in ("-Q8_0.gguf", ".npz"):
            if (name, one) != (lost, ending):
                (tmp_path / f"{name}{one}").symlink_to(resource("models") / f"{name}{one}")
    names = {"judge": JUDGE, "answers": ANSWERS, "late": LATE}
    beside = UnderstandingModels(**{kind: str(tmp_path / name) for kind, name in names.items()})
    worker = GgufEmbedding(str(resource(BUNDLED)), "mean", 1, 0, beside)
    with pytest.raises(ModelError) as raised:
        worker.judge(task, PAIRS[:1])
    assert str(raised.value) == "The model that compares statements is missing."
