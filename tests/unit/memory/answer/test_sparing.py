"""What is said of others stays when somebody is to be forgotten, or is asked about."""

from datetime import UTC, datetime

import pytest

from app.domain.ids import new_id
from app.domain.memory import SAFETY, Memory
from app.domain.reply import OrderTarget
from app.memory.answer.sparing import is_of_namesake, rest, sparing
from app.memory.text.whom import roles

NOW = datetime(2026, 11, 27, tzinfo=UTC)
MUM = "My mum Ruth lives in Hull"
FULL = "My mum Ruth Osman lives in Hull"


def memory(text, *tags):
    return Memory(new_id(NOW), text, NOW, NOW, tags=tags, agent_pk=1)


@pytest.mark.parametrize(
    ("text", "told", "doubted"),
    [
        (MUM, MUM, False),
        ("Ruth has a bad hip", MUM, False),
        ("My mother Ruth has a bad hip", MUM, False),
        ("My colleague Ruth sits opposite me", MUM, True),  # something else
        ("Ruth is my new colleague", MUM, True),
        ("Ruth Bell sits opposite me", MUM, True),  # another second name
        ("Ruth Osman has a bad hip", FULL, False),  # her own
        ("Ruth Bell sits opposite me", FULL, True),
    ],
)
def test_who_shares_the_first_name_of_who_is_meant_may_be_another(text, told, doubted):
    assert is_of_namesake("my mum", ["Ruth"], text, [memory(told), memory(text)]) is doubted


def test_of_a_name_alone_everybody_is_meant_who_has_it():
    assert not is_of_namesake("Ruth", [], "My colleague Ruth Bell sits opposite me", [])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My ex-husband Rob drinks too much", {"ex-husband"}),
        ("my mum's friend Rob came", {"friend"}),
        ("Rob Lane is our neighbour", {"neighbour"}),
        ("Rob lent my colleague Ann a pen", set()),
    ],
)
def test_as_what_somebody_is_introduced(text, found):
    assert roles(text, "Rob") == found


def test_what_matters_for_the_safety_of_others_and_cannot_be_cut_is_asked_about():
    both = memory("Ella and Max take 5 ml of Zyrtec", SAFETY)
    one, other = memory("Max takes 5 ml of Zyrtec", SAFETY), memory("Ella and Max play chess")
    meant = sparing(frozenset({"max"}), OrderTarget([both, one, other]))
    assert (list(meant.clear), list(meant.doubtful)) == ([one, other], [both])
    cut = OrderTarget([both], left={both.id: "Ella takes 5 ml of Zyrtec"})
    assert list(sparing(frozenset({"max"}), cut).clear) == [both]
    assert list(sparing(frozenset(), OrderTarget([both])).clear) == [both], "the order names nobody"


def test_what_is_cut_at_every_comma_still_says_something():
    doses = "Ella takes 5 ml of Zyrtec at night, Max 2.5 ml"
    assert rest(doses, lambda said: ["Max" in one for one in said], fine=True) == (
        "Ella takes 5 ml of Zyrtec at night"
    )
    assert rest(doses, lambda said: ["Ella" in one for one in said], fine=True) == ""
    assert rest(doses, lambda said: ["Max" in one for one in said], fine=False) == ""
