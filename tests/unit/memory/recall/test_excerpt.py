from hypothesis import given
from hypothesis import strategies as st

from app.domain.recall import HitKind
from app.memory.recall.excerpt import Excerpts, excerpt

PAGE = " ".join(f"Filler sentence number {n} about nothing." for n in range(60))


def test_a_short_text_stays():
    assert excerpt("You like salmon.", "salmon?", 100) == "You like salmon."


def test_the_passage_with_the_words_of_the_question_is_kept():
    text = f"{PAGE} Ruth loves smoked salmon above all. {PAGE}"
    cut = excerpt(text, "What does Ruth love?", 200)
    assert "Ruth loves smoked salmon above all." in cut
    assert len(cut) <= 200
    assert cut.startswith("…")
    assert cut.endswith("…")


@given(st.text(max_size=500), st.text(max_size=30), st.integers(20, 100))
def test_never_longer_than_asked(text, question, characters):
    assert len(excerpt(text, question, characters)) <= max(characters, 0)


def test_only_messages_are_cut(make_hit, context):
    hits = [make_hit("fact", PAGE), make_hit("said", PAGE, kind=HitKind.MESSAGE)]
    fact, said = Excerpts(100)(context(), hits)
    assert fact.text == PAGE
    assert len(said.text) <= 100
