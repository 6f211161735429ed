"""Answer a message: keep it, recall, build the prompt, stream, keep the answer, learn later.

The person's message is committed before anything else happens. The answer, its trace and the job
that learns from the message are committed together. Stopping keeps what came; a failure keeps the
message and says what happened.
"""

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import timedelta
from threading import Event

from app.conversation import citations, context, notebook, titles
from app.domain.changes import Changes
from app.domain.conversation import Conversation, Message, MessageState, Part, PartOrigin, Role
from app.domain.events import Answered, ChatEvent, Notice, Recalled, Stored, Token
from app.domain.ids import Clock
from app.domain.memory import Scope
from app.domain.recall import Hit, HitKind, Query, Recall
from app.errors import Cancelled, ModelError, Refused
from app.memory.recall.compose import Recaller
from app.providers.base import Sampling
from app.providers.host import ModelHost
from app.services.background import LEARN, learn_job
from app.services.preferences import PreferencesService
from app.settings.spec import Settings
from app.store.conversations import Conversations
from app.store.jobs import JobRows
from app.store.memories import Memories
from app.store.recalls import Recalls
from app.store.vault import Vault

log = logging.getLogger(__name__)

STOPPED = "Stopped."
PATIENCE = timedelta(minutes=10)

Run = Generator[ChatEvent, None, Changes]


@dataclass(slots=True)
class Draft:
    """An answer in the making."""

    pieces: list[str] = field(default_factory=list)
    state: MessageState = MessageState.COMPLETE
    error: str = ""

    @property
    def text(self) -> str:
        """What there is of it."""
        return "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Turn:
    """All that one answer is made from."""

    talk: Conversation
    question: Message
    settings: Settings
    recall: Recall
    prompt: context.Prompt
    by_notebook: bool
    model_id: str
    parent_id: str
