"""One model of the catalogue: what it is, how it would run, and the one button that gets it."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app.domain.catalogue import CatalogueModel, Fit
from app.domain.jobs.pace import megabytes
from app.gui.library.catalogue_words import (
    FITS,
    RECOMMENDED,
    about_words,
    button_words,
    file_words,
    size_words,
    trial_words,
)
from app.gui.library.getting import STEPS, Getting, Phase
from app.gui.theme import Theme
from app.gui.widgets import (
    Button,
    Card,
    Chip,
    FlowLayout,
    Label,
    NoticeLine,
    fill,
    hbox,
    named,
    tip,
)

ICON = "download-simple"


class CatalogueRow(Card):
    """A model that can be downloaded, and how far that is."""

    wanted = Signal()  # download it, go on with it, or use it
    pause_requested = Signal()  # stop for now
    cancel_requested = Signal()  # stop, and delete what has come

    def __init__(self, theme: Theme, candidate: CatalogueModel) -> None:
        one = candidate.offered
        super().__init__(f"offer.{one.id}", margin=14)
        self.setAccessibleName(one.name)
        self.candidate = candidate
        self._state = Getting()
        kind = "primary" if candidate.recommended else "plain"
        self.button = Button(theme, "", f"get.{one.id}", kind, icon=ICON, then=self.wanted)
        self.pause_button = Button(theme, "Pause", f"pause.{one.id}", icon="pause")
        self.cancel_button = Button(theme, "Cancel", f"cancel.{one.id}", "ghost")
        self.bar = named(QProgressBar(), f"bar.{one.id}", f"Download of {one.name}")
        self.bar.setTextVisible(False)
        self.bar.setRange(0, STEPS)
        self.words = Label("", "secondary", wrap=True, name=f"come.{one.id}")
        self.notice = NoticeLine(theme, f"offer_notice.{one.id}")
        self.answer = Label("", "body", wrap=True, name=f"answer.{one.id}")
        self.speed = Label("", "secondary", wrap=True, name=f"speed.{one.id}")
        self.fit = Chip("", name=f"fit.{one.id}")
        self._best = Chip(RECOMMENDED, "accent", f"best.{one.id}")
        self._in_use = Chip("In use", "accent", f"in_use.{one.id}")
        self._size = Label("", "secondary", wrap=True, name=f"size.{one.id}")
        self._about = Label(about_words(one), "secondary", wrap=True, name=f"about.{one.id}")
        self._note = Label(one.note, "secondary", wrap=True, name=f"note.{one.id}")
        self._progress = named(QWidget(), f"progress.{one.id}")
        policy = self.button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that nothing jumps when a download begins
        self.button.setSizePolicy(policy)
        self._lay_out()
        self._note.setVisible(bool(one.note))
        self._about.setToolTip(tip(f"Licence: {one.licence_url}"))
        self.pause_button.clicked.connect(self._on_pause_clicked)
        self.cancel_button.clicked.connect(self._on_cancel_clicked)
        self.show_all(candidate, self._state)

    def _lay_out(self) -> None:
        top = hbox(spacing=12)
        name = Label(self.candidate.offered.name, "strong", wrap=True, name="offer_name")
        fill(top, (name, 1), self.button)
        self.body.addLayout(top)
        chips = FlowLayout()
        for chip in (self._best, self._in_use, self.fit):
            chips.addWidget(chip)
        self.body.addLayout(chips)
        for label in (self._size, self._about, self._note):
            self.body.addWidget(label)
        hbox(
            (self.bar, 1),
            self.pause_button,
            self.cancel_button,
            of=self._progress,
            margins=(0, 4, 0, 0),
            spacing=10,
        )
        fill(self.body, self._progress, self.words, self.answer, self.speed, self.notice)

    def show_all(self, candidate: CatalogueModel, state: Getting) -> None:
        """Show what is known of the model, and how far getting it is."""
        self.candidate = candidate
        said, tone = FITS[candidate.fit]
        self.fit.say(said, tone)
        self._best.setVisible(candidate.recommended and not candidate.in_use)
        self._in_use.setVisible(candidate.in_use)
        self._size.setText(size_words(candidate))
        self._show(state)

    def show_state(self, state: Getting) -> None:
        """Show how far getting it is; what was known of the model before may be out of date."""
        if state.phase is Phase.PAUSED:
            self.candidate = replace(self.candidate, fetched=state.kept)
        self._show(state)

    def _show(self, state: Getting) -> None:
        had_focus = self.pause_button.hasFocus() or self.cancel_button.hasFocus()
        self._state, candidate = state, self.candidate
        partial = bool(candidate.fetched) and not state.busy and not candidate.present
        self._progress.setVisible(state.busy or partial)
        self.pause_button.setVisible(state.busy)
        self.pause_button.setEnabled(True)
        self.pause_button.setText("Skip" if state.phase is Phase.TRYING else "Pause")
        self.cancel_button.setVisible(state.phase is not Phase.TRYING)
        self.cancel_button.setEnabled(True)
        self.bar.setValue(self._share(state))
        self.words.setText(self._words(state))
        self.words.setVisible(bool(self.words.text()))
        self._show_button(state)
        if state.sentence:
            self.notice.say(state.sentence)
        else:
            self.notice.hide()
        said, speed = trial_words(state.trial) if state.trial else ("", "")
        for label, text in ((self.answer, said), (self.speed, speed)):
            label.setText(text)
            label.setVisible(bool(text))
        if had_focus and not state.busy and self.button.isEnabled():
            self.button.setFocus()

    def _show_button(self, state: Getting) -> None:
        candidate = self.candidate
        words = button_words(candidate)
        fits = candidate.fit is not Fit.NONE or candidate.present or bool(candidate.fetched)
        offered = bool(words) and fits and not candidate.in_use
        had_focus = self.button.hasFocus()
        self.button.setVisible(offered and not state.busy)
        self.button.setText(words)
        self.button.setAccessibleName(f"{words}: {candidate.offered.name}")
        if had_focus and state.busy:
            self.pause_button.setFocus()

    def _share(self, state: Getting) -> int:
        if state.busy and state.phase is not Phase.WAITING:
            return state.share
        return self.candidate.fetched * STEPS // max(1, self.candidate.offered.bytes)

    def _words(self, state: Getting) -> str:
        if state.phase is Phase.WAITING:
            return "Waiting for its turn…"
        if state.busy:
            return state.words
        have, one = self.candidate.fetched, self.candidate.offered
        if have and not self.candidate.present:
            return f"Paused: {have / 1e6:,.0f} of {megabytes(one.bytes)} are downloaded and kept."
        if found := file_words(self.candidate):
            return found
        if state.phase is Phase.DONE and state.trial is None and not self.candidate.in_use:
            return state.words or "Downloaded."
        return ""

    def _on_pause_clicked(self) -> None:
        self.pause_button.setEnabled(False)
        self.pause_requested.emit()

    def _on_cancel_clicked(self) -> None:
        self.cancel_button.setEnabled(False)
        self.cancel_requested.emit()
