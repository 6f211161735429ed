"""Child processes in which weights run, and the talk between them and this process.

A model file is somebody else's data read by native code: whatever it does, it does in a process of
its own that can be killed and started again. Messages over the pipe are small tuples; requests are
numbered, answered one after another, piece by piece, and can be cancelled. The child ends when its
pipe does, so it never outlives its parent.
"""

import logging
import multiprocessing
import os
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Event
from typing import Any

from app.domain.jobs.progress import outcome
from app.domain.jobs.stopping import stop_of_work
from app.errors import Cancelled, ModelDied, ModelError
from app.files import reason
from app.hardening import start_clean
from app.providers.local.serving import CANCEL, DONE, FAILED, PIECE, Build, Message, serve
from app.providers.turns import Turns

log = logging.getLogger(__name__)

_DEAD = "dead"
_LOOK_SECONDS = 0.05
_PATIENCE_SECONDS = 3.0
_LONGEST_WAIT_SECONDS = 60.0


class Child:
    """One child process seen from its parent; usable from any thread.

    Args:
        title: What the person calls the model.
        build: Makes the worker, inside the child: a function at the top level of a module.
        arguments: Its arguments; they travel by pickle.
        tells: Whether it also takes, as its last argument, what it tells how far it has loaded.
        check: Called before a process is started; may refuse by raising ModelError.
        now: A monotonic clock, in seconds.
    """

    def __init__(
        self,
        title: str,
        build: Build,
        arguments: tuple[Any, ...],
        *,
        tells: bool = False,
        check: Callable[[], object] = lambda: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.title = title
        self._start = build, arguments, tells
        self._check, self._now = check, now
        self._turns = Turns()
        self._numbers = count(1)
        self._link: _Link | None = None
        self._about: Any = None
        self._closed = Event()
        self._failures, self._retry_at = 0, 0.0
        self._error: ModelError | None = None
        self._used = now()

    @property
    def pid(self) -> int | None:
        """The process id, while there is a process."""
        link = self._link
        return link.process.pid if link is not None and link.process.is_alive() else None

    @property
    def running(self) -> bool:
        """Whether a process has loaded the model and is alive."""
        link = self._link
        return link is not None and link.ready and link.process.is_alive()

    @property
    def memory_bytes(self) -> int:
        """How much memory the process takes; 0 where no model is loaded."""
        import psutil

        try:
            return int(psutil.Process(self.pid).memory_info().rss) if self.running else 0
        except psutil.Error:
            return 0

    @property
    def idle_seconds(self) -> float:
        """How long nobody has asked for anything; 0 while somebody does."""
        return 0.0 if self._turns.taken else self._now() - self._used

    def about(self) -> Any:
        """Return what the worker says of itself, starting it where it never ran."""
        if self._about is None:
            self.load()
        return self._about

    def load(self) -> None:
        """Start the process where there is none, and wait until it has loaded the model.

        Raises:
            Cancelled: The work of this thread is to stop.
            ModelError: It cannot be loaded.
        """
        for _ in self.loading(None):
            pass

    def loading(self, cancel: Event | None) -> Generator[int, None, None]:
        """Do as ``load`` does, and yield how far it has come, in hundredths.

        Once ``cancel`` is set it ends, and the process loads on for the next request.
        """
        try:
            self._turns.enter(True, cancel)
        except Cancelled:
            return
        try:
            yield from self._connecting(cancel)
        finally:
            self._leave()

    def ask(self, method: str, argument: Any, *, urgent: bool = True) -> Any:
        """Return the one piece that answers a request."""
        pieces = list(self.stream(method, argument, urgent=urgent))
        if len(pieces) != 1:
            raise ModelError(f"{self.title} gave no answer.")
        return pieces[0]

    def ask_if_free(self, method: str, argument: Any) -> Any:
        """Return the answer, or None where the model is busy or not loaded."""
        if not self.running or not self._turns.try_enter():
            return None
        try:
            link = self._link
            if link is None or not link.ready:
                return None
            pieces = list(self._exchange(link, method, argument, None))
            return pieces[0] if pieces else None
        except ModelDied:
            return None
        finally:
            self._leave()

    def stream(
        self, method: str, argument: Any, cancel: Event | None = None, *, urgent: bool = True
    ) -> Generator[Any, None, None]:
        """Yield the pieces of an answer; after ``cancel`` is set, end without another one.

        Raises:
            Cancelled: Without ``cancel``, the work of this thread is to stop while the model loads.
            ModelDied: The process ended; the next request starts another.
            ModelError: It could not start, or could not answer.
        """
        try:
            self._turns.enter(urgent, cancel)
        except Cancelled:
            return
        try:
            link = self._connect(cancel)
            if link is not None:
                yield from self._exchange(link, method, argument, cancel)
        finally:
            self._leave()

    def begin(self) -> None:
        """Start the process without waiting until it has loaded."""
        if self._turns.try_enter():
            try:
                self._open()
            finally:
                self._leave()

    def rest(self) -> None:
        """End the process unless it is at work; the next request starts another."""
        if self._turns.try_enter():
            try:
                if self._link is not None:
                    self._link.end()
                self._link = None
            finally:
                self._leave()

    def close(self) -> None:
        """End the process now; whoever waits for an answer gets a ModelError."""
        self._closed.set()
        if (link := self._link) is not None:
            link.end()

    def _leave(self) -> None:
        self._used = self._now()
        self._turns.leave()

    def _open(self) -> "_Link":
        if self._closed.is_set():
            raise ModelError(f"{self.title} was put away.")
        link = self._link
        if link is not None and link.ready and link.gone():
            self._failed(ModelDied(_died(self.title)), link)
            link = None
        if link is None:
            if self._error is not None and self._now() < self._retry_at:
                raise type(self._error)(str(self._error))
            self._check()
            link = self._link = _Link.open(self.title, *self._start)
            if self._closed.is_set():
                link.end()
        return link

    def _connect(self, cancel: Event | None) -> "_Link | None":
        return outcome(self._connecting(cancel))

    def _connecting(self, cancel: Event | None) -> Generator[int, None, "_Link | None"]:
        """Yield how far the process has loaded; return None where ``cancel`` came first."""
        link, stop = self._open(), stop_of_work()
        while not link.ready:
            if cancel is not None and cancel.is_set():
                return None
            if cancel is None and stop.is_set():
                raise Cancelled("Stopped.")
            message = link.receive(_LOOK_SECONDS)
            if message is not None and message[1] == PIECE:
                yield message[2]
            elif message is not None:
                _, state, payload = message
                if state != DONE:
                    raise self._failed(payload or ModelDied(_died(self.title)), link)
                link.ready, self._about = True, payload
        return link

    def _exchange(
        self, link: "_Link", method: str, argument: Any, cancel: Event | None
    ) -> Iterator[Any]:
        number, ended = next(self._numbers), False
        link.send((number, method, argument))
        try:
            while cancel is None or not cancel.is_set():
                message = link.receive(_LOOK_SECONDS)
                if message is None or (message[0] != number and message[1] != _DEAD):
                    continue
                if message[1] == PIECE:
                    yield message[2]
                    continue
                ended = True
                self._outcome(link, message)
                return
        finally:
            if not ended:
                self._abandon(link, number)

    def _outcome(self, link: "_Link", message: Message) -> None:
        _, state, payload = message
        if state == _DEAD:
            raise self._failed(ModelDied(_died(self.title)), link)
        self._failures, self._error = 0, None
        if state == FAILED:
            log.info("%s: %s %s", self.title, type(payload).__name__, _notes(payload))
            raise payload

    def _abandon(self, link: "_Link", number: int) -> None:
        """Cancel a request and let it run out; kill a process that does not obey."""
        link.send((number, CANCEL, None))
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline:
            message = link.receive(_LOOK_SECONDS)
            if message is not None and message[1] != PIECE:
                return
        log.warning("%s did not stop when asked; its process is ended", self.title)
        link.end()
        if self._link is link:
            self._link = None

    def _failed(self, error: ModelError, link: "_Link") -> ModelError:
        link.end()
        if self._link is link:
            self._link = None
        if self._closed.is_set():
            return ModelError(f"{self.title} was put away.")
        kind = f"{type(error).__name__} {_notes(error)}".rstrip()
        log.warning("%s: %s (exit code %s)", self.title, kind, link.exit_code)
        self._failures += 1
        wait = 0.0 if self._failures == 1 else min(2.0**self._failures, _LONGEST_WAIT_SECONDS)
        self._error, self._retry_at = error, self._now() + wait
        return error


def _notes(error: Exception) -> str:
    """Return what of an error in a child is for the log alone."""
    return " ".join(getattr(error, "__notes__", ()))


def _died(title: str) -> str:
    return f"{title} stopped unexpectedly, perhaps for lack of memory; ask again to restart it."


@dataclass(eq=False)
class _Link:
    """One process and the pipe to it."""

    process: BaseProcess
    pipe: "Connection[Any, Any]"
    ready: bool = False

    @classmethod
    def open(cls, title: str, build: Build, arguments: tuple[Any, ...], tells: bool) -> "_Link":
        # Threads of numpy's own spin beside llama.cpp's; the child is begun with one.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=serve,
            args=(theirs, title, build, arguments, tells),
            name="loci-model",
            daemon=True,
        )
        try:
            start_clean()
            process.start()
        except OSError as error:
            raise ModelError(f"{title} could not be started: {reason(error)}.") from error
        finally:
            theirs.close()
        return cls(process, ours)

    @property
    def exit_code(self) -> int | None:
        return self.process.exitcode

    def send(self, message: Message) -> None:
        """Send; a process that is gone is noticed when its answer is awaited."""
        try:
            self.pipe.send(message)
        except OSError:
            log.debug("the other end of the pipe is gone")

    def receive(self, seconds: float) -> Message | None:
        """Return the next message, None where none came, or one in the state dead."""
        try:
            if not self.pipe.poll(seconds):
                return None
            message: Message = self.pipe.recv()
        except (EOFError, OSError):
            return 0, _DEAD, None
        return message

    def gone(self) -> bool:
        """Whether the process has ended; asked between requests, when nothing should come."""
        while (message := self.receive(0)) is not None:
            if message[1] == _DEAD:
                return True
        return False

    def end(self) -> None:
        """Kill the process and wait until it is gone."""
        self.process.kill()
        self.process.join(_PATIENCE_SECONDS)
