"""Puts widgets into layouts of pages that are already on the screen, and takes them out again."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

_ANYWHERE = Qt.AlignmentFlag(0)


def add(layout: QLayout, widget: QWidget, align: Qt.AlignmentFlag = _ANYWHERE) -> None:
    """Add a widget and show it at once.

    A layout alone would show it some events later, and until then count it for nothing.
    """
    if isinstance(layout, QBoxLayout):
        layout.addWidget(widget, 0, align)
    else:
        layout.addWidget(widget)
    widget.show()


def clear(layout: QLayout) -> None:
    """Remove and delete the widgets of a layout."""
    while item := layout.takeAt(0):
        if (widget := item.widget()) is not None:
            drop(widget)


def drop(*widgets: QWidget) -> None:
    """Take widgets off the screen now, and delete them a turn later."""
    for widget in widgets:
        widget.hide()
        widget.deleteLater()
