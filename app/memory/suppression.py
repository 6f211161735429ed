"""Keep away what the person erased, rejected or forgot: every road into memory asks here.

Erased and rejected are known by keyed fingerprints of their wording and of what they say, forgotten
by the rows that are still there. Nothing brings them back by itself: no review of old messages, no
consolidation, no import. A forgotten memory returns when the person says it again afterwards, or
asks for it; an erased or rejected one only when they ask. A backup that they restore brings back
what it holds, because that is what they asked for.
"""

from datetime import datetime

from app.domain.conversation import Message
from app.domain.language.text import ERASED
from app.domain.memory import Candidate, Memory, Origin
from app.memory.text import novelty
from app.store.journal.forgotten import ForgottenMemory
from app.store.store import Store

ERASED_BEFORE = "You had it erased; “Remember this” keeps it again."
REJECTED_BEFORE = "You rejected it before; “Remember this” keeps it after all."
_LOOKED_AT = 200
_THEIR_WORDS = frozenset({Origin.USER_TYPED, Origin.CONVERSATION, Origin.REVIEW})


class SuppressionList:
    """Says what must not come back."""

    def __init__(self, store: Store) -> None:
        self._tombstones = store.tombstones
        self._forgotten = store.forgotten

    def is_erased(self, *texts: str) -> bool:
        """Say whether any of these texts was erased, in whatever words that say the same."""
        return any(self._tombstones.has(text, novelty.canonical(text)) for text in texts)

    def is_rejected(self, text: str, agent_pk: int) -> bool:
        """Say whether the person rejected this when it was proposed, in whatever words.

        What they rejected from one agent may be told to another.
        """
        return self._tombstones.has_rejected(text, agent_pk, novelty.canonical(text))

    def reject(self, text: str, agent_pk: int) -> None:
        """Note that the person did not want this; call it in the transaction that takes it away."""
        self._tombstones.reject(text, agent_pk, novelty.canonical(text))

    def allow(self, text: str, agent_pk: int) -> None:
        """Take a rejection back."""
        self._tombstones.allow(text, agent_pk, novelty.canonical(text))

    def why_suppressed(self, text: str, agent_pk: int) -> str:
        """Say why a text that nobody stated, such as a summary, must not be stored.

        Returns:
            ``erased``, ``rejected`` or ``forgotten``; empty where nothing is against it.
        """
        if self.is_erased(text):
            return "erased"
        if self.is_rejected(text, agent_pk):
            return "rejected"
        return "forgotten" if self._forgotten.saying(text, agent_pk) else ""

    def refuses(self, candidate: Candidate, message: Message, agent_pk: int) -> str:
        """Return why a statement of a message must not be kept: it was erased, or rejected.

        Returns:
            A sentence for the person; empty where nothing is against it.
        """
        asked = bool(candidate.extra.get("explicit"))
        if ERASED in candidate.quote or self.is_erased(candidate.text, candidate.quote):
            return ERASED_BEFORE
        if not asked and self.is_rejected(candidate.text, agent_pk):
            return REJECTED_BEFORE
        start = message.text.find(candidate.quote)
        end = start + len(candidate.quote)
        spans = [] if message.redacted else self._tombstones.spans(message.id)
        gone = start >= 0 and any(a < end and start < b for a, b in spans)
        return ERASED_BEFORE if gone else ""

    def forgotten(
        self,
        candidate: Candidate,
        origin: Origin,
        at: datetime,
        agent_pk: int,
        message_id: str | None = None,
    ) -> Memory | None:
        """Return the forgotten memory that a statement would bring back, though it must not.

        Args:
            candidate: The statement.
            origin: The road it comes by. Only the person's own words bring anything back.
            at: When it was said; what was said after the forgetting does.
            agent_pk: Whose memory it is.
            message_id: The message it is from; what was forgotten of it stays so.
        """
        for away in self._same(candidate, agent_pk):
            if origin not in _THEIR_WORDS or at < away.since:
                return away.memory
        if message_id is None:
            return None
        for away in self._forgotten.resting_on(message_id):
            if novelty.says_no_more(candidate.text, away.memory.text):
                return away.memory
        return None

    def _same(self, candidate: Candidate, agent_pk: int) -> list[ForgottenMemory]:
        return [
            *self._forgotten.saying(candidate.text, agent_pk),
            *(
                away
                for away in self._forgotten.newest(agent_pk, _LOOKED_AT)
                if novelty.adds_nothing(candidate.text, away.memory.text)
            ),
        ]
