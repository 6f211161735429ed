"""What a model wrote is kept only where its numbers, names and negations were typed."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memory import Candidate
from app.errors import ModelError
from app.memory.learn.entailment import LONGEST, Entailment, keeps
from app.providers.judging import Task
from tests.fakes.understanding import Understanding
from tests.unit.memory.conftest import FRIDAY

DAY = timedelta(days=1)


class Judge:
    """Finds as faithful what it is told to, and remembers what it was asked."""

    def __init__(self, chance=1.0):
        self.chance, self.asked = chance, []

    def judge(self, task, pairs):
        self.asked.append((task, list(pairs)))
        return np.array([[1 - self.chance, self.chance]] * len(pairs), np.float32)


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("I take 5 mg of lisinopril", "The user takes 5 mg of lisinopril"),
        ("I take 2.5mg of bisoprolol", "The user takes 2.5 mg of bisoprolol"),
        ("I take 2,5 mg of bisoprolol", "The user takes 2.5 mg of bisoprolol"),
        ("I earn 3,400 euros", "The user earns 3400 euros"),
        ("It cost 1,234,567 euros", "It cost 1234567 euros"),
        ("I have two cats", "The user has 2 cats"),
        ("I have 2 cats", "The user has two cats"),
        ("I get up at 6:30", "The user gets up at 6:30"),
        ("I have two cats and three dogs", "The user has three dogs"),
    ],
)
def test_a_number_that_was_typed_may_be_written(typed, written):
    assert keeps(typed, written)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("I take 5 mg of lisinopril", "The user takes 50 mg of lisinopril"),
        ("I take 5 mg of lisinopril", "The user takes 15 mg of lisinopril"),
        ("I take 2.5 mg of bisoprolol", "The user takes 25 mg of bisoprolol"),
        ("I take 2,5 mg of bisoprolol", "The user takes 25 mg of bisoprolol"),
        ("I take lisinopril", "The user takes 5 mg of lisinopril"),
        ("I have two cats", "The user has three cats"),
        ("I earn 3,400 euros", "The user earns 34 euros"),
        ("I get up at 6:30", "The user gets up at 7:30"),
        ("I was born in 1984", "The user was born in 1948"),
    ],
)
def test_a_number_that_was_not_typed_may_not(typed, written):
    assert not keeps(typed, written)


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("my sister ana lives in porto", "The user's sister Ana lives in Porto"),
        ("my sister ANA lives in Porto", "The user's sister Ana lives in Porto"),
        ("my friend Zoë is here", "The user's friend Zoë is here"),
        ("I live in Ghent", "You live in Ghent. Your home is in Ghent"),
        ("I live in Ghent", "Today I live in Ghent, and I like it"),
        ("I'm Ana's brother", "The user is Ana's brother"),
        ("I live in ÉVORA", "The user lives in Évora"),
    ],
)
def test_a_name_that_was_typed_may_be_written(typed, written):
    assert keeps(typed, written)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("my sister lives in Porto", "The user's sister Ana lives in Porto"),
        ("I live in Ghent", "The user lives in Bruges"),
        ("I live in Ghent", "The user lives in Ghent, Belgium"),
        ("I live in Évora", "The user lives in Évreux"),
        ("I live in Ghent", "The user lives in Łódź"),
        ("I bank with Argenta", "The user banks with Moonbeam"),
    ],
)
def test_a_name_that_was_not_typed_may_not(typed, written):
    assert not keeps(typed, written)


# -- negation --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("I don't eat meat", "The user does not eat meat"),
        ("I don’t eat meat", "The user never eats meat"),
        ("I never eat meat", "The user doesn't eat meat"),
        ("I stopped smoking", "The user no longer smokes"),
        ("I take it without sugar", "The user takes no sugar"),
    ],
)
def test_what_was_denied_may_be_written_as_denied(typed, written):
    assert keeps(typed, written)


@pytest.mark.parametrize(
    "written",
    [
        "The user does not eat meat",
        "The user doesn’t eat meat",
        "The user never eats meat",
        "The user no longer eats meat",
        "The user stopped eating meat",
        "The user eats no meat",
        "The user cannot eat meat",
        "The user lives without meat",
    ],
)
def test_what_was_not_denied_may_not(written):
    assert not keeps("I eat meat every day", written)


# -- laws ------------------------------------------------------------------------------------------


PARTS = ["my", "sister", "Ana’s", "Ana's", "O'Brien", "Jean-Luc", "Évora", "isn't", "never", "two"]
SAID = st.lists(st.sampled_from([*PARTS, "3,400", "2,5", "6:30", "McKay,", "."])).map(" ".join)


@given(SAID | st.text(alphabet=st.characters()))
def test_what_was_typed_keeps_itself(text):
    assert keeps(text, text)


@given(st.text(alphabet=st.characters()), st.text(alphabet=st.characters()))
def test_any_two_texts_are_compared(typed, written):
    assert keeps(typed, written) in (True, False)
    assert keeps(f"{typed}. {written}", written) or not keeps(written, written)


@given(st.integers(0, 99_999), st.integers(0, 99_999))
def test_another_number_is_another_number(one, other):
    assert keeps(f"I have {one} bees", f"The user has {other} bees") is (one == other)


# -- and what the judge says -----------------------------------------------------------------------

TYPED = "I take 5 mg of lisinopril every morning"
GOOD = (TYPED, "The user takes 5 mg of lisinopril every morning")
BAD = (TYPED, "The user takes 50 mg of lisinopril every morning")


def test_the_judge_is_asked_only_of_what_keeps_to_the_words():
    judge = Judge()
    assert Entailment(lambda: judge).supported([BAD, GOOD, BAD]) == [False, True, False]
    assert judge.asked == [(Task.ENTAIL, [GOOD])]


def test_what_the_judge_finds_twisted_is_not_supported():
    assert Entailment(lambda: Judge(0.1)).supported([GOOD]) == [False]


@pytest.mark.parametrize(("chance", "held"), [(0.8, False), (0.83, True)])
def test_the_judge_has_to_be_sure_that_nothing_is_changed(chance, held):
    assert Entailment(lambda: Judge(chance)).supported([GOOD]) == [held]


def proposed(text, quote, **fields):
    return Candidate(text, quote, by_model=True, **fields)


def test_a_date_may_be_written_for_the_day_that_was_named():
    """The judge, too, reads the date that "tomorrow" comes to."""
    typed, judge = "I see the dentist tomorrow", Judge()
    right, wrong = (
        proposed(f"The user sees the dentist on {day} May 2026", typed, occurred_at=FRIDAY + DAY)
        for day in (9, 10)
    )
    assert Entailment(lambda: judge).believed([right, wrong], typed, FRIDAY) == [right]
    ((_, [(said, written)]),) = judge.asked
    assert "9 May 2026" in said
    assert written == right.text


def test_of_a_long_message_only_the_quoted_words_support_a_statement():
    typed = f"My sister is ill. {'We talked for hours about the garden. ' * 40} Ruth sails."
    named = proposed("The user's sister Ruth is ill", "My sister is ill")
    plain = proposed("The user's sister is ill", "My sister is ill")
    assert len(typed) > LONGEST
    assert Entailment(Judge).believed([named, plain], typed, FRIDAY) == [plain]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("Walnuts make my throat swell", "Walnuts never make the user's throat swell"),
        ("I might move to Ghent next year", "The user has moved to Ghent"),
        ("My sister Ana is a nurse", "The user is a nurse"),
        ("I am not allergic to nuts", "The user is allergic to nuts"),
        ("Ich vertrage keine Milch", "Der Nutzer verträgt Milch"),
        ("I like apples, pears and plums", "The user is allergic to apples and pears"),
    ],
)
def test_the_shipped_judge_does_not_believe_what_changes_the_meaning(typed, written):
    assert Entailment(Understanding).supported([(typed, written)]) == [False]


@pytest.mark.parametrize(
    ("typed", "written", "kept"),
    [
        ("I'm not scared of needles", "The user is scared of needles", False),
        ("I don't eat meat", "The user is a vegetarian", True),
        ("I can't stand coriander", "The user dislikes coriander", True),
        ("I never ski, but I skate a lot", "The user skates a lot", True),
        ("I never ski, but I skate a lot", "The user skis", False),
    ],
)
def test_what_was_only_denied_is_not_written_as_so(typed, written, kept):
    assert keeps(typed, written) is kept


@pytest.mark.parametrize("pairs", [[], [BAD]])
def test_where_nothing_is_left_to_ask_no_judge_is_needed(pairs):
    judge = Judge()
    assert Entailment(lambda: judge).supported(pairs) == [False] * len(pairs)
    assert judge.asked == []


def test_where_the_judge_does_not_answer_nothing_is_believed():
    class Missing:
        def judge(self, task, pairs):
            raise ModelError("The model that compares statements is missing.")

    assert Entailment(Missing).supported([GOOD, BAD]) == [False, False]


def test_the_shipped_judge_believes_a_sentence_of_itself_and_no_other_subject():
    same, other = (TYPED, TYPED), (TYPED, "My sister sells flowers at the market")
    assert Entailment(Understanding).supported([same, other]) == [True, False]
