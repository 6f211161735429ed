"""The control that edits a setting, by the type of the setting."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from app.domain.language.text import shown
from app.gui.theme import Theme
from app.gui.widgets import Select, Switch, named
from app.settings.table import Entry

TEXT_WIDTH, MODEL_WIDTH = 200, 300
WIDEST_NUMBER, PADDING = "888,888", 34
Notify = Callable[[Any], None]


class Editor(NamedTuple):
    """A control, and how to make it show a value or offer others without telling anybody."""

    widget: QWidget
    show: Callable[[Any], None]
    offer: Callable[[Mapping[str, str]], None] = lambda choices: None


def make_editor(theme: Theme, declared: Entry, notify: Notify) -> Editor:
    """Return the control for a setting, which notifies of each value it is given."""
    if declared.type is bool:
        return _switch(theme, declared, notify)
    if declared.type in (int, float):
        return _number(declared, notify)
    if declared.row.chat_model:
        return _model_select(theme, declared, notify)
    if declared.row.choices:
        return _select(theme, declared, declared.row.choices, notify)
    if issubclass(declared.type, StrEnum):
        names = {member.value: worded(member.value) for member in declared.type}
        return _select(theme, declared, names, notify)
    return _lines(declared, notify) if declared.row.multiline else _line(declared, notify)


def worded(value: str) -> str:
    """Return a stored word as a person would read it."""
    return value.replace("_", " ").capitalize()


def _name(declared: Entry) -> str:
    return f"setting.{declared.key}"


def _switch(theme: Theme, declared: Entry, notify: Notify) -> Editor:
    switch = Switch(theme, declared.row.title, _name(declared))

    def show(value: Any) -> None:
        if switch.isChecked() != value:
            switch.blockSignals(True)
            switch.setChecked(value)
            switch.blockSignals(False)
            switch.settle()

    switch.toggled.connect(notify)
    return Editor(switch, show)


def _number(declared: Entry, notify: Notify) -> Editor:
    row = declared.row
    spin: QSpinBox | QDoubleSpinBox
    if declared.type is int:
        spin = _Spin()
        spin.setRange(int(row.minimum or 0), int(row.maximum or 2**31 - 1))
        spin.setGroupSeparatorShown(True)
    else:
        spin = _DoubleSpin()
        spin.setRange(row.minimum or 0.0, row.maximum or 1e9)
        spin.setSingleStep(row.step)
    spin.setSuffix(f" {row.unit}" if row.unit else "")
    spin.setKeyboardTracking(False)
    spin.setAlignment(Qt.AlignmentFlag.AlignRight)
    spin.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    named(spin, _name(declared), row.title)

    def show(value: Any) -> None:
        with QSignalBlocker(spin):
            spin.setValue(value)

    spin.valueChanged.connect(notify)
    return Editor(spin, show)


def _select(theme: Theme, declared: Entry, names: Mapping[str, str], notify: Notify) -> Editor:
    select = Select(theme, declared.row.title, _name(declared))
    for value, name in names.items():
        select.addItem(shown(name), str(value))

    def show(value: Any) -> None:
        with QSignalBlocker(select):
            select.setCurrentIndex(select.findData(str(value)))

    select.currentIndexChanged.connect(lambda index: notify(select.itemData(index)))
    return Editor(select, show)


def _model_select(theme: Theme, declared: Entry, notify: Notify) -> Editor:
    """Return a select whose choices are only known once the models were listed."""
    select = Select(theme, declared.row.title, _name(declared))
    select.setMinimumWidth(TEXT_WIDTH)  # less than a long name needs: it is cut in a small window
    select.setMaximumWidth(MODEL_WIDTH)
    offered: dict[str, str] = {declared.default: worded(declared.default)}
    value = [declared.default]

    def fill() -> None:
        with QSignalBlocker(select):
            select.clear()
            for choice, name in {value[0]: value[0], **offered}.items():
                select.addItem(shown(name), choice)
            select.setCurrentIndex(select.findData(value[0]))

    def show(chosen: Any) -> None:
        value[0] = str(chosen)
        fill()

    def offer(choices: Mapping[str, str]) -> None:
        offered.clear()
        offered.update(choices)
        fill()

    def chosen(index: int) -> None:
        value[0] = select.itemData(index)
        notify(value[0])

    fill()
    select.currentIndexChanged.connect(chosen)
    return Editor(select, show, offer)


def _line(declared: Entry, notify: Notify) -> Editor:
    field = named(QLineEdit(), _name(declared), declared.row.title)
    field.setFixedWidth(TEXT_WIDTH)
    stored = [""]

    def show(value: Any) -> None:
        stored[0] = value
        field.setText(value)
        field.setCursorPosition(0)  # of a long text its beginning is seen

    def finished() -> None:
        if field.text() != stored[0]:
            notify(field.text())

    field.editingFinished.connect(finished)
    return Editor(field, show)


def _lines(declared: Entry, notify: Notify) -> Editor:
    field = named(TextArea(notify), _name(declared), declared.row.title)
    return Editor(field, field.show_value)


class TextArea(QPlainTextEdit):
    """Several lines of text, told when the person leaves them."""

    def __init__(self, notify: Notify) -> None:
        super().__init__()
        self._notify = notify
        self._stored = ""
        self.setTabChangesFocus(True)
        self.setMinimumHeight(84)
        self.setMaximumHeight(140)
        self.installEventFilter(self)

    def show_value(self, value: Any) -> None:
        """Show a value without telling anybody; not while the person types."""
        self._stored = value
        if not self.hasFocus() and self.toPlainText() != value:
            self.setPlainText(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell of new text when the focus leaves."""
        if event.type() == QEvent.Type.FocusOut and self.toPlainText() != self._stored:
            self._stored = self.toPlainText()
            self._notify(self._stored)
        return super().eventFilter(watched, event)


def _room(spin: QAbstractSpinBox, suffix: str) -> QSize:
    width = spin.fontMetrics().horizontalAdvance(WIDEST_NUMBER + suffix) + PADDING
    return QSize(width, QAbstractSpinBox.sizeHint(spin).height())


class _Spin(QSpinBox):
    """A number that does not turn under a passing mouse wheel."""

    def sizeHint(self) -> QSize:
        """Return room for a large number and its unit."""
        room, said = _room(self, self.suffix()), self.specialValueText()
        wanted = self.fontMetrics().horizontalAdvance(said) + PADDING + PADDING // 2
        return QSize(max(room.width(), wanted if said else 0), room.height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()


class _DoubleSpin(QDoubleSpinBox):
    """A number with decimals that does not turn under a passing mouse wheel."""

    def sizeHint(self) -> QSize:
        """Return room for a large number and its unit."""
        return _room(self, self.suffix())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()
