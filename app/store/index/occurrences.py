"""Find every row in which a text lies, because an erasure must know all of them.

Texts are compared as SQLite's ``lower`` folds them, literally and not by meaning.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.domain.conversation import Role
from app.store.dialect import SCHEMA, each, holds, is_json, json_field, listed
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault
from app.store.vault.rows import dumps, near, speaker, words

_ANY = f"EXISTS (SELECT 1 FROM {each('?1')} AS n WHERE {holds('lower({0})', 'lower(n.value)')})"
_PLACES = (
    ("messages", "text"),
    ("message_parts", "text"),
    ("document_passages", "text"),
    ("messages", "error"),
    ("summaries", "text"),
    ("conversations", "title"),
    ("conversations", "draft"),
    ("memories", "text"),
    ("memories", "value"),
    ("memories", "tags"),
    ("memories", "key"),
    ("memories", "status_reason"),
    ("evidence", "quote"),
    ("journal", "before"),
    ("journal", "after"),
    ("journal", "reason"),
    ("recall_hits", "reasons"),
    ("jobs", "payload"),
    ("jobs", "checkpoint"),
    ("jobs", "error"),
    ("agents", "instructions"),
    ("settings", "value"),
    ("entities", "name"),
    ("tool_calls", "arguments"),
    ("tool_calls", "result"),
    ("tool_calls", "raw"),
    ("tool_calls", "error"),
    ("scores", "reasoning"),
    ("exports", "path"),
    ("sent_texts", "text"),
)
_OURS = (  # where single words stand because Loci itself wrote them
    (SCHEMA, "sql"),
    ("journal", "op"),
    ("journal", "actor"),
    ("jobs", "kind"),
    ("jobs", "unique_key"),
    ("jobs", "payload"),
    ("settings", "key"),
    ("meta", "key"),
    ("agents", "id"),
    ("messages", "model"),
    ("messages", "speaker"),
    ("message_parts", "name"),
    ("documents", "name"),
    ("memories", "actor"),
    ("memories", "category"),
    ("memories", "status_reason"),
    ("recalls", "steps"),
    ("recalls", "degraded"),
    ("recall_hits", "lanes"),
    ("recall_hits", "factors"),
    ("embedders", "id"),
    ("tool_calls", "name"),
)
_TOLD = (
    ("summaries", "text"),
    ("evidence", "quote"),
    ("memories", "status_reason"),
    ("journal", "reason"),
    ("journal", "before"),
    ("journal", "after"),
    ("recall_hits", "reasons"),
    ("messages", "error"),
    ("tool_calls", "arguments"),
    ("tool_calls", "result"),
    ("tool_calls", "raw"),
    ("tool_calls", "error"),
    ("scores", "reasoning"),
)
_JSON = frozenset({"before", "after", "reasons", "arguments"})
_FREE = frozenset({"arguments"})  # JSON whose fields are a tool's own
_SAYING = frozenset({"text", "value", "tags", "status_reason"})


@dataclass(frozen=True, slots=True)
class Occurrence:
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


class TextOccurrences:
    """Searches the whole vault for texts."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def messages(self, texts: Sequence[str]) -> list[Occurrence]:
        """Return the messages in which any of the texts occurs, oldest first."""
        found = self._vault.rows(
            "SELECT x.id, x.text, x.role, x.created_at, c.title FROM messages AS x"
            " JOIN conversations AS c ON c.pk = x.conversation_pk"
            f" WHERE {_ANY.format('x.text')} ORDER BY x.pk",
            (dumps(list(texts)),),
        )
        return [found_message(r) for r in found]

    def messages_of(self, conversation_id: str) -> list[Occurrence]:
        """Return every message of a conversation, on all its branches, oldest first."""
        found = self._vault.rows(
            "SELECT x.id, x.text, x.role, x.created_at, c.title FROM messages AS x"
            " JOIN conversations AS c ON c.pk = x.conversation_pk WHERE c.id = ?"
            " ORDER BY x.pk",
            (conversation_id,),
        )
        return [found_message(r) for r in found]

    def passages(self, texts: Sequence[str]) -> list[Occurrence]:
        """Return the passages of documents in which any of the texts occurs, oldest first."""
        return self._passages(_ANY.format("p.text"), dumps(list(texts)))

    def passages_of(self, conversation_id: str, most: int) -> list[Occurrence]:
        """Return passages of the documents of a conversation, at most so many, from all of them."""
        where = (
            "d.conversation_pk = (SELECT pk FROM conversations WHERE id = ?1) AND p.pk %"
            " (SELECT 1 + count(*) / ?2 FROM document_passages AS n JOIN documents AS o"
            " ON o.pk = n.document_pk WHERE o.conversation_pk = d.conversation_pk) = 0"
        )
        return self._passages(where, conversation_id, most)

    def titles(self, texts: Sequence[str]) -> list[Occurrence]:
        """Return the conversations whose title holds any of the texts."""
        return self._conversations("title", texts)

    def drafts(self, texts: Sequence[str]) -> list[Occurrence]:
        """Return the conversations whose draft holds any of the texts."""
        return self._conversations("draft", texts)

    def memories(self, texts: Sequence[str]) -> list[Occurrence]:
        """Return the memories of any status whose text or value holds any of the texts."""
        where = f"{_ANY.format('m.text')} OR {_ANY.format('m.value')}"
        found = self._vault.rows(
            f"SELECT m.id, m.text, m.created_at FROM memories AS m WHERE {where} ORDER BY m.pk",
            (dumps(list(texts)),),
        )
        return [Occurrence(r["id"], words(r["text"]), "", near(r["created_at"])) for r in found]

    def first_of(self, message_ids: Sequence[str]) -> dict[str, Occurrence]:
        """Return the titled conversations which one of these messages opened, by its id."""
        found = self._vault.rows(
            "SELECT x.id AS message, c.id, c.title, c.updated_at FROM messages AS x"
            " JOIN conversations AS c ON c.pk = x.conversation_pk"
            " WHERE x.parent_pk IS NULL AND c.title <> ''"
            f" AND x.id IN {listed()} ORDER BY c.pk",
            (dumps(list(message_ids)),),
        )
        return {
            r["message"]: Occurrence(
                r["id"], words(r["title"]), words(r["title"]), near(r["updated_at"])
            )
            for r in found
        }

    def occurs(self, text: str) -> bool:
        """Say whether the text lies anywhere in a live row."""
        with self._vault.read() as connection:
            return any(_lies(connection, table, column, text) for table, column in _PLACES)

    def places(self, text: str, among: Collection[str] = ()) -> list[str]:
        """Return the tables in which the text lies in a live row, as the person may read them.

        Args:
            text: What is looked for.
            among: The only tables to look into; empty for all.
        """
        places = [pair for pair in _PLACES if not among or pair[0] in among]
        with self._vault.read() as connection:
            tables = [t for t, column in places if _lies(connection, t, column, text)]
        return [table.replace("_", " ") for table in dict.fromkeys(tables)]

    def written_by_us(self, word: str) -> bool:
        """Say whether a word stands in the vault because Loci itself uses it."""
        with self._vault.read() as connection:
            return any(_lies(connection, table, column, word) for table, column in _OURS)

    def redact_told(
        self, texts: Sequence[str], mark: str, words: Mapping[str, str] | None = None
    ) -> None:
        """Put a mark in the place of the texts wherever something is told of another memory.

        That is its quotes, its history, the reason of its status and the reasons in traces, and
        what tools and judges were told. What that memory itself says is left alone.

        Args:
            texts: Stretches of text.
            mark: What is put in their place.
            words: What counts only where it stands as a word of its own, with the pattern for it.
        """
        words = words or {}
        if not texts and not words:
            return
        any_of = [*map(re.escape, texts), *words.values()]
        pattern = re.compile("|".join(any_of), re.IGNORECASE)
        given = (*texts, *words)
        wanted = dumps([*given, *(dumps(text)[1:-1] for text in given)])
        with self._vault.write() as connection:
            for table, column in _TOLD:
                found = connection.execute(
                    f"SELECT DISTINCT x.{column} FROM {table} AS x"
                    f" WHERE {_ANY.format(f'x.{column}')}",
                    (wanted,),
                ).fetchall()
                for (old,) in found:
                    new = (
                        dumps(_marked(json.loads(old), pattern, mark, column in _FREE))
                        if column in _JSON
                        else pattern.sub(mark, old)
                    )
                    self._rewrite(connection, table, column, old, new)

    def _rewrite(self, connection: Connection, table: str, column: str, old: str, new: str) -> None:
        """Put a text in the place of another, wherever a column holds it."""
        pks = {}
        if table in ("memories", "journal"):
            sql = f"SELECT pk FROM {table} WHERE {column} = ?"
            rests = {"memories": "memories", "journal": "entries"}[table]
            pks = {rests: [row["pk"] for row in connection.execute(sql, (old,))]}
        with self._vault.chain.rewriting(connection, **pks):
            connection.execute(
                f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {column} = ?", (new, old)
            )

    def drop_evidence(self, conversation_id: str) -> None:
        """Remove the quotes that memories keep of a conversation's messages."""
        with self._vault.write() as connection:
            connection.execute(
                "DELETE FROM evidence WHERE message_pk IN (SELECT x.pk FROM messages AS x"
                " JOIN conversations AS c ON c.pk = x.conversation_pk WHERE c.id = ?)",
                (conversation_id,),
            )

    def resting_on(self, conversation_id: str) -> list[Occurrence]:
        """Return the memories that rest on this conversation alone."""
        mine = (
            "SELECT x.pk FROM messages AS x JOIN conversations AS c"
            " ON c.pk = x.conversation_pk WHERE c.id = ?1"
        )
        found = self._vault.rows(
            "SELECT m.id, m.text, m.created_at FROM memories AS m"
            f" WHERE m.pk IN (SELECT memory_pk FROM evidence WHERE message_pk IN ({mine}))"
            " AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.memory_pk = m.pk"
            f" AND e.message_pk IS NOT NULL AND e.message_pk NOT IN ({mine})) ORDER BY m.pk",
            (conversation_id,),
        )
        return [Occurrence(r["id"], words(r["text"]), "", near(r["created_at"])) for r in found]

    def forget_jobs(self, message_ids: Sequence[str]) -> None:
        """Drop the jobs that would learn from these messages."""
        with self._vault.write() as connection:
            _drop_jobs(connection, message_ids)

    def _passages(self, where: str, *values: object) -> list[Occurrence]:
        found = self._vault.rows(
            "SELECT d.id, p.ordinal, p.page, p.text, d.name, d.paged, d.created_at"
            " FROM document_passages AS p JOIN documents AS d ON d.pk = p.document_pk"
            f" WHERE {where} ORDER BY p.pk",
            values,
        )
        return [
            Occurrence(
                f"{r['id']}/{r['ordinal']}",
                words(r["text"]),
                f"{words(r['name'])}, {'page' if r['paged'] else 'part'} {r['page']}",
                near(r["created_at"]),
            )
            for r in found
        ]

    def _conversations(self, column: str, texts: Sequence[str]) -> list[Occurrence]:
        found = self._vault.rows(
            f"SELECT c.id, c.{column} AS text, c.title, c.updated_at FROM conversations AS c"
            f" WHERE {_ANY.format(f'c.{column}')} ORDER BY c.pk",
            (dumps(list(texts)),),
        )
        return [
            Occurrence(r["id"], words(r["text"]), words(r["title"]), near(r["updated_at"]))
            for r in found
        ]


def _lies(connection: Connection, table: str, column: str, text: str) -> bool:
    statement = f"SELECT 1 FROM {table} WHERE {holds(f'lower({column})', 'lower(?)')} LIMIT 1"
    return connection.execute(statement, (text,)).fetchone() is not None


def _marked(value: Any, pattern: re.Pattern[str], mark: str, free: bool) -> Any:
    """Return the same JSON with marked texts; in an object only where a memory speaks, or free."""
    if isinstance(value, str):
        return pattern.sub(mark, value)
    if isinstance(value, list):
        return [_marked(item, pattern, mark, free) for item in value]
    if isinstance(value, dict):
        return {
            k: _marked(v, pattern, mark, free) if free or k in _SAYING else v
            for k, v in value.items()
        }
    return value


def found_message(row: Row) -> Occurrence:
    """Return what a row of a message says, as far as it reads."""
    at, role = near(row["created_at"]), speaker(row["role"])
    return Occurrence(row["id"], words(row["text"]), words(row["title"]), at, role)


def _drop_jobs(connection: Connection, message_ids: Sequence[str]) -> None:
    connection.execute(
        f"DELETE FROM jobs WHERE {is_json('payload')} AND {json_field('payload', 'message')}"
        f" IN {listed()}",
        (dumps(list(message_ids)),),
    )
