"""Verb forms, and clauses about doing something."""

import pytest

from app.memory.extract.verbs import is_gerund_subject


@pytest.mark.parametrize(
    "clause",
    [
        "taking a break can help",
        "having that support really encourages me",
        "learning an instrument is cool",
        "seeing old buildings fascinates me",
    ],
)
def test_doing_something_may_be_what_a_clause_is_about(clause):
    assert is_gerund_subject(clause.split())


@pytest.mark.parametrize(
    "clause", ["training for a marathon in June", "living with a man who can cook", "my house"]
)
def test_somebody_may_only_have_left_out_that_it_is_they_who_do_it(clause):
    assert not is_gerund_subject(clause.split())
