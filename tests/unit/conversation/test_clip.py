from hypothesis import given
from hypothesis import strategies as st

from app.conversation.clip import clip, clipped


def test_a_short_text_stays():
    assert clipped("as it is", 10, len) == "as it is"


def test_head_and_tail_stay_with_a_note_of_what_is_left_out():
    shown = clipped("a" * 5000 + "z" * 5000, 200, len)
    assert shown.startswith("aaa")
    assert shown.endswith("zzz")
    assert "characters left out …]" in shown
    assert len(shown) <= 200


@given(st.text(max_size=2000), st.integers(0, 300))
def test_never_more_than_asked(text, tokens):
    assert len(clipped(text, tokens, len)) <= max(tokens, 0)


@given(st.text(st.sampled_from("ab \n"), min_size=400, max_size=800), st.integers(100, 300))
def test_what_is_said_to_be_left_out_is_left_out(text, tokens):
    shown, left = clip(text, tokens, len)
    begins, ends = shown.split(f"\n[… {left:,} characters left out …]\n")
    assert text.startswith(begins)
    assert text.endswith(ends)
    assert len(begins) + left + len(ends) == len(text)
