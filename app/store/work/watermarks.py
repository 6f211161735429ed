"""Keep how far each conversation was reviewed, so that nothing is read twice."""

from app.domain.conversation import MemoryMode
from app.domain.ids import to_ms
from app.store.dialect import listed
from app.store.vault.file import Vault
from app.store.vault.rows import dumps

_LEARNING = dumps([mode.value for mode in MemoryMode if mode.learns])
_WAITING = f"""
SELECT c.id FROM conversations AS c
LEFT JOIN watermarks AS w ON w.conversation_pk = c.pk
JOIN messages AS x ON x.conversation_pk = c.pk AND x.pk > coalesce(w.message_pk, 0)
  AND x.recallable = 1
WHERE c.mode IN {listed("?1")}
GROUP BY c.pk HAVING count(*) >= ?2
  AND EXISTS (SELECT 1 FROM messages AS u JOIN message_parts AS p ON p.message_pk = u.pk
    WHERE u.conversation_pk = c.pk AND u.pk > coalesce(w.message_pk, 0)
    AND u.recallable = 1 AND u.role = 'user' AND p.origin = 'typed')
ORDER BY min(x.pk) LIMIT ?3
"""


class Watermarks:
    """How far the conversations of a vault were reviewed."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def waiting(self, min_messages: int, limit: int) -> list[str]:
        """Return ids of conversations with enough new messages, the longest waiting first.

        Only those are meant that may be learnt from, and in which the person typed something new.

        Args:
            min_messages: How many new messages are enough, of whomever.
            limit: At most so many conversations.
        """
        found = self._vault.rows(_WAITING, (_LEARNING, min_messages, limit))
        return [row["id"] for row in found]

    def of(self, conversation_pk: int) -> int:
        """Return the last message that was reviewed, or 0."""
        row = self._vault.row(
            "SELECT message_pk FROM watermarks WHERE conversation_pk = ?", (conversation_pk,)
        )
        return int(row["message_pk"]) if row is not None else 0

    def newest(self, conversation_pk: int) -> int:
        """Return the last message of a conversation, or 0."""
        row = self._vault.row(
            "SELECT max(pk) FROM messages WHERE conversation_pk = ?", (conversation_pk,)
        )
        return int(row[0] or 0)

    def advance(self, conversation_pk: int, message_pk: int) -> None:
        """Note that a conversation was reviewed up to a message; never goes back."""
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO watermarks (conversation_pk, message_pk, updated_at)"
                " VALUES (?1, ?2, ?3) ON CONFLICT (conversation_pk) DO UPDATE SET"
                " message_pk = ?2, updated_at = ?3 WHERE message_pk < ?2",
                (conversation_pk, message_pk, to_ms(self._vault.clock())),
            )
