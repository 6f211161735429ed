"""Asking for a file, without blocking the window."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


def choose_file(
    parent: QWidget, title: str, kinds: str, name: str, then: Callable[[Path], None]
) -> QFileDialog:
    """Ask for a file that exists.

    Args:
        parent: The window it belongs to.
        title: What it is for.
        kinds: Such as ``Model files (*.gguf)``.
        name: Its object name.
        then: Called with the file.
    """
    return _open(_dialog(parent, title, kinds, name), then)


def choose_new_file(
    parent: QWidget, title: str, kinds: str, name: str, proposed: str, then: Callable[[Path], None]
) -> QFileDialog:
    """Ask where to write a file; the ending of ``proposed`` is added where it lacks one."""
    dialog = _dialog(parent, title, kinds, name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(proposed).suffix.lstrip("."))
    dialog.selectFile(str(Path.home() / proposed))
    return _open(dialog, then)


def _dialog(parent: QWidget, title: str, kinds: str, name: str) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(Path.home()), f"{kinds};;All files (*)")
    dialog.setObjectName(name)
    dialog.setAccessibleName(title)
    return dialog


def _open(dialog: QFileDialog, then: Callable[[Path], None]) -> QFileDialog:
    dialog.fileSelected.connect(lambda path: then(Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog
