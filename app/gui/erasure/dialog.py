"""The dialog that erases for good: an inventory to tick, progress, and a proof.

It knows nothing of what is erased: one memory, several, a conversation or everything. Whoever
opens it says how to take stock and how to erase, and publishes what changed on ``erased``.
"""

import logging
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QProgressBar,
    QStackedWidget,
    QWidget,
)

from app.domain.changes import Changes
from app.domain.erasure import Inventory, Proof
from app.domain.jobs.operation import Operation, Ticket
from app.domain.jobs.progress import Progress
from app.errors import AppError, Cancelled
from app.gui.bridge import Bridge, WorkQueue
from app.gui.erasure.inventory import InventoryView
from app.gui.erasure.proof import ProofView
from app.gui.theme import Theme
from app.gui.widgets import Button, ErrorBar, Label, hbox, named, vbox

_log = logging.getLogger(__name__)

InventoryFn = Callable[[], Inventory | Operation]
EraseFn = Callable[[frozenset[str], str], Operation]


class ErasureDialog(QDialog):
    """Takes stock, asks, erases and proves.

    Args:
        inventory_fn: Takes stock; called on a worker thread. It returns the inventory, or an
            operation that yields ``Progress`` and returns it.
        erase_fn: Given the keys of the ticked copies and the typed name, returns an operation
            that yields ``Progress`` (and perhaps ``Changes``) and returns a ``Proof``.
        bridge: The way to the worker threads.
        theme: Colours.
        typed_name: What has to be typed first, such as the profile's name; None asks for nothing.
    """

    erased = Signal(object)  # it is done: the Proof

    def __init__(
        self,
        inventory_fn: InventoryFn,
        erase_fn: EraseFn,
        bridge: Bridge,
        theme: Theme,
        typed_name: str | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        named(self, "erasure_dialog", "Erase")
        self.setWindowTitle("Erase")
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._erase_fn, self._bridge, self._theme = erase_fn, bridge, theme
        self._typed_name = typed_name
        self._ticket: Ticket | None = None
        self._looking: Ticket | None = None
        self._stoppable = True
        self._over = False
        self.inventory_view: InventoryView | None = None
        self.proof_view: ProofView | None = None
        self.progress_view = _ProgressView(theme)
        self.progress_view.stopped.connect(self._on_stop_requested)
        self._error = ErrorBar(theme, "erasure_error")
        self._pages = named(QStackedWidget(), "erasure_pages")
        self._pages.addWidget(self.progress_view)
        vbox(self._error, (self._pages, 1), of=self, margins=0)
        self.resize(theme.px(560), theme.px(600))
        self.progress_view.look_for("Looking for every copy…")
        self._looking = bridge.submit(
            lambda _cancelled: _stock_taken(inventory_fn),
            on_event=self._on_looked,
            on_result=self._on_inventory_taken,
            on_error=self._on_inventory_failed,
            lane=WorkQueue.DESK,
        )

    # Taking stock.

    def _on_looked(self, progress: Progress) -> None:
        if not self._over:
            self.progress_view.show_progress(progress)

    def _on_inventory_taken(self, inventory: Inventory) -> None:
        self._looking = None
        if self._over:
            return
        self.inventory_view = view = InventoryView(self._theme, inventory, self._typed_name)
        view.confirmed.connect(self._on_confirmed)
        view.cancelled.connect(self.reject)
        self._show(view)
        view.first_field().setFocus()

    def _on_inventory_failed(self, error: Exception) -> None:
        self._looking = None
        if not self._over:
            self._say(error, "Loci could not find out what there is to erase.")
            self.progress_view.rest("Nothing was erased.")

    # Erasing.

    def _on_confirmed(self) -> None:
        if self.inventory_view is None or self._ticket is not None:
            return
        ticked, typed = self.inventory_view.ticked, self.inventory_view.typed
        erase = self._erase_fn
        self._error.hide()
        self._stoppable = True
        self.progress_view.show_progress(Progress("Erasing…"))
        self._show(self.progress_view)
        self._ticket = self._bridge.submit(
            lambda _cancelled: erase(ticked, typed),
            on_event=self._on_step_made,
            on_result=self._on_erased,
            on_error=self._on_erasing_failed,
            lane=WorkQueue.DESK,
        )

    def _on_step_made(self, event: Any) -> None:
        if isinstance(event, Changes):
            self._bridge.publish(event)
        elif isinstance(event, Progress):
            self._stoppable = event.stoppable
            self.progress_view.show_progress(event)

    def _on_erased(self, proof: Proof) -> None:
        self._ticket = None
        self.proof_view = view = ProofView(self._theme, proof)
        view.closed.connect(self.accept)
        self._show(view)
        view.done_button.setFocus()
        self._bridge.publish(proof.changes)
        self.erased.emit(proof)

    def _on_erasing_failed(self, error: Exception) -> None:
        self._ticket = None
        if isinstance(error, Cancelled):
            self._error.say("Stopped. Nothing was erased.", tone="accent")
        else:
            self._say(error, "Erasing was interrupted. Loci finishes it at the next start.")
        if self.inventory_view:
            self._show(self.inventory_view)
            self.inventory_view.first_field().setFocus()

    def _on_stop_requested(self) -> None:
        if self._ticket is None:
            self.reject()
        elif self._stoppable:
            self._ticket.cancel()
            self.progress_view.look_for("Stopping…")

    # Closing.

    def reject(self) -> None:
        """Close; what is done is done."""
        self.done(QDialog.DialogCode.Accepted if self.proof_view else QDialog.DialogCode.Rejected)

    def done(self, outcome: int) -> None:
        """Close, unless something is being erased; then ask that to stop."""
        if self._ticket is not None:
            self._on_stop_requested()
            return
        self._over = True
        if self._looking is not None:
            self._looking.cancel()
        super().done(outcome)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the window while something is being erased."""
        event.ignore()
        self.reject()

    def _show(self, page: QWidget) -> None:
        if self._pages.indexOf(page) < 0:
            self._pages.addWidget(page)
        self._pages.setCurrentWidget(page)

    def _say(self, error: Exception, otherwise: str) -> None:
        if not isinstance(error, AppError):
            _log.error("an erasure failed", exc_info=error)
        self._error.say(str(error) if isinstance(error, AppError) else otherwise, tone="danger")


def _stock_taken(inventory_fn: InventoryFn) -> Operation:
    found = inventory_fn()
    if isinstance(found, Inventory):
        yield from ()
        return found
    taken = yield from found
    return taken


class _ProgressView(QWidget):
    """What is being done, how far it is, and a button to stop."""

    stopped = Signal()  # the person asked it to stop

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("erasure_progress")
        self.words = Label("", "title", wrap=True, name="erasure_progress_words")
        self.note = Label("", "secondary", wrap=True, name="erasure_progress_note")
        self.bar = named(QProgressBar(), "erasure_progress_bar", "Progress")
        self.bar.setTextVisible(False)
        self.stop_button = Button(theme, "Stop", "erasure_stop", "plain", "stop", then=self.stopped)
        row = hbox(..., self.stop_button)
        vbox(
            ...,
            self.words,
            self.bar,
            self.note,
            ...,
            row,
            of=self,
            margins=(24, 22, 24, 20),
            spacing=12,
        )

    def show_progress(self, progress: Progress) -> None:
        """Show one step."""
        self.words.setText(progress.label)
        self.bar.setMaximum(progress.total)
        self.bar.setValue(progress.done)
        self.bar.show()
        self.stop_button.setEnabled(progress.stoppable)
        self.note.setText(
            "Nothing is lost so far; you can still stop."
            if progress.stoppable
            else "Too late to stop. If Loci is closed now, it finishes at the next start."
        )

    def look_for(self, words: str) -> None:
        """Say what is being waited for."""
        self.words.setText(words)
        self.note.setText("")
        self.bar.setMaximum(0)

    def rest(self, words: str) -> None:
        """Say that nothing goes on any more."""
        self.words.setText(words)
        self.bar.hide()
        self.stop_button.setText("Close")
        self.stop_button.setAccessibleName("Close")
