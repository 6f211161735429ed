"""Store conversations that took place elsewhere: turns with speakers and dates, nothing learnt."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from app.domain.conversation import Part, PartOrigin, Role
from app.store.conversations import Conversations
from app.store.vault import Vault

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


class Line(NamedTuple):
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


def store(vault: Vault, conversations: Conversations, lines: Iterable[Line]) -> dict[str, str]:
    """Store every turn in one transaction; return the source's id by the vault's."""
    made: dict[str, str] = {}
    ids: dict[str, str] = {}
    with vault.write():
        for line in lines:
            if line.session not in made:
                made[line.session] = conversations.create(created_at=line.at).id
            role = ROLES.get(line.speaker.casefold())
            origin = PartOrigin.MODEL if role is Role.ASSISTANT else PartOrigin.PASTED
            stored = conversations.add_message(
                made[line.session],
                role or Role.USER,
                (Part(line.text, origin),),
                speaker="" if role else line.speaker,
                created_at=line.at,
            )
            ids[stored.id] = line.id
    return ids
