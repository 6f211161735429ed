"""A column at the side of the window or of a screen."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget


class Rail(QFrame):
    """A column of its own width, wider only where larger text in its content needs it."""

    def __init__(self, width: int, content: QWidget | None = None) -> None:
        super().__init__()
        self._usual = width
        self._content = content
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        """Return the usual width, or what the words need."""
        least = self._content.minimumSizeHint() if self._content else super().minimumSizeHint()
        return QSize(max(self._usual, least.width()), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the least height; the width is fixed."""
        return QSize(self.sizeHint().width(), super().minimumSizeHint().height())
