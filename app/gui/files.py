"""Asking for a file without blocking the window, and writing one."""

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.errors import TransferError
from app.files import reason


def choose_file(
    parent: QWidget, title: str, kinds: str, name: str, then: Callable[[Path], None]
) -> QFileDialog:
    """Ask for a file that exists, of kinds such as ``Model files (*.gguf)``."""
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


def write_private(path: Path, text: str) -> None:
    """Write a text that only its owner may read; to be called on a worker thread.

    Raises:
        TransferError: The folder cannot be written.
    """
    try:
        with open(path, "w", encoding="utf-8", opener=_private) as file:
            file.write(text)
    except OSError as error:
        raise TransferError(f"{path.name} could not be saved: {reason(error)}.") from error


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
