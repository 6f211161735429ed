"""Rows and columns: what is in a layout, the room around it and the room between, in one call."""

from collections.abc import Iterable
from types import EllipsisType
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Align = Qt.AlignmentFlag
NONE = Align(0)
Shared = tuple[QWidget | QLayout, int] | tuple[QWidget | QLayout, int, Align]
Part = QWidget | QLayout | EllipsisType | int | Shared
Margins = int | tuple[int, int, int, int]
BoxT = TypeVar("BoxT", bound=QBoxLayout)


def hbox(
    *parts: Part,
    of: QWidget | None = None,
    margins: Margins | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """Return a row of parts.

    Args:
        parts: Widgets and layouts, also with their share of the room that is left, and alignment;
            ``...`` takes the room that is left, a number leaves so many pixels free.
        of: The widget whose layout it is.
        margins: Pixels around it, of each side where they differ; else those of the style.
        spacing: Pixels between two parts; else those of the style.
    """
    return _made(QHBoxLayout(of) if of else QHBoxLayout(), parts, margins, spacing)


def vbox(
    *parts: Part,
    of: QWidget | None = None,
    margins: Margins | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """Return a column of parts, as :func:`hbox` does a row."""
    return _made(QVBoxLayout(of) if of else QVBoxLayout(), parts, margins, spacing)


def _made(box: BoxT, parts: Iterable[Part], margins: Margins | None, spacing: int | None) -> BoxT:
    if margins is not None:
        box.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        box.setSpacing(spacing)
    fill(box, *parts)
    return box


def fill(box: QBoxLayout, *parts: Part) -> None:
    """Add parts, as :func:`hbox` takes them, to a row or column that is there."""
    for part in parts:
        if isinstance(part, EllipsisType):
            box.addStretch(1)
        elif isinstance(part, int):
            box.addSpacing(part)
        else:
            _put(box, *(part if isinstance(part, tuple) else (part,)))


def _put(box: QBoxLayout, item: QWidget | QLayout, share: int = 0, align: Align = NONE) -> None:
    if isinstance(item, QWidget):
        box.addWidget(item, share, align)
    else:
        box.addLayout(item, share)
