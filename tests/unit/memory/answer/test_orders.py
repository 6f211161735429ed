"""Which memories an order means: the one that alone has the words by which it names something."""

from datetime import UTC, datetime

import pytest

from app.domain.ids import new_id
from app.domain.memory import Memory
from app.domain.reply import OrderTarget
from app.memory.answer.orders import _named_alone, _on_topic, _unnamed, naming

NOW = datetime(2026, 11, 27, tzinfo=UTC)
RENT, PILLS, LODGER = (
    Memory(new_id(NOW), text, NOW, NOW, agent_pk=1)
    for text in ("The rent is 310", "Ritalin at noon, which I forget", "Sam pays me rent")
)


@pytest.mark.parametrize(
    ("order", "doubtful", "clear"),
    [
        ("forget what my rent is", [RENT, PILLS], [RENT]),
        ("forget what my rent is", [RENT, LODGER], []),  # either may be meant
        ("forget what my rent is", [PILLS, RENT], []),  # the judge prefers another
        ("forget the rent of 2019", [RENT, PILLS], []),  # names more than it says
    ],
)
def test_what_alone_has_all_the_naming_words_is_meant(order, doubtful, clear):
    meant = _named_alone(naming(order), OrderTarget((), doubtful))
    assert list(meant.clear) == clear
    assert [*meant.clear, *meant.doubtful] == doubtful


@pytest.mark.parametrize(
    ("order", "left"),
    [
        ("forget what my rent is", [LODGER]),  # names it, too
        ("forget the rent of 2019", [PILLS, LODGER]),  # nothing names it all
    ],
)
def test_what_names_nothing_of_an_order_is_not_asked_about_beside_what_names_all(order, left):
    meant = _on_topic(naming(order), OrderTarget([RENT], [PILLS, LODGER]))
    assert (list(meant.clear), list(meant.doubtful)) == ([RENT], left)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Freddy", "The kiln guy is Freddy, he comes twice a year, last time was in May", ""),
        ("Ana", "Ana is my sister. I keep bees", "I keep bees"),
    ],
)
def test_what_goes_on_about_somebody_is_about_them_too(name, text, left):
    assert _unnamed(name, text) == left
