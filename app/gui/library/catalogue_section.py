"""The part of the models screen that offers models to download."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.catalogue import CatalogueModel
from app.gui.library.catalogue_row import CatalogueRow
from app.gui.library.catalogue_words import first_rows
from app.gui.library.getting import Getting
from app.gui.theme import Theme
from app.gui.widgets import Button, Label, NoticeLine, fill, named, vbox
from app.gui.widgets.filling import drop

ABOUT = (
    "These models run on this computer: what you write stays here. A download resumes where it "
    "stopped, and is verified against its checksum."
)


class CatalogueSection(QWidget):
    """Models to download, the one to recommend first."""

    wanted = Signal(object)  # download a model, go on with it, or use it: the Candidate
    pause_requested = Signal(str)  # the id of the model
    cancel_requested = Signal(str)  # the id of the model

    def __init__(self, theme: Theme, name: str = "catalogue", title: str = "") -> None:
        super().__init__()
        self._theme = theme
        named(self, name, title or "Models to download")
        self.rows: dict[str, CatalogueRow] = {}
        self._candidates: list[CatalogueModel] = []
        self._states: dict[str, Getting] = {}
        self._all = False
        self.machine = Label("", "secondary", wrap=True, name=f"{name}_machine")
        self.notice = NoticeLine(theme, f"{name}_notice")
        self.more_button = Button(theme, "", f"{name}_more", "link", then=self._on_more_clicked)
        self._list = vbox(spacing=8)
        column = vbox(of=self, margins=0, spacing=10)
        if title:
            column.addWidget(Label(title, "heading", name=f"{name}_title"))
            column.addWidget(Label(ABOUT, "muted", wrap=True, name=f"{name}_help"))
        fill(column, self.machine, self.notice, self._list, self.more_button)
        self.machine.hide()
        self.more_button.hide()

    def show_candidates(
        self, candidates: Sequence[CatalogueModel], states: dict[str, Getting], machine: str = ""
    ) -> None:
        """Show models and how far getting them is."""
        self._candidates, self._states = list(candidates), dict(states)
        self.machine.setText(machine)
        self.machine.setVisible(bool(machine))
        self._arrange()

    def show_state(self, model_id: str, state: Getting) -> None:
        """Show how far getting one model is."""
        self._states[model_id] = state
        if model_id in self.rows:
            self.rows[model_id].show_state(state)

    def _arrange(self) -> None:
        touched = {one for one, state in self._states.items() if state != Getting()}
        first = self._candidates if self._all else first_rows(self._candidates, touched)
        wanted = [c.offered.id for c in first]
        for gone in [one for one in self.rows if one not in wanted]:
            row = self.rows.pop(gone)
            self._list.removeWidget(row)
            drop(row)
        for number, candidate in enumerate(first):
            row = self.rows.get(candidate.offered.id) or self._made(candidate)
            row.show_all(candidate, self._states.get(candidate.offered.id, Getting()))
            if self._list.indexOf(row) != number:
                self._list.insertWidget(number, row)
        hidden = len(self._candidates) - len(first)
        self.more_button.setVisible(bool(hidden))
        self.more_button.setText(f"Show {hidden} more model{'' if hidden == 1 else 's'}")
        self.more_button.setAccessibleName(self.more_button.text())

    def _made(self, candidate: CatalogueModel) -> CatalogueRow:
        row = CatalogueRow(self._theme, candidate)
        one = candidate.offered.id
        row.wanted.connect(lambda: self.wanted.emit(row.candidate))
        row.pause_requested.connect(lambda: self.pause_requested.emit(one))
        row.cancel_requested.connect(lambda: self.cancel_requested.emit(one))
        self.rows[one] = row
        return row

    def _on_more_clicked(self) -> None:
        had_focus, before = self.more_button.hasFocus(), set(self.rows)
        self._all = True
        self._arrange()
        added = next((row for one, row in self.rows.items() if one not in before), None)
        if had_focus and added is not None:
            added.button.setFocus()
