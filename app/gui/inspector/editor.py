"""The editor for one memory, in the place of the detail view; a new one is written in it too."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.domain.language.text import shown
from app.domain.memory import Memory, MemoryType, Trust
from app.domain.trace import TRUSTS, TYPES
from app.gui.inspector.fields import EditorDraft, check, draft_of, raises_trust
from app.gui.inspector.wording import SAFETY_TIP
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, ErrorBar, Label, Scroll, Select, fill, hbox, named, vbox
from app.gui.widgets.tick_box import TickBox

_MARGIN = 16
_OWN_WORD = {
    Trust.SYSTEM: "Trust this as your own word",
    Trust.LEARNED: "Trust this as something you said",
    Trust.CLAIMED: "Trust this as something an import claimed",
}


class MemoryEditor(QWidget):
    """Edits a copy of a memory's fields, and says what should be saved."""

    # the fields that changed should be stored; the Memory as it is now, or None, and the fields
    saved = Signal(object, object)
    taken = Signal()  # the other text should be taken instead of this one
    cancelled = Signal()  # nothing should be stored

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._memory: Memory | None = None
        self._stored: Memory | None = None
        self._before = EditorDraft()
        named(self, "memory_editor", "Edit a memory")
        self.heading = Label("", "title", name="editor_heading")
        self.error = ErrorBar(theme, "editor_error")
        self.text = _TextField()
        self.type = _choices(theme, "Type", "editor_type", TYPES)
        self.trust = _choices(theme, "Trust", "editor_trust", TRUSTS)
        self.own_word = TickBox(theme, _OWN_WORD[Trust.SYSTEM], "editor_own_word")
        self.pinned = TickBox(theme, "Pinned: in every prompt", "editor_pinned")
        self.safety = TickBox(theme, "Safety: always kept", "editor_safety")
        self.safety.setToolTip(SAFETY_TIP)
        self.lines = {
            name: named(QLineEdit(), f"editor_{name}", title)
            for name, title in (
                ("key", "Key"),
                ("value", "Value"),
                ("category", "Category"),
                ("tags", "Tags"),
                ("occurred", "Date"),
            )
        }
        self.lines["tags"].setPlaceholderText("food, health")
        self.lines["occurred"].setPlaceholderText("2026-03-14")
        self.lines["key"].setPlaceholderText("home_city")
        self.save_button = Button(theme, "Save", "editor_save", "primary", then=self.save)
        self.cancel_button = Button(theme, "Cancel", "editor_cancel", then=self.cancelled)
        self._problems: dict[str, Label] = {}
        self._only_old: list[QWidget] = []
        self._conflict = Card("editor_conflict", "warn")
        self._other = Label("", "body", wrap=True, name="editor_other_text")
        self._lay_out()
        self._connect()

    # Building.

    def _lay_out(self) -> None:
        inside = named(QWidget(), "memory_editor_inside")
        column = vbox(
            self.heading,
            self.error,
            self._conflict,
            of=inside,
            margins=(_MARGIN, 16, _MARGIN, 12),
            spacing=4,
        )
        self._fill_conflict()
        self._row(column, "text", "Text", self.text)
        self._row(column, "type", "Type", self.type)
        self._only_old += self._row(column, "trust", "Trust", self.trust)
        fill(column, self.own_word, self._problem("own_word"))
        for name, field in self.lines.items():
            row = self._row(column, name, field.accessibleName(), field)
            if name in ("category", "occurred"):
                self._only_old += row
        fill(column, 6, self.safety, self.pinned, ...)
        self._area = named(Scroll(inside, "memory_editor_area"), "memory_editor_area", "Fields")
        foot = hbox(
            ..., self.cancel_button, self.save_button, margins=(_MARGIN, 10, _MARGIN, 16), spacing=8
        )
        vbox((self._area, 1), foot, of=self, margins=0, spacing=0)

    def _row(self, column: QVBoxLayout, name: str, title: str, field: QWidget) -> list[QWidget]:
        label = Label(title, "small", name=f"editor_label_{name}")
        label.setBuddy(field)
        problem = self._problem(name)
        column.addSpacing(6)
        for widget in (label, field, problem):
            column.addWidget(widget)
        return [label, field]

    def _problem(self, name: str) -> Label:
        label = Label("", "problem", wrap=True, name=f"editor_problem_{name}")
        label.hide()
        self._problems[name] = label
        return label

    def _fill_conflict(self) -> None:
        words = "This was changed elsewhere while you were writing. It now says:"
        self._conflict.body.addWidget(Label(words, "body", wrap=True, name="editor_conflict_words"))
        self._conflict.body.addWidget(self._other)
        mine = Button(self._theme, "Keep mine", "editor_keep_mine", then=self._on_keep_clicked)
        other = Button(self._theme, "Use the other", "editor_take_other", then=self.taken)
        self._conflict.body.addLayout(hbox(mine, other, ...))
        self._conflict.hide()

    def _connect(self) -> None:
        self.trust.currentIndexChanged.connect(self._on_trust_changed)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self.save)

    # What it edits.

    def edit(self, memory: Memory | None, text: str = "") -> None:
        """Start on a memory, or on a new one that says ``text`` so far."""
        self._memory = self._stored = memory
        self._before = draft_of(memory) if memory else EditorDraft(text=text)
        self.heading.setText("Edit" if memory else "New memory")
        self._fill(self._before)
        for widget in self._only_old:
            widget.setVisible(memory is not None)
        self.pinned.setVisible(memory is None)
        self.error.hide()
        self._conflict.hide()
        self._show_problems({})
        self._area.verticalScrollBar().setValue(0)
        self.text.setFocus()
        self.text.selectAll()

    @property
    def memory(self) -> Memory | None:
        """The memory that is edited; None for a new one."""
        return self._memory

    @property
    def dirty(self) -> bool:
        """Whether something was typed that would be lost."""
        return self.draft() != self._before

    def draft(self) -> EditorDraft:
        """Return the fields as they stand."""
        texts = {name: field.text() for name, field in self.lines.items()}
        return EditorDraft(
            text=self.text.toPlainText(),
            type=MemoryType(self.type.currentData()),
            trust=Trust(self.trust.currentData()),
            pinned=self.pinned.isChecked(),
            safety=self.safety.isChecked(),
            **texts,
        )

    def save(self) -> None:
        """Look the fields over, and say what to store if they are all right."""
        draft = self.draft()
        checked = check(draft, self._memory)
        problems = dict(checked.problems)
        if raises_trust(draft, self._memory) and not self.own_word.isChecked():
            problems["own_word"] = "Tick this to raise its trust."
        self._show_problems(problems)
        if problems:
            return
        if not checked.fields:
            self.cancelled.emit()
            return
        self.save_button.setEnabled(False)
        self.saved.emit(self._stored, checked.fields)

    def refuse(self, sentence: str) -> None:
        """Say why it was not stored."""
        self.save_button.setEnabled(True)
        self.error.say(sentence)
        self._area.verticalScrollBar().setValue(0)

    def show_conflict(self, stored: Memory) -> None:
        """Show what somebody else made of it, and let the person choose."""
        self._stored = stored
        self.save_button.setEnabled(True)
        self._other.setText(f"“{stored.text}”")
        self._conflict.show()
        self._area.verticalScrollBar().setValue(0)

    # Inside.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _fill(self, draft: EditorDraft) -> None:
        self.text.setPlainText(draft.text)
        self.type.setCurrentIndex(self.type.findData(draft.type.value))
        self.trust.setCurrentIndex(self.trust.findData(draft.trust.value))
        for name, field in self.lines.items():
            field.setText(getattr(draft, name))
            field.setCursorPosition(0)
        self.pinned.setChecked(draft.pinned)
        self.safety.setChecked(draft.safety)
        self.own_word.setChecked(False)
        self.save_button.setEnabled(True)
        self._on_trust_changed()

    def _show_problems(self, problems: Mapping[str, Any]) -> None:
        for name, label in self._problems.items():
            label.setText(problems.get(name, ""))
            label.setVisible(name in problems)
        fields = {"text": self.text, "own_word": self.own_word, **self.lines}
        if first := next((name for name in fields if name in problems), None):
            fields[first].setFocus()
            self._area.ensureWidgetVisible(fields[first])

    def _on_trust_changed(self) -> None:
        draft = self.draft()
        self.own_word.setVisible(raises_trust(draft, self._memory))
        if sentence := _OWN_WORD.get(draft.trust):
            self.own_word.setText(sentence)
            self.own_word.setAccessibleName(sentence)

    def _on_keep_clicked(self) -> None:
        self._conflict.hide()
        self.save()


class _TextField(QPlainTextEdit):
    """The memory's text; Tab leaves it."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "editor_text", "Text")
        self.setTabChangesFocus(True)
        self.setFixedHeight(112)


def _choices(theme: Theme, title: str, name: str, words: Mapping[str, str]) -> Select:
    select = Select(theme, title, name)
    for value, word in words.items():
        select.addItem(shown(word.capitalize()), str(value))
    return select
