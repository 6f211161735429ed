"""Chips: small rounded words, to read or to press."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

from app.domain.language.text import shown
from app.gui.theme import Theme
from app.gui.widgets.foreign import caption
from app.gui.widgets.naming import restyled


class Chip(QLabel):
    """A chip to read, in the tone neutral, accent, warn or danger."""

    def __init__(self, text: str, tone: str = "neutral", name: str = "chip") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setObjectName(name)
        self.setProperty("chip", "true")
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.say(text)

    def say(self, text: str, tone: str = "") -> None:
        """Show other words, and if need be another tone."""
        self.setText(shown(text))
        self.setAccessibleName(self.text())
        if tone and tone != self.property("tone"):
            restyled(self, tone=tone)


class ChipButton(QPushButton):
    """A chip to press, in the tone ``outline``, ``neutral``, ``accent``, ``warn`` or ``danger``."""

    def __init__(
        self, theme: Theme, text: str, name: str, tone: str = "outline", icon: str = ""
    ) -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self.setObjectName(name)
        self.setProperty("chip", "true")
        self.setProperty("tone", tone)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._draw)
        self.say(text, tone, icon)

    def say(self, text: str, tone: str = "", icon: str = "") -> None:
        """Show other words, and if need be another tone and icon."""
        self.setText(caption(text))
        self.setAccessibleName(shown(text))
        self._icon = icon or self._icon
        if tone and tone != self.property("tone"):
            restyled(self, tone=tone)
        self._draw()

    def _draw(self) -> None:
        if self._icon:
            tone = str(self.property("tone"))
            token = tone if tone in ("accent", "warn", "danger") else "muted"
            self.setIcon(self._theme.icon(self._icon, token))
            self.setIconSize(QSize(1, 1) * self._theme.px(14))
