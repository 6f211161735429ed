"""What the main window expects of a screen's controller."""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes


class Screen(Protocol):
    """One page of the window, built on the first visit."""

    @property
    def pane(self) -> QWidget:
        """Its widget."""

    def apply_changes(self, changes: Changes) -> None:
        """Refresh what the changes concern, and nothing else; each change comes once."""

    def focus_first(self) -> None:
        """Put the keyboard where a person would start: the composer, the search line."""

    def escape(self) -> bool:
        """Stop or close the topmost thing there is (an answer, a drawer); say whether any was."""
