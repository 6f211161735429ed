"""The pages that stand in for the window while a vault is locked or cannot be used."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit

from app.domain.backup import Backup
from app.domain.profile import Profile
from app.errors import DiskFull, VaultBusy, VaultCorrupt, VaultReadOnly, VaultTooNew
from app.gui.profiles.backups import BackupsSheet
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    ChoiceCard,
    ErrorBar,
    FullPage,
    Label,
    MenuButton,
    SegmentedControl,
    caption,
    fill,
    hbox,
    named,
)

TITLES: dict[type[Exception], str] = {
    VaultCorrupt: "This vault is damaged",
    VaultTooNew: "This vault needs a newer Loci",
    VaultReadOnly: "This vault cannot be written to",
    DiskFull: "There is no room left",
    VaultBusy: "This vault is in use",
}


class UnlockPage(FullPage):
    """Asks for the passphrase or the recovery code."""

    # the passphrase, or empty; the recovery code, or empty
    unlock_requested = Signal(str, str)
    profile_chosen = Signal(str)  # the slug of another profile
    quit_requested = Signal()  # the person gives up

    def __init__(self, theme: Theme, profile_name: str, sentence: str) -> None:
        super().__init__(theme, f"Unlock {profile_name}", sentence, "unlock_page")
        self.ways = SegmentedControl(
            [("passphrase", "Passphrase"), ("recovery", "Recovery code")], "Way in", "unlock_way"
        )
        self.ways.chosen.connect(self._on_way_chosen)
        self.field = named(QLineEdit(), "unlock_secret", "Passphrase")
        self.field.returnPressed.connect(self._on_unlock_clicked)
        self.errors = ErrorBar(theme, "unlock_error")
        self.button = Button(theme, "Unlock", "unlock", "primary", "lock-key-open")
        self.button.clicked.connect(self._on_unlock_clicked)
        self.others = MenuButton(theme, "Other profile", "unlock_other")
        self.others.hide()
        leave = Button(theme, "Quit", "unlock_quit", "ghost", then=self.quit_requested)
        row = hbox(self.button, self.others, ..., leave)
        fill(self.column, self.ways, self.field, self.errors, row)
        self._on_way_chosen("passphrase")

    def focus_first(self) -> None:
        """Put the keyboard on the line to fill in."""
        self.field.setFocus()

    def show_others(self, profiles: Sequence[Profile]) -> None:
        """Offer other profiles."""
        fill_menu(self.others, profiles, self.profile_chosen)

    def fail(self, sentence: str) -> None:
        """Say why it did not open."""
        self._set_busy(False)
        self.errors.say(sentence)
        self.field.setFocus()
        self.field.selectAll()

    def _on_way_chosen(self, way: str) -> None:
        code = way == "recovery"
        self.field.clear()
        self.field.setEchoMode(QLineEdit.EchoMode.Normal if code else QLineEdit.EchoMode.Password)
        self.field.setPlaceholderText("Eight groups of four" if code else "")
        self.field.setAccessibleName("Recovery code" if code else "Passphrase")
        self.field.setFocus()

    def _on_unlock_clicked(self) -> None:
        secret = self.field.text()
        if not secret.strip():
            self.field.setFocus()
            return
        self.errors.hide()
        self._set_busy(True)
        code = self.ways.current == "recovery"
        self.unlock_requested.emit("" if code else secret, secret if code else "")

    def _set_busy(self, busy: bool) -> None:
        self.button.setText("Unlocking…" if busy else "Unlock")
        for widget in (self.button, self.field, self.ways, self.others):
            widget.setEnabled(not busy)


class ProblemPage(FullPage):
    """Says what is wrong with a vault, and the ways out."""

    backup_chosen = Signal(object)  # the backup to put in its place
    retry_requested = Signal()  # try again
    folder_chosen = Signal(str)  # the other folder to keep data in
    profile_chosen = Signal(str)  # the slug of another profile
    quit_requested = Signal()  # the person gives up

    def __init__(
        self,
        theme: Theme,
        error: Exception,
        others: Sequence[Profile],
        backups: Sequence[Backup],
    ) -> None:
        title = next(
            (t for kind, t in TITLES.items() if isinstance(error, kind)), "Loci could not start"
        )
        super().__init__(theme, title, str(error), "problem_page")
        self.errors = ErrorBar(theme, "problem_error")
        self.column.addWidget(self.errors)
        self._theme = theme
        if isinstance(error, VaultCorrupt) and backups:
            noun = "The only backup" if len(backups) == 1 else f"One of {len(backups)} backups"
            self._card(
                "clock-counter-clockwise",
                "Restore a backup",
                f"{noun} takes its place; the damaged file is kept beside it",
                "restore_backup",
            ).clicked.connect(lambda: self._choose_backup(backups))
        if not isinstance(error, VaultTooNew):
            self._card(
                "arrow-clockwise", "Try again", "Once you have fixed it", "try_again"
            ).clicked.connect(self.retry_requested)
        self._card(
            "folder-open", "Another folder", "Keep data somewhere else, or open a copy", "folder"
        ).clicked.connect(self._choose_folder)
        for profile in others:
            slug = profile.slug
            self._card(
                "user", f"Open {profile.name}", "Another profile", f"open.{slug}"
            ).clicked.connect(lambda _checked=False, slug=slug: self.profile_chosen.emit(slug))
        leave = Button(theme, "Quit", "problem_quit", then=self.quit_requested)
        row = hbox((Label("Nothing was changed.", "secondary", name="problem_note"), 1), leave)
        self.column.addLayout(row)

    def focus_first(self) -> None:
        """Put the keyboard on the first way out."""
        cards = self.findChildren(ChoiceCard)
        if cards:
            cards[0].setFocus()

    def fail(self, sentence: str) -> None:
        """Say why a way out did not work."""
        self.errors.say(sentence)

    def _choose_backup(self, backups: Sequence[Backup]) -> None:
        sheet = BackupsSheet(self._theme, self, backups)
        sheet.chosen.connect(self.backup_chosen)
        sheet.open()

    def _choose_folder(self) -> None:
        dialog = named(QFileDialog(self, "Another folder", str(Path.home())), "folder_dialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(self.folder_chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _card(self, icon: str, title: str, text: str, name: str) -> ChoiceCard:
        card = ChoiceCard(self._theme, icon, title, text, f"problem_{name}")
        self.column.addWidget(card)
        return card


def fill_menu(button: MenuButton, profiles: Sequence[Profile], chosen: object) -> None:
    """Offer profiles in the menu of a button, or hide it where there is none."""
    menu = button.menu()
    menu.clear()
    for profile in profiles:
        action = menu.addAction(caption(profile.name))
        action.triggered.connect(
            lambda _checked=False, slug=profile.slug: chosen.emit(slug)  # type: ignore[attr-defined]
        )
    button.setVisible(bool(profiles))
