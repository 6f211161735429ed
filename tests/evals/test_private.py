"""A few of the strings that are measured in the large: none arrives, each comes back."""

from tests.evals.private import measured


def test_nothing_private_arrives_and_all_of_it_comes_back():
    figures = measured(40)  # four of each kind
    assert figures["planted"] == 40
    assert figures["arrived"] == []
    assert figures["not_restored"] == []
