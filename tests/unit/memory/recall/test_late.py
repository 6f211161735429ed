import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.recall.late import Lines, likeness, spelled, weights
from app.providers.base import Marks
from app.store.index.frequency import Frequencies
from app.store.index.vectors import TokenVectors

STOP, ASK, COLON = 1, 2, 3
MARKS = Marks((STOP, ASK), (ASK,), (COLON,))


def text(*ids_and_signs):
    """Return the tokens of a text: each an id and which of the eight dimensions is positive."""
    bits = np.zeros((len(ids_and_signs), 8), np.uint8)
    for n, (_, dim) in enumerate(ids_and_signs):
        bits[n, dim] = 1
    ids = np.array([token for token, _ in ids_and_signs], np.int32)
    return TokenVectors(np.packbits(bits, axis=1), ids)


def axis(dim):
    """Return a token of a question that is most like a token with this dimension positive."""
    found = np.zeros(8, np.float32)
    found[dim] = 1
    return found


def like(question, *texts, spoken=False):
    flags = np.full(len(texts), spoken, bool)
    return likeness(np.stack(question), texts, MARKS, flags)


HIGH, LOW = 1 / np.sqrt(8), -1 / np.sqrt(8)


def test_pieces_are_joined_to_the_words_they_are_part_of():
    pieces = ["▁When", "▁da", "chs", "hund", "▁'", "▁s", "▁?"]
    assert spelled(pieces) == ["when", *["dachshund"] * 3, "'", "s", "?"]
    assert spelled(["What", "▁now"]) == ["what", "now"]
    assert spelled([]) == []


def test_rare_words_count_most_small_words_half_and_marks_nothing():
    words = ["where", "did", "walnut", "go", "?"]
    common = Frequencies(100, {"where": 10, "did": 10, "walnut": 1, "go": 10})
    where, did, walnut, go, mark = weights(words, common, "Where did walnut go?")
    assert walnut > go == pytest.approx(where)
    assert did == pytest.approx(go / 2)
    assert mark == 0
    assert where + did + walnut + go == pytest.approx(1)


def test_words_that_ask_for_a_time_count_nothing():
    words = ["trip", "in", "march"]
    trip, _, march = weights(words, Frequencies(10, {}), "trip in")
    assert march == 0
    assert trip > 0


def test_where_nothing_counts_all_tokens_count_alike():
    assert weights(["?", "!"], Frequencies(0, {}), "").tolist() == [0.5, 0.5]


def test_each_token_takes_its_best_in_every_text():
    found = like([axis(0), axis(1)], text((9, 0), (9, 5)), text((9, 1)))
    assert found.said == pytest.approx(np.array([[HIGH, LOW], [LOW, HIGH]]))


def test_what_a_text_asks_is_told_from_what_it_says():
    asks_then_says = text((9, 0), (ASK, 7), (9, 1), (STOP, 7))
    found = like([axis(0), axis(1)], asks_then_says)
    assert found.asked[:, 0] == pytest.approx([HIGH, 0])
    assert found.told[:, 0] == pytest.approx([0, HIGH])


def test_the_name_of_who_asks_is_not_part_of_the_question():
    question = text((9, 0), (COLON, 7), (9, 1), (ASK, 7))
    assert like([axis(0)], question, spoken=True).told[0, 0] == pytest.approx(HIGH)
    assert like([axis(0)], question).told[0, 0] == 0


def test_a_text_that_was_not_embedded_is_like_nothing():
    nothing = TokenVectors(np.zeros((0, 1), np.uint8), np.zeros(0, np.int32))
    found = like([axis(0)], nothing, text((9, 0)))
    assert found.said.tolist() == [[0, pytest.approx(HIGH)]]
    assert like([axis(0)], nothing).said.tolist() == [[0]]


@st.composite
def places(draw):
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    line = np.repeat(np.arange(len(sizes)), sizes)
    values = draw(st.lists(st.floats(0, 1, width=32), min_size=len(line), max_size=len(line)))
    return Lines(line, line // 2), np.array([values], np.float32)


@given(places(), st.integers(-5, 5))
def test_nothing_moves_from_one_line_to_another(made, by):
    lines, values = made
    shifted = lines.shifted(values, by)
    for here in range(len(lines.line)):
        there = here + by
        same = 0 <= there < len(lines.line) and lines.line[there] == lines.line[here]
        assert shifted[0, here] == (values[0, there] if same else 0)


@given(places())
def test_context_never_takes_anything_away(made):
    lines, values = made
    assert (lines.around(values, 6, 0.04) >= values).all()
    assert (lines.throughout(values) >= values).all()
    assert (
        lines.throughout(values)[0] == [values[0][lines.talk == t].max() for t in lines.talk]
    ).all()
