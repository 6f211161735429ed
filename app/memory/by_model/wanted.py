"""Keep a model from writing down what the person does not want to be kept, or decides about."""

from app.domain.memory import Candidate, Evidence, Memory, Origin, Trust
from app.domain.reply import FORGOTTEN_BEFORE
from app.errors import Refused
from app.memory.change.proposals import Seen
from app.memory.suppression import SuppressionList
from app.store.store import Store

WAITS_ALREADY = "This waits for the person already: {}"


class Wanted:
    """Knows what the person erased, rejected and forgot, and what waits for them."""

    def __init__(self, store: Store) -> None:
        self._messages = store.messages
        self._suppression = SuppressionList(store)
        self._seen = Seen(store.proposals)

    def expect(self, new: Memory, words: Evidence | None, message_id: str) -> None:
        """Go on only with what the person did not take away, or said again since.

        Args:
            new: What is to be written.
            words: The person's words that it rests on, if any.
            message_id: The message that is being answered.

        Raises:
            Refused: They had it erased, rejected or forgotten.
        """
        candidate = Candidate(new.text, words.quote if words else new.text, key=new.key)
        message = self._messages.get(message_id)
        if why := self._suppression.refuses(candidate, message, new.agent_pk):
            raise Refused(why)
        origin = Origin.CONVERSATION if words else Origin.TOOL
        at = words.created_at if words else message.created_at
        if self._suppression.forgotten(candidate, origin, at, new.agent_pk, message_id):
            raise Refused(FORGOTTEN_BEFORE)

    def expect_not_waiting(self, new: Memory) -> None:
        """Go on only where the same does not wait for the person already.

        Raises:
            Refused: It does.
        """
        candidate = Candidate(new.text, "", key=new.key)
        if self._seen.waiting(candidate, new.agent_pk, Trust.LEARNED) is not None:
            raise Refused(WAITS_ALREADY.format(new.text))
