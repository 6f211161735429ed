"""Keep the files that go with messages: page by page, to be shown, searched and quoted.

A document belongs to the conversation in which its message was sent, and goes with it; a message
elsewhere that has it as well takes a copy along. It is cut into passages, which joined are its
text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.conversation import Document
from app.domain.ids import from_ms, new_id
from app.domain.language.foreign import storable
from app.domain.language.pieces import pieces
from app.domain.language.text import ERASED
from app.errors import NotFound
from app.store.dialect import holds, listed
from app.store.vault import rows
from app.store.vault.connection import Connection, Row
from app.store.vault.file import Vault

LONGEST = 1_000
"""Characters of a passage."""

GONE = "This document no longer exists."


@dataclass(frozen=True, slots=True)
class DocumentPassage:
    """A stretch of a document.

    Attributes:
        document: The id of the document.
        ordinal: Which passage of it, from 0.
        page: On which page it stands, from 1.
    """

    document: str
    ordinal: int
    page: int
    text: str

    @property
    def id(self) -> str:
        """What it is known by."""
        return f"{self.document}/{self.ordinal}"


class Documents:
    """The documents of a vault; each is asked for by ids that messages of the asker name."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def length(self, document_ids: Sequence[str]) -> int:
        """Return how many characters some documents have together."""
        found = self._vault.row(
            "SELECT COALESCE(sum(length(p.text)), 0) FROM document_passages AS p"
            f" JOIN documents AS d ON d.pk = p.document_pk WHERE d.id IN {listed()}",
            (rows.dumps(list(document_ids)),),
        )
        return int(found[0])

    def passages(
        self, document_ids: Sequence[str], start: int = 0, limit: int = -1
    ) -> list[DocumentPassage]:
        """Return the passages of some documents, oldest document first.

        Args:
            document_ids: The documents.
            start: The first passage of each, from 0.
            limit: So many of each; all where this is below 0.
        """
        found = self._vault.rows(
            "SELECT d.id, p.* FROM documents AS d JOIN document_passages AS p"
            f" ON p.document_pk = d.pk WHERE d.id IN {listed('?1')} AND p.ordinal >= ?2"
            " AND (?3 < 0 OR p.ordinal < ?2 + ?3) ORDER BY d.pk, p.ordinal",
            (rows.dumps(list(document_ids)), start, limit),
        )
        return [_passage(row) for row in found]

    def found(self, document_ids: Sequence[str], query: str, limit: int) -> list[DocumentPassage]:
        """Return the passages of some documents that match an FTS5 query, best first."""
        with self._vault.search() as connection:
            found = connection.execute(
                "SELECT d.id, p.* FROM document_passages_fts AS f"
                " CROSS JOIN document_passages AS p ON p.pk = f.rowid"
                " CROSS JOIN documents AS d ON d.pk = p.document_pk"
                f" WHERE document_passages_fts MATCH ? AND d.id IN {listed()}"
                " ORDER BY f.rank, p.pk LIMIT ?",
                (query, rows.dumps(list(document_ids)), limit),
            ).fetchall()
        return [_passage(row) for row in found]

    def holding(
        self, document_ids: Sequence[str], letters: str, limit: int
    ) -> list[DocumentPassage]:
        """Return the passages that hold letters anywhere, for scripts without spaces."""
        found = self._vault.rows(
            "SELECT d.id, p.* FROM document_passages AS p JOIN documents AS d"
            f" ON d.pk = p.document_pk WHERE d.id IN {listed()} AND {holds('p.text', '?')}"
            " ORDER BY p.pk LIMIT ?",
            (rows.dumps(list(document_ids)), letters, limit),
        )
        return [_passage(row) for row in found]

    def pages(self, document_id: str, conversation_id: str) -> list[tuple[int, str]]:
        """Return number and text of each page of a document of a conversation that has text.

        Raises:
            NotFound: There is no such document in this conversation.
        """
        found = self._vault.rows(
            "SELECT p.page, p.text FROM documents AS d JOIN conversations AS c"
            " ON c.pk = d.conversation_pk JOIN document_passages AS p ON p.document_pk = d.pk"
            " WHERE d.id = ? AND c.id = ? ORDER BY p.ordinal",
            (document_id, conversation_id),
        )
        if not found:
            raise NotFound(GONE)
        texts: dict[int, str] = {}
        for page, text in found:
            texts[page] = texts.get(page, "") + text
        return list(texts.items())

    def passage(self, passage_id: str) -> DocumentPassage:
        """Return one passage.

        Raises:
            NotFound: It does not exist.
        """
        document, _, ordinal = passage_id.partition("/")
        for found in self.passages([document], int(ordinal or 0), 1):
            return found
        raise NotFound(GONE)

    def redact(self, passage_id: str, spans: Sequence[tuple[int, int]]) -> str:
        """Put a mark in the place of spans of a passage, for good; return its conversation's id."""
        with self._vault.write() as connection:
            before = self.passage(passage_id).text
            kept, at = [], 0
            for start, end in sorted(spans):
                kept += [before[at:start], ERASED] if start >= at else []
                at = max(at, end)
            text = "".join([*kept, before[at:]])
            document, _, ordinal = passage_id.partition("/")
            owner = connection.execute(
                "SELECT d.pk, c.id FROM documents AS d JOIN conversations AS c"
                " ON c.pk = d.conversation_pk WHERE d.id = ?",
                (document,),
            ).fetchone()
            if text != before:
                connection.execute(
                    "UPDATE document_passages SET text = ? WHERE document_pk = ? AND ordinal = ?",
                    (text, owner["pk"], int(ordinal)),
                )
            return str(owner["id"])


def kept(connection: Connection, document: Document, conversation_pk: int, at: int) -> int | None:
    """Return the row of a document of a conversation, having stored it where it is new there.

    None where it is gone, and only its name is left.
    """
    if not document.id:
        return _insert(connection, document, conversation_pk, at)
    found = connection.execute("SELECT * FROM documents WHERE id = ?", (document.id,)).fetchone()
    if found is None or found["conversation_pk"] == conversation_pk:
        return found and int(found["pk"])
    copy = _insert(connection, document, conversation_pk, at)
    connection.execute(
        "INSERT INTO document_passages (document_pk, ordinal, page, text)"
        " SELECT ?, ordinal, page, text FROM document_passages WHERE document_pk = ?",
        (copy, found["pk"]),
    )
    return copy


def _insert(connection: Connection, document: Document, conversation_pk: int, at: int) -> int:
    cursor = connection.execute(
        "INSERT INTO documents (id, conversation_pk, name, kind, size, digest, pages, paged,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new_id(from_ms(at)),
            conversation_pk,
            storable(document.name),
            document.kind,
            document.size,
            document.digest,
            document.pages,
            int(document.paged),
            at,
        ),
    )
    pk = int(cursor.lastrowid)
    connection.executemany(
        "INSERT INTO document_passages (document_pk, ordinal, page, text) VALUES (?, ?, ?, ?)",
        [(pk, n, page, text) for n, (page, text) in enumerate(_cut(document.texts))],
    )
    return pk


def _cut(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield page and text of each passage; a page without words has none."""
    for page, text in enumerate(texts, start=1):
        if text.strip():
            whole = storable(text).replace("\0", "")
            yield from ((page, piece) for piece in pieces(f"{whole.rstrip()}\n", LONGEST))


def _passage(row: Row) -> DocumentPassage:
    page = row["page"] if isinstance(row["page"], int) else 0  # something else bent it
    return DocumentPassage(row["id"], row["ordinal"], page, rows.words(row["text"]))
