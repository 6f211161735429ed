"""Names: every widget carries one for tests and style, and one for screen readers."""

from typing import TypeVar

from PySide6.QtWidgets import QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, object_name: str, accessible_name: str = "") -> W:
    """Give a widget its object name and what a screen reader says; return it."""
    widget.setObjectName(object_name)
    if accessible_name:
        widget.setAccessibleName(accessible_name)
    return widget


def restyled(widget: QWidget, **properties: object) -> None:
    """Set dynamic properties that the style sheet looks at, and apply them."""
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
