"""Where the conversation is scrolled to, and whether that follows its end."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QScrollBar

STUCK = 24  # pixels from the end that still count as the end


class Position:
    """Moves the scroll bar of the conversation, so that it is told from the person's moving it.

    Attributes:
        follow: Whether it stays at the end while the page grows.
        moving: Whether it is moved by the program.
    """

    def __init__(self, bar: QScrollBar) -> None:
        self._bar = bar
        self.follow = True
        self.moving = False

    @property
    def at_end(self) -> bool:
        """Whether the end is seen."""
        return self._bar.value() >= self._bar.maximum() - STUCK

    @contextmanager
    def held(self) -> Iterator[None]:
        """Take no move for the person's."""
        self.moving = True
        try:
            yield
        finally:
            self.moving = False

    def move_to(self, value: int) -> None:
        """Scroll there."""
        with self.held():
            self._bar.setValue(value)

    def shift(self, pixels: int) -> None:
        """Keep what is seen where it is, while the page grows or shrinks above it."""
        self._bar.setMaximum(self._bar.maximum() + max(0, pixels))
        self.move_to(self._bar.value() + pixels)
