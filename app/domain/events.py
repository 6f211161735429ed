"""What a running answer yields, in order: Stored, Recalled, Token …, Answered.

A model that calls tools is heard in between: ToolEvent when it calls and when that is done.

Working comes before Recalled while a model loads, and after it while it reads. An answer that no
model writes comes whole, without Working and without a Token. Where a model refuses a prompt as too
long and is asked again with a shorter one, Recalled comes once more, with its notices.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.conversation import Conversation, Message
from app.domain.jobs.working import Working
from app.domain.prompting.tools import ToolUse
from app.domain.recall import Hit, Recall, StoredRecall


@dataclass(frozen=True, slots=True)
class MessageStored:
    """The person's message is safe in the vault."""

    conversation: Conversation
    message: Message


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was found, before the first token.

    Attributes:
        in_prompt: The hits that stand in the prompt, numbered from 1 in this order.
    """

    recall: Recall
    in_prompt: Sequence[Hit]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """The model called something; once more when it was done, with what came of it."""

    use: ToolUse


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence the person should see, such as why recall was degraded."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is safe in the vault, whole or as far as it got."""

    message: Message
    recall: StoredRecall | None


ChatEvent = MessageStored | Recalled | Working | Token | ToolEvent | Notice | Answered
