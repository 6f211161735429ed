"""The card of one find: what it says, why it was found, where it was said, what to do with it."""

from datetime import datetime

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.domain import trace
from app.domain.ids import Clock
from app.domain.language.text import clipped
from app.domain.memory import Evidence, Memory, MemoryDetail, Status
from app.domain.recall import Hit, HitKind
from app.gui.chat.cards.popover import Popover
from app.gui.evidence import ASKED_TO_KEEP
from app.gui.theme import Theme
from app.gui.trace.source import TraceSource
from app.gui.trace.wording import full_date, kind_line, replaced, sentence, why
from app.gui.widgets import Button, Label, fill, hbox, named

WIDTH = 360
_LONGEST = 600
_QUOTE = 160
_EDITOR = 84


class SourceCard(Popover):
    """Shows a memory, or something said before."""

    detail_wanted = Signal(str)  # everything about a memory is to be fetched; its id
    saved = Signal(object, str)  # the person wrote another text; the Memory it was, and the text
    forgotten = Signal(str)  # the person wants a memory forgotten; its id
    restored = Signal(str)  # the person wants it back; its id
    # the person wants to see where it was said; conversation and message
    conversation_wanted = Signal(str, str)
    memory_wanted = Signal(str)  # the person wants to see it among all memories; its id
    # the person wants something said before remembered; the message's id
    remember_wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, clock: Clock) -> None:
        super().__init__(parent, "source_card", WIDTH)
        self._clock = clock
        self._id = ""
        self._memory: Memory | None = None
        self._place = ("", "")
        self._wants_edit = False
        self._text = Label("", "body", wrap=True, name="source_text")
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._kind = Label("", "small", wrap=True, name="source_kind")
        self._why = Label("", "small", wrap=True, name="source_why")
        self._care = Label("", "warn", wrap=True, name="source_care")
        self._quote = Label("", "small", wrap=True, name="source_quote")
        self._error = Label("", "danger", wrap=True, name="source_error")
        self.editor = _Editor()
        self._make_buttons(theme)
        self._lay_out()
        self._connect()

    def _make_buttons(self, theme: Theme) -> None:
        self.place_button = Button(theme, "Open conversation", "source_place", "link")
        self.edit_button = Button(theme, "Edit", "source_edit", then=self._on_edit_clicked)
        self.forget_button = Button(theme, "Forget", "source_forget")
        self.restore_button = Button(theme, "Restore", "source_restore")
        self.remember_button = Button(theme, "Remember this", "source_remember")
        self.open_button = Button(theme, "Open in Memory", "source_open", "ghost")
        self.save_button = Button(theme, "Save", "source_save", "primary")
        self.cancel_button = Button(theme, "Cancel", "source_cancel", then=self._on_cancel_clicked)

    def _lay_out(self) -> None:
        row = hbox(
            *(self.edit_button, self.forget_button, self.restore_button, self.remember_button),
            *(self.save_button, self.cancel_button),
            ...,
            self.open_button,
            spacing=6,
        )
        for widget in (self._text, self.editor, self._kind, self._care, self._why, self._quote):
            self.body.addWidget(widget)
        fill(self.body, (self.place_button, 0, Qt.AlignmentFlag.AlignLeading), self._error, row)

    def _connect(self) -> None:
        self.place_button.clicked.connect(lambda: self.conversation_wanted.emit(*self._place))
        self.forget_button.clicked.connect(lambda: self.forgotten.emit(self._id))
        self.restore_button.clicked.connect(lambda: self.restored.emit(self._id))
        self.remember_button.clicked.connect(lambda: self.remember_wanted.emit(self._id))
        self.open_button.clicked.connect(lambda: self.memory_wanted.emit(self._id))
        self.save_button.clicked.connect(self._on_save_clicked)
        self.editor.accepted.connect(self._on_save_clicked)

    # What it shows.

    def open_source(self, source: TraceSource, where: QRect, came_from: QWidget | None) -> None:
        """Show a find."""
        self._begin(source.hit.id, source.hit.text)
        hit, now = source.hit, self._clock()
        self._kind.setText(" · ".join(kind_line(hit, now)))
        self._why.setText(why(hit))
        said = [sentence(replaced(hit)), trace.care(hit.standing)]
        self._care.setText("\n".join(filter(None, said)))
        if hit.kind is HitKind.MESSAGE:
            self._show_place(hit.conversation_id or "", hit.id, hit.conversation_title, hit.at)
        self._show_buttons(hit)
        self.open_at(where, came_from)
        if hit.kind is HitKind.MEMORY:
            self.detail_wanted.emit(hit.id)

    def open_memory(self, memory_id: str, text: str, where: QRect, came_from: QWidget) -> None:
        """Show a memory by its id, to edit it."""
        self._begin(memory_id, text)
        self._wants_edit = True
        self._show_buttons(None)
        self.open_at(where, came_from)
        self.detail_wanted.emit(memory_id)

    def _begin(self, found_id: str, text: str) -> None:
        self._id, self._memory, self._place = found_id, None, ("", "")
        self._wants_edit = False
        self._text.setText(clipped(text, _LONGEST))
        for label in (self._kind, self._care, self._why, self._quote, self._error):
            label.setText("")
        self.place_button.hide()
        self._edit(False)

    def show_detail(self, detail: MemoryDetail) -> None:
        """Show what is known of the memory by now."""
        if detail.memory.id != self._id or not self.isVisible():
            return
        self._memory = detail.memory
        self._text.setText(clipped(detail.memory.text, _LONGEST))
        spoken = [e for e in detail.evidence if e.quote] or detail.evidence
        if spoken:
            self._show_evidence(spoken[0])
        self._show_buttons(None)
        if self._wants_edit:
            self._on_edit_clicked()
        self.settle()

    def show_error(self, sentence: str) -> None:
        """Say what could not be done; what was written stays."""
        self._error.setText(sentence)
        self._error.show()
        self.settle()

    def _show_evidence(self, evidence: Evidence) -> None:
        said = f"You said: “{clipped(evidence.quote, _QUOTE)}”" if evidence.quote else ASKED_TO_KEEP
        self._quote.setText(said)
        if evidence.conversation_id and evidence.message_id:
            self._show_place(
                evidence.conversation_id,
                evidence.message_id,
                evidence.conversation_title,
                evidence.created_at,
            )

    def _show_place(self, conversation: str, message: str, title: str, at: datetime) -> None:
        if not conversation:
            return
        self._place = (conversation, message)
        where = f"“{clipped(title, 34)}”" if title else "the conversation"
        self.place_button.setText(
            f"Open {where}, {full_date(at, self._clock())}".replace("&", "&&")
        )
        self.place_button.show()

    def _show_buttons(self, hit: Hit | None) -> None:
        said = hit is not None and hit.kind is HitKind.MESSAGE
        memory = self._memory or (hit.memory if hit else None)
        gone = memory is not None and memory.status is Status.FORGOTTEN
        editing = self.editor.isVisibleTo(self)
        self.edit_button.setVisible(not (said or gone or editing))
        self.edit_button.setEnabled(self._memory is not None)
        self.forget_button.setVisible(not (said or gone or editing))
        self.restore_button.setVisible(gone and not editing)
        self.remember_button.setVisible(said)
        self.open_button.setVisible(not (said or editing))
        for widget in (self._kind, self._care, self._why, self._quote, self._error):
            widget.setVisible(bool(widget.text()))

    # Editing.

    def _on_edit_clicked(self) -> None:
        if self._memory is not None:
            self._wants_edit = False
            self.editor.setPlainText(self._memory.text)
            self._edit(True)
            self.editor.selectAll()
            self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_save_clicked(self) -> None:
        text = self.editor.toPlainText().strip()
        if self._memory is None or text == self._memory.text:
            self._on_cancel_clicked()
        elif text:
            self.saved.emit(self._memory, text)
        else:
            self.show_error("A memory needs some words. Forget it instead?")

    def _on_cancel_clicked(self) -> None:
        self._error.setText("")
        self._edit(False)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _edit(self, on: bool) -> None:
        self._text.setVisible(not on)
        self.editor.setVisible(on)
        self.save_button.setVisible(on)
        self.cancel_button.setVisible(on)
        self._show_buttons(None)
        self.settle()


class _Editor(QPlainTextEdit):
    """A field of a few lines; Ctrl+Enter saves."""

    accepted = Signal()  # the person wants it saved

    def __init__(self) -> None:
        super().__init__()
        named(self, "source_editor", "Text of the memory")
        self.setTabChangesFocus(True)
        self.setFixedHeight(_EDITOR)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save with Enter; Shift+Enter begins a line."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self.accepted.emit()
        else:
            super().keyPressEvent(event)
