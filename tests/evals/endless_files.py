"""Files made to fill the memory or the time of whoever reads them, written little by little."""

import json
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from app.exchange.format import FORMAT, VERSION
from app.exchange.importing import MOST_FILES

MANIFEST = json.dumps({"format": FORMAT, "version": VERSION, "files": {}}).encode()
LINE = 16 << 20  # bytes; the longest that is taken of a stranger
ROWS = 2_000_000  # the most that are taken of a table
BLOCK = 1 << 20

Blocks = Iterable[bytes]


def packed(path: Path, manifest: bytes = MANIFEST, **tables: Blocks) -> None:
    """Write an export whose tables consist of these blocks."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bundle:
        bundle.writestr("manifest.json", manifest)
        for table, blocks in tables.items():
            with bundle.open(f"data/{table}.jsonl", "w", force_zip64=True) as file:
                for block in blocks:
                    file.write(block)


def zeros(path: Path) -> None:
    """Write 2 GB of zeros that take 10 MB."""
    packed(path, messages=(bytes(BLOCK) for _ in range(2_048)))


def long_lines(path: Path) -> None:
    """Write 60 messages of nearly 16 MB each."""
    fill = b"x" * (LINE - 1_000)
    packed(
        path,
        conversations=[b'{"id": "c"}\n'],
        messages=(
            b'{"id": "m%d", "conversation": "c", "text": "%b"}\n' % (n, fill) for n in range(60)
        ),
    )


def many_values(path: Path) -> None:
    """Write one line of 16 MB with nearly as many values as are taken."""
    values = b",".join([b'{"a":[1]}'] * 370_000)
    blank = b" " * (LINE - len(values) - 200)
    row = b'{"id": "m", "conversation": "c", "text": "x", "more": [%b]%b}\n' % (values, blank)
    packed(path, conversations=[b'{"id": "c"}\n'], messages=[row])


def wide_letters(path: Path) -> None:
    """Write lines of 16 MB of which one letter makes all others four bytes wide in memory."""
    fill = "\N{GRINNING FACE}".encode() + b"x" * (LINE - 1_000)
    packed(
        path,
        conversations=[b'{"id": "c"}\n'],
        messages=[
            b'{"id": "m%d", "conversation": "c", "text": "%b"}\n' % (n, fill) for n in range(8)
        ],
    )


def distinct_words(path: Path) -> None:
    """Write messages of as many letters as are kept, of which no two words are the same."""
    says = (b" ".join(b"w%x" % (n * 400_000 + one) for one in range(340_000)) for n in range(6))
    rows = (b'{"id": "m%d", "conversation": "c", "text": "%b"}\n' % row for row in enumerate(says))
    packed(path, conversations=[b'{"id": "c"}\n'], messages=rows)


def list_of_files(path: Path) -> None:
    """Write a list of nearly 16 MB of files, each with the shortest name there can be."""
    _listed(path, (LINE - BLOCK) // 52)


def most_files(path: Path) -> None:
    """Write a list of nearly as many files as are taken."""
    _listed(path, MOST_FILES - 10)


def _listed(path: Path, count: int) -> None:
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr("manifest.json", MANIFEST)
        for number in range(count):
            bundle.writestr(zipfile.ZipInfo(f"{number:x}"), b"")


def manifest(path: Path) -> None:
    """Write a manifest of nearly 16 MB with nearly as many values as are taken."""
    files = b",".join(b'"%x":{}' % number for number in range(190_000))
    blank = b" " * (LINE - len(files) - 200)
    packed(path, b'{"format":"%b","version":1,%b"files":{%b}}' % (FORMAT.encode(), blank, files))


def parts(path: Path) -> None:
    """Write two million parts of messages that are not there."""
    row = b'{"message": "m%07d", "text": "Nobody said this.", "origin": "typed"}\n'
    packed(path, message_parts=_joined(row % number for number in range(ROWS)))


def talk(path: Path) -> None:
    """Write one conversation of two million messages, each answering the one before it."""
    row = b'{"id": "m%d", "conversation": "c", "parent": "m%d", "text": "Number %d."}\n'
    rows = (row % (number, number - 1, number) for number in range(ROWS))
    packed(path, conversations=[b'{"id": "c"}\n'], messages=_joined(rows))


def memories(path: Path) -> None:
    """Write two million memories."""
    row = b'{"id": "y%d", "text": "You own boat number %d", "status": "active"}\n'
    packed(path, memories=_joined(row % (number, number) for number in range(ROWS)))


def fifo(path: Path) -> None:
    """Make a pipe into which nobody writes."""
    os.mkfifo(path)


def device(path: Path) -> None:
    """Point to what never comes to an end."""
    path.symlink_to("/dev/zero")


def _joined(rows: Iterable[bytes]) -> Iterator[bytes]:
    """Yield rows in blocks, because each block is packed by itself."""
    held: list[bytes] = []
    for row in rows:
        held.append(row)
        if len(held) == 10_000:
            yield b"".join(held)
            held.clear()
    yield b"".join(held)


MADE: dict[str, Callable[[Path], None]] = {
    "import: 2 GB of zeros": zeros,
    "import: 60 lines of 16 MB": long_lines,
    "import: 16 MB line of values": many_values,
    "import: 16 MB lines of wide letters": wide_letters,
    "import: messages of different words": distinct_words,
    "import: 16 MB list of files": list_of_files,
    "import: 100,000 files": most_files,
    "import: 16 MB manifest": manifest,
    "import: 2,000,000 parts": parts,
    "import: 2,000,000 messages": talk,
    "import: 2,000,000 memories": memories,
    "import: a pipe": fifo,
    "import: a device": device,
}
"""What is given to an import, by name, and what writes it."""
