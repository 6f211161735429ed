"""The marks of answers: under the drawer that says why, and day by day on the activity screen."""

from datetime import date

from PySide6.QtWidgets import QWidget

from app.domain.prompting.judge import AnswerScore, ScoredDay
from app.gui.activity.scores import ScoreChart, ScoresSection, in_words
from tests.gui.waiting import shown

SCORES = [
    AnswerScore("Judge", "It answers what was asked.", 9, "It names the town.", "Fake"),
    AnswerScore("Judge", "It is short.", 6.46),
]
DAYS = [
    ScoredDay("Loci", date(2026, 11, 26), 8.25, 4),
    ScoredDay("Loci", date(2026, 11, 28), 6.0, 1),
    ScoredDay("Nora", date(2026, 11, 28), 4.0, 2),
]


def texts(widget, name):
    return [found.text() for found in widget.findChildren(QWidget, name)]


def test_the_drawer_shows_marks_and_reasons_once_there_are_any(talk):
    talk.say("Where do I live?")
    section = talk.pane.drawer._scores
    talk.pane.show_why(True)
    assert not section.isVisibleTo(talk.pane)
    answer = talk.kept()[-1]
    talk.off_gui(lambda: talk.services.scoring._scores.put(answer.id, "Judge", SCORES))
    talk.screen._fetch(talk.id)
    talk.settle()
    assert section.isVisibleTo(talk.pane)
    assert texts(section, "score_criterion") == [one.criterion for one in SCORES]
    assert texts(section, "score_reason") == ["It names the town."]
    bars = [bar.accessibleName() for bar in section.findChildren(QWidget, "score_bar")]
    assert bars == ["Judge 9 of 10", "Judge 6.5 of 10"]


def test_each_agent_has_a_chart_that_is_told_in_words_as_well(theme, qtbot):
    section = ScoresSection(theme)
    shown(qtbot, section, 600, 400)
    section.show_days([], date(2026, 11, 28))
    assert not section.isVisible()
    section.show_days(DAYS, date(2026, 11, 28))
    assert section.isVisible()
    assert texts(section, "scored_agent") == ["Loci", "Nora"]
    assert texts(section, "scores_words") == [in_words(DAYS[:2]), in_words(DAYS[2:])]
    charts = [chart.accessibleName() for chart in section.findChildren(ScoreChart)]
    assert charts[0] == "Scores: 26 Nov: 8.2 of 10, 4 answers, 28 Nov: 6 of 10, 1 answer"


def test_a_bar_is_as_high_as_its_mark(theme, qtbot):
    chart = ScoreChart(theme, DAYS[:2], date(2026, 11, 28))
    shown(qtbot, chart, 600, 84)
    picture = chart.grab().toImage()
    accent = theme.colour("accent").rgb()
    heights = []
    for one in DAYS[:2]:
        slot = chart._slot(one)
        x = int(slot.center().x())
        heights.append(sum(picture.pixel(x, y) == accent for y in range(picture.height())))
    full = chart._area().height()
    assert abs(heights[0] - full * 0.825) <= 3
    assert abs(heights[1] - full * 0.6) <= 3
    empty = chart._slot(ScoredDay("Loci", date(2026, 11, 27), 0, 0))
    assert not any(
        picture.pixel(int(empty.center().x()), y) == accent for y in range(picture.height())
    )


def test_the_words_weigh_days_by_their_answers():
    words = in_words(DAYS[:2])
    assert words.startswith("7.8 of 10 on average over 5 answers in the last 30 days.")
    assert words.endswith("Lowest 6 on 28 Nov, highest 8.2 on 26 Nov.")
