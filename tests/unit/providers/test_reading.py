"""The reader: its tokens stand in the text, and its shipped weights say the same each time."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.assets import resource
from app.domain.language.reading import Act, Change, StatementKind
from app.errors import ModelError
from app.providers.host import BUNDLED, READER
from app.providers.local.embedding import GgufEmbedding, UnderstandingModels
from app.providers.reading import (
    CONTEXT,
    LONGEST,
    OWN,
    Piece,
    ReaderNetwork,
    aligned,
    inputs,
    plain,
)
from tests.fakes.understanding import Understanding

WORDS = st.lists(st.text(max_size=9), max_size=12)
DIMS = 384


@pytest.fixture(scope="module")
def network():
    return ReaderNetwork(resource("models") / f"{READER}.npz")


def flat(text):
    return "".join(plain(letter) for letter in text)


def told(message, asked=""):
    (tags,) = Understanding().read([(message, asked)])
    return tags


def numbers(tags):
    return [
        *(tags.statement, tags.kind, tags.safety, tags.own, tags.change, tags.target),
        *(tags.refers, tags.act),
    ]


def piece(tokens, seed=1):
    """A text of so many tokens, one letter each, with the model's own around them."""
    some = np.random.default_rng(seed)
    spans = [OWN, *((i, i + 1) for i in range(tokens)), OWN]
    states = some.standard_normal((tokens + 2, DIMS)).astype(np.float32)
    ids = some.integers(1000, 5000, tokens + 2).astype(np.int32)
    return Piece("a" * tokens, ids, states, spans)


# -- where tokens stand ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "pieces", "stand"),
    [
        ("I live here", ["", "▁i", "▁live", "▁here", ""], [None, "I", "live", "here", None]),
        ("Zoë’s café", ["zoe", "’", "s", "cafe"], ["Zoë", "’", "s", "café"]),
        ("İzmir", ["iz", "mir"], ["İz", "mir"]),
        ("walnut walnut", ["walnut", "walnut"], ["walnut", "walnut"]),
        ("🦊 fox", ["[UNK]", "fox"], [None, "fox"]),
        ("", ["", ""], [None, None]),
    ],
)
def test_a_token_stands_where_it_was_written(text, pieces, stand):
    found = aligned(text, pieces)
    assert [None if span == OWN else text[slice(*span)] for span in found] == stand
    starts = [start for start, _ in found if start >= 0]
    assert len(set(starts)) == len(starts)


@given(st.text(alphabet=st.characters()), WORDS)
def test_tokens_stand_in_order_and_inside_the_text_whatever_they_are(text, pieces):
    holds(text, pieces)


@given(st.text(alphabet=st.characters(), min_size=1, max_size=90), st.data())
def test_every_stretch_of_a_text_is_found_in_it(text, data):
    written = flat(text)
    cuts = data.draw(st.lists(st.integers(0, len(written)), max_size=6))
    ends = sorted({0, *cuts, len(written)})
    pieces = [written[a:b] for a, b in pairwise(ends)]
    found = holds(text, pieces)
    if not any("▁" in one for one in pieces):
        assert all(
            (span == OWN) == (not one.strip()) for one, span in zip(pieces, found, strict=True)
        )


def holds(text, pieces):
    """See that the law holds, and return where the tokens stand."""
    found = aligned(text, pieces)
    assert len(found) == len(pieces)
    last = (0, 0)
    for one, span in zip(pieces, found, strict=True):
        if span == OWN:
            continue
        start, end = span
        assert 0 <= start < end <= len(text)
        assert start >= last[0]
        assert end >= last[1]
        assert one.replace("▁", "").strip() in flat(text[start:end])
        last = span
    return found


@pytest.mark.parametrize(
    "text",
    [
        "My sister Ana lives in Porto, and she works as a nurse.",
        "Ich heiße Jürgen und wohne in München-Pasing.",
        "Je m’appelle Zoë, j’ai 34 ans.",
        "I take 2.5 mg of bisoprolol (at 7:30) — don't forget!",
    ],
)
def test_every_letter_of_an_ordinary_sentence_belongs_to_a_token(text):
    spans = told(text).spans
    held = {place for start, end in spans for place in range(start, end) if start >= 0}
    assert {i for i, letter in enumerate(text) if not letter.isspace()} <= held


# -- how a message stands behind what was said before it -------------------------------------------


def test_what_was_asked_stands_before_the_message():
    seen = inputs(piece(3), asked=piece(2))
    assert [place[0] for place in seen.places] == [1] * 4 + [0] * 5
    assert seen.start == 4
    assert len(seen.ids) == len(seen.states) == len(seen.signs) == 9


def test_of_a_question_the_end_is_read_and_of_a_message_the_beginning():
    seen = inputs(piece(400), asked=piece(200))
    texts = [[p for p in seen.places if p[0] == number] for number in (0, 1)]
    assert [len(one) for one in texts] == [LONGEST, CONTEXT]
    assert texts[0][0][1:] == OWN
    assert texts[1][-2][1:] == (199, 200)


# -- the network -----------------------------------------------------------------------------------


def test_the_shipped_weights_say_the_same_each_time(network):
    seen = inputs(piece(9), asked=piece(5))
    first, again = (
        network.read(seen),
        ReaderNetwork(resource("models") / f"{READER}.npz").read(seen),
    )
    assert all(np.array_equal(a, b) for a, b in zip(numbers(first), numbers(again), strict=True))


@pytest.mark.parametrize("tokens", [0, 1, 17, 400])
@pytest.mark.parametrize("context", [None, 0, 90])
def test_there_is_a_finite_number_for_every_token(network, tokens, context):
    before = None if context is None else piece(context)
    tags = network.read(inputs(piece(tokens), before))
    own = min(tokens + 2, LONGEST)
    held = 0 if context is None else min(context + 2, CONTEXT)
    assert (tags.spans.shape, tags.statement.shape) == ((own, 2), (own, 3))
    assert (tags.kind.shape, tags.change.shape) == ((own, len(StatementKind)), (own, len(Change)))
    assert tags.safety.shape == tags.own.shape == (own,)
    assert tags.target.shape == (own, 3)
    assert tags.refers.shape == (own, 2, held + own)
    assert tags.act.shape == (len(Act),)
    assert len(tags.context) == held
    assert all(np.isfinite(one).all() for one in numbers(tags))


def test_what_was_asked_before_counts(network):
    alone, asked = piece(6), piece(5, seed=2)
    tags = [network.read(inputs(alone, before)) for before in (None, asked, piece(5, seed=3))]
    for one, other in ((0, 1), (1, 2)):
        assert not np.allclose(tags[one].act, tags[other].act)
        assert not np.allclose(tags[one].statement, tags[other].statement)


def test_who_is_meant_is_looked_for_in_what_was_asked():
    asked = "Does your daughter Mia have any allergies?"
    tags = told("She is allergic to penicillin.", asked)
    she = next(row for row, span in enumerate(tags.spans) if tuple(span) == (0, 3))
    begins, ends = tags.refers[she].argmax(-1)
    number, start, _ = tags.context[begins]
    end = tags.context[ends][2]
    assert number == 1
    assert "Mia" in asked[start:end]
    assert not told("She is allergic to penicillin.").context


@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.text(alphabet=st.characters(), max_size=120)] * 2))
def test_any_text_is_read(texts):
    tags = told(*texts)
    assert all(np.isfinite(one).all() for one in numbers(tags))
    assert tags.spans.max() <= len(texts[0])


def test_messages_are_read_together_as_they_are_alone():
    said = [("I live in Ghent.", ""), ("", ""), ("Two.", "How many cats?")]
    for one, together in zip(said, Understanding().read(said), strict=True):
        assert np.allclose(told(*one).act, together.act, atol=0.2)


@pytest.mark.parametrize("name", ["nowhere", ""])
def test_without_its_weights_there_is_one_sentence(name, tmp_path):
    missing = str(tmp_path / name) if name else ""
    worker = GgufEmbedding(
        str(resource(BUNDLED)), "mean", 1, 0, UnderstandingModels(reader=missing)
    )
    with pytest.raises(ModelError) as raised:
        worker.read([("I live in Ghent.", "")])
    assert str(raised.value) == "The model that reads messages is missing."
