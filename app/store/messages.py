"""Keep the messages of conversations: what each branch says, and how one grows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from app.domain.conversation import Message, MessageState, Part, Role, Standing
from app.domain.ids import new_id, to_ms
from app.domain.language.foreign import storable
from app.store import tree
from app.store.context import walk
from app.store.conversations import conversation_row, imported_once
from app.store.dialect import each, greatest
from app.store.vault import rows
from app.store.vault.file import Vault

TIP = "tip"


class Messages:
    """The messages of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def get(self, message_id: str) -> Message:
        """Return one message.

        Raises:
            NotFound: It does not exist.
        """
        with self._vault.read() as connection:
            return tree.message(connection, message_id)

    def branch(self, conversation_id: str) -> list[Message]:
        """Return the current branch, from its first message to its tip."""
        with self._vault.read() as connection:
            conversation_row(connection, conversation_id)
            return tree.branch(connection, conversation_id)

    def branch_rows(self, conversation_id: str) -> Sequence[int]:
        """Return the rows of the messages of the current branch, in order."""
        with self._vault.read() as connection:
            return tree.branch_rows(connection, conversation_id)

    def of_rows(self, message_pks: Sequence[int]) -> list[Message]:
        """Return the messages of these rows, in their order; those that are gone are left out."""
        with self._vault.read() as connection:
            return tree.of_rows(connection, message_pks)

    def children(self, message_id: str | None, conversation_id: str) -> list[Message]:
        """Return the messages that answer this one, oldest first; of None: the first messages."""
        with self._vault.read() as connection:
            return tree.children(connection, message_id, conversation_id)

    def before(self, message_id: str, most: int = -1) -> list[Message]:
        """Return what was said before a message on its branch, oldest first.

        Args:
            message_id: The message.
            most: Only the last so many; all where this is below 0.
        """
        with self._vault.read() as connection:
            return tree.before(connection, message_id, most)

    def with_documents(self, message_id: str) -> list[Message]:
        """Return the messages before one on its branch that have a document, oldest first."""
        with self._vault.read() as connection:
            return tree.with_documents(connection, message_id)

    def after(self, conversation_id: str, message_pk: int, limit: int) -> list[Message]:
        """Return the messages that came in after one (0: all), in the order they did."""
        with self._vault.read() as connection:
            return tree.after(connection, conversation_id, message_pk, limit)

    def typed_in(self, conversation_ids: Sequence[str]) -> int:
        """Return how many messages of conversations the person typed, in whole or in part."""
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT count(*) FROM {each()} AS j JOIN conversations AS c ON c.id = j.value"
                " JOIN messages AS x ON x.conversation_pk = c.pk AND x.role = 'user'"
                " AND EXISTS (SELECT 1 FROM message_parts AS p"
                " WHERE p.message_pk = x.pk AND p.origin = 'typed')",
                (rows.dumps(list(conversation_ids)),),
            )
            return int(found.fetchone()[0])

    def damaged(self) -> list[str]:
        """Return a sentence for each message that something else left unreadable in part."""
        with self._vault.read() as connection:
            return tree.damaged(connection)

    def add(
        self,
        conversation_id: str,
        role: Role,
        parts: Sequence[Part],
        *,
        parent_id: str | None = TIP,
        speaker: str = "",
        model: str = "",
        state: MessageState = MessageState.COMPLETE,
        error: str = "",
        created_at: datetime | None = None,
        standing: Standing = Standing.OWN,
        source_key: str | None = None,
    ) -> Message:
        """Add a message and make it the tip; it answers the tip, ``parent_id``, or (None) nothing.

        Raises:
            NotFound: The conversation or the parent does not exist.
            Conflict: An importer made one with this ``source_key`` before.
        """
        at = created_at or self._vault.clock()
        columns: dict[str, Any] = {
            "id": new_id(at),
            "role": role,
            "speaker": speaker,
            "text": storable("".join(part.text for part in parts)),
            "model": model,
            "state": state,
            "error": error,
            "recallable": int(standing),
            "source_key": source_key,
            "created_at": to_ms(at),
        }
        with self._vault.write() as connection:
            owner = conversation_row(connection, conversation_id)
            columns |= {"conversation_pk": owner["pk"], "agent_pk": owner["agent_pk"]}
            columns["parent_pk"] = (
                owner["tip_pk"]
                if parent_id == TIP
                else tree.pk_of(connection, parent_id, owner["pk"])
            )
            with imported_once():
                pk = tree.insert(connection, columns, parts)
            connection.execute(
                f"UPDATE conversations SET tip_pk = ?, updated_at = {greatest('updated_at', '?')}"
                " WHERE pk = ?",
                (pk, to_ms(at), owner["pk"]),
            )
            return tree.message(connection, columns["id"])

    def redact(self, message_id: str, spans: Sequence[tuple[int, int]]) -> Message:
        """Put a mark in the place of spans (start and end within the text), for good.

        Summaries that tell of it are dropped.
        """
        with self._vault.write() as connection:
            before = tree.message(connection, message_id)
            tree.set_parts(connection, before.pk, tree.redacted(before.parts, spans))
            walk.drop_covering(connection, [before.pk])
            connection.execute("UPDATE messages SET redacted = 1 WHERE pk = ?", (before.pk,))
            return tree.message(connection, message_id)

    def switch_branch(self, message_id: str) -> str:
        """Make the branch through this message current, as far down as it last grew.

        Returns:
            The conversation's id.
        """
        with self._vault.write() as connection:
            return tree.switch(connection, message_id)
