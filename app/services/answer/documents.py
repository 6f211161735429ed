"""Files that a person attaches: read before they are sent, and shown afterwards."""

from collections.abc import Generator, Sequence
from pathlib import Path

from app.domain.conversation import Document, Part, PartOrigin
from app.domain.jobs.progress import Progress
from app.domain.limits import LONGEST_INLINE
from app.errors import TransferError
from app.store.store import Store


class DocumentsService:
    """Reads files off the window's thread, and tells what stands in those that were sent."""

    def __init__(self, store: Store) -> None:
        self._documents = store.documents

    def reading(self, path: Path) -> Generator[Progress, None, Part]:
        """Return a file as a part of a message; it can be stopped at any time.

        A short text stands in the part itself, and everything else is kept beside the message.

        Raises:
            TransferError: It cannot be read, is too large, or holds no text.
        """
        from app.providers.documents.reading import reading

        document = yield from reading(path)
        return part_of(document, PartOrigin.ATTACHED)

    def pasted(self, name: str, text: str) -> Part:
        """Return a pasted text that is too long for a message as a part that names it.

        Raises:
            TransferError: It is too long for a document too.
        """
        from app.providers.documents.reading import of_text
        from app.providers.documents.refusals import Unreadable

        try:
            return part_of(of_text(name, text.encode("utf-8", "replace")), PartOrigin.PASTED)
        except Unreadable as error:
            raise TransferError(str(error).replace("{}", name)) from None

    def pages(self, document_id: str, conversation_id: str) -> Sequence[tuple[int, str]]:
        """Return number and text of each page that has text.

        Raises:
            NotFound: There is no such document in this conversation.
        """
        return self._documents.pages(document_id, conversation_id)


def part_of(document: Document, origin: PartOrigin) -> Part:
    """Return a document as a part of a message, in whole where it is short and has no pages."""
    text = "".join(document.texts)
    if document.kind == "text" and not document.paged and len(text) <= LONGEST_INLINE:
        return Part(text, origin, document.name)
    return Part(f"{document.name} ({document.counted()})", origin, document.name, document)
