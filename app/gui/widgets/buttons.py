"""Buttons, in the few kinds that the style sheet knows."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, SignalInstance
from PySide6.QtWidgets import QPushButton, QSizePolicy

from app.gui.theme import Theme
from app.gui.widgets.foreign import caption, tip
from app.gui.widgets.naming import named

ICON_SIZE = 16
Then = Callable[..., object] | SignalInstance


class Button(QPushButton):
    """A button: ``plain``, ``primary``, ``danger``, ``ghost``, ``link`` or ``fold``."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        name: str,
        kind: str = "plain",
        icon: str = "",
        *,
        spoken: str = "",
        then: Then | None = None,
    ) -> None:
        super().__init__()
        self.setText(text)
        self._theme = theme
        self._icon = icon
        self._kind = kind
        named(self, name, spoken or text.rstrip("…"))
        self.setProperty("kind", kind)
        self.setAutoDefault(False)
        if kind == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        if icon:
            theme.changed.connect(self._draw)
            self._draw()
        if then is not None:
            self.clicked.connect(then)

    def setText(self, text: str) -> None:
        """Show other words."""
        super().setText(caption(text))

    def set_icon(self, icon: str) -> None:
        """Show another icon."""
        self._icon = icon
        self._draw()

    def _draw(self) -> None:
        token = {"primary": "on-accent", "danger": "danger", "ghost": "muted", "link": "accent"}
        token["fold"] = "muted"
        self.setIcon(self._theme.icon(self._icon, token.get(self._kind, "text")))
        self.setIconSize(QSize(1, 1) * self._theme.px(ICON_SIZE))


class IconButton(QPushButton):
    """A button that is only an icon, or ``round`` around it; its tool tip says what it does."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        title: str,
        name: str,
        kind: str = "icon",
        token: str = "muted",
        then: Then | None = None,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self._round = kind == "round"
        self._token = "on-accent" if self._round else token
        self.setObjectName(name)
        self.setProperty("kind", kind)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.describe(title)
        if then is not None:
            self.clicked.connect(then)
        theme.changed.connect(self._draw)
        self._draw()

    def describe(self, title: str) -> None:
        """Say what it does now."""
        self.setAccessibleName(title)
        self.setToolTip(tip(title))

    def set_icon(self, icon: str, title: str = "") -> None:
        """Show another icon, and say what it does now."""
        self._icon = icon
        if title:
            self.describe(title)
        self._draw()

    def _draw(self) -> None:
        self.setIcon(self._theme.icon(self._icon, self._token))
        size = ICON_SIZE if self._round else self._theme.px(ICON_SIZE)
        self.setIconSize(QSize(size, size))
