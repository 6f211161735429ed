"""What the main window expects of a screen's controller; chat and inspector are such screens.

A controller is built as ``Controller(services, bridge, theme, parent)`` on the first visit. The
main window connects the bridge's ``changed`` to ``apply_changes`` itself, so that each change
reaches each screen once. Beyond this protocol, chat has ``open(conversation_id, message_id)``,
``start_new()`` and ``unsaved()``, and the inspector ``show_memory(memory_id)`` and
``try_recall()``.
"""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from app.domain.changes import Changes


class Screen(Protocol):
    """One page of the window.

    Attributes:
        pane: Its widget.
    """

    pane: QWidget

    def apply_changes(self, changes: Changes) -> None:
        """Refresh what the changes concern, and nothing else."""

    def focus_first(self) -> None:
        """Put the keyboard where a person would start: the composer, the search line."""

    def escape(self) -> bool:
        """Stop or close the topmost thing there is (an answer, a drawer); say whether any was."""
