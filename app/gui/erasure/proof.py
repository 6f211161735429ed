"""The last page of an erasure: what is gone, how that was checked, and what Loci cannot reach."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.domain.erasure import Proof
from app.gui.erasure.sizes import size
from app.gui.theme import Theme
from app.gui.widgets import Button, Card, Label, Scroll, fill, hbox, named, vbox

NOT_ALL, NOT_YET = "Not everything could be erased", "Not everything is erased yet"


def scan_sentence(proof: Proof) -> str:
    """Return what the decrypting scan did and found, or nothing if there was none."""
    if not proof.scanned_bytes:
        return ""
    before = f"{proof.found_before:,} {'copy' if proof.found_before == 1 else 'copies'}"
    after = f"{proof.found_after:,}" if proof.found_after else "none"
    return (
        f"Loci decrypted and searched all {size(proof.scanned_bytes)} of the vault. "
        f"It found {before} of the text before, and {after} after."
    )


def report(proof: Proof) -> str:
    """Return the whole proof as plain text."""
    lines = ["Erased:", *(f"- {line}" for line in proof.removed)]
    lines += ["", proof.owed] if proof.owed else []
    lines += ["", scan_sentence(proof)] if proof.scanned_bytes else []
    if proof.left:
        lines += ["", "Left, and why:", *(f"- {line}" for line in proof.left)]
    if proof.remaining:
        lines += ["", "Out of reach:", *(f"- {line}" for line in proof.remaining)]
    return "\n".join(lines) + "\n"


class ProofView(QWidget):
    """The outcome of an erasure."""

    closed = Signal()  # the person has seen it

    def __init__(self, theme: Theme, proof: Proof) -> None:
        super().__init__()
        self.setObjectName("erasure_proof")
        self._proof = proof
        self.done_button = Button(theme, "Done", "erasure_done", "primary", then=self.closed)
        self.copy_button = Button(theme, "Copy report", "erasure_copy", "ghost", "copy")
        self.copy_button.clicked.connect(self._on_copy_clicked)
        column = vbox(
            self._heading(theme),
            (self._details(theme), 1),
            of=self,
            margins=(24, 22, 24, 20),
            spacing=12,
        )
        column.addLayout(hbox(self.copy_button, ..., self.done_button))

    def _heading(self, theme: Theme) -> QHBoxLayout:
        good = self._proof.good
        picture = named(QLabel(), "erasure_proof_picture")
        icon = theme.icon(*(("check-circle", "accent") if good else ("warning-circle", "danger")))
        picture.setPixmap(icon.pixmap(QSize(24, 24), self.devicePixelRatioF()))
        words = "Erased" if good else NOT_ALL
        words = NOT_YET if self._proof.owed else words
        return hbox(picture, (Label(words, "heading", name="erasure_proof_title"), 1), spacing=10)

    def _details(self, theme: Theme) -> Scroll:
        inside = named(QWidget(), "erasure_proof_inside")
        column = vbox(of=inside, margins=(0, 0, 8, 0), spacing=6)
        if sentence := scan_sentence(self._proof):
            column.addWidget(self._scan(sentence))
        owed = [self._proof.owed] if self._proof.owed else []
        self._section(column, theme, "Still to be done", owed, ("warning-circle", "danger"))
        self._section(column, theme, "What is gone", self._proof.removed, ("check", "accent"))
        about_rest = ("info", "muted")
        self._section(column, theme, "What is left, and why", self._proof.left, about_rest)
        self._section(column, theme, "Out of Loci's reach", self._proof.remaining, about_rest)
        column.addStretch(1)
        return named(Scroll(inside, "erasure_proof_area"), "erasure_proof_area", "Proof")

    def _scan(self, sentence: str) -> Card:
        good = not self._proof.found_after
        card = Card("erasure_scan", "accent" if good else "danger")
        row = hbox(spacing=18)
        for number, caption in (
            (size(self._proof.scanned_bytes), "searched"),
            (f"{self._proof.found_before:,}", "found before"),
            (f"{self._proof.found_after:,}", "found after"),
        ):
            cell = vbox(
                Label(number, "heading", name=f"scan_{caption.replace(' ', '_')}"),
                Label(caption, "small", name=f"scan_caption_{caption}"),
                spacing=0,
            )
            row.addLayout(cell)
        row.addStretch(1)
        fill(card.body, row, Label(sentence, "secondary", wrap=True, name="scan_sentence"))
        return card

    def _section(
        self,
        column: QVBoxLayout,
        theme: Theme,
        title: str,
        lines: Sequence[str],
        icon: tuple[str, str],
    ) -> None:
        if not lines:
            return
        fill(column, 8, Label(title, "strong", name="erasure_section"))
        for number, line in enumerate(lines):
            picture = named(QLabel(), f"erasure_line_{number}_picture")
            pixmap = theme.icon(*icon).pixmap(QSize(14, 14), self.devicePixelRatioF())
            picture.setPixmap(pixmap)
            picture.setContentsMargins(0, 3, 0, 0)
            row = hbox(
                (picture, 0, Qt.AlignmentFlag.AlignTop),
                (Label(line, "body", wrap=True, name=f"erasure_line_{number}"), 1),
                spacing=8,
            )
            column.addLayout(row)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(report(self._proof))
        self.copy_button.setText("Copied")
