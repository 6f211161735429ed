"""Pictures: the Phosphor icons, and the mark of Loci, in the colours of the theme.

The icons are letters of a font that comes with qtawesome. Its module is not imported, because it
brings parts of Qt along that nothing here needs.
"""

import json
from importlib.util import find_spec
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QIconEngine, QPainter, QPixmap

from app.assets import resource
from app.domain.language.text import shown

FONT, LETTERS = "phosphor-1.3.0.ttf", "phosphor-charmap-1.3.0.json"
FILLED = 0.875  # of an icon's height is its letter's


class Icons:
    """The icon font; loaded at the first icon."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, str, str], QIcon] = {}
        self._family = ""
        self._letters: dict[str, str] = {}

    def icon(self, name: str, colour: str, on: str, disabled: str) -> QIcon:
        """Return a Phosphor icon of regular weight, such as ``caret-down``, sharp at any size."""
        wanted = (name, colour, on, disabled)
        if wanted not in self._made:
            if not self._family:
                self._load()
            letter = chr(int(self._letters[name], 16))
            self._made[wanted] = QIcon(_Letter(self._family, letter, colour, on, disabled))
        return self._made[wanted]

    def _load(self) -> None:
        found = find_spec("qtawesome")
        places = found.submodule_search_locations if found else None
        folder = Path(next(iter(places or ()))) / "fonts"
        self._letters = json.loads((folder / LETTERS).read_text(encoding="utf-8"))
        known = QFontDatabase.addApplicationFontFromData((folder / FONT).read_bytes())
        self._family = QFontDatabase.applicationFontFamilies(known)[0]


class _Letter(QIconEngine):
    """Draws one letter of the icon font, in the colour of the button's state."""

    def __init__(self, family: str, letter: str, colour: str, on: str, disabled: str) -> None:
        super().__init__()
        self._given = (family, letter, colour, on, disabled)
        self._font, self._letter = QFont(family), letter
        self._colour, self._on, self._disabled = QColor(colour), QColor(on), QColor(disabled)

    def clone(self) -> QIconEngine:
        """Return another such engine."""
        return _Letter(*self._given)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the letter in the middle of the rectangle."""
        ink = self._on if state is QIcon.State.On else self._colour
        painter.save()
        painter.setPen(self._disabled if mode is QIcon.Mode.Disabled else ink)
        self._font.setPixelSize(max(1, round(FILLED * rect.height())))
        painter.setFont(self._font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, shown(self._letter))
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Return the icon on nothing."""
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap


def mark(size: int, ratio: float = 1.0, swap: dict[str, str] | None = None) -> QPixmap:
    """Return the mark, ``size`` device-independent pixels wide, with colours swapped."""
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
