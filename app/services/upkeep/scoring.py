"""Have answers judged in the background, where the person wants that, and say what came of it.

A judge is drawn for each answer by itself. One call asks for the marks of all its criteria. What
fails is left: an answer without marks is as good as any.
"""

import logging
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from threading import Event

from app.conversation import scoring
from app.domain.changes import Changes
from app.domain.conversation import Conversation, MemoryMode, Message, MessageState
from app.domain.ids import Clock
from app.domain.jobs.kinds import JUDGE
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark
from app.domain.prompting.agent import DEFAULT_AGENT
from app.domain.prompting.judge import AnswerJudge, AnswerScore, ScoredDay, criteria_of
from app.domain.reply import NOTEBOOK
from app.errors import Cancelled, ModelError, NotFound
from app.providers.host import ModelHost
from app.services.upkeep.work import Running, Work
from app.settings.spec import Settings
from app.store.store import Store
from app.store.work.jobs import Job

log = logging.getLogger(__name__)

DAYS = 30


class ScoringService:
    """Judges answers, and tells their marks.

    Args:
        chance: Returns a number from 0 to below 1 at each call.
    """

    def __init__(
        self,
        store: Store,
        models: ModelHost,
        settings: Callable[[], Settings],
        clock: Clock,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._agents = store.agents
        self._conversations = store.conversations
        self._messages = store.messages
        self._scores = store.scores
        self._jobs = store.jobs
        self._models = models
        self._settings = settings
        self._clock = clock
        self._chance = chance

    def works(self) -> list[Work]:
        """Return the kind of work that is done here."""
        return [Work(JUDGE, "Score", "Gives answers marks.", self._run, per_item=True)]

    def of_conversation(self, conversation_id: str) -> Mapping[str, Sequence[AnswerScore]]:
        """Return the marks of every answer of a conversation, by the answer's id."""
        return self._scores.of_conversation(conversation_id)

    def by_day(self, days: int = DAYS) -> Sequence[ScoredDay]:
        """Return what the answers of the last days were marked, by agent and day."""
        today = self._clock().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        return self._scores.by_day(today - timedelta(days=days - 1))

    def enqueue_if_drawn(self, talk: Conversation, answer: Message) -> None:
        """Queue the judging of an answer of a model, for the judges that are drawn."""
        whole = answer.state is MessageState.COMPLETE and bool(answer.text.strip())
        if not whole or answer.model == NOTEBOOK or talk.mode is MemoryMode.TEMPORARY:
            return
        drawn = [
            judge.name
            for judge in self._judges(talk.agent_pk)
            if self._chance() < judge.sampling_rate
        ]
        if drawn:
            payload = {"answer": answer.id, "judges": drawn}
            self._jobs.enqueue(JUDGE, f"{JUDGE}:{answer.id}", payload)

    def _judges(self, agent_pk: int) -> Iterator[AnswerJudge]:
        """Yield who judges the answers of an agent: its own judges, and that of the settings."""
        chosen = self._settings().judge
        if chosen.enabled and agent_pk == DEFAULT_AGENT and (by := criteria_of(chosen.criteria)):
            yield AnswerJudge(chosen.name, by, chosen.sampling_rate, chosen.model)
        yield from self._agents.rules(agent_pk).judges

    def _run(self, job: Job, mark: Mark, cancel: Event) -> Running:
        answer_id, drawn = str(job.payload["answer"]), job.payload["judges"]
        try:
            answer = self._messages.get(answer_id)
            question = self._messages.get(answer.parent_id or "")
            talk = self._conversations.get(answer.conversation_id)
            judges = [one for one in self._judges(talk.agent_pk) if one.name in drawn]
        except NotFound:
            return JobResult()
        done = 0
        for judge in judges:
            yield Progress("Scoring an answer", done, len(judges))
            scores = self._judged(judge, question.text, answer.text, cancel)
            if scores:
                self._scores.put(answer_id, judge.name, scores)
                done += 1
        changed = frozenset({answer.conversation_id} if done else ())
        return JobResult(Changes(conversations=changed), figures={"scored": done})

    def _judged(
        self, judge: AnswerJudge, question: str, answer: str, cancel: Event
    ) -> Sequence[AnswerScore]:
        """Return the marks that a judge gives; none where it may not be asked, or fails.

        Raises:
            Cancelled: ``cancel`` was set, or a conversation needed the model first.
        """
        learning = not judge.model
        info = self._models.chat_info(learning=learning, choice=judge.model)
        if not info.weights:
            return ()
        prompt = scoring.prompt(judge, question, answer, info.context_tokens)
        lend = self._models.chat(False, learning=learning, choice=judge.model, cancel=cancel)
        try:
            with lend as model:
                reply = "".join(model.stream(prompt, scoring.sampling(judge), cancel))
        except Cancelled:
            raise
        except ModelError as error:
            log.info("an answer was not judged (%s)", type(error).__name__)
            return ()
        if cancel.is_set():
            raise Cancelled("Stopped.")
        return scoring.scores(reply, judge, info.name or info.id)
