"""The review: a job that reads what was said since it last did, and learns what was missed.

The reader reads every new message of the person again. Where a model may be used, it reads the last
ones of each conversation as well, several conversations in one call. What one call finds is stored
together with how far each conversation was read, in one transaction, so that the job can end at any
point and begin again there: nothing is lost, and nothing is learnt twice.

A model that does not answer is asked once more, about something else. What it did not read is read
again in the next review, unless it did answer about the rest: then it never will. Where a page is
too long for it, it is asked about half as much, and then the page is left to the reader.
"""

import logging
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any

from app.domain.conversation import Role, Standing
from app.domain.ids import new_id
from app.domain.jobs.progress import Progress
from app.domain.jobs.upkeep import JobResult, Mark
from app.domain.memory import Candidate, Origin
from app.errors import Hindered, ModelError, NotFound, TooLong
from app.memory.learn.batch import Terms
from app.memory.learn.context import LearningContext
from app.memory.learn.learner import LearningModel
from app.memory.learn.message_reader import LOOKED_BACK, MessageInContext, ReadMessage
from app.memory.learn.remember import Remember
from app.memory.review.causes import Causality
from app.memory.review.page import ReviewPage, ReviewStretch, Room, lines
from app.memory.review.state import ReviewState

log = logging.getLogger(__name__)

ACTOR = "review"
AT_ONCE = 64

Proposed = Mapping[int, Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class _Read:
    """A page, and what a model says of it.

    Attributes:
        answered: Whether it answered; None where it was not asked, or cannot read so much.
        too_long: Whether that was so.
    """

    page: ReviewPage
    proposed: Proposed = field(default_factory=dict)
    answered: bool | None = None
    too_long: bool = False


class ReviewJob:
    """Reviews the conversations of one vault."""

    def __init__(self, given: LearningContext) -> None:
        self._context = given
        self._settings, self._remember, self._clock = given.settings, given.remember, given.clock
        self._learner = LearningModel(given.store.trials, given.models)
        self._watermarks = given.store.watermarks
        self._causality = Causality(given.store, lambda: given.models.embedder, given.clock)

    def run(
        self, checkpoint: Mapping[str, Any], mark: Mark, cancel: Event
    ) -> Generator[Progress, None, JobResult]:
        """Read what is new, a page at a time; learn nothing where learning is off.

        Raises:
            Cancelled: ``cancel`` was set, or the model was needed elsewhere.
        """
        if not self._settings().extraction.enabled:
            return JobResult()
        state = ReviewState.of(checkpoint) if checkpoint else self._begun(mark)
        while state.left:
            done = state.total - len(state.left)
            yield Progress("Reviewing what was said", done, state.total)
            room = None if state.given_up else self._room()
            page, gone = self._page(state.left, room)
            state = replace(state, left=tuple(one for one in state.left if one not in gone))
            read = _Read(page)
            if room is not None and page.says_something:
                read = self._read(state, page, room, cancel)
                yield Progress("Reviewing what was said", done, state.total)
            state = self._kept(state, read, mark)
        self._let_go(state, mark)
        return self._context.done(state.batch, state.figures)

    # -- what there is to read ---------------------------------------------------------------------

    def _begun(self, mark: Mark) -> ReviewState:
        wanted = self._settings().upkeep.review
        found = self._watermarks.waiting(wanted.min_messages, wanted.max_conversations)
        state = ReviewState(new_id(self._clock()), tuple(found), len(found))
        mark(state.as_checkpoint())
        return state

    def _room(self) -> Room | None:
        """Return what a model can read at once; None where none may be used."""
        settings = self._settings()
        info = self._learner.info()
        if info is None or not (info.local or settings.upkeep.costs.background):
            return None
        return Room.of(info.context_tokens, settings.upkeep.review.max_tokens)

    def _page(self, left: Sequence[str], room: Room | None) -> tuple[ReviewPage, set[str]]:
        """Return what is read next, and which conversations cannot be read any more."""
        wanted = self._settings().upkeep.review
        longest = room.chars if room else wanted.max_tokens * 4
        stretches, gone, free = list[ReviewStretch](), set[str](), longest
        for conversation_id in left:
            stretch = self._stretch(conversation_id, wanted.last_messages, longest)
            if stretch is None:
                gone.add(conversation_id)
                continue
            if stretches and (stretch.size > free or not stretch.whole):
                break
            stretches.append(stretch.cut(free))
            free -= stretches[-1].size
            if not stretches[-1].whole:
                break
        return ReviewPage(stretches, self._clock()), gone

    def _stretch(self, conversation_id: str, last: int, longest: int) -> ReviewStretch | None:
        """Return what is new in a conversation, or first what is older than its last messages."""
        store = self._context.store
        try:
            talk = store.conversations.get(conversation_id)
        except NotFound:
            return None
        if not talk.mode.learns:
            return None
        mark, newest = self._watermarks.of(talk.pk), self._watermarks.newest(talk.pk)
        branch = store.messages.branch_rows(conversation_id)
        seen = [pk for pk in branch if pk <= mark]
        fresh = [pk for pk in branch if mark < pk <= newest]
        older = fresh[:-last][:AT_ONCE]
        messages = store.messages.of_rows([*seen[-LOOKED_BACK:], *(older or fresh)])
        said = [
            one
            for one in self._remember.reader.in_order(messages)
            if one.message.pk > mark and one.message.standing is Standing.OWN
        ]
        heard = self._heard(said, talk.agent_pk)
        return ReviewStretch(
            talk,
            tuple(one for _, one in heard if one is not None),
            () if older else tuple(lines(heard, longest)),
            until=older[-1] if older else newest,
            whole=not older,
        )

    def _heard(
        self, said: Sequence[MessageInContext], agent_pk: int
    ) -> list[tuple[MessageInContext, ReadMessage | None]]:
        own = [(one, agent_pk) for one in said if one.message.role is Role.USER]
        heard = {one.said.message.id: one for one in self._remember.reader.read_all(own)}
        return [(one, heard.get(one.message.id)) for one in said]

    # -- what a model says of it -------------------------------------------------------------------

    def _read(self, state: ReviewState, page: ReviewPage, room: Room, cancel: Event) -> _Read:
        """Return what a model says of a page, or of a shorter one where that is too long for it."""
        try:
            return _Read(page, *self._asked(page, room, cancel))
        except TooLong:
            size = min(room.chars, sum(stretch.size for stretch in page.stretches))
            log.info("a page is too long for the model (%d characters)", size)
        room = replace(room, chars=size // 2)
        half, _ = self._page(state.left, room)
        try:
            return _Read(half, *self._asked(half, room, cancel))
        except TooLong:
            return _Read(page, too_long=True)

    def _asked(self, page: ReviewPage, room: Room, cancel: Event) -> tuple[Proposed, bool | None]:
        """Return what a model proposes, and whether it answered; None where it may not be asked.

        Raises:
            TooLong: The page is more than the model reads at once.
        """
        try:
            items = self._learner.asked(page.prompt(room.items), room.sampling, cancel)
        except Hindered as error:
            log.info("a review goes on without a model (%s)", type(error).__name__)
            return {}, None
        except TooLong:
            raise
        except ModelError as error:
            log.info("the model did not answer a review (%s)", type(error).__name__)
            return {}, False
        if items is None:
            log.warning("what the model answered to a review cannot be read")
        most = self._settings().extraction.max_facts_per_turn
        return page.proposals(items or (), most), True

    # -- what is kept ------------------------------------------------------------------------------

    def _kept(self, state: ReviewState, read: _Read, mark: Mark) -> ReviewState:
        """Remember what a page says, and how far it was read, in one transaction."""
        terms, page, proposed = self._terms(state.batch), read.page, read.proposed
        prepared = self._remember.prepare(list(_together(page, proposed, self._remember)), terms)
        told = self._causality.told(one for found in proposed.values() for one in found)
        with self._context.store.transaction():
            kept = self._remember.keep(prepared)
            links = self._causality.link(kept.filed, told)
            found = kept.figures | {"links": links, "too_long": int(read.too_long)}
            after = state.after(page.stretches, read.answered, found)
            if after.aside == state.aside:
                for stretch in page.stretches:
                    self._watermarks.advance(stretch.talk.pk, stretch.until)
            mark(after.as_checkpoint())
        return after

    def _terms(self, batch: str) -> Terms:
        settings = self._settings()
        review, extraction = settings.upkeep.review, settings.extraction
        if extraction.plain_threshold:
            extraction = replace(extraction, dedup_threshold=review.dedup_threshold)
        tags = tuple(tag for one in review.tags.split(",") if (tag := one.strip()))
        return Terms(batch, extraction, Origin.REVIEW, ACTOR, tags, extraction.ask_first)

    def _let_go(self, state: ReviewState, mark: Mark) -> None:
        """Count as read what a model did not answer about, though it answered about the rest."""
        if state.aside and state.figures.get("calls"):
            with self._context.store.transaction():
                for conversation_pk, message_pk in state.aside:
                    self._watermarks.advance(conversation_pk, message_pk)
                mark(replace(state, aside=()).as_checkpoint())


def _together(page: ReviewPage, proposed: Proposed, remember: Remember) -> Iterator[ReadMessage]:
    """Yield what the person states on a page, with what a model says beyond it."""
    from app.memory.learn.replies import beyond

    for stretch in page.stretches:
        for heard in stretch.heard:
            said = remember.believed(proposed.get(heard.said.message.pk, ()), heard)
            more = beyond(heard.candidates, said)
            yield replace(heard, candidates=(*heard.candidates, *more))
