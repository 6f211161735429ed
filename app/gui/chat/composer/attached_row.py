"""The files that go with the message being written, each a chip above the words."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.conversation import Part
from app.gui.chat.composer.chip import AttachmentChip
from app.gui.theme import Theme
from app.gui.widgets import FlowLayout, named
from app.gui.widgets.filling import add, drop


class AttachedRow(QWidget):
    """Chips in lines; hidden where there are none."""

    changed = Signal()  # what goes along changed
    taken_off = Signal()  # the person took a file off

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "composer_attachments")
        self._theme = theme
        self._chips: list[AttachmentChip] = []
        self._flow = FlowLayout(self)
        self.hide()

    @property
    def reading(self) -> bool:
        """Whether any file is still being read."""
        return any(chip.reading for chip in self._chips)

    def parts(self) -> list[Part]:
        """Return the files that were read, in order."""
        return [chip.part for chip in self._chips if chip.part is not None]

    def begin(self, name: str) -> AttachmentChip:
        """Show that a file is being read; what could not be read before is put away."""
        for failed in [chip for chip in self._chips if chip.failed]:
            self._drop(failed)
        chip = AttachmentChip(self._theme, name)
        chip.removed.connect(self._on_removed)
        self._chips.append(chip)
        add(self._flow, chip)
        self.show()
        self.changed.emit()
        return chip

    def end(self, chip: AttachmentChip, part: Part) -> None:
        """Let a file that was read go with the message, unless it was taken off."""
        if chip in self._chips:
            chip.show_part(part)
            self.changed.emit()

    def fail(self, chip: AttachmentChip, sentence: str) -> None:
        """Say in the place of a file why it does not go with the message."""
        if chip in self._chips:
            chip.show_failure(sentence)
            self.changed.emit()

    def clear(self) -> None:
        """Take all files off, and stop reading them."""
        for chip in list(self._chips):
            self._drop(chip)

    def _on_removed(self, chip: AttachmentChip) -> None:
        if chip in self._chips:
            self._drop(chip)
            self.changed.emit()
            self.taken_off.emit()

    def _drop(self, chip: AttachmentChip) -> None:
        chip.stop()
        self._chips.remove(chip)
        self._flow.removeWidget(chip)
        drop(chip)
        self.setVisible(bool(self._chips))
