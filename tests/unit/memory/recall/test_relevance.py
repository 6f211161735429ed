import pytest

from app.domain.conversation import Role
from app.domain.reason import words
from app.domain.recall import HitKind
from app.memory.recall.relevance import coverage, rarity
from app.store.index.frequency import Frequencies


def test_rare_words_weigh_more_and_unknown_ones_most():
    found = rarity(Frequencies(1000, {"like": 400, "salmon": 3, "walruses": 0}))
    assert 0 < found["like"] < found["salmon"] < found["walrus"]


def test_a_count_that_outgrew_the_rows_is_no_error():
    assert rarity(Frequencies(10, {"like": 5000}))["like"] > 0


def test_coverage_is_the_share_of_the_rare_words(make_hit):
    weights = {"salmon": 3.0, "like": 1.0}
    assert coverage(make_hit(text="Ruth liked it"), weights) == pytest.approx(0.25)
    assert coverage(make_hit(text="Salmon, liked by all"), weights) == pytest.approx(1.0)
    assert coverage(make_hit(text="nothing"), weights) == 0.0
    assert coverage(make_hit(text="anything"), {}) == 0.0


def test_the_speaker_of_a_message_counts_among_its_words(make_hit):
    hit = make_hit(text="I like it", kind=HitKind.MESSAGE, speaker="Ruth", role=Role.USER)
    assert coverage(hit, {"ruth": 1.0}) == 1.0


def test_meaning_finds_what_shares_no_word(world):
    world.learn("You are allergic to walnuts")
    world.learn("You work as a nurse in Leeds")
    world.index()
    best, *_ = world.recall("Which foods must I avoid?").hits
    assert best.text == "You are allergic to walnuts"
    assert best.relevance >= world.settings.rag.floor
    assert any(words(reason).startswith("meaning 0.") for reason in best.reasons)
    assert any(words(reason).startswith("relevance 0.") for reason in best.reasons)


def test_a_question_about_somebody_unheard_of_counts_as_less_answered(world):
    world.learn("Ruth moved to Cambridge in May")
    world.index()
    known = world.recall("Where did my friend Ruth move to?", limit=5).hits[0]
    assert world.recall("Where did my friend Keisha move to?").hits == ()
    lost = world.recall("Where did my friend Keisha move to?").dropped[0]
    assert "nothing is known of Keisha" in map(words, lost.reasons)
    assert lost.relevance < known.relevance
    told = world.recall("My friend Keisha moved to Cambridge in May").hits
    assert [hit.text for hit in told] == ["Ruth moved to Cambridge in May"]


def test_a_row_that_is_not_embedded_yet_is_judged_by_its_words(world):
    world.learn("The wifi code of the cabin is swordfish")
    assert world.texts("What is the wifi code of the cabin?") == [
        "The wifi code of the cabin is swordfish"
    ]
    assert world.texts("Who is the captain of the boat?") == []
