"""The pages of the settings screen: generated ones, the shortcuts, and About."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app import APP_NAME, __version__
from app.gui.dialogs import shortcut_list
from app.gui.settings import model
from app.gui.settings.places import SettingsPlace, place
from app.gui.settings.rows import PlainRow, SettingRow
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    EmptyState,
    Label,
    Scroll,
    ScrolledPage,
    Switch,
    fill,
    hbox,
    named,
    vbox,
)
from app.gui.widgets.filling import drop
from app.settings.spec import Settings
from app.settings.table import Entry

WIDTH = 720
NOBODY = model.Learners()


class PageColumn(QWidget):
    """A heading, a sentence and rows, in a column that scrolls.

    Attributes:
        rows: Where the rows go.
    """

    def __init__(self, title: str, sentence: str, name: str) -> None:
        super().__init__()
        named(self, name, title)
        self.head = hbox((Label(title, "heading", name=f"{name}_title"), 1))
        self.rows = vbox(spacing=0)
        self._body = named(QWidget(), f"{name}_body")
        self._body.setMaximumWidth(WIDTH)
        vbox(
            self.head,
            Label(sentence, "muted", wrap=True, name=f"{name}_sentence"),
            8,
            self.rows,
            ...,
            of=self._body,
            margins=0,
            spacing=6,
        )
        inside = ScrolledPage(f"{name}_inside")
        hbox((self._body, 1000), ..., of=inside, margins=(32, 26, 32, 32))
        around = vbox(of=self, margins=0)
        self._scroll = Scroll(inside, f"{name}_scroll")
        around.addWidget(self._scroll)

    def bring(self, name: str) -> None:
        """Bring a control into sight and put the keyboard on it, by its object name."""
        if (control := self.findChild(QWidget, name)) is not None:
            control.setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll.ensureWidgetVisible(control, 0, WIDTH // 4)


class SettingsPage(PageColumn):
    """One page of the settings table."""

    edited = Signal(str, object)  # the key; the value
    reset_requested = Signal(str)  # the key
    # use the "reference" preset: whether; False goes back to the defaults
    preset_requested = Signal(bool)

    def __init__(self, theme: Theme, page: str) -> None:
        super().__init__(page, model.page_titles()[page], f"settings_{page.lower()}")
        self._theme = theme
        self._page = page
        self._settings = Settings()
        self._learners = model.Learners()
        self.shown_rows: dict[str, SettingRow] = {}
        self._groups: dict[str, Label] = {}
        self._first = 0
        self.advanced = Switch(theme, "Show advanced", f"advanced_{page.lower()}")
        if model.has_advanced(page):
            label = Label("Show advanced", "secondary", name=f"advanced_{page.lower()}_label")
            label.setBuddy(self.advanced)
            fill(self.head, label, self.advanced)
        if page == model.RECALL:
            self._add_preset()
        self._first = self.rows.count()
        self._add_rows(model.shown(page, advanced=False))
        self.advanced.toggled.connect(self._on_advanced_toggled)

    def _add_preset(self) -> None:
        use = Button(self._theme, "Use preset", "use_reference")
        back = Button(self._theme, "Use defaults", "use_defaults", "ghost")
        use.clicked.connect(lambda: self.preset_requested.emit(True))
        back.clicked.connect(lambda: self.preset_requested.emit(False))
        here = place("use_reference")
        self.preset = PlainRow(here.title, here.sentence, "reference_preset", back, use)
        self.rows.addWidget(self.preset)

    def _add_rows(self, entries: Sequence[Entry]) -> None:
        """Put in what is not there yet, each in its place."""
        at, group = self._first, ""
        for entry in entries:
            if entry.group != group:
                group = entry.group
                if group not in self._groups:
                    self._groups[group] = _group_label(group)
                    self.rows.insertWidget(at, self._groups[group])
                at += 1
            if entry.key not in self.shown_rows:
                row = add_setting(self, self._theme, entry)
                offer(row, self._learners)
                row.show_settings(self._settings)
                self.shown_rows[entry.key] = row
                self.rows.insertWidget(at, row)
            at += 1

    def show_values(self, settings: Settings) -> None:
        """Show what is stored."""
        self._settings = settings
        for row in self.shown_rows.values():
            row.show_settings(settings)

    def show_learners(self, learners: model.Learners) -> None:
        """Show who could learn, where that is chosen here."""
        self._learners = learners
        for row in self.shown_rows.values():
            offer(row, learners)

    def _on_advanced_toggled(self, on: bool) -> None:
        if on:
            self._add_rows(model.shown(self._page, advanced=True))
        basic = model.shown(self._page, advanced=False)
        keys, groups = {e.key for e in basic}, {e.group for e in basic}
        for key, row in self.shown_rows.items():
            row.setVisible(on or key in keys)
        for group, label in self._groups.items():
            label.setVisible(on or group in groups)


class FoundPage(PageColumn):
    """What a search among the settings found."""

    edited = Signal(str, object)  # the key; the value
    reset_requested = Signal(str)  # the key
    # the person wants to go where something can be done: the Place
    place_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "Found",
            "Actions and settings with these words, advanced ones included.",
            "settings_found",
        )
        self._theme = theme
        self.shown_rows: dict[str, SettingRow] = {}
        self._made: list[QWidget] = []
        self._empty = EmptyState(
            theme,
            "magnifying-glass",
            "Nothing by that name",
            "Try another word, such as theme, learn or memories.",
            "settings_none",
        )
        self.rows.addWidget(self._empty)

    def show_found(
        self,
        places: Sequence[SettingsPlace],
        found: dict[str, list[Entry]],
        settings: Settings,
        learners: model.Learners = NOBODY,
    ) -> None:
        """Show what can be done, then settings under the names of their pages."""
        drop(*self._made)
        self._made, self.shown_rows = [], {}
        if places:
            self._made.append(_group_label("Actions"))
            self._made += [self._place_row(each) for each in places]
        for page, entries in found.items():
            self._made.append(_group_label(page))
            for entry in entries:
                row = add_setting(self, self._theme, entry)
                self.shown_rows[entry.key] = row
                self._made.append(row)
        for widget in self._made:
            self.rows.addWidget(widget)
        self._empty.setVisible(not self._made)
        self.show_learners(learners)
        self.show_values(settings)

    def _place_row(self, there: SettingsPlace) -> PlainRow:
        button = Button(self._theme, "Go there", f"go.{there.id}", spoken=f"Go to {there.title}")
        button.clicked.connect(lambda: self.place_requested.emit(there))
        return PlainRow(there.title, there.sentence, f"found.{there.id}", button)

    def show_learners(self, learners: model.Learners) -> None:
        """Show who could learn, where that is chosen here."""
        for row in self.shown_rows.values():
            offer(row, learners)

    def focus_first(self) -> None:
        """Put the keyboard on the first thing that was found."""
        for widget in self._made:
            controls = widget.findChildren(QWidget)
            takers = (c for c in controls if c.focusPolicy() & Qt.FocusPolicy.TabFocus)
            if (first := next(takers, None)) is not None:
                first.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def show_values(self, settings: Settings) -> None:
        """Show what is stored."""
        for row in self.shown_rows.values():
            row.show_settings(settings)


class ShortcutsPage(PageColumn):
    """Every shortcut, from the table of actions."""

    def __init__(self) -> None:
        super().__init__(model.SHORTCUTS, model.SENTENCES[model.SHORTCUTS], "settings_shortcuts")
        self.rows.addWidget(shortcut_list("page_shortcuts"))


class AboutPage(PageColumn):
    """What this is, under which licence, and how the vault and the models are."""

    report_copied = Signal(str)  # the person wants it on the clipboard: the report

    def __init__(self, theme: Theme) -> None:
        super().__init__(model.ABOUT, model.SENTENCES[model.ABOUT], "settings_about")
        self._report = Label("Looking…", "report", wrap=True, name="about_report")
        self._report.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        copy = Button(theme, "Copy report", "copy_report", icon="copy")
        copy.clicked.connect(lambda: self.report_copied.emit(self._report.text()))
        self.rows.addWidget(
            PlainRow(
                f"{APP_NAME} {__version__}",
                "A chat that remembers you, on your own "
                "computer. Free software under the MIT licence.",
                "about_version",
            )
        )
        self.rows.addWidget(
            PlainRow(
                "The bundled meaning model",
                "loci-minilm-v2, after all-MiniLM-L6-v2, under the Apache licence 2.0.",
                "about_model",
            )
        )
        health = PlainRow(
            "How it is doing",
            "Versions, integrity, indexes and models; nothing you wrote.",
            "about_health",
            copy,
        )
        health.put_below(self._report)
        self.rows.addWidget(health)

    def show_report(self, report: dict[str, Any]) -> None:
        """Show what the doctor found."""
        self._report.setText("\n".join(report_lines(report)))

    def show_problem(self, sentence: str) -> None:
        """Say why there is no report."""
        self._report.setText(sentence)


def report_lines(report: dict[str, Any], indent: str = "") -> list[str]:
    """Return a report of plain values as lines a person can read."""
    lines = []
    for key, value in report.items():
        name = str(key).replace("_", " ")
        if isinstance(value, dict):
            lines += [f"{indent}{name}:", *report_lines(value, indent + "    ")]
        elif isinstance(value, list | tuple) and any(str(one).endswith(".") for one in value):
            lines += [f"{indent}{name}:", *(f"{indent}    {one}" for one in value)]
        elif isinstance(value, list | tuple):
            lines.append(f"{indent}{name}: {', '.join(map(str, value)) or 'none'}")
        else:
            said = (
                {True: "yes", False: "no", None: "unknown"}.get(value, value)
                if (value is None or isinstance(value, bool))
                else value
            )
            lines.append(f"{indent}{name}: {said}")
    return lines


def _group_label(group: str) -> Label:
    label = Label(group, "section", name=f"group_{group.lower()}")
    label.setContentsMargins(0, 18, 0, 2)
    return label


def add_setting(page: SettingsPage | FoundPage, theme: Theme, entry: Entry) -> SettingRow:
    """Return the row of a setting, connected to its page."""
    row = SettingRow(theme, entry)
    row.edited.connect(page.edited)
    row.reset_requested.connect(page.reset_requested)
    return row


def offer(row: SettingRow, learners: model.Learners) -> None:
    """Let a row offer who could learn, where that is what it sets."""
    if row.declared.row.chat_model and learners.choices:
        row.offer(learners.choices, learners.note)
