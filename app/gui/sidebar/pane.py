"""The sidebar's widgets; it says what the person wants and knows nothing of how it is done."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from app.domain.conversation import Conversation, FoundMessage
from app.domain.ids import Clock
from app.domain.memory import Memory
from app.domain.profile import Profile
from app.gui import actions
from app.gui.sidebar.lists import ConversationList, FoundList
from app.gui.sidebar.model import ConversationsModel, More, Row, RowsModel
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Chip,
    ElidedLabel,
    Label,
    MenuButton,
    Rail,
    SearchField,
    caption,
    hbox,
    line,
    named,
    tip,
    vbox,
)
from app.gui.widgets.buttons import ICON_SIZE

WIDTH = 256
MARK = 22
PROFILE_WIDTH = 104
PAGES = {
    "memory": ("Memory", "diamond"),
    "timeline": ("Timeline", "clock"),
    "attention": ("To review", "tray"),
    "activity": ("Activity", "clock-counter-clockwise"),
    "models": ("Models", "stack"),
    "settings": ("Settings", "gear-six"),
}


class PageButton(QPushButton):
    """A line at the sidebar's foot that shows another page, with what waits there."""

    def __init__(self, theme: Theme, page: str) -> None:
        title, self._icon = PAGES[page]
        super().__init__(title)
        self._theme = theme
        self._title = title
        named(self, f"show_{page}", title)
        self.setProperty("nav", "true")
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setToolTip(tip(actions.shown_keys(f"show.{page}")))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._badge = Chip("", "warn", f"{page}_badge")
        self._badge.hide()
        hbox(..., self._badge, of=self, margins=(0, 0, 8, 0))
        theme.changed.connect(self._draw)
        self._draw()

    def set_badge(self, text: str) -> None:
        """Say what waits on that page; nothing where the text is empty."""
        self._badge.say(text)
        self._badge.setVisible(bool(text))
        self.setAccessibleName(f"{self._title}, {text}" if text else self._title)

    def _draw(self) -> None:
        self.setIcon(self._theme.icon(self._icon, "text"))
        self.setIconSize(QSize(1, 1) * self._theme.px(ICON_SIZE))


class SidebarPane(Rail):
    """Profile, new conversation, search, conversations, pages."""

    new_requested = Signal()  # a new conversation
    conversation_opened = Signal(str)  # its id
    message_opened = Signal(str, str)  # the conversation's id; the message's id
    memory_opened = Signal(str)  # its id
    archived_toggled = Signal()  # show or hide what is archived
    page_chosen = Signal(str)  # the name of a screen
    searched = Signal(str)  # the text, or empty
    profile_chosen = Signal(str)  # its slug
    profile_requested = Signal(str)  # something about profiles: new, rename or manage

    def __init__(
        self,
        theme: Theme,
        conversations: ConversationsModel,
        found: RowsModel,
        clock: Clock,
    ) -> None:
        super().__init__(WIDTH)
        self._theme = theme
        self._profile = ""
        named(self, "sidebar", "Sidebar")
        self.setProperty("surface", "sidebar")
        self.profile_button = MenuButton(theme, "", "profile_button", "ghost")
        self.new_button = Button(theme, "New conversation", "new_conversation", icon="plus")
        self.new_button.setToolTip(tip(actions.shown_keys("conversation.new")))
        self.new_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.search = SearchField(
            theme, "Search everything", "search_everything", actions.shown_keys("search")
        )
        self.list = ConversationList(theme, conversations)
        self.results = FoundList(theme, found, clock)
        self._empty = Label("", "secondary", wrap=True, name="sidebar_empty")
        self._lists = named(QStackedWidget(), "sidebar_lists")
        self._working = ElidedLabel("", "small", "background_work")
        self._working.setContentsMargins(8, 0, 8, 0)
        self._working.hide()
        self.pages = {page: PageButton(theme, page) for page in PAGES}
        self._lay_out()
        self._connect()
        theme.changed.connect(self._draw)
        self._draw()

    def _lay_out(self) -> None:
        head = hbox(margins=(8, 0, 0, 0), spacing=10)
        self._mark = named(QLabel(), "sidebar_mark", "Loci")
        head.addWidget(self._mark)
        head.addWidget(Label("Loci", "title", name="sidebar_name"))
        head.addStretch(1)
        head.addWidget(self.profile_button)
        blank = named(QWidget(), "sidebar_blank")
        vbox(self._empty, ..., of=blank, margins=(8, 16, 8, 0))
        for widget in (self.list, self.results, blank):
            self._lists.addWidget(widget)
        column = vbox(
            head,
            self.new_button,
            self.search,
            (self._lists, 1),
            self._working,
            line("sidebar_line"),
            of=self,
            margins=(12, 12, 12, 10),
            spacing=8,
        )
        foot = vbox(spacing=0)
        group = QButtonGroup(self)
        group.setExclusive(False)
        for button in self.pages.values():
            group.addButton(button)
            foot.addWidget(button)
        column.addLayout(foot)

    def _connect(self) -> None:
        self.new_button.clicked.connect(self.new_requested)
        self.search.searched.connect(self.searched)
        self.search.left_down.connect(self._on_search_left)
        self.list.left_up.connect(self.search.setFocus)
        self.results.left_up.connect(self.search.setFocus)
        self.list.opened.connect(self._on_row_opened)
        self.results.opened.connect(self._on_row_opened)
        for page, button in self.pages.items():
            button.clicked.connect(lambda _checked=False, page=page: self._on_page_clicked(page))

    def show_profiles(self, profiles: Sequence[Profile], current: Profile) -> None:
        """Offer the profiles of this computer."""
        self._profile = current.name
        self._name_profile()
        menu = self.profile_button.menu()
        menu.clear()
        for each in profiles:
            action = menu.addAction(caption(each.name))
            action.setCheckable(True)
            action.setChecked(each.slug == current.slug)
            action.triggered.connect(
                lambda _checked=False, slug=each.slug: self.profile_chosen.emit(slug)
            )
        menu.addSeparator()
        for what, title in (
            ("new", "New profile…"),
            ("rename", "Rename this profile…"),
            ("manage", "Manage profiles…"),
        ):
            menu.addAction(caption(title)).triggered.connect(
                lambda _checked=False, what=what: self.profile_requested.emit(what)
            )

    def _name_profile(self) -> None:
        """Show as much of the profile's name as there is room for."""
        room, end = self._theme.px(PROFILE_WIDTH), Qt.TextElideMode.ElideRight
        shown = self.profile_button.fontMetrics().elidedText(self._profile, end, room)
        self.profile_button.say(shown)
        self.profile_button.setToolTip(tip(self._profile))
        self.profile_button.setAccessibleName(f"Profile: {self._profile}")

    def show_page(self, page: str) -> None:
        """Mark the page that is shown; ``chat`` marks none."""
        for name, button in self.pages.items():
            button.setChecked(name == page)

    def show_working(self, label: str) -> None:
        """Say what Loci does by itself just now; nothing where the label is empty."""
        self._working.setText(label)
        self._working.setVisible(bool(label))

    def show_conversations(self) -> None:
        """Show the list of conversations, or that there is none."""
        if self.list.model().rowCount():
            self._lists.setCurrentWidget(self.list)
        else:
            self._say("Your conversations will be listed here.")

    def show_results(self, text: str) -> None:
        """Show what was found, or that nothing was."""
        if self.results.model().rowCount():
            self._lists.setCurrentWidget(self.results)
        else:
            self._say(f"Nothing found for “{text}”.")

    @property
    def searching(self) -> bool:
        """Whether the search line holds anything."""
        return bool(self.search.text().strip())

    def _say(self, sentence: str) -> None:
        self._empty.setText(sentence)
        self._lists.setCurrentIndex(2)

    def _on_search_left(self) -> None:
        (self.results if self.searching else self.list).focus_first()

    def _on_page_clicked(self, page: str) -> None:
        self.pages[page].setChecked(True)
        self.page_chosen.emit(page)

    def _on_row_opened(self, row: Row) -> None:
        if isinstance(row, Conversation):
            self.conversation_opened.emit(row.id)
        elif isinstance(row, FoundMessage):
            self.message_opened.emit(row.conversation_id, row.message_id)
        elif isinstance(row, Memory):
            self.memory_opened.emit(row.id)
        elif isinstance(row, More):
            self.archived_toggled.emit()

    def _draw(self) -> None:
        self._mark.setPixmap(self._theme.mark(MARK, self.devicePixelRatioF()))
        self._mark.setFixedSize(MARK, MARK)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._name_profile()
