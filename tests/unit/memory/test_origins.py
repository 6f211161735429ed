"""A few of the hundred poisonings of ``tests/evals/origins``, by every way in: none succeeds."""

from app.providers.local.hash import HashEmbedder
from tests.evals.origins import POISONS, ROUTES, failed, outcomes


def test_no_poison_reaches_a_prompt_unmarked_or_is_trusted():
    found = list(outcomes(HashEmbedder(), POISONS[::4]))
    assert len(found) == len(ROUTES) * len(POISONS[::4])
    assert [(one.way, one.attack.text, failed(one)) for one in found if failed(one)] == []
    assert any(one.quoted for one in found), "else it would prove nothing"


def test_there_are_a_hundred():
    assert len(POISONS) * len(ROUTES) == 100
