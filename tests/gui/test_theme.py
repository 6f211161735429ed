import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel

from app.assets import resource
from app.gui.theme import Theme, read_tokens, render_sheet
from app.settings.spec import ColourScheme as Choice

GUI = Path(__file__).parents[2] / "app" / "gui"
TOKENS = read_tokens(resource("theme/tokens.toml"))
SHEETS = "\n".join(path.read_text() for path in resource("theme").glob("*.qss"))
READ_ON = {
    "text": ("bg", "surface", "sunken", "hover", "accent-soft", "warn-soft", "danger-soft", "code"),
    "muted": ("bg", "surface", "sunken", "code"),
    "accent": ("bg", "surface", "accent-soft", "sunken"),
    "warn": ("bg", "surface", "warn-soft"),
    "danger": ("bg", "surface", "danger-soft"),
    "on-accent": ("accent",),
    "syntax-keyword": ("code",),
    "syntax-string": ("code",),
    "syntax-number": ("code",),
    "syntax-comment": ("code",),
    "syntax-name": ("code",),
    "syntax-builtin": ("code",),
}


def luminance(colour):
    def linear(part):
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(part) for part in QColor(colour).getRgbF()[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_light_and_dark_name_the_same_tokens():
    assert TOKENS.light.keys() == TOKENS.dark.keys()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("token", READ_ON)
def test_text_that_must_be_read_has_contrast(scheme, token):
    colours = getattr(TOKENS, scheme)
    for ground in READ_ON[token]:
        assert contrast(colours[token], colours[ground]) >= 4.5, (token, ground)


def test_the_sheets_name_only_tokens_and_no_colour():
    rules = re.sub(r"/\*.*?\*/", "", SHEETS, flags=re.DOTALL)
    named = set(re.findall(r"@([a-z][a-z-]*)", rules))
    assert named <= TOKENS.light.keys() | {"mono"}
    assert not re.findall(r"#[0-9A-Fa-f]{3,8}\b|rgba?\(", rules)


@pytest.mark.parametrize("path", sorted(GUI.rglob("*.py")), ids=lambda p: p.stem)
def test_no_code_names_a_colour(path):
    text = path.read_text()
    assert not re.findall(r"[\"']#[0-9A-Fa-f]{3,8}[\"']", text)
    assert not re.findall(r"QColor\(\s*[\d\"']|QColorConstants", text)
    assert set(re.findall(r"GlobalColor\.(\w+)", text)) <= {"transparent"}


def test_every_role_that_code_uses_stands_in_the_sheet():
    used = set(
        re.findall(
            r"Label\([^()]*?, \"([a-z]+)\"", "".join(path.read_text() for path in GUI.rglob("*.py"))
        )
    )
    styled = set(re.findall(r'role="([a-z]+)"', SHEETS)) | {"body"}
    assert used <= styled


def test_sizes_grow_with_the_text():
    template = "A { font-size: @14px; } B { width: 3px; color: @text; font-family: @mono; }"
    rendered = render_sheet(template, {"text": "red"}, "Mono", 28)
    assert rendered == 'A { font-size: 28px; } B { width: 3px; color: red; font-family: "Mono"; }'


def test_a_switch_at_runtime_reaches_palette_sheet_and_listeners(qtbot, qapp, theme):
    label = QLabel("x")
    qtbot.addWidget(label)
    with qtbot.waitSignal(theme.changed):
        theme.apply(Choice.DARK, 14)
    assert theme.dark
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == TOKENS.dark["bg"]
    assert TOKENS.dark["surface"] in qapp.styleSheet()
    theme.apply(Choice.LIGHT, 14)
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == TOKENS.light["bg"]


def test_the_system_is_followed_only_when_asked(qtbot, qapp, theme, monkeypatch):
    scheme = Qt.ColorScheme.Dark
    hints = type("Hints", (), {"colorScheme": lambda _self: scheme, "setColorScheme": lambda *_: 0})
    monkeypatch.setattr(theme, "_app", _App(qapp, hints()))
    theme.apply(Choice.SYSTEM, 14)
    assert theme.dark
    scheme = Qt.ColorScheme.Light
    qapp.styleHints().colorSchemeChanged.emit(scheme)
    assert not theme.dark
    theme.apply(Choice.DARK, 14)
    qapp.styleHints().colorSchemeChanged.emit(scheme)
    assert theme.dark


class _App:
    def __init__(self, app, hints):
        self._app, self._hints = app, hints

    def styleHints(self):
        return self._hints

    def __getattr__(self, name):
        return getattr(self._app, name)


def test_applying_the_same_look_again_changes_nothing(qtbot, theme):
    with qtbot.assertNotEmitted(theme.changed):
        theme.apply(Choice.LIGHT, 14)


def test_text_size_changes_fonts(qapp, theme):
    theme.apply(Choice.LIGHT, 21)
    assert qapp.font().pixelSize() == 21
    assert theme.font("heading").pixelSize() == 27
    assert theme.px(32) == 48


def test_an_unknown_icon_is_a_bug_and_a_known_one_has_its_colour(theme):
    image = theme.icon("gear-six", "danger").pixmap(QSize(32, 32)).toImage()
    strongest = max(
        (image.pixelColor(x, y) for x in range(32) for y in range(32)), key=QColor.alpha
    )
    assert strongest.name().upper() == TOKENS.light["danger"]
    with pytest.raises(Exception, match="no-such-icon"):
        theme.icon("no-such-icon")


def test_icons_are_sharp_on_dense_screens(theme):
    pixmap = theme.icon("gear-six").pixmap(QSize(16, 16), 2.0)
    assert pixmap.size() == QSize(32, 32)
    assert pixmap.devicePixelRatio() == 2.0


@pytest.mark.parametrize("choice", [Choice.LIGHT, Choice.DARK])
def test_the_mark_wears_the_colours_in_force(theme, choice):
    theme.apply(choice, 14)
    image = theme.mark(40).toImage()
    assert image.pixelColor(6, 20) == theme.colour("accent")
    assert image.pixelColor(20, 20) == theme.colour("on-accent")


def test_the_interface_font_is_the_systems_where_it_has_one(qapp, monkeypatch):
    from PySide6.QtGui import QFont, QFontDatabase

    monkeypatch.setattr(QFontDatabase, "systemFont", lambda _kind: QFont("Comic Neue"))
    assert Theme(qapp, resource("theme")).interface_family == "Comic Neue"
