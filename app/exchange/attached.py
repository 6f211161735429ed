"""Put an attached document together from the rows of an export, as far as these are any good."""

from collections.abc import Iterable

from app.domain.conversation import Document
from app.domain.limits import LONGEST_DOCUMENT, MOST_PAGES
from app.exchange.rows import Row

_KINDS = frozenset({"text", "pdf", "docx"})
_NAME = 200  # characters


def document(row: Row, passages: Iterable[Row]) -> Document:
    """Return a document as it was read, to be kept anew.

    Args:
        row: What it is.
        passages: Its text in order; what is beyond what any file may have is left out.
    """
    texts: list[str] = []
    left = LONGEST_DOCUMENT
    for one in passages:
        page, text = int(one.get("page") or 1), str(one.get("text") or "")[:left]
        if not 1 <= page <= MOST_PAGES:
            continue
        left -= len(text)
        texts += [""] * (page - len(texts))
        texts[page - 1] += text
    kind = str(row.get("kind") or "text")
    pages = min(max(int(row.get("pages") or 0), len(texts)), MOST_PAGES)
    return Document(
        id="",
        name=str(row.get("name") or "")[:_NAME],
        kind=kind if kind in _KINDS else "text",
        size=int(row.get("size") or 0),
        digest=str(row.get("digest") or "")[:64],
        pages=pages,
        paged=bool(row.get("paged")),
        texts=tuple(texts),
    )
