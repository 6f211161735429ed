"""The full-text indexes of memories, messages, summaries and documents, made from their tables."""

from app.store.vault.file import Vault

INDEXED = {
    "memories": "memories_fts",
    "messages": "messages_fts",
    "document_passages": "document_passages_fts",
    "summaries": "summaries_fts",
}
WORD_INDEXES = tuple(INDEXED.values())


def rebuild_words(vault: Vault) -> None:
    """Make the full-text indexes anew from their tables."""
    for index in WORD_INDEXES:
        rebuild(vault, index)


def rebuild(vault: Vault, index: str) -> None:
    """Make one full-text index anew, in one transaction: about five seconds for a million rows.

    It cannot be cut in slices, because a row that changes meanwhile would have to be taken from an
    index that does not know it yet.
    """
    if index not in WORD_INDEXES:
        raise ValueError(f"there is no index {index}")
    with vault.write() as connection:
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
