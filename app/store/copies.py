"""Find every row in which a text lies, because an erasure must know all of them.

Texts are compared as SQLite's ``lower`` folds them, literally and not by meaning.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.conversation import Role
from app.domain.ids import from_ms
from app.store.connection import Connection, Row
from app.store.rows import dumps
from app.store.vault import Vault

_ANY = "EXISTS (SELECT 1 FROM json_each(?1) AS n WHERE instr(lower({0}), lower(n.value)))"
_PLACES = (
    ("messages", "text"),
    ("message_parts", "text"),
    ("messages", "error"),
    ("conversations", "title"),
    ("conversations", "draft"),
    ("memories", "text"),
    ("memories", "value"),
    ("memories", "tags"),
    ("evidence", "quote"),
    ("journal", "before"),
    ("journal", "after"),
    ("jobs", "payload"),
    ("jobs", "checkpoint"),
    ("jobs", "error"),
    ("agents", "instructions"),
    ("settings", "value"),
    ("entities", "name"),
    ("tool_calls", "arguments"),
    ("tool_calls", "result"),
    ("scores", "reasoning"),
)


@dataclass(frozen=True, slots=True)
class Found:
    """A row that holds the text.

    Attributes:
        id: Of the message, conversation or memory.
        title: Of the conversation.
    """

    id: str
    text: str
    title: str
    at: datetime
    role: Role | None = None


class Copies:
    """Searches the whole vault for texts."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def messages(self, texts: Sequence[str]) -> list[Found]:
        """Return the messages in which any of the texts occurs, oldest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT x.id, x.text, x.role, x.created_at, c.title FROM messages AS x"
                " JOIN conversations AS c ON c.pk = x.conversation_pk"
                f" WHERE {_ANY.format('x.text')} ORDER BY x.pk",
                (dumps(list(texts)),),
            ).fetchall()
        return [_found_message(r) for r in found]

    def messages_of(self, conversation_id: str) -> list[Found]:
        """Return every message of a conversation, on all its branches, oldest first."""
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT x.id, x.text, x.role, x.created_at, c.title FROM messages AS x"
                " JOIN conversations AS c ON c.pk = x.conversation_pk WHERE c.id = ?"
                " ORDER BY x.pk",
                (conversation_id,),
            ).fetchall()
        return [_found_message(r) for r in found]

    def titles(self, texts: Sequence[str]) -> list[Found]:
        """Return the conversations whose title holds any of the texts."""
        return self._conversations("title", texts)

    def drafts(self, texts: Sequence[str]) -> list[Found]:
        """Return the conversations whose draft holds any of the texts."""
        return self._conversations("draft", texts)

    def memories(self, texts: Sequence[str]) -> list[Found]:
        """Return the memories of any status whose text or value holds any of the texts."""
        where = f"{_ANY.format('m.text')} OR {_ANY.format('m.value')}"
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT m.id, m.text, m.created_at FROM memories AS m WHERE {where} ORDER BY m.pk",
                (dumps(list(texts)),),
            ).fetchall()
        return [Found(r["id"], r["text"], "", from_ms(r["created_at"])) for r in found]

    def occurs(self, text: str) -> bool:
        """Say whether the text lies anywhere in a live row."""
        with self._vault.read() as connection:
            return any(
                connection.execute(
                    f"SELECT 1 FROM {table} WHERE instr(lower({column}), lower(?)) LIMIT 1", (text,)
                ).fetchone()
                for table, column in _PLACES
            )

    def redact_quotes(self, texts: Sequence[str], mark: str) -> None:
        """Put a mark in the place of the texts in every quote that a memory keeps."""
        with self._vault.write() as connection:
            found = connection.execute(
                f"SELECT e.pk, e.quote FROM evidence AS e WHERE {_ANY.format('e.quote')}",
                (dumps(list(texts)),),
            ).fetchall()
            pattern = re.compile("|".join(map(re.escape, texts)), re.IGNORECASE)
            for row in found:
                connection.execute(
                    "UPDATE OR REPLACE evidence SET quote = ? WHERE pk = ?",
                    (pattern.sub(mark, row["quote"]), row["pk"]),
                )

    def drop_evidence(self, conversation_id: str) -> None:
        """Remove the quotes that memories keep of a conversation's messages."""
        with self._vault.write() as connection:
            connection.execute(
                "DELETE FROM evidence WHERE message_pk IN (SELECT x.pk FROM messages AS x"
                " JOIN conversations AS c ON c.pk = x.conversation_pk WHERE c.id = ?)",
                (conversation_id,),
            )

    def resting_on(self, conversation_id: str) -> list[Found]:
        """Return the memories that rest on this conversation alone."""
        mine = (
            "SELECT x.pk FROM messages AS x JOIN conversations AS c"
            " ON c.pk = x.conversation_pk WHERE c.id = ?1"
        )
        with self._vault.read() as connection:
            found = connection.execute(
                "SELECT m.id, m.text, m.created_at FROM memories AS m"
                f" WHERE m.pk IN (SELECT memory_pk FROM evidence WHERE message_pk IN ({mine}))"
                " AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.memory_pk = m.pk"
                f" AND e.message_pk IS NOT NULL AND e.message_pk NOT IN ({mine})) ORDER BY m.pk",
                (conversation_id,),
            ).fetchall()
        return [Found(r["id"], r["text"], "", from_ms(r["created_at"])) for r in found]

    def forget_jobs(self, message_ids: Sequence[str]) -> None:
        """Drop the jobs that would learn from these messages."""
        with self._vault.write() as connection:
            _drop_jobs(connection, message_ids)

    def _conversations(self, column: str, texts: Sequence[str]) -> list[Found]:
        with self._vault.read() as connection:
            found = connection.execute(
                f"SELECT c.id, c.{column} AS text, c.title, c.updated_at FROM conversations AS c"
                f" WHERE {_ANY.format(f'c.{column}')} ORDER BY c.pk",
                (dumps(list(texts)),),
            ).fetchall()
        return [Found(r["id"], r["text"], r["title"], from_ms(r["updated_at"])) for r in found]


def _found_message(row: Row) -> Found:
    at, role = from_ms(row["created_at"]), Role(row["role"])
    return Found(row["id"], row["text"], row["title"], at, role)


def _drop_jobs(connection: Connection, message_ids: Sequence[str]) -> None:
    connection.execute(
        "DELETE FROM jobs WHERE json_extract(payload, '$.message')"
        " IN (SELECT value FROM json_each(?))",
        (dumps(list(message_ids)),),
    )
