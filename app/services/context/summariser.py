"""Ask the model that learns for summaries, within what may be spent.

Where none may be asked, whoever asks takes excerpts instead. A model that
is too small to learn does not sum up either.
"""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from threading import Event

from app.conversation.clip import clipped
from app.conversation.dag.ladder import SummaryTask
from app.conversation.dag.prompts import prompt
from app.domain.ids import Clock
from app.domain.jobs.kinds import SUMMARISE
from app.errors import Cancelled, ModelError
from app.providers.base import Sampling, rough_count
from app.providers.host import ModelHost
from app.providers.learner import who_learns
from app.providers.notebook import NOTEBOOK
from app.services.context.breaker import CircuitBreaker
from app.settings.spec import Settings
from app.store.work.usage import Usage

log = logging.getLogger(__name__)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OVERHEAD = 2048  # tokens of instructions and of the summary before
TEMPERATURE = 0.2
_FREE = 1_000_000  # tokens that excerpts are taken from at once


class Summariser:
    """Asks a model for summaries."""

    def __init__(
        self,
        models: ModelHost,
        usage: Usage,
        settings: Callable[[], Settings],
        clock: Clock,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._models = models
        self._usage = usage
        self._settings = settings
        self._clock = clock
        self._breaker = CircuitBreaker(now)

    def reads(self) -> int:
        """Return how many tokens are summed up at once, by a model or without."""
        if not self._may_ask():
            return _FREE
        window = self._models.chat_info(learning=True).context_tokens
        return max(window // 2, window - OVERHEAD)

    def write(self, task: SummaryTask, cancel: Event) -> str | None:
        """Return a summary; None where no model may be asked, or it failed.

        Raises:
            Cancelled: ``cancel`` was set, or a conversation needed the model first.
        """
        if not self._may_ask() or not self._breaker.allows():
            return None
        sampling = Sampling(temperature=TEMPERATURE, max_tokens=2 * task.target)
        try:
            with self._models.chat(False, learning=True, cancel=cancel) as model:
                text = "".join(model.stream(prompt(self._fitting(task)), sampling, cancel))
        except Cancelled:
            raise
        except ModelError as error:
            log.info("a summary was not written (%s)", type(error).__name__)
            self._breaker.failed()
            return None
        if cancel.is_set():
            raise Cancelled("Stopped.")
        self._breaker.worked()
        return text

    def _fitting(self, task: SummaryTask) -> SummaryTask:
        """Return a task of which a giant text is shown with its head and its tail."""
        most = max(1, self.reads() - task.target)
        texts = [clipped(text, most, rough_count) for text in task.texts]
        return SummaryTask(texts, task.depth, task.target, task.before, task.rung)

    def _may_ask(self) -> bool:
        settings = self._settings()
        chosen = settings.context
        learner = who_learns(settings, self._models.folder, self._models.learnt).id
        if not chosen.with_model or learner == NOTEBOOK.id:
            return False
        if not self._models.chat_info(learning=True).weights:
            return False
        now = self._clock()
        spent = [self._usage.tokens(SUMMARISE, now - since) for since in (HOUR, DAY)]
        return spent[0] < chosen.hourly_tokens and spent[1] < chosen.daily_tokens
