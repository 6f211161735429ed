"""The dialogs about ways in to a vault: the recovery code, and the passphrase."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.gui.bridge import Bridge
from app.gui.dialogs import FormSheet, Sheet
from app.gui.files import choose_new_file, write_private
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, hbox, vbox

SHORTEST = 8
ONCE = (
    "It opens your vault when the keyring is lost or the passphrase forgotten. Loci shows it only "
    "once and keeps no copy: write it down or save it, away from this computer."
)


class RecoveryCode(QWidget):
    """A recovery code to read, copy and save.

    Attributes:
        kept: Whether the person copied or saved it.
    """

    save_requested = Signal()  # the person wants it in a file

    def __init__(self, theme: Theme, code: str, name: str = "recovery_code_view") -> None:
        super().__init__()
        self.setObjectName(name)
        self._code = code
        self.kept = False
        groups = code.split("-")
        half = (len(groups) + 1) // 2
        shown = "\n".join("  ".join(part) for part in (groups[:half], groups[half:]) if part)
        self._label = Label(shown, "code", name="recovery_code_text")
        self._label.setAccessibleName(f"Recovery code: {code}")
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy_button = Button(theme, "Copy", "copy_recovery_code", icon="copy")
        self.copy_button.clicked.connect(self._on_copy_clicked)
        self.save_button = Button(theme, "Save…", "save_recovery_code", icon="floppy-disk")
        self.save_button.clicked.connect(self.save_requested)
        self._said = Label("", "secondary", name="recovery_code_said")
        row = hbox(self.copy_button, self.save_button, (self._said, 1))
        vbox(self._label, row, of=self, margins=0, spacing=10)

    @property
    def text(self) -> str:
        """What is saved to a file."""
        return f"Loci recovery code\n\n{self._code}\n\n{ONCE}\n"

    def save(self, bridge: Bridge) -> None:
        """Ask for a file and write the code into it."""

        def write(path: Path) -> None:
            bridge.run(
                lambda: write_private(path, self.text),
                lambda _none: self._say_kept(f"Saved as {path.name}."),
                lambda error: self._said.setText(str(error)),
            )

        choose_new_file(
            self.window(),
            "Save the recovery code",
            "Text (*.txt)",
            "recovery_file",
            "Loci recovery code.txt",
            write,
        )

    def _say_kept(self, sentence: str) -> None:
        self.kept = True
        self._said.setText(sentence)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._code)
        self._say_kept("Copied.")


class RecoveryCodeSheet(Sheet):
    """Shows a new recovery code, once."""

    def __init__(self, theme: Theme, parent: QWidget, code: str, bridge: Bridge) -> None:
        super().__init__(theme, parent, "Your recovery code", "recovery_sheet")
        self.setMinimumWidth(theme.px(480))
        self.body.addWidget(Label(ONCE, "lead", wrap=True, name="recovery_sheet_help"))
        self.view = RecoveryCode(theme, code)
        self.view.save_requested.connect(lambda: self.view.save(bridge))
        self.body.addWidget(self.view)
        self.cancel_button.setText("I have saved it")
        self.cancel_button.setAccessibleName("I have saved it")


class PassphraseSheet(FormSheet):
    """Asks for a new passphrase, twice."""

    def __init__(self, theme: Theme, parent: QWidget, submit: Callable[[str], None]) -> None:
        super().__init__(
            theme, parent, "Passphrase", "Set passphrase", "passphrase_sheet", self._on_submitted
        )
        self._submit = submit
        self.add_text(
            "Loci will ask for it at every start. If you forget it, only a recovery code opens "
            "the vault: nobody can reset it."
        )
        self.add_field("first", f"Passphrase, at least {SHORTEST} characters", secret=True)
        self.add_field("second", "Repeat the passphrase", secret=True)

    def _on_submitted(self, values: dict[str, str]) -> None:
        if len(values["first"]) < SHORTEST:
            self.done_with(ValueError(f"Use at least {SHORTEST} characters."))
        elif values["first"] != values["second"]:
            self.done_with(ValueError("The two are not the same. Type it again."))
        else:
            self._submit(values["first"])
