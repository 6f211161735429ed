"""The look of the window: colours, sizes and fonts, read from ``resources/theme``.

``tokens.toml`` names every colour once for light and once for dark; ``*.qss`` are style sheets
written in those names. From both come one palette and one style sheet for the application. No
other module names a colour.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QIcon, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from app.gui.icons import Icons, mark
from app.settings.spec import ColourScheme as Choice

USUAL_TEXT_SIZE = 14
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NAME = re.compile(r"@([a-z][a-z-]*)")
_SIZE = re.compile(r"@(\d+(?:\.\d+)?)px")
_GENERIC = frozenset({"", "Sans", "Sans Serif", "DejaVu Sans", "Monospace", "monospace"})


@dataclass(frozen=True, slots=True)
class ThemeTokens:
    """What ``tokens.toml`` says.

    Attributes:
        light, dark: Colour of each token, as ``#RRGGBB``.
        type: Pixels of each text role at the usual text size.
        fonts: Families to try, for ``interface`` and ``monospace``.
    """

    light: dict[str, str]
    dark: dict[str, str]
    type: dict[str, float]
    fonts: dict[str, list[str]]


def read_tokens(path: Path) -> ThemeTokens:
    """Return the tokens written in a TOML file."""
    found: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return ThemeTokens(found["light"], found["dark"], found["type"], found["fonts"])


def render_sheet(template: str, colours: dict[str, str], mono: str, text_size: int) -> str:
    """Return a style sheet with sizes, the code font and colours filled in."""
    rules = _COMMENT.sub("", template)
    scaled = _SIZE.sub(lambda m: f"{_scaled(float(m[1]), text_size)}px", rules)
    names = {**colours, "mono": f'"{mono}"'}
    return _NAME.sub(lambda m: names[m[1]], scaled)


def _scaled(pixels: float, text_size: int) -> int:
    return max(1, round(pixels * text_size / USUAL_TEXT_SIZE))


class Theme(QObject):
    """The colours, sizes and fonts in force; built once, handed to every screen."""

    changed = Signal()  # colours or sizes are others now; what paints itself repaints

    def __init__(self, app: QApplication, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self.tokens = read_tokens(folder / "tokens.toml")
        self._template = "\n".join(
            path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.qss"))
        )
        self._choice = Choice.SYSTEM
        self._icons = Icons()
        self._applied = False
        self.text_size = USUAL_TEXT_SIZE
        self.dark = False
        app.setStyle("Fusion")
        self.interface_family = _family(
            QFontDatabase.SystemFont.GeneralFont, self.tokens.fonts["interface"]
        )
        self.mono_family = _family(
            QFontDatabase.SystemFont.FixedFont, self.tokens.fonts["monospace"]
        )
        app.styleHints().colorSchemeChanged.connect(self._on_scheme_changed)

    def apply(self, choice: Choice, text_size: int) -> None:
        """Follow the system or keep to light or dark, with text of this many pixels."""
        if (choice, text_size) == (self._choice, self.text_size) and self._applied:
            return
        self._applied = True
        self._choice = choice
        self.text_size = text_size
        scheme = {Choice.LIGHT: Qt.ColorScheme.Light, Choice.DARK: Qt.ColorScheme.Dark}
        self._app.styleHints().setColorScheme(scheme.get(choice, Qt.ColorScheme.Unknown))
        self._refresh()

    def colour(self, token: str) -> QColor:
        """Return the colour of a token, such as ``accent-soft``."""
        return QColor(self._colours()[token])

    def name(self, token: str) -> str:
        """Return the colour of a token as ``#RRGGBB``, for rich text."""
        return self._colours()[token]

    def icon(self, name: str, token: str = "text", on: str = "") -> QIcon:
        """Return a Phosphor icon, such as ``magnifying-glass``, in the colours of tokens."""
        return self._icons.icon(name, self.name(token), self.name(on or token), self.name("faint"))

    def mark(self, size: int, ratio: float = 1.0) -> QPixmap:
        """Return the mark of Loci in the colours in force, ``size`` pixels wide."""
        swap = {self.tokens.light[t]: self.name(t) for t in ("accent", "on-accent")}
        return mark(size, ratio, swap)

    def px(self, pixels: float) -> int:
        """Return a length that grows with the text size."""
        return _scaled(pixels, self.text_size)

    def font(self, role: str = "body", weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """Return the font of a text role of ``tokens.toml``, for what paints itself."""
        font = QFont(self.mono_family if role == "mono" else self.interface_family)
        font.setPixelSize(self.px(self.tokens.type[role]))
        font.setWeight(weight)
        return font

    @property
    def animated(self) -> bool:
        """Whether the system wants motion."""
        return bool(self._app.isEffectEnabled(Qt.UIEffect.UI_General))

    def _colours(self) -> dict[str, str]:
        return self.tokens.dark if self.dark else self.tokens.light

    @Slot()
    def _on_scheme_changed(self) -> None:
        if self._choice is Choice.SYSTEM and self._wants_dark() != self.dark:
            self._refresh()

    def _wants_dark(self) -> bool:
        if self._choice is Choice.SYSTEM:
            return self._app.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return self._choice is Choice.DARK

    def _refresh(self) -> None:
        self.dark = self._wants_dark()
        self._app.setFont(self.font())
        self._app.setPalette(self._palette())
        self._app.setStyleSheet(
            render_sheet(self._template, self._colours(), self.mono_family, self.text_size)
        )
        self.changed.emit()

    def _palette(self) -> QPalette:
        role, palette = QPalette.ColorRole, QPalette()
        for token, roles in {
            "bg": (role.Window,),
            "surface": (role.Base, role.Button, role.ToolTipBase),
            "sunken": (role.AlternateBase,),
            "text": (role.WindowText, role.Text, role.ButtonText, role.ToolTipText),
            "muted": (role.PlaceholderText,),
            "border": (role.Mid, role.Dark, role.Midlight),
            "accent": (role.Highlight, role.Link, role.Accent),
            "on-accent": (role.HighlightedText,),
            "danger": (role.BrightText,),
        }.items():
            for each in roles:
                palette.setColor(each, self.colour(token))
        for each in (role.Text, role.WindowText, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, each, self.colour("faint"))
        return palette


def _family(kind: QFontDatabase.SystemFont, wanted: list[str]) -> str:
    """Return the system's family, or a better one where the system names only a generic one."""
    system = QFontDatabase.systemFont(kind)
    if system.family() not in _GENERIC:
        return system.family()
    here = set(QFontDatabase.families())
    return next((f for f in wanted if f in here), QFontInfo(system).family())
