"""What a model is shown of a conversation: messages, and summaries of what is older.

Only as much of a branch is read as a window may hold, however long the conversation is.
"""

from collections.abc import Callable, Sequence

from app.conversation.dag.choosing import Limits
from app.conversation.history import Entry
from app.domain.conversation import Message
from app.domain.prompting.context import Summary, ViewItem
from app.settings.context import ContextSettings, Engine
from app.settings.spec import Settings
from app.store.store import Store

LETTERS_PER_TOKEN = 16  # more than texts have, so that what fits is always read
LEAF_SHARE, CONDENSED_SHARE, CHUNK_SHARE = 12, 8, 2  # of a window, one part in so many
LEAST = 48  # tokens of a summary, however small the window


class ContextViews:
    """Reads what a model is shown of a branch."""

    def __init__(self, store: Store, settings: Callable[[], Settings]) -> None:
        self._summaries = store.summaries
        self._messages = store.messages
        self._settings = settings

    def before(self, question: Message, window: int) -> Sequence[Entry]:
        """Return what is shown of what was said before a message, oldest first.

        Args:
            question: The message.
            window: Tokens that the model reads at once.
        """
        chosen = self._settings().context
        whole = chosen.engine is Engine.PIPELINE
        view = self._summaries.view(
            question.conversation_id,
            2**62 if whole else chosen.fresh_tail + 1,
            question.id,
            LETTERS_PER_TOKEN * window,
        )
        return self.read(view[:-1])

    def read(self, view: Sequence[ViewItem]) -> Sequence[Entry]:
        """Return a view with the messages themselves."""
        pks = [one.pk for one in view if not isinstance(one, Summary)]
        said = {one.pk: one for one in self._messages.of_rows(pks)}
        entries = [one if isinstance(one, Summary) else said.get(one.pk) for one in view]
        return [one for one in entries if one is not None]


def limits(chosen: ContextSettings, window: int, reads: int) -> Limits:
    """Return how a view is compacted for a window; a small one has shorter summaries.

    Args:
        chosen: The settings.
        window: Tokens that the model which answers reads at once.
        reads: Tokens that who sums up reads at once.
    """
    return Limits(
        window=window,
        threshold=chosen.threshold,
        fresh=chosen.fresh_tail,
        chunk=min(chosen.leaf_chunk, window // CHUNK_SHARE),
        leaf=min(chosen.leaf_target, max(LEAST, window // LEAF_SHARE)),
        condensed=min(chosen.condensed_target, max(LEAST, window // CONDENSED_SHARE)),
        fanout=chosen.fanout,
        reads=reads,
    )
