"""What a model sees of a conversation, for who looks: down from each summary to the words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.conversation.history import Entry
from app.domain.prompting.context import Summary, tokens
from app.services.context.views import ContextViews
from app.settings.context import Engine
from app.settings.spec import Settings
from app.store.store import Store


@dataclass(frozen=True, slots=True)
class ContextView:
    """What is shown of a conversation.

    Attributes:
        entries: Messages and summaries, oldest first.
        tokens: About how many they take together.
        messages: How many messages the current branch has.
    """

    entries: Sequence[Entry]
    tokens: int
    messages: int


class ContextService:
    """Reads views and what is below their summaries."""

    def __init__(self, store: Store, views: ContextViews, settings: Callable[[], Settings]) -> None:
        self._summaries = store.summaries
        self._messages = store.messages
        self._views = views
        self._settings = settings

    def view(self, conversation_id: str) -> ContextView:
        """Return what is shown of the current branch of a conversation.

        Raises:
            NotFound: It does not exist.
        """
        chosen = self._settings().context
        fresh = 2**62 if chosen.engine is Engine.PIPELINE else chosen.fresh_tail
        view = self._summaries.view(conversation_id, fresh)
        number = sum(one.messages if isinstance(one, Summary) else 1 for one in view)
        return ContextView(self._views.read(view), tokens(view), number)

    def below(self, summary: Summary, conversation_id: str) -> Sequence[Entry]:
        """Return what a summary stands for: the summaries it was made of, or messages.

        Raises:
            NotFound: It is gone.
        """
        children = self._summaries.children(summary.pk, conversation_id)
        if children:
            return children
        return self._messages.of_rows(self._summaries.covered(summary.pk, conversation_id))
