"""A sentence is cut into clauses that each say one thing of one subject."""

import pytest

from app.memory.extract.clauses import clauses, without_openers
from app.memory.extract.subjects import Kind


def said(sentence, **options):
    return [clause.text for clause in clauses(sentence, (), [], **options)]


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("I live in Ghent and work at KBC", ["I live in Ghent", "I work at KBC"]),
        ("I'm divorced and I have one son", ["I am divorced", "I have one son"]),
        ("I'm vegetarian and allergic to nuts", ["I am vegetarian", "I am allergic to nuts"]),
        ("I like fish and chips", ["I like fish and chips"]),
        ("I have two kids, Mia and Leo", ["I have two kids, Mia and Leo"]),
        ("My son is 6 and loves trains", ["My son is 6", "My son loves trains"]),
        ("My son is 6, but he sings", ["My son is 6", "My son sings"]),
        ("In 2019 I moved to Ghent", ["I moved to Ghent in 2019"]),
        ("By the way, I now live in Ghent, you know", ["I live in Ghent"]),
        ("My wife and I live in Ghent", ["My wife and I live in Ghent"]),
        ("I have a brother who lives in Oslo", ["I have a brother", "my brother lives in Oslo"]),
    ],
)
def test_each_clause_has_its_subject(sentence, parts):
    assert said(sentence) == parts


def test_what_is_doubted_is_no_clause():
    assert said("I might move and I think I am ill") == []


def test_before_a_question_something_may_be_stated():
    assert said("I'm allergic to nuts, can I eat this", question=True) == ["I am allergic to nuts"]
    assert said("I live in Ghent, right", question=True) == []


def test_additions_and_corrections_are_marked():
    (also,) = clauses("I also work at Acme", (), [])
    assert also.additive
    (right,) = clauses("No, I live in Ghent, not in Antwerp", (), [])
    assert right.correcting
    assert right.instead_of == "in Antwerp"
    assert right.subject.kind is Kind.SELF


def test_openers_are_taken_off():
    assert without_openers("Oh, and by the way, for the record, Ruth is here") == "Ruth is here"
