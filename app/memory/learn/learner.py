"""Ask the model that learns, and give it up where it fails three times in a row.

Learning goes on without a model that is given up, until the person lets it try again or chooses
another. What only waits for its turn, or may not be used now, has not failed.
"""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from threading import Event
from typing import Protocol

from app.domain.model import ChatInfo, Failure
from app.errors import Cancelled, Hindered, ModelError, ModelLate, TooLong
from app.memory.learn.replies import Item, parsed
from app.providers.base import ChatModel, PromptTurn, Sampling
from app.store.work.trials import Trials

log = logging.getLogger(__name__)

PATIENCE = 60.0  # seconds for one message, where the model runs on this computer


class Lender(Protocol):
    """Lends the model that learns."""

    def chat_info(self, *, learning: bool = False) -> ChatInfo:
        """Say who learns."""

    def chat(
        self, interactive: bool = True, *, learning: bool = False, cancel: Event | None = None
    ) -> AbstractContextManager[ChatModel]:
        """Lend the model that learns."""


class LearningModel:
    """The model that learns beside the reader.

    Args:
        now: Seconds, from whenever.
    """

    def __init__(
        self, trials: Trials, models: Lender, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._trials = trials
        self._models = models
        self._now = now

    def info(self) -> ChatInfo | None:
        """Say who learns; None where no model does, or the one that would is given up."""
        info = self._models.chat_info(learning=True)
        return None if not info.weights or self._trials.given_up(info.id) else info

    def asked(
        self,
        prompt: Sequence[PromptTurn],
        sampling: Sampling,
        cancel: Event,
        seconds: float | None = None,
    ) -> list[Item] | None:
        """Return the items of its reply; None where it cannot be read.

        Args:
            prompt: What it is told.
            sampling: How the reply is drawn.
            cancel: Stops it.
            seconds: After how many it has failed, once it is loaded; None where it may take long.

        Raises:
            Cancelled: ``cancel`` was set, or the model was needed for something more urgent.
            Hindered: It may not be used now.
            TooLong: It does not read so much at once; that is no failure.
            ModelError: It does not answer.
        """
        info = self.info()
        if info is None:
            raise Hindered("No model learns.")
        try:
            reply = self._reply(info, prompt, sampling, cancel, seconds)
        except (Hindered, TooLong):
            raise
        except ModelError as error:
            slow = isinstance(error, ModelLate)
            self._failed(info, Failure.SLOW if slow else Failure.ERROR)
            raise
        items = parsed(reply)
        if items is None:
            self._failed(info, Failure.UNREADABLE)
        else:
            self._trials.worked(info.id)
        return items

    def _reply(
        self,
        info: ChatInfo,
        prompt: Sequence[PromptTurn],
        sampling: Sampling,
        cancel: Event,
        seconds: float | None,
    ) -> str:
        with self._models.chat(False, learning=True, cancel=cancel) as model:
            if seconds is None or not info.local:
                reply = "".join(model.stream(prompt, sampling, cancel))
                late = False
            else:
                model.measure(prompt, cancel)  # loading it is no part of its time
                until = _Until(cancel, self._now() + seconds, self._now)
                reply = "".join(model.stream(prompt, sampling, until))
                late = until.is_over
        if cancel.is_set():
            raise Cancelled("Stopped.")
        if late:
            raise ModelLate("The learning model takes too long.")
        return reply

    def _failed(self, info: ChatInfo, how: Failure) -> None:
        log.info("the learning model failed (%s)", how)
        self._trials.failed(info.id, how)


class _Until(Event):
    """Is set once another event is, or it is late."""

    def __init__(self, cancel: Event, until: float, now: Callable[[], float]) -> None:
        super().__init__()
        self._cancel, self._until, self._now = cancel, until, now

    @property
    def is_over(self) -> bool:
        """Whether it is late."""
        return self._now() >= self._until

    def is_set(self) -> bool:
        return self._cancel.is_set() or self.is_over
