"""The column at the right: one memory in full, its editor, or a hint to choose one."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QStackedWidget, QVBoxLayout, QWidget

from app.gui.inspector.detail import DetailView
from app.gui.inspector.editor import MemoryEditor
from app.gui.theme import Theme
from app.gui.widgets import Label

WIDTH = 316


class SideColumn(QFrame):
    """Stacks the detail view and the editor.

    Attributes:
        floating: Whether it lies over the table instead of beside it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("memory_side")
        self.setAccessibleName("Memory detail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.floating = False
        self.detail = DetailView(theme)
        self.editor = MemoryEditor(theme)
        words = "Choose a memory to see how Loci knows it."
        self._hint = Label(words, "muted", wrap=True, name="memory_side_hint")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setContentsMargins(32, 0, 32, 0)
        self._pages = QStackedWidget()
        self._pages.setObjectName("memory_side_pages")
        for page in (self._hint, self.detail, self.editor):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 0, 0, 0)
        column.addWidget(self._pages)

    @property
    def editing(self) -> bool:
        """Whether the editor is open."""
        return self._pages.currentWidget() is self.editor

    @property
    def page(self) -> QWidget:
        """What is shown."""
        return self._pages.currentWidget()

    def show_hint(self) -> None:
        """Show that nothing is chosen."""
        self._pages.setCurrentWidget(self._hint)

    def show_detail(self) -> None:
        """Show the memory in full."""
        self._pages.setCurrentWidget(self.detail)

    def show_editor(self) -> None:
        """Show the editor."""
        self._pages.setCurrentWidget(self.editor)

    def set_floating(self, on: bool) -> None:
        """Lie over the table, or beside it."""
        self.floating = on
        self.detail.show_close(on)
