"""Keep conversations: what each is called, how it may use memory, and where it is listed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from app.domain.conversation import (
    Conversation,
    FoundMessage,
    MemoryMode,
)
from app.domain.ids import from_ms, new_id, to_ms
from app.domain.language.foreign import storable
from app.errors import Conflict, NotFound
from app.store.dialect import greatest, same, stored_as
from app.store.index import bits
from app.store.index.finding import LASTS, find
from app.store.vault import damage, rows
from app.store.vault.connection import Connection, IntegrityError, Row
from app.store.vault.file import Vault

ConversationList = list[Conversation]
FoundList = list[FoundMessage]
Sentences = list[str]

_CONVERSATION = (
    "SELECT c.*, (SELECT count(*) FROM messages AS x WHERE x.conversation_pk = c.pk)"
    " AS message_count FROM conversations AS c"
)


class Conversations:
    """The conversations of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def create(
        self,
        agent_pk: int,
        title: str = "",
        mode: MemoryMode = MemoryMode.REMEMBERS,
        *,
        created_at: datetime | None = None,
        source_key: str | None = None,
    ) -> Conversation:
        """Begin a conversation, now or when an importer says it began.

        Raises:
            Conflict: An importer made one with this ``source_key`` before.
        """
        at = created_at or self._vault.clock()
        conversation_id = new_id(at)
        with self._vault.write() as connection, imported_once():
            connection.execute(
                "INSERT INTO conversations (id, agent_pk, title, mode, source_key, created_at,"
                " updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    conversation_id,
                    agent_pk,
                    storable(title),
                    mode,
                    source_key,
                    to_ms(at),
                    to_ms(at),
                ),
            )
            return self.get(conversation_id)

    def get(self, conversation_id: str) -> Conversation:
        """Return one conversation.

        Raises:
            NotFound: It does not exist.
        """
        row = self._vault.row(f"{_CONVERSATION} WHERE c.id = ?", (conversation_id,))
        if row is None:
            raise _gone()
        return rows.conversation(row)

    def by_source(self, source_key: str) -> Conversation | None:
        """Return the conversation an importer made under this key."""
        row = self._vault.row(f"{_CONVERSATION} WHERE c.source_key = ?", (source_key,))
        return None if row is None else rows.conversation(row)

    def list(self, agent_pk: int, archived: bool = False, limit: int = 500) -> ConversationList:
        """Return conversations, pinned ones first, then by last change; no temporary ones."""
        found = self._vault.rows(
            f"{_CONVERSATION} WHERE c.agent_pk = ? AND ({same('c.archived', '1')}) = ?"
            f" AND {LASTS} ORDER BY c.pinned DESC, c.updated_at DESC, c.pk DESC LIMIT ?",
            (agent_pk, int(archived), limit),
        )
        return [rows.conversation(row) for row in found]

    def damaged(self) -> Sentences:
        """Return a sentence for each conversation that something else left unreadable in part."""
        with self._vault.read() as connection:
            found = connection.execute("SELECT * FROM conversations ORDER BY pk")
            pairs = ((row, damage.of(row, damage.CONVERSATION)) for row in found)
            return [damage.of_conversation(row, bad) for row, bad in pairs if bad]

    def newest(self) -> datetime | None:
        """Return when a conversation last changed; None where there is none."""
        found = self._vault.row(
            f"SELECT max(updated_at) FROM conversations WHERE {stored_as('updated_at', 'integer')}"
        )[0]
        return None if found is None else from_ms(found)

    def rename(self, conversation_id: str, title: str, by_user: bool = True) -> None:
        """Give it a title; one that the person gave is only replaced by the person."""
        with self._vault.write() as connection:
            self._set(
                connection,
                conversation_id,
                "title = CASE WHEN ?2 OR NOT title_by_user THEN ?3 ELSE title END,"
                f" title_by_user = {greatest('title_by_user', '?2')}",
                int(by_user),
                storable(title),
            )

    def set_mode(self, conversation_id: str, mode: MemoryMode) -> None:
        """Say what it may do with memory."""
        with self._vault.write() as connection:
            self._set(connection, conversation_id, "mode = ?2", mode)

    def pin(self, conversation_id: str, on: bool) -> None:
        """Keep it at the top of the list, or no longer."""
        with self._vault.write() as connection:
            self._set(connection, conversation_id, "pinned = ?2", int(on))

    def archive(self, conversation_id: str, on: bool) -> None:
        """Put it away, or bring it back."""
        with self._vault.write() as connection:
            self._set(connection, conversation_id, "archived = ?2", int(on))

    def set_draft(self, conversation_id: str, text: str) -> None:
        """Keep what is typed but not sent."""
        with self._vault.write() as connection:
            self._set(connection, conversation_id, "draft = ?2", storable(text))

    def draft(self, conversation_id: str) -> str:
        """Return what is typed but not sent."""
        row = self._vault.row("SELECT draft FROM conversations WHERE id = ?", (conversation_id,))
        if row is None:
            raise _gone()
        return row["draft"] if isinstance(row["draft"], str) else ""

    def delete(self, conversation_id: str) -> None:
        """Remove a conversation for good, with its messages and all that was derived from them."""
        with self._vault.write() as connection:
            pk = conversation_row(connection, conversation_id)["pk"]
            found = connection.execute("SELECT pk FROM messages WHERE conversation_pk = ?", (pk,))
            bits.drop(connection, "message", [row["pk"] for row in found.fetchall()])
            connection.execute("DELETE FROM conversations WHERE pk = ?", (pk,))

    def search(
        self, text: str, agent_pk: int, limit: int = 50, *, elsewhere: bool = False
    ) -> FoundList:
        """Find messages and titles in all conversations; any text is a valid query.

        Args:
            text: The words.
            agent_pk: Whose conversations.
            limit: At most so many.
            elsewhere: Whether it is asked from another conversation, so that what was set aside
                is not found.
        """
        with self._vault.search() as connection:
            return find(connection, text, agent_pk, limit, elsewhere=elsewhere)

    def _set(
        self, connection: Connection, conversation_id: str, change: str, *values: object
    ) -> None:
        cursor = connection.execute(
            f"UPDATE conversations SET {change} WHERE id = ?1", (conversation_id, *values)
        )
        if not cursor.rowcount:
            raise _gone()


def conversation_row(connection: Connection, conversation_id: str) -> Row:
    """Return the row of a conversation.

    Raises:
        NotFound: It does not exist.
    """
    row = connection.execute(
        "SELECT * FROM conversations WHERE id = ?", (conversation_id,)
    ).fetchone()
    if row is None:
        raise _gone()
    return row


@contextmanager
def imported_once() -> Iterator[None]:
    """Say in a sentence that an importer brought the same thing twice."""
    try:
        yield
    except IntegrityError as error:
        if "source_key" not in str(error):
            raise
        raise Conflict("This was imported before.") from error


def _gone() -> NotFound:
    return NotFound("This conversation no longer exists.")
