"""The search line with its menus: two ways to say the same, kept in step."""

from collections.abc import Iterable
from enum import StrEnum

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QSizePolicy, QWidget

from app.domain.memory import Status, Trust
from app.domain.trace import stored_word
from app.gui.inspector.query import CHOICES, SearchQuery, parse, with_choices
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    IconButton,
    Label,
    MenuButton,
    SearchField,
    caption,
    fill,
    hbox,
    named,
    vbox,
)

FIELD_WIDTH = 150
_TIP = "Words, and filters: type: trust: status: is:pinned after:2026-01 before:2026"


class _Staying(QObject):
    """Keeps a menu open while choices in it are ticked."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tick instead of closing, with the mouse and with Space; Enter ticks and closes."""
        released = event.type() == QEvent.Type.MouseButtonRelease
        space = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
        pressed = space and event.type() == QEvent.Type.KeyPress
        action = watched.activeAction() if isinstance(watched, QMenu) else None
        if (released or pressed) and action and action.isCheckable() and action.isEnabled():
            action.trigger()
            return True
        return super().eventFilter(watched, event)


class FilterMenu(MenuButton):
    """A button whose menu narrows the list to some values of one field."""

    chosen = Signal(list)  # what is ticked now: the values, as a list of strings

    def __init__(
        self, theme: Theme, title: str, name: str, choices: Iterable[tuple[StrEnum, str]]
    ) -> None:
        super().__init__(theme, title, name)
        self._title = title
        menu = self.menu()
        menu.installEventFilter(_Staying(menu))
        self._actions: dict[str, QAction] = {}
        for value, words in choices:
            action = menu.addAction(caption(words))
            action.setObjectName(f"{name}_{value}")
            action.setCheckable(True)
            action.triggered.connect(self._on_action_triggered)
            self._actions[value] = action
        menu.addSeparator()
        self._all = menu.addAction("Show all")
        self._all.setObjectName(f"{name}_all")
        self._all.triggered.connect(lambda: self._tell([]))
        self.show_chosen(())

    def show_chosen(self, values: Iterable[str]) -> None:
        """Tick these values without telling anybody."""
        ticked = set(values)
        for value, action in self._actions.items():
            action.setChecked(value in ticked)
            action.setIcon(self._theme.icon("check-square" if value in ticked else "square"))
        self._all.setEnabled(bool(ticked))
        self.say(f"{self._title} · {len(ticked)}" if ticked else self._title)

    def _on_action_triggered(self) -> None:
        self._tell([value for value, action in self._actions.items() if action.isChecked()])

    def _tell(self, values: list[str]) -> None:
        self.show_chosen(values)
        self.chosen.emit(values)


class SearchRow(QWidget):
    """The search line, its menus, and the buttons beside it; below it where there is no room."""

    searched = Signal(object)  # another query stands in the line: the SearchQuery
    left_down = Signal()  # the person walks on into the table
    add_requested = Signal()  # a new memory should be written
    clear_requested = Signal()  # many should be forgotten at once

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("memory_search_row")
        self.field = SearchField(theme, "Search memories", "memory_search")
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.field.setToolTip(_TIP)
        self.menus = {
            name: FilterMenu(
                theme,
                name.capitalize(),
                f"filter_{name}",
                [(one, stored_word(name, one).capitalize()) for one in kind],
            )
            for name, kind in CHOICES.items()
        }
        self.add_button = Button(theme, "Add", "memory_add", "primary", "plus")
        self.more_button = IconButton(theme, "dots-three-circle", "More", "memory_more")
        self.hint = Label("", "warn", wrap=True, name="memory_search_hint")
        self.hint.hide()
        self._menu_of_more()
        self._lay_out()
        self.field.searched.connect(self._on_searched)
        self.field.left_down.connect(self.left_down)
        self.add_button.clicked.connect(self.add_requested)
        for name, menu in self.menus.items():
            menu.chosen.connect(lambda values, name=name: self._on_chosen(name, values))

    def _menu_of_more(self) -> None:
        menu = named(QMenu(self.more_button), "memory_more_menu", "More")
        clear = menu.addAction("Forget memories…")
        clear.setObjectName("memory_clear")
        clear.triggered.connect(self.clear_requested)
        forgotten = menu.addAction("Show forgotten memories")
        forgotten.setObjectName("memory_show_forgotten")
        forgotten.triggered.connect(self.show_forgotten)
        self.more_button.setMenu(menu)

    def _lay_out(self) -> None:
        self._buttons = hbox(*self.menus.values(), self.add_button, self.more_button, spacing=8)
        self._buttons.addStretch(0)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._line.setSpacing(8)
        fill(self._line, (self.field, 1), self._buttons)
        vbox(self._line, self.hint, of=self, margins=0, spacing=4)

    def minimumSizeHint(self) -> QSize:
        """Return the room for the buttons alone."""
        return QSize(self._buttons.minimumSize().width(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below the line where it would be too short beside them."""
        super().resizeEvent(event)
        left = self.width() - self._buttons.minimumSize().width()
        beside, below = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._line.setDirection(beside if left >= self._theme.px(FIELD_WIDTH) else below)

    @property
    def query(self) -> SearchQuery:
        """What the line asks for."""
        return parse(self.field.text())

    def clear(self) -> None:
        """Ask for everything again."""
        self.field.clear()

    def show_forgotten(self) -> None:
        """Ask for what was forgotten, with the words that stand in the line."""
        self._on_chosen("status", [Status.FORGOTTEN.value])

    def show_claimed(self) -> None:
        """Ask for what imports claimed, with the words that stand in the line."""
        self._on_chosen("trust", [Trust.CLAIMED.value])

    def _on_chosen(self, name: str, values: list[str]) -> None:
        self.field.setText(with_choices(self.field.text(), name, values))

    def _on_searched(self) -> None:
        query = self.query
        self.menus["type"].show_chosen(query.types)
        self.menus["trust"].show_chosen(query.trusts)
        self.menus["status"].show_chosen(query.statuses)
        self.hint.setText(" ".join(query.hints))
        self.hint.setVisible(bool(query.hints))
        self.searched.emit(query)
