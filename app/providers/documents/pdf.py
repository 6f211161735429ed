"""PDF files, page by page."""

import io
from collections.abc import Iterator

from app.domain.limits import MOST_PAGES
from app.providers.documents.refusals import DAMAGED, LOCKED, LONG, MISSING, SCANNED, Unreadable


def pages(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield how many pages there are and the text of each, in order.

    A page that cannot be read has no text; the others are read all the same.

    Raises:
        Unreadable: It is protected, damaged, or has no text on any page.
    """
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        raise Unreadable(MISSING) from None
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable(LOCKED)
        number = len(reader.pages)
    except (Unreadable, MemoryError):
        raise
    except PyPdfError:
        raise Unreadable(DAMAGED) from None
    except Exception:  # noqa: BLE001 - what a damaged file makes of its reader has no end
        raise Unreadable(DAMAGED) from None
    if not number:
        raise Unreadable(DAMAGED)
    if number > MOST_PAGES:
        raise Unreadable(LONG)
    said = False
    for at in range(number):
        try:
            text = reader.pages[at].extract_text()
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - this page alone is lost
            text = ""
        said = said or bool(text.strip())
        yield number, text
    if not said:
        raise Unreadable(SCANNED)
