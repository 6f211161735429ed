"""Buttons, in the few kinds that the style sheet knows."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy

from app.gui.theme import Theme
from app.gui.widgets.foreign import caption, tip

ICON_SIZE = 16


class Button(QPushButton):
    """A button with words on it.

    Args:
        theme: Colours of the icon.
        text: What it does.
        name: Its object name.
        kind: ``plain``, ``primary``, ``danger``, ``ghost``, ``link`` or ``fold``.
        icon: A Phosphor icon before the words, or none.
    """

    def __init__(
        self, theme: Theme, text: str, name: str, kind: str = "plain", icon: str = ""
    ) -> None:
        super().__init__()
        self.setText(text)
        self._theme = theme
        self._icon = icon
        self._kind = kind
        self.setObjectName(name)
        self.setAccessibleName(text.rstrip("…"))
        self.setProperty("kind", kind)
        self.setAutoDefault(False)
        if kind == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        if icon:
            theme.changed.connect(self._draw)
            self._draw()

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
    """A button that is only an icon; what it does is its tool tip and its spoken name.

    Args:
        theme: Colours of the icon.
        icon: The Phosphor icon.
        title: What it does.
        name: Its object name.
        kind: ``icon`` for a quiet one, ``round`` for a filled circle.
        token: Colour of the icon.
    """

    def __init__(
        self,
        theme: Theme,
        icon: str,
        title: str,
        name: str,
        kind: str = "icon",
        token: str = "muted",
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
