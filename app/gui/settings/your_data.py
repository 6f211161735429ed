"""The page about the person's data: where it lies, who can open it, taking it along, erasing it."""

from collections.abc import Sequence

from PySide6.QtCore import Signal

from app.domain.backup import Backup
from app.domain.profile import Profile, SlotKind
from app.gui.erasure.sizes import size
from app.gui.profiles.backups import moment
from app.gui.settings import model
from app.gui.settings.pages import PageColumn
from app.gui.settings.places import place
from app.gui.settings.rows import PlainRow
from app.gui.theme import Theme
from app.gui.widgets import Button, Chip

RESTRICTED = "Processing is restricted"
STILL_WORKS = (
    "Nothing is recalled, learned or answered until you lift it. You can still see, correct, "
    "export and erase everything."
)
KEPT = {
    SlotKind.KEYRING: "key kept in the system keyring",
    SlotKind.PASSPHRASE: "opened with your passphrase",
    SlotKind.KEY_FILE: "key kept in a file beside it, because no keyring was found",
}


class YourDataPage(PageColumn):
    """The vault, its ways in, export, import and erasure."""

    code_requested = Signal()  # a new recovery code
    code_declined = Signal()  # none, and no reminder of it
    passphrase_requested = Signal()  # set or change the passphrase
    passphrase_removed = Signal()  # open without one again
    backup_requested = Signal()  # a backup now
    restore_requested = Signal()  # the list of backups
    export_requested = Signal()
    import_requested = Signal()
    erase_requested = Signal()
    restriction_requested = Signal(bool)  # whether to restrict processing; False lifts that

    def __init__(self, theme: Theme) -> None:
        super().__init__(model.YOUR_DATA, model.SENTENCES[model.YOUR_DATA], "settings_your_data")
        self.chip = Chip("● Encrypted", "accent", "encrypted_chip")
        self.code_button = Button(theme, "Make a code…", "recovery_code")
        self.decline_button = Button(theme, "No, thank you", "decline_recovery", "ghost")
        self.set_button = Button(theme, "Set…", "set_passphrase")
        self.remove_button = Button(theme, "Remove", "remove_passphrase", "ghost")
        self.backup_button = Button(theme, "Back up now", "back_up")
        self.restore_button = Button(theme, "Restore…", "restore_backups", "ghost")
        self.export_button = Button(theme, "Export…", "export_everything")
        self.import_button = Button(theme, "Import…", "import_file")
        self.restrict_button = Button(theme, "Restrict", "restrict_processing")
        self._restricted = False
        self.erase_button = Button(theme, "Erase…", "erase_everything", "danger")
        self.vault_row = PlainRow("Encrypted vault", "", "vault_row", self.chip)
        self.code_row = PlainRow(
            "Recovery code", "", "recovery_row", self.decline_button, self.code_button
        )
        self.phrase_row = PlainRow(
            "Passphrase", "", "passphrase_row", self.remove_button, self.set_button
        )
        self.backups_row = PlainRow(
            "Backups", "", "backups_row", self.restore_button, self.backup_button
        )
        self._add_rows()
        for button, signal in (
            (self.code_button, self.code_requested),
            (self.decline_button, self.code_declined),
            (self.set_button, self.passphrase_requested),
            (self.remove_button, self.passphrase_removed),
            (self.backup_button, self.backup_requested),
            (self.restore_button, self.restore_requested),
            (self.export_button, self.export_requested),
            (self.import_button, self.import_requested),
            (self.erase_button, self.erase_requested),
        ):
            button.clicked.connect(signal)
        self.restrict_button.clicked.connect(
            lambda: self.restriction_requested.emit(not self._restricted)
        )

    def _add_rows(self) -> None:
        for row in (self.vault_row, self.code_row, self.phrase_row, self.backups_row):
            self.rows.addWidget(row)
        made = {}
        for name, button, role in (
            ("export_row", self.export_button, "row"),
            ("import_row", self.import_button, "row"),
            ("restrict_row", self.restrict_button, "row"),
            ("erase_row", self.erase_button, "danger"),
        ):
            here = place(button.objectName())
            made[name] = PlainRow(here.title, here.sentence, name, button, role=role)
            self.rows.addWidget(made[name])
        self.restrict_row = made["restrict_row"]

    def show_profile(
        self, profile: Profile, slots: Sequence[SlotKind], declined: bool = False
    ) -> None:
        """Show whose vault this is, how big, what opens it, and whether a code was declined."""
        kept = next((words for kind, words in KEPT.items() if kind in slots), "no key found")
        self.vault_row.help.setText(f"{profile.name} · {size(profile.bytes)} · {kept}")
        open_file = SlotKind.KEY_FILE in slots
        self.chip.say(
            "● Key in a file" if open_file else "● Encrypted", "warn" if open_file else "accent"
        )
        has_code = SlotKind.RECOVERY in slots
        self.code_row.help.setText(
            "Opens the vault when everything else fails. You have one; a new one replaces it."
            if has_code
            else "Opens the vault when everything else fails. You have none yet."
        )
        self.decline_button.setVisible(not has_code and not declined)
        self.code_button.setText("New code…" if has_code else "Make a code…")
        has_phrase = SlotKind.PASSPHRASE in slots
        self.phrase_row.help.setText(
            "Asked for at every start; nothing else but a recovery code opens the vault."
            if has_phrase
            else "Without one, whoever is logged in to this computer as you can open Loci."
        )
        self.set_button.setText("Change…" if has_phrase else "Set…")
        self.remove_button.setVisible(has_phrase)

    def show_backups(self, backups: Sequence[Backup], daily: bool) -> None:
        """Show how many backups there are, and whether one is made every day."""
        total = size(sum(backup.bytes for backup in backups))
        often = "Made every day" if daily else "Not made automatically"
        told = "none yet"
        if backups:
            kept = f"{len(backups)} kept, {total}" if backups[1:] else total
            told = f"the last on {moment(backups[0].made_at, weekday=False)} · {kept}"
        self.backups_row.help.setText(f"{often} · {told}")
        self.restore_button.setVisible(bool(backups))

    def show_restricted(self, restricted: bool) -> None:
        """Show whether processing is restricted."""
        self._restricted = restricted
        here = place(self.restrict_button.objectName())
        self.restrict_row.title.setText(RESTRICTED if restricted else here.title)
        self.restrict_row.help.setText(STILL_WORKS if restricted else here.sentence)
        self.restrict_button.setText("Lift" if restricted else "Restrict")
        self.restrict_button.setAccessibleName("Lift" if restricted else here.title)

    def set_busy(self, busy: bool) -> None:
        """Allow no second backup, export, import or erasure while one runs."""
        for button in (
            self.backup_button,
            self.restore_button,
            self.export_button,
            self.import_button,
            self.erase_button,
        ):
            button.setEnabled(not busy)
