"""Where a statement comes from, and on whose word."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.memory import Origin, Trust


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement comes from; stamped by code, never by a model.

    Attributes:
        at: When it was said.
        message_id: The message, or None where it was typed elsewhere.
        reason: What the journal says beside the new memory.
        actor: Who writes it down: the person, or the name of a job.
        proposed: Whether it waits until the person accepts it, and changes nothing before.
        quoted: Whether the person said it. What others wrote is linked to its message, so that it
            can be opened and erased, but is never evidence of anything the person said.
        asked: Whether the person asked for exactly this to be kept.
        suspicions: What the screen has against it.
        said: What the screen did, in a sentence.
        screened: Whether it has looked at the statement.
    """

    origin: Origin
    at: datetime
    batch: str
    message_id: str | None = None
    agent_pk: int = 1
    trust: Trust = Trust.LEARNED
    tags: tuple[str, ...] = ()
    pinned: bool = False
    reason: str = ""
    quoted: bool = True
    actor: str = "user"
    proposed: bool = False
    asked: bool = False
    suspicions: tuple[str, ...] = ()
    said: str = ""
    screened: bool = False
