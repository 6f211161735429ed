"""Takes everything out of a layout."""

from PySide6.QtWidgets import QLayout


def clear(layout: QLayout) -> None:
    """Remove and delete the widgets of a layout."""
    while item := layout.takeAt(0):
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
