"""Sum up a conversation that outgrows the model's window, in the background, a step at a time.

Each step is one transaction: a crash between two leaves the view as it was. A view that is not
summed up yet is never wrong, only shorter than it could be.
"""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event

from app.conversation.clip import clipped
from app.conversation.dag import choosing, ladder
from app.conversation.dag.choosing import Limits
from app.conversation.dag.ladder import SummaryTask
from app.conversation.history import worded
from app.domain.changes import Changes
from app.domain.conversation import Message, Role
from app.domain.jobs.kinds import SUMMARISE
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark
from app.domain.memory import Scope
from app.domain.prompting.context import Summary, View, ViewItem, ViewMessage
from app.errors import Conflict, NotFound
from app.memory.change.passing import PassingNotes
from app.providers.base import rough_count
from app.providers.host import ModelHost
from app.services.context.summariser import Summariser
from app.services.context.views import LETTERS_PER_TOKEN, ContextViews, limits
from app.services.upkeep.work import Running, Work
from app.settings.context import Engine
from app.settings.spec import Settings
from app.store.store import Store
from app.store.work.jobs import Job

LONGEST = 50_000  # tokens of one message that are looked at without a model


class ContextCompaction:
    """Keeps conversations within the window of the model that answers."""

    def __init__(
        self,
        store: Store,
        views: ContextViews,
        models: ModelHost,
        summariser: Summariser,
        settings: Callable[[], Settings],
    ) -> None:
        self._summaries = store.summaries
        self._conversations = store.conversations
        self._passing = PassingNotes(store, store.clock)
        self._jobs = store.jobs
        self._views = views
        self._models = models
        self._summariser = summariser
        self._settings = settings

    def works(self) -> list[Work]:
        """Return the kind of work that is done here."""
        about = "Sums up what was said long ago in conversations that a model cannot read whole."
        return [Work(SUMMARISE, "Sum up", about, self._run, per_item=True)]

    def enqueue_if_due(self, conversation_id: str) -> None:
        """Queue the summing up of a conversation that takes more of the window than it should."""
        if self._settings().context.engine is Engine.PIPELINE:
            return
        bounds = self._limits()
        letters = LETTERS_PER_TOKEN * bounds.window
        view = self._summaries.view(conversation_id, bounds.fresh, letters=letters)
        if bounds.crowded(view):
            payload = {"conversation": conversation_id}
            self._jobs.enqueue(SUMMARISE, f"{SUMMARISE}:{conversation_id}", payload, again=True)

    def _limits(self) -> Limits:
        info, settings = self._models.chat_info(), self._settings()
        window = info.context_tokens if info.weights else settings.models.context_tokens
        return limits(settings.context, window, self._summariser.reads())

    def _run(self, job: Job, mark: Mark, cancel: Event) -> Running:
        conversation_id, done = str(job.payload["conversation"]), 0
        while not cancel.is_set():
            yield Progress("Summing up a long conversation", done)
            try:
                if not self.step(conversation_id, cancel):
                    break
            except Conflict:  # it changed meanwhile: it is looked at again
                continue
            except NotFound:
                break
            done += 1
        changed = frozenset({conversation_id} if done else ())
        return JobResult(Changes(conversations=changed), figures={"summaries": done})

    def step(self, conversation_id: str, cancel: Event) -> Summary | None:
        """Make the next summary; None where there is nothing to sum up.

        Raises:
            Cancelled: It was stopped, or a conversation needed the model first.
            Conflict: The conversation changed meanwhile.
            NotFound: It is gone.
        """
        bounds = self._limits()
        view = self._summaries.view(conversation_id, bounds.fresh)
        covered: Sequence[ViewItem] = choosing.leaf(view, bounds) if bounds.crowded(view) else []
        covered = covered or choosing.run(view, bounds)
        return self._summed_up(conversation_id, view, covered, bounds, cancel) if covered else None

    def _summed_up(
        self,
        conversation_id: str,
        view: View,
        covered: Sequence[ViewItem],
        bounds: Limits,
        cancel: Event,
    ) -> Summary | None:
        first = covered[0]
        depth = first.depth + 1 if isinstance(first, Summary) else 0
        task = SummaryTask(
            texts=[_text(one) for one in self._views.read(covered)],
            depth=depth,
            target=bounds.condensed if depth else bounds.leaf,
            before=_before(view, first, depth),
        )
        taken = sum(one.tokens for one in covered)
        write = partial(self._summariser.write, cancel=cancel)
        found = ladder.summed_up(task, taken, rough_count, write)
        if found is None:
            return None
        made = self._summaries.add(conversation_id, covered, found.text, found.tokens, found.rung)
        if not depth:
            talk = self._conversations.get(conversation_id)
            ids = [one.id for one in covered if isinstance(one, ViewMessage)]
            self._passing.end_of(ids, Scope(talk.agent_pk))
        return made


def _before(view: View, first: ViewItem, depth: int) -> str:
    """Return the latest earlier summary that is as deep, for continuity."""
    above = view[: view.index(first)]
    same = [one.text for one in above if isinstance(one, Summary) and one.depth >= depth]
    return same[-1] if same else ""


def _text(one: Message | Summary) -> str:
    if isinstance(one, Summary):
        return one.text
    who = one.speaker or ("User" if one.role is Role.USER else str(one.role).capitalize())
    return f"{who}: {clipped(worded(one), LONGEST, rough_count)}"
