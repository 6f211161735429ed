"""Cards: framed surfaces, cards that are buttons, and cards to choose from."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QWidget,
)

from app.gui.theme import Theme
from app.gui.widgets.boxes import fill, vbox
from app.gui.widgets.labels import Label
from app.gui.widgets.naming import named

RADIUS = 10


class Card(QFrame):
    """A framed surface with a vertical layout, in the tone plain, accent, warn or danger."""

    def __init__(self, name: str, tone: str = "plain", margin: int = 12) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("surface", "card")
        self.setProperty("tone", tone)
        self.body = vbox(of=self, margins=margin, spacing=6)


class CardButton(QAbstractButton):
    """A button with a layout of words in it: as large as they need, pressed with Enter as well."""

    def __init__(self, name: str, body: QBoxLayout) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setLayout(body)
        self.body = body
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def keep_mouse(self) -> None:
        """Let no widget inside take the mouse; called when they are all there."""
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def move_focus(self, step: int) -> None:
        """Put the keyboard on a neighbour of the same kind under the same parent."""
        around = self.parentWidget() or self
        cards = [c for c in around.findChildren(type(self)) if c.isVisible() and c.isEnabled()]
        cards.sort(key=lambda card: card.y())
        if self in cards:
            following = cards[(cards.index(self) + step) % len(cards)]
            following.setFocus(Qt.FocusReason.TabFocusReason)

    def sizeHint(self) -> QSize:
        """Return what the words need."""
        return self.body.sizeHint()

    def hasHeightForWidth(self) -> bool:
        """Say that long words need more height in less width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the words need at a width."""
        return self.body.heightForWidth(width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press it with Enter, as with Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class ChoiceCard(CardButton):
    """A large card that is one of several answers to a question.

    Arrow keys move between the cards of one parent; Enter and Space choose.
    """

    def __init__(
        self, theme: Theme, icon: str, title: str, text: str, name: str, warning: str = ""
    ) -> None:
        super().__init__(name, QHBoxLayout())
        self._theme = theme
        self._icon = icon
        self._badge = named(QLabel(), f"{name}_badge")
        self._badge.setFixedSize(34, 34)
        self._chevron = named(QLabel(), f"{name}_chevron")
        self._title = Label(title, "strong", wrap=True, name=f"{name}_title")
        self._text = Label(text, "secondary", wrap=True, name=f"{name}_text")
        self._warning = Label(warning, "warn", wrap=True, name=f"{name}_warning")
        self._lay_out()
        self._warning.setVisible(bool(warning))  # in its place, or it would be a window of its own
        self.say(title, text)
        theme.changed.connect(self._draw)
        self._draw()

    def _lay_out(self) -> None:
        words = vbox(self._title, self._text, self._warning, spacing=2)
        row = self.body
        row.setContentsMargins(17, 15, 17, 15)
        row.setSpacing(14)
        fill(row, self._badge, (words, 1), self._chevron)
        self.keep_mouse()

    def say(self, title: str, text: str, icon: str = "") -> None:
        """Show another answer."""
        self._title.setText(title)
        self._text.setText(text)
        self.setText("")
        self.setAccessibleName(title)
        self.setAccessibleDescription(". ".join(filter(None, (text, self._warning.text()))))
        if icon:
            self._icon = icon
            self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose with Enter, move with the arrows."""
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.move_focus(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            super().keyPressEvent(event)

    def _draw(self) -> None:
        ratio = self.devicePixelRatioF()
        self._badge.setPixmap(_badge(self._theme, self._icon, ratio))
        chevron = self._theme.icon("caret-right", "faint").pixmap(QSize(14, 14), ratio)
        self._chevron.setPixmap(chevron)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame; the accent marks the card that Enter would choose."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focus = self.hasFocus()
        width = 2.0 if focus else 1.0
        painter.setPen(QPen(self._theme.colour("accent" if focus else "border"), width))
        painter.setBrush(self._theme.colour("surface" if focus or self.underMouse() else "bg"))
        inset = width / 2
        box = self.rect().toRectF().adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(box, RADIUS, RADIUS)


def _badge(theme: Theme, icon: str, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(34 * ratio), round(34 * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("accent-soft"))
    painter.drawRoundedRect(0, 0, 34, 34, 8, 8)
    theme.icon(icon, "accent").paint(painter, QRect(7, 7, 20, 20))
    painter.end()
    return pixmap
