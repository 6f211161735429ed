"""What the main window expects of a screen's controller; chat and inspector are such screens.

A controller is built as ``Controller(services, bridge, theme, parent)`` on the first visit. The
main window connects the bridge's ``changed`` to ``apply_changes`` itself, so that each change
reaches each screen once.
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


# Beyond that:
#   app.gui.chat.controller.ChatController       open(conversation_id, message_id=""), start_new(),
#       signals conversation_opened(str id), memory_requested(str id), models_requested(),
#       failed(object exception) is not needed: errors are shown inline or left to bridge.failed
#   app.gui.inspector.controller.InspectorController   show_memory(memory_id),
#       signals message_requested(str conversation_id, str message_id)
