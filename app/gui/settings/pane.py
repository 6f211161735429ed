"""The settings screen's widgets: pages at the left, their rows at the right, a search line."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from app.gui.settings import model, places
from app.gui.settings.pages import AboutPage, FoundPage, PageColumn, SettingsPage, ShortcutsPage
from app.gui.settings.rows import SettingRow
from app.gui.settings.your_data import YourDataPage
from app.gui.theme import Theme
from app.gui.widgets import (
    Header,
    NoticeBar,
    ProgressFoot,
    Rail,
    Scroll,
    SearchField,
    hbox,
    named,
    vbox,
)
from app.settings.spec import Settings

NAV_WIDTH = 180


class SettingsPane(QWidget):
    """Shows settings and says what the person wants changed."""

    edited = Signal(str, object)  # the key; the value
    reset_requested = Signal(str)  # the key
    preset_requested = Signal(bool)  # whether to use the "reference" preset
    page_made = Signal(object)  # a page was built, on its first visit: the page
    page_shown = Signal(str)  # the page's title
    # what was searched for is done on another screen: the id of the place
    elsewhere_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._settings, self._learners = Settings(), model.Learners()
        self._pages: dict[str, PageColumn] = {}
        named(self, "settings_pane", "Settings")
        self.search = SearchField(theme, "Find a setting", "find_setting")
        self.search.setMaximumWidth(240)
        self.search.searched.connect(self._on_searched)
        self.search.left_down.connect(self._on_search_left)
        header = Header("Settings", "settings_header")
        header.row.addWidget(self.search, 1)
        self.notice = NoticeBar(theme, "settings_notice")
        self.foot = ProgressFoot(theme, "settings_foot")
        self._stack = named(QStackedWidget(), "settings_stack")
        self._found: FoundPage | None = None
        self._buttons: dict[str, QPushButton] = {}
        middle = hbox(self._make_nav(), (self._stack, 1), spacing=0)
        vbox(header, self.notice, (middle, 1), self.foot, of=self, margins=0, spacing=0)

    def _make_nav(self) -> QWidget:
        inside = named(QWidget(), "settings_nav_inside")
        column = vbox(of=inside, margins=(11, 20, 11, 12), spacing=0)
        group = QButtonGroup(self)
        for page in model.page_titles():
            button = QPushButton(page)
            button.setObjectName(f"settings_show_{page.lower().replace(' ', '_')}")
            button.setAccessibleName(page)
            button.setProperty("nav", "true")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _checked=False, page=page: self.show_page(page))
            group.addButton(button)
            column.addWidget(button)
            self._buttons[page] = button
        column.addStretch(1)
        nav = named(Rail(NAV_WIDTH, inside), "settings_nav", "Pages of settings")
        nav.setProperty("surface", "nav")
        vbox(Scroll(inside, "settings_nav_scroll"), of=nav, margins=0)
        return nav

    def show_page(self, title: str) -> None:
        """Show a page, made on its first visit."""
        if title not in self._pages:
            self._pages[title] = page = self._make(title)
            self._stack.addWidget(page)
            self.page_made.emit(page)
        page = self._pages[title]
        if isinstance(page, SettingsPage):
            page.show_learners(self._learners)
            page.show_values(self._settings)
        self._buttons[title].setChecked(True)
        self._stack.setCurrentWidget(page)
        self.page_shown.emit(title)

    @property
    def shown(self) -> str:
        """The title of the page that is shown, or was before a search."""
        return next((t for t, button in self._buttons.items() if button.isChecked()), "")

    def page(self, title: str) -> PageColumn | None:
        """Return a page, if it was visited."""
        return self._pages.get(title)

    def show_values(self, settings: Settings, learners: model.Learners) -> None:
        """Show what is stored, and who could learn."""
        self._settings, self._learners = settings, learners
        page = self._stack.currentWidget()
        if isinstance(page, SettingsPage | FoundPage):
            page.show_learners(learners)
            page.show_values(settings)

    def fail(self, key: str, sentence: str) -> None:
        """Say under a setting why it could not be changed, and show what is stored."""
        for row in self.findChildren(SettingRow):
            if row.declared.key == key:
                row.fail(sentence)
        self.show_values(self._settings, self._learners)

    def _make(self, title: str) -> PageColumn:
        if title == model.YOUR_DATA:
            return YourDataPage(self._theme)
        if title == model.ABOUT:
            return AboutPage(self._theme)
        if title == model.SHORTCUTS:
            return ShortcutsPage()
        page = SettingsPage(self._theme, title)
        self._connect(page)
        page.preset_requested.connect(self.preset_requested)
        return page

    def _connect(self, page: SettingsPage | FoundPage) -> None:
        page.edited.connect(self.edited)
        page.reset_requested.connect(self.reset_requested)

    def _on_searched(self, text: str) -> None:
        if not text:
            self.show_page(self.shown)
            return
        if self._found is None:
            self._found = FoundPage(self._theme)
            self._found.place_requested.connect(self.go)
            self._connect(self._found)
            self._stack.addWidget(self._found)
        found = places.found(text), model.found(text)
        self._found.show_found(*found, self._settings, self._learners)
        self._stack.setCurrentWidget(self._found)

    def _on_search_left(self) -> None:
        if self._found is not None and self._stack.currentWidget() is self._found:
            self._found.focus_first()

    @Slot(object)
    def go(self, place: places.SettingsPlace) -> None:
        """Go where something can be done, and put the keyboard on what does it."""
        self.search.clear()
        if place.page:
            self.show_page(place.page)
            self._pages[place.page].bring(place.id)
        else:
            self.elsewhere_requested.emit(place.id)
