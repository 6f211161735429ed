"""The marks that answers were given, day by day: a chart for each agent, and the same in words."""

from collections.abc import Sequence
from datetime import date, timedelta

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.domain.language.text import counted, shown
from app.domain.prompting.judge import HIGHEST, ScoredDay
from app.gui.theme import Theme
from app.gui.widgets import Label, named, vbox
from app.gui.widgets.filling import add, clear
from app.gui.widgets.foreign import tip

DAYS = 30
_HEIGHT, _FOOT, _SIDE = 84, 20, 24
_GAP, _ROUND = 0.3, 2
_MARKS = (0, 5, 10)
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class ScoreChart(QWidget):
    """A bar for each of the last days, from 0 to 10; days without marks have none."""

    def __init__(self, theme: Theme, days: Sequence[ScoredDay], today: date) -> None:
        super().__init__()
        self._theme = theme
        self._first = today - timedelta(days=DAYS - 1)
        self._by_day = {one.day: one for one in days}
        named(self, "score_chart", f"Scores: {', '.join(map(day_words, days))}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the room for the bars and the days below them."""
        return QSize(320, self._theme.px(_HEIGHT))

    def event(self, event: QEvent) -> bool:
        """Say of the bar under the mouse which day it is and how the answers were marked."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            days = self._by_day.values()
            one = next((day for day in days if self._slot(day).contains(event.pos())), None)
            QToolTip.showText(event.globalPos(), tip(day_words(one)) if one else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scale, the bars, and the first and last day."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font("small"))
        self._draw_scale(painter)
        self._draw_bars(painter)
        self._draw_days(painter)

    def _draw_scale(self, painter: QPainter) -> None:
        area, theme = self._area(), self._theme
        room = area.height() / len(_MARKS)
        for number in _MARKS:
            y = area.bottom() - area.height() * number / HIGHEST
            painter.setPen(theme.colour("border"))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(theme.colour("muted"))
            side = QRectF(0, y - room / 2, area.left() - 6, room)
            painter.drawText(side, _RIGHT | Qt.AlignmentFlag.AlignVCenter, shown(str(number)))

    def _draw_bars(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent"))
        for one in self._by_day.values():
            bar = self._slot(one)
            bar.setTop(bar.bottom() - max(_ROUND, bar.height() * one.mean / HIGHEST))
            inset = bar.width() * _GAP / 2
            painter.drawRoundedRect(bar.adjusted(inset, 0, -inset, 0), _ROUND, _ROUND)

    def _draw_days(self, painter: QPainter) -> None:
        area = self._area()
        foot = QRectF(area.left(), area.bottom(), area.width(), self._theme.px(_FOOT))
        last = self._first + timedelta(days=DAYS - 1)
        painter.setPen(self._theme.colour("muted"))
        painter.drawText(foot, _LEFT | Qt.AlignmentFlag.AlignBottom, shown(_day(self._first)))
        painter.drawText(foot, _RIGHT | Qt.AlignmentFlag.AlignBottom, shown(_day(last)))

    def _area(self) -> QRectF:
        theme = self._theme
        left, top = theme.px(_SIDE), theme.px(_FOOT) / 2
        return QRectF(left, top, self.width() - left, self.height() - top - theme.px(_FOOT))

    def _slot(self, one: ScoredDay) -> QRectF:
        """Return where the bar of a day stands, at full height."""
        area = self._area()
        width = area.width() / DAYS
        number = (one.day - self._first).days
        return QRectF(area.left() + number * width, area.top(), width, area.height())


class ScoresSection(QWidget):
    """A chart for each agent whose answers were marked; nothing is seen of it where none were."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "answer_scores", "Scores of answers")
        self._theme = theme
        self._days: Sequence[ScoredDay] = ()
        self._rows: QVBoxLayout = vbox(spacing=16)
        title = Label("Scores of answers", "heading", name="answer_scores_title")
        vbox(title, self._rows, of=self, margins=(0, 0, 0, 24), spacing=6)
        self.hide()

    def show_days(self, days: Sequence[ScoredDay], today: date) -> None:
        """Show other marks; the oldest first."""
        self.setVisible(bool(days))
        if days == self._days:
            return
        self._days = days
        clear(self._rows)
        for agent in dict.fromkeys(one.agent for one in days):
            mine = [one for one in days if one.agent == agent]
            row = named(QWidget(), "scored")
            vbox(
                Label(agent, "row", wrap=True, name="scored_agent"),
                Label(in_words(mine), "secondary", wrap=True, name="scores_words"),
                ScoreChart(self._theme, mine, today),
                of=row,
                margins=0,
                spacing=4,
            )
            add(self._rows, row)


def in_words(days: Sequence[ScoredDay]) -> str:
    """Return what a chart shows, in a sentence."""
    answers = sum(one.answers for one in days)
    mean = sum(one.mean * one.answers for one in days) / answers
    best, worst = (choose(days, key=lambda one: one.mean) for choose in (max, min))
    spread = f" Lowest {_mark(worst.mean)} on {_day(worst.day)}, highest {_mark(best.mean)} on"
    spread = f"{spread} {_day(best.day)}." if best.mean > worst.mean else ""
    told = f"{_mark(mean)} of {HIGHEST:g} on average over {counted(answers, 'answer')}"
    return f"{told} in the last {DAYS} days.{spread}"


def day_words(one: ScoredDay) -> str:
    """Return what a bar shows: "28 Nov: 8.2 of 10, 3 answers"."""
    return f"{_day(one.day)}: {_mark(one.mean)} of {HIGHEST:g}, {counted(one.answers, 'answer')}"


def _mark(score: float) -> str:
    return f"{round(score, 1):g}"


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]}"
