"""Store conversations that took place elsewhere: turns with speakers and dates."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.language.quoting import parted
from app.store.store import Store

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


class TranscriptTurn(NamedTuple):
    """One turn.

    Attributes:
        id: Its identifier where it comes from.
        session: Turns of one session make one conversation.
        speaker: A name, or one of the roles "User" and "Assistant".
    """

    id: str
    session: str
    speaker: str
    at: datetime
    text: str


class StoredTranscript(NamedTuple):
    """What was stored.

    Attributes:
        ids: The source's id by the vault's, of every turn.
        conversations: Ids of the conversations that were made.
    """

    ids: dict[str, str]
    conversations: list[str]


def store(
    store: Store,
    agent_pk: int,
    lines: Iterable[TranscriptTurn],
    *,
    own: bool = False,
) -> StoredTranscript:
    """Store every turn in one transaction.

    Only where it is the person's ``own`` were words of "User" typed, and are learnt from.
    """
    made: dict[str, str] = {}
    ids: dict[str, str] = {}
    origins = {
        "user": PartOrigin.TYPED if own else PartOrigin.PASTED,
        "assistant": PartOrigin.MODEL,
    }
    with store.transaction():
        for number, line in enumerate(lines):
            if line.session not in made:
                made[line.session] = store.conversations.create(agent_pk, created_at=line.at).id
            role = ROLES.get(line.speaker.casefold())
            origin = origins.get(line.speaker.casefold(), PartOrigin.PASTED)
            stored = store.messages.add(
                made[line.session],
                role or Role.USER,
                parted((Part(line.text, origin),)),
                speaker="" if role else line.speaker,
                created_at=line.at,
                source_key=f"transcript:{made[line.session]}:{number}",
            )
            ids[stored.id] = line.id
    return StoredTranscript(ids, list(made.values()))
