"""A find as a card: readable words, and columns that keep clear of one another."""

from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QLabel

from app.domain import trace
from app.domain.conversation import Role
from app.domain.memory import Trust
from app.domain.provenance import Passage
from app.domain.recall import Hit, HitKind
from app.gui.trace.bars import Bars
from app.gui.trace.card import WhyCard
from app.gui.trace.source import TraceSource
from app.gui.trace.wording import Bar

NOW = datetime(2026, 10, 12, tzinfo=UTC)


def words(qtbot, theme, text, role):
    card = WhyCard(theme, TraceSource(Hit("x", HitKind.MESSAGE, text, NOW, role=role)), lambda: NOW)
    qtbot.addWidget(card)
    return card.findChild(QLabel, "why_text").text()


def test_an_answer_is_shown_without_the_marks_of_its_markdown(qtbot, theme):
    text = "I would make **baked salmon** [1]:\n\n- salmon, 1 kg\n- `dill`\n\n```text\nbarley\n```"
    shown = words(qtbot, theme, text, Role.ASSISTANT)
    assert shown == "I would make baked salmon [1]: salmon, 1 kg · dill · barley"
    assert words(qtbot, theme, "2 * 3 * 4 is **not** 23", Role.USER) == "2 * 3 * 4 is **not** 23"


@pytest.mark.parametrize(
    ("fields", "badge", "care"),
    [
        (
            {"kind": HitKind.MESSAGE, "passages": (Passage("a", "pasted"),)},
            "from outside",
            trace.CARE,
        ),
        ({"trust": Trust.EXTERNAL}, "from outside", trace.CARE),
        ({"trust": Trust.CLAIMED}, "claimed by an import", trace.CLAIMED_CARE),
    ],
)
def test_what_is_not_the_persons_word_has_a_badge_and_says_what_to_mind(
    qtbot, theme, fields, badge, care
):
    hit = Hit(**{"id": "x", "kind": HitKind.MEMORY, "text": "a", "at": NOW, **fields})
    card = WhyCard(theme, TraceSource(hit), lambda: NOW)
    qtbot.addWidget(card)
    chip = card.findChild(QLabel, f"why_{hit.standing}")
    assert (chip.text(), chip.toolTip()) == (badge, care)
    assert card.findChild(QLabel, "why_care").text() == care
    assert badge not in card.findChild(QLabel, "why_kind").text()


def test_where_there_is_no_room_for_bars_the_words_stay_apart(qtbot, theme):
    bars = Bars(theme, [Bar("a very long name of a step", 1.0, "1,234 → 20 · 38 ms")], "bars")
    qtbot.addWidget(bars)
    bars.resize(400, bars.height())
    accent = theme.colour("accent").rgb()

    def coloured():
        image = bars.grab().toImage()
        middle = image.height() // 2
        return any(image.pixel(x, middle) == accent for x in range(image.width()))

    assert coloured()
    bars.resize(220, bars.height())
    assert not coloured()
