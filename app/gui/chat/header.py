"""The bar above the conversation: its title, its memory mode, who answers, and why."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QStackedWidget, QWidget

from app.domain.conversation import MemoryMode
from app.gui.chat.cards.mode_chip import ModeChip
from app.gui.theme import Theme
from app.gui.widgets import Button, ChipButton, ElidedLabel, hbox, named
from app.gui.widgets.foreign import tip
from app.gui.widgets.header import HEIGHT

UNTITLED = "New conversation"
_MARGIN = 20
_FIELD = 280
_NARROW = 640
_SPACING = 10
_CUT = "…"  # what is left of a name for which there is no room
_TITLE = 70  # so much of the title stays, however long the model's name is


class Title(QStackedWidget):
    """A title that becomes a field when it is clicked."""

    renamed = Signal(str)  # the person gave another title

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("chat_title")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.label = ElidedLabel(UNTITLED, "title", "chat_title_label")
        self.label.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.label.setCursor(Qt.CursorShape.IBeamCursor)
        self.label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.field = named(QLineEdit(), "chat_title_field", "Title of the conversation")
        self.field.setProperty("inline", "true")
        self._editable = False
        self.addWidget(self.label)
        self.addWidget(self.field)
        self.label.installEventFilter(self)
        self.field.installEventFilter(self)
        self.field.editingFinished.connect(self._on_finished)

    def say(self, title: str, *, editable: bool) -> None:
        """Show a title."""
        self._editable = editable
        self.label.setText(title or UNTITLED)
        self.updateGeometry()
        if editable:
            self.label.setAccessibleDescription("Press Enter to rename")
        self.setCurrentWidget(self.label)

    def sizeHint(self) -> QSize:
        """Return the room for the title, or for writing another."""
        hint = self.label.sizeHint()
        writing = self.currentWidget() is self.field
        return QSize(max(hint.width() + 4, _FIELD if writing else 0), super().sizeHint().height())

    def edit(self) -> None:
        """Let the person write another title."""
        if not self._editable:
            return
        self.field.setText(self.label.text())
        self.setCurrentWidget(self.field)
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin with a click or Enter, end without a change with Escape."""
        if watched is self.label:
            pressed = event.type() == QEvent.Type.MouseButtonRelease
            if pressed or _is_key(event, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
                self.edit()
                return True
        elif event.type() == QEvent.Type.ShortcutOverride and _is_key(event, Qt.Key.Key_Escape):
            event.accept()
            return True
        elif event.type() == QEvent.Type.KeyPress and _is_key(event, Qt.Key.Key_Escape):
            self.setCurrentWidget(self.label)
            self.label.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return super().eventFilter(watched, event)

    def _on_finished(self) -> None:
        if self.currentWidget() is not self.field:
            return
        title = " ".join(self.field.text().split())
        self.setCurrentWidget(self.label)
        if title and title != self.label.text():
            self.label.setText(title)
            self.renamed.emit(title)


class ChatHeader(QWidget):
    """The bar above the conversation."""

    renamed = Signal(str)  # the person gave another title
    mode_chosen = Signal(object)  # the person chose a memory mode
    models_wanted = Signal()  # the person wants to see the models
    # the person wants to see, or no longer, why an answer came out as it did
    why_toggled = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("chat_header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setProperty("surface", "header")
        self.setFixedHeight(HEIGHT)
        self.title = Title()
        self.mode_chip = ModeChip(theme, "header_mode")
        self.model_chip = ChipButton(theme, "", "model_chip", "neutral")
        self.why_button = Button(theme, "Why this answer", "why_toggle", "ghost")
        self.why_button.setCheckable(True)
        hbox(
            self.title,
            self.mode_chip,
            self.model_chip,
            ...,
            self.why_button,
            of=self,
            margins=(_MARGIN, 0, _MARGIN, 0),
            spacing=_SPACING,
        )
        self.title.renamed.connect(self.renamed)
        self.mode_chip.mode_chosen.connect(self.mode_chosen)
        self.model_chip.clicked.connect(self.models_wanted)
        self.why_button.toggled.connect(self.why_toggled)
        self._model = ("", "")
        self.set_model("")

    def set_model(self, name: str, place: str = "") -> None:
        """Say who answers and where, such as "Qwen3 4B" and "on this computer"."""
        self._model = (name, place)
        self._show_model()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say where the model runs only if there is room."""
        super().resizeEvent(event)
        self._show_model()

    def _show_model(self) -> None:
        name, place = self._model
        whole = f"{name} · {place}" if place else name
        wanted = whole if self.width() >= _NARROW else name
        self.model_chip.say(wanted)
        if (spare := self._room() - self.model_chip.sizeHint().width()) < 0:
            metrics = self.model_chip.fontMetrics()
            room = metrics.horizontalAdvance(wanted) + spare
            wanted = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
            self.model_chip.say(wanted)
        self.model_chip.setAccessibleName(f"Who answers: {whole}")
        self.model_chip.setToolTip(tip(f"{whole}. Choose who answers"))
        self.model_chip.setVisible(wanted not in ("", _CUT))

    def _room(self) -> int:
        """Return how wide the model's name may be beside all else."""
        title = min(self.title.sizeHint().width(), _TITLE)
        others = self.mode_chip.sizeHint().width() + self.why_button.sizeHint().width()
        return self.width() - 2 * _MARGIN - 4 * _SPACING - title - others

    def set_mode(self, mode: MemoryMode, *, begun: bool = False) -> None:
        """Show what the conversation may do with memory."""
        self.mode_chip.set_mode(mode, begun=begun)
        self._show_model()


def _is_key(event: QEvent, *keys: Qt.Key) -> bool:
    return isinstance(event, QKeyEvent) and event.key() in keys
