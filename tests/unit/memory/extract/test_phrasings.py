"""How people type, in many registers: most of what they tell is heard, and nothing else is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.memory.extract.statements import statements

AT = datetime(2026, 5, 8, 10, tzinfo=UTC)
LINES = (Path(__file__).parent / "phrasings.txt").read_text(encoding="utf-8").splitlines()


def cases(*, telling):
    """Return what is typed with what one memory must carry, of the lines that tell something."""
    rows = [line.partition("=>") for line in LINES if "=>" in line and not line.startswith("#")]
    return [(said.strip(), want.strip()) for said, _, want in rows if bool(want.strip()) == telling]


def heard(said):
    asked, _, message = said.rpartition("||")
    return [one.text for one in statements(message.strip(), AT, asked=asked.strip())]


def carries(texts, want):
    whole = " ¦ ".join(texts).casefold()
    return all(
        any(word.strip().casefold() in whole for word in part.split("|"))
        for part in want.split(";")
    )


def test_most_of_what_people_tell_is_heard():
    told = cases(telling=True)
    missed = [said for said, want in told if not carries(heard(said), want)]
    assert len(missed) <= 0.05 * len(told), missed


def test_what_tells_nothing_yields_nothing():
    idle = cases(telling=False)
    assert len(idle) > 350
    assert [said for said, _ in idle if heard(said)] == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("We moved the piano ourselves, she's done it before, my aunt Bo has a van.", "she's"),
        ("My nephew is eleven, he was in intensive care as a baby.", "your nephew was"),
        ("Even though mine is small, I rely on them.", "Yours is small, Yours"),
    ],
)
def test_what_is_joined_is_not_said_twice(said, text):
    assert not any(text in one for one in heard(said))
