"""Getting models of the catalogue: one download after the other, paused, resumed, used, tried."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.catalogue import UNTRIED, Offered, Trial
from app.domain.changes import Changes
from app.domain.jobs.operation import Ticket
from app.domain.jobs.pace import Pace
from app.domain.jobs.progress import Progress
from app.domain.model import ModelRole
from app.errors import AppError, Cancelled
from app.gui.bridge import Bridge, WorkQueue

if TYPE_CHECKING:
    from app.services.catalogue import CatalogueService

STEPS = 1000
FAILED = "The download did not work."
OVERRULED = "Downloaded. Another model was chosen in the meantime, so this one is not used yet."


class Phase(StrEnum):
    """How far it is."""

    IDLE = "idle"
    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    TRYING = "trying"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Getting:
    """How far getting one model is.

    Attributes:
        words: How much has come, how fast, and how long it will take; at the end, how it ended.
        share: How much has come, of ``STEPS``.
        kept: How many bytes are kept of a download that rests.
        sentence: What went wrong, or empty.
        trial: Its first answer, once there is one.
    """

    phase: Phase = Phase.IDLE
    words: str = ""
    share: int = 0
    kept: int = 0
    sentence: str = ""
    trial: Trial | None = None

    @property
    def busy(self) -> bool:
        """Whether something runs or waits for its turn."""
        return self.phase in (Phase.WAITING, Phase.RUNNING, Phase.TRYING)


class Getter(QObject):
    """Downloads models, and lets one that answers answer once."""

    moved = Signal(str)  # getting a model is another step on: the id of the model

    def __init__(
        self, catalogue: "CatalogueService", bridge: Bridge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._catalogue, self._bridge = catalogue, bridge
        self._states: dict[str, Getting] = {}
        self._tickets: dict[str, Ticket] = {}
        self._unwanted: set[str] = set()
        self._answered: dict[str, str] = {}  # by download, who answered when it was asked for
        self._overruled: set[str] = set()

    def state(self, model_id: str) -> Getting:
        """Return how far getting a model is."""
        return self._states.get(model_id, Getting())

    @property
    def touched(self) -> set[str]:
        """The models of which there is something to show."""
        return {one for one, state in self._states.items() if state != Getting()}

    def start(self, offered: Offered, *, again: bool = False) -> None:
        """Download a model or go on with it; one that answers is then chosen and tried.

        ``again`` puts another file of its name aside.
        """
        one, pace = offered.id, Pace()
        if self.state(one).busy:
            return
        self._set(one, replace(self.state(one), phase=Phase.WAITING, sentence="", trial=None))

        self._overruled.discard(one)
        self._answered.pop(one, None)
        self._bridge.run(self._catalogue.chosen, lambda id_: self._answered.update({one: id_}))

        def on_step(progress: Progress) -> None:
            share = progress.done * STEPS // max(1, progress.total)
            self._set(one, Getting(Phase.RUNNING, pace.words(progress), share))

        self._submit(one, self._getting(offered, again), on_step, lambda _: self._on_got(offered))

    def pause(self, model_id: str) -> None:
        """Stop; what has come is kept."""
        if model_id in self._tickets:
            self._tickets[model_id].cancel()

    def cancel(self, model_id: str) -> None:
        """Stop, and delete what has come."""
        if model_id in self._tickets:
            self._unwanted.add(model_id)
            self.pause(model_id)
        else:
            self._discard(model_id)

    def _getting(
        self, offered: Offered, again: bool
    ) -> Callable[[Event], Generator[Progress, None, Changes]]:
        def steps(cancel: Event) -> Generator[Progress, None, Changes]:
            changes = yield from self._catalogue.download(offered.id, cancel, again)
            if offered.role is ModelRole.CHAT:
                changes |= self._take_over(offered.id)
            return changes

        return steps

    def _take_over(self, model_id: str) -> Changes:
        """Let a model answer, unless the person chose another one since asking for it."""
        before = self._answered.pop(model_id, None)
        if before not in (None, self._catalogue.chosen()):
            self._overruled.add(model_id)
            return Changes()
        changes = self._catalogue.use(model_id)
        for waiting in list(self._answered):  # the one that was asked for last answers in the end
            self._answered[waiting] = self._catalogue.chosen()
        return changes

    def _on_got(self, offered: Offered) -> None:
        if offered.role is not ModelRole.CHAT:
            self._set(offered.id, Getting(Phase.DONE))
            return
        if offered.id in self._overruled:
            self._set(offered.id, Getting(Phase.DONE, OVERRULED))
            return
        self._set(offered.id, Getting(Phase.TRYING, "Loading it for a first answer…", STEPS))

        def done(trial: Trial) -> None:
            del self._tickets[offered.id]
            self._set(offered.id, Getting(Phase.DONE, trial=trial))

        def failed(error: Exception) -> None:
            del self._tickets[offered.id]
            stopped = isinstance(error, Cancelled)
            said = f"{UNTRIED}: {error}" if isinstance(error, AppError) else f"{UNTRIED}."
            sentence = "" if stopped else said
            if not isinstance(error, AppError):
                self._bridge.failed.emit(error)
            self._set(offered.id, Getting(Phase.DONE, sentence=sentence))

        ticket = self._bridge.submit(
            self._catalogue.try_out, None, done, failed, WorkQueue.TRANSFER
        )
        self._tickets[offered.id] = ticket

    def _submit(
        self,
        model_id: str,
        steps: Callable[[Event], Generator[Progress, None, Changes]],
        on_step: Callable[[Progress], None],
        on_done: Callable[[Changes], None],
    ) -> None:
        def failed(error: Exception) -> None:
            del self._tickets[model_id]
            if model_id in self._unwanted:
                self._discard(model_id)
                return
            sentence = "" if isinstance(error, Cancelled) else self._bridge.told(error, FAILED)
            self._rest(model_id, sentence)

        def done(changes: Changes) -> None:
            del self._tickets[model_id]
            self._unwanted.discard(model_id)
            on_done(changes)

        self._tickets[model_id] = self._bridge.submit(
            steps, on_step, done, failed, WorkQueue.TRANSFER
        )

    def _rest(self, model_id: str, sentence: str) -> None:
        """Show a download that stopped, once it is known how much of it is kept."""

        def rest(kept: int) -> None:
            self._set(model_id, Getting(Phase.PAUSED, kept=kept, sentence=sentence))

        self._bridge.run(
            lambda: self._catalogue.candidate(model_id).fetched, rest, lambda _error: rest(0)
        )

    def _discard(self, model_id: str) -> None:
        self._unwanted.discard(model_id)

        def failed(error: Exception) -> None:
            sentence = self._bridge.told(error, "What was downloaded could not be deleted.")
            self._set(model_id, Getting(Phase.PAUSED, sentence=sentence))

        self._bridge.run(
            lambda: self._catalogue.discard(model_id),
            lambda _changes: self._set(model_id, Getting()),
            failed,
        )

    def _set(self, model_id: str, state: Getting) -> None:
        if state != self.state(model_id):
            self._states[model_id] = state
            self.moved.emit(model_id)
