"""A segmented control: one of a few views of the same thing."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QSizePolicy

from app.gui.widgets.boxes import hbox
from app.gui.widgets.naming import named


class SegmentedControl(QFrame):
    """Buttons in one frame, exactly one of which is down; arrow keys move."""

    chosen = Signal(str)  # the key of the segment the person chose

    def __init__(self, options: Sequence[tuple[str, str]], title: str, name: str) -> None:
        super().__init__()
        named(self, name, title)
        self.setProperty("surface", "segments")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._keys = [key for key, _ in options]
        row = hbox(of=self, margins=1, spacing=0)
        for number, (key, text) in enumerate(options):
            button = named(QPushButton(text), f"{name}_{key}", text)
            button.setProperty("segment", "true")
            button.setCheckable(True)
            button.setAutoDefault(False)
            self._group.addButton(button, number)
            row.addWidget(button)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(lambda number: self.chosen.emit(self._keys[number]))

    @property
    def current(self) -> str:
        """The key of the segment that is down."""
        return self._keys[self._group.checkedId()]

    def choose(self, key: str) -> None:
        """Press a segment without telling anybody."""
        self._group.button(self._keys.index(key)).setChecked(True)

    def relabel(self, key: str, text: str) -> None:
        """Show other words on a segment."""
        button = self._group.button(self._keys.index(key))
        button.setText(text)
        button.setAccessibleName(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move with the arrow keys."""
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        button = self._group.button((self._group.checkedId() + step) % len(self._keys))
        button.setFocus(Qt.FocusReason.TabFocusReason)
        button.click()
