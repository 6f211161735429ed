"""The column at the right: one memory in full, its editor, or a hint to choose one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QStackedWidget, QWidget

from app.gui.inspector.detail import DetailView
from app.gui.inspector.editor import MemoryEditor
from app.gui.theme import Theme
from app.gui.widgets import Label, named, vbox

WIDTH = 316
_HINT = "Choose a memory to see how Loci knows it."
_HINT_OF_FINDS = "Choose a result to see how Loci knows it."


class SideColumn(QFrame):
    """Stacks the detail view and the editor, which is made when it is first wanted.

    Attributes:
        floating: Whether it lies over the table instead of beside it.
    """

    # as of the editor
    saved = Signal(object, object)
    taken = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "memory_side", "Memory detail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._editor: MemoryEditor | None = None
        self.floating = False
        self._hint = Label(_HINT, "muted", wrap=True, name="memory_side_hint")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setContentsMargins(52, 0, 52, 0)
        self._pages = named(QStackedWidget(self), "memory_side_pages")
        vbox(self._pages, of=self, margins=(1, 0, 0, 0))
        self.detail = DetailView(theme)
        for page in (self._hint, self.detail):
            self._pages.addWidget(page)

    @property
    def editor(self) -> MemoryEditor:
        """The editor, made now if it was not wanted before."""
        if self._editor is None:
            self._editor = editor = MemoryEditor(self._theme)
            self._pages.addWidget(editor)
            editor.saved.connect(self.saved)
            editor.taken.connect(self.taken)
            editor.cancelled.connect(self.cancelled)
        return self._editor

    @property
    def editing(self) -> bool:
        """Whether the editor is open."""
        return self._editor is not None and self._pages.currentWidget() is self._editor

    @property
    def page(self) -> QWidget:
        """What is shown."""
        return self._pages.currentWidget()

    def show_hint(self, of_finds: bool = False) -> None:
        """Show that nothing is chosen of the memories, or of the finds of a dry run."""
        self._hint.setText(_HINT_OF_FINDS if of_finds else _HINT)
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
