"""Keep what was sent to a model for each answer, word for word, until anything is erased.

The schema sees to that: whatever deletes a memory or a message, or redacts one, empties this.
"""

from collections.abc import Sequence
from hashlib import blake2b

from app.store.vault.file import Vault
from app.store.vault.rows import words

Turns = Sequence[tuple[str, str]]


class SentRequests:
    """The requests of a vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def save(self, answer_id: str, turns: Turns) -> None:
        """Keep what was sent for an answer.

        Args:
            answer_id: The answer.
            turns: Who speaks and what, in order.
        """
        with self._vault.write() as connection:
            for ordinal, (role, text) in enumerate(turns):
                text_hash = blake2b(text.encode("utf-8", "replace"), digest_size=32).digest()
                connection.execute(
                    "INSERT INTO sent_texts (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    (text_hash, text),
                )
                connection.execute(
                    "INSERT INTO sent_turns (answer_pk, ordinal, role, text_pk) VALUES"
                    " ((SELECT pk FROM messages WHERE id = ?), ?, ?,"
                    " (SELECT pk FROM sent_texts WHERE hash = ?))",
                    (answer_id, ordinal, role, text_hash),
                )

    def of_answer(self, answer_id: str) -> Turns:
        """Return what was sent for an answer; nothing where it is not kept (any more)."""
        found = self._vault.rows(
            "SELECT t.role, s.text FROM messages AS x JOIN sent_turns AS t ON t.answer_pk = x.pk"
            " JOIN sent_texts AS s ON s.pk = t.text_pk WHERE x.id = ? ORDER BY t.ordinal",
            (answer_id,),
        )
        return [(words(row["role"]), words(row["text"])) for row in found]
