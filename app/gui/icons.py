"""Pictures: the Phosphor icons, and the mark of Loci, in the colours of the theme."""

from typing import Any

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap

from app.assets import resource


class Icons:
    """The icon font; loaded at the first icon."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, str, str], QIcon] = {}
        self._font: Any = None

    def icon(self, name: str, colour: str, on: str, disabled: str) -> QIcon:
        """Return the Phosphor icon ``name`` of regular weight, sharp at any size.

        Args:
            name: Such as ``gear`` or ``caret-down``.
            colour: Its usual colour.
            on: Its colour while checked.
            disabled: Its colour while disabled.
        """
        wanted = (name, colour, on, disabled)
        if wanted not in self._made:
            self._made[wanted] = self._load().icon(
                f"ph.{name}", color=colour, color_on=on, color_disabled=disabled
            )
        return self._made[wanted]

    def _load(self) -> Any:
        if self._font is None:
            from qtawesome.iconic_font import IconicFont

            self._font = IconicFont(("ph", "phosphor-1.3.0.ttf", "phosphor-charmap-1.3.0.json"))
        return self._font


def mark(size: int, ratio: float = 1.0, swap: dict[str, str] | None = None) -> QPixmap:
    """Return the mark: a rounded square with a dot set inside it.

    Args:
        size: Width and height in device-independent pixels.
        ratio: Device pixels per such pixel.
        swap: Colours of the file, and those to draw in their place.
    """
    from PySide6.QtSvg import QSvgRenderer

    text = resource("icons/loci.svg").read_text(encoding="utf-8")
    for old, new in (swap or {}).items():
        text = text.replace(f'"{old}"', f'"{new}"')
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(text.encode())).render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
