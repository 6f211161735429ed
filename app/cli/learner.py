"""Learns from what is said in a chat at the terminal, and waits no longer for it than is wise."""

from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from app.cli.output import say
from app.cli.program import INDEXING, MOMENT_SECONDS, finish_pending, learn_more, stoppable
from app.domain.jobs.operation import drive
from app.errors import AppError, Cancelled

if TYPE_CHECKING:
    from app.services.services import Services

LATER = "Loci will read this again later: its language model is taking too long."


class WhileTyping:
    """Learns from what was said, while the person reads and types.

    Attributes:
        seconds: How long ``finish`` waits for a model, and only for the message that was last said;
            None where it waits until all is learnt.
        said: The message that was last said.
    """

    def __init__(self, services: "Services") -> None:
        self.seconds: float | None = None
        self.said = ""
        self._services = services
        self._stop, self._enough = Event(), Event()
        self._left = False  # whether the rest is for the next time
        self._in_time = True  # whether indexing came to its end the last time
        self._thread: Thread | None = None

    def begin(self) -> None:
        """Begin, and give it a moment: mostly it is done in that."""
        if self._thread is None or not self._thread.is_alive():
            self._enough.clear()
            self._thread = Thread(target=self._work, name="learner", daemon=True)
            self._thread.start()
        self._thread.join(MOMENT_SECONDS)

    def finish(self) -> None:
        """Wait until everything is learnt; Ctrl+C leaves the rest for the next time.

        What there is to index besides is done for a moment, and then left, too.

        Raises:
            Cancelled: The person pressed Ctrl+C.
        """
        if self._left:
            return
        self._enough.set()
        with stoppable(self._stop):
            while self._thread is not None and self._thread.is_alive():
                self._thread.join(MOMENT_SECONDS)
        moment = MOMENT_SECONDS if self._in_time else 0.0
        try:
            self._in_time = finish_pending(self._services, self._stop, moment=moment)
            if self.seconds is None or self._services.queue.learns_more(self.said):
                self._services.queue.learn_first(self.said)
                learn_more(self._services, self._stop, self.seconds)
        except TimeoutError:
            self._left = True
            say(LATER, err=True)
        except Cancelled:
            self._left = True
            raise

    def _work(self) -> None:
        background = self._services.background
        with suppress(AppError):  # the job is queued again, with its reason
            drive(background.run(self._stop, without=INDEXING), self._stop)
            drive(background.run(self._enough), self._enough)
