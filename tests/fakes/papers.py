"""Small PDF and Word files, written byte by byte, whole and broken."""

import io
import os
import zipfile
import zlib
from threading import Event

from app.providers.documents import child
from app.providers.documents import pdf as pdf_room

_NS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def pdf(*pages, catalogue=""):
    """Return a PDF with a line of text per line of each page."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalogue}>>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        shown = b"".join(_line(line, n) for n, line in enumerate(text.split("\n")) if line)
        objects.append(stream(shown))
    return _file(objects)


def stream(data):
    packed = zlib.compress(data)
    head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
    return head + packed + b"\nendstream"


def _line(text, number):
    for sign in "\\()":
        text = text.replace(sign, "\\" + sign)
    return f"BT /F1 12 Tf 72 {720 - 16 * number} Td ({text}) Tj ET\n".encode("latin-1")


def _file(objects, trailer=""):
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n" % number + body + b"\nendobj\n")
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
    size = len(objects) + 1
    out.write(f"trailer\n<< /Size {size} /Root 1 0 R {trailer}>>\n".encode())
    out.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return out.getvalue()


def locked_pdf(text="Nobody reads this."):
    """Return a PDF that wants a password."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(text))))
    writer.encrypt("a password", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def bomb_pdf(megabytes=400):
    """Return a small PDF of which a page unpacks to far more."""
    whole = pdf("x")
    packed = zlib.compress(b"(aaaaaaaaaaaaaaaa) Tj " * (megabytes * 50_000), 9)
    head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
    before = whole[: whole.index(b"5 0 obj")]
    return before + b"5 0 obj\n" + head + packed + b"\nendstream\nendobj\n%%EOF\n"


def docx_text(text):
    """Return the text of a Word file of one paragraph."""
    return f"<w:document {_NS}><w:body><w:p><w:t>{text}</w:t></w:p></w:body></w:document>".encode()


def docx(*pages, body="", doctype=""):
    """Return a Word file; pages are parted as Word notes where they ended."""
    broken = "<w:r><w:lastRenderedPageBreak/></w:r>"
    text = "".join(
        f"<w:p>{broken if number and not at else ''}<w:r><w:t>{line}</w:t></w:r></w:p>"
        for number, page in enumerate(pages)
        for at, line in enumerate(page.split("\n"))
    )
    within = f"<w:document {_NS}><w:body>{text}{body}</w:body></w:document>"
    whole = f'<?xml version="1.0"?>{doctype}{within}'
    return archive({"word/document.xml": whole.encode(), "[Content_Types].xml": b"<Types/>"})


def archive(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def report(pages=31):
    """Return the pages of a long report of which one says what is asked."""
    filler = "The committee met again and discussed the ordinary course of affairs at length.\n"
    told = {12: "The bridge at Tiverton was closed in March: its northern pier had cracks."}
    return [f"Chapter {n}\n{told.get(n, '')}\n{filler * 30}" for n in range(1, pages + 1)]


# What a reader may come to; these run in its process.


def forever(_pipe, _path):
    Event().wait()


def dies(_pipe, _path):
    os._exit(11)


def greedy(pipe, path):
    def pages(_data):
        yield 1, "x" * 4 * child.MEMORY

    pdf_room.pages = pages
    child.read(pipe, path)
