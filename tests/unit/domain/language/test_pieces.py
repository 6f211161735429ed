"""A text that is cut is whole again when joined, and no piece is longer than was asked."""

from hypothesis import given
from hypothesis import strategies as st

from app.domain.language.pieces import pieces

TEXTS = st.text(alphabet=st.sampled_from("ab .!?\n\u3002é😀"), max_size=400)


@given(TEXTS, st.integers(1, 60))
def test_joined_they_are_the_text(text, most):
    found = list(pieces(text, most))
    assert "".join(found) == text
    assert all(0 < len(one) <= most for one in found)


def test_a_piece_ends_where_a_paragraph_or_a_sentence_does():
    text = "One is here.\n\nTwo is there. Three"
    assert list(pieces(text, 20)) == ["One is here.\n\n", "Two is there. Three"]
    assert list(pieces("Ann has a boat. Ben rows.", 20)) == ["Ann has a boat. ", "Ben rows."]
