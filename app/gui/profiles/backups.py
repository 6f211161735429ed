"""The list of backups, from which one is put in the vault's place."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.backup import Backup
from app.gui.dialogs import ConfirmSheet, Sheet
from app.gui.erasure.sizes import size
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, Scroll, hbox, line, named, vbox

WHAT = "Loci will hold what it held then. What it holds now is kept as one more backup."


class BackupsSheet(Sheet):
    """Backups, newest first, each to be restored after one more question."""

    chosen = Signal(object)  # the file to restore

    def __init__(self, theme: Theme, parent: QWidget, backups: Sequence[Backup]) -> None:
        super().__init__(theme, parent, "Restore a backup", "backups_sheet")
        self._theme = theme
        self.setMinimumSize(theme.px(480), theme.px(360))
        self.body.addWidget(Label(WHAT, "secondary", wrap=True, name="backups_what"))
        inside = named(QWidget(), "backups_inside")
        rows = vbox(of=inside, margins=(0, 0, 8, 0), spacing=0)
        said = Counter(moment(backup.made_at) for backup in backups)
        for number, backup in enumerate(backups):
            alone = said[moment(backup.made_at)] == 1
            rows.addWidget(self._row(number, backup, moment(backup.made_at, seconds=not alone)))
        rows.addStretch(1)
        self.body.addWidget(Scroll(inside, "backups_scroll"), 1)

    def _row(self, number: int, backup: Backup, when: str) -> QWidget:
        row = named(QWidget(), f"backup.{number}", when)
        words = vbox(
            Label(when, "row", name=f"backup_when.{number}"),
            Label(size(backup.bytes), "secondary", name=f"backup_size.{number}"),
            spacing=2,
        )
        button = Button(self._theme, "Restore…", f"restore.{number}")
        button.setAccessibleName(f"Restore the backup of {when}")
        button.clicked.connect(lambda: self._ask(backup.path, when))
        inner = hbox((words, 1), button, margins=(0, 12, 0, 12), spacing=8)
        vbox(inner, line(), of=row, margins=0, spacing=0)
        return row

    def _ask(self, path: Path, when: str) -> None:
        sheet = ConfirmSheet(
            self._theme, self, f"Restore the backup of {when}?", WHAT, "Restore", "restore_backup"
        )
        sheet.accepted.connect(lambda: self._on_confirmed(path))
        sheet.open()

    def _on_confirmed(self, path: Path) -> None:
        self.chosen.emit(path)
        self.accept()


def moment(at: datetime, *, weekday: bool = True, seconds: bool = False) -> str:
    """Return when a backup was made, in the person's time."""
    local = at.astimezone()
    day = f"{local.day} {local.strftime('%B %Y, %H:%M:%S' if seconds else '%B %Y, %H:%M')}"
    return f"{local:%A}, {day}" if weekday else day
