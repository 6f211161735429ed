"""What an answer's Markdown becomes, and what it can never become."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.gui.chat.text.blocks import BlockKind, words
from app.gui.chat.text.reader import SLICE_CHARS, BlockReader

DOCUMENT = """# Title with *emphasis*

First paragraph with a mark [1]
and a second line.

- one
- two
  - deep
    1. deeper
    2. deepest
- three

Between.

1. first

2. second

   still second

```python
def f():

    return 1
```

> quoted
> > twice

| a | b |
|:--|--:|
| 1 | **2** |

---

The end, [2, 1].
"""


def blocks_of(source, citations=0):
    """Return all blocks of a complete text."""
    reader, found = BlockReader(citations), []
    reader.feed(source)
    reader.finished = True
    while reader.pending:
        found += reader.step()[0]
    return found


def runs(source, citations=0):
    return [run for block in blocks_of(source, citations) for run in block.runs]


def streamed(source, pieces, citations=0):
    """Read a text that arrives in pieces, drawing after each as the window does."""
    reader, done = BlockReader(citations), []
    for piece in pieces:
        reader.feed(piece)
        done += reader.step()[0]
        while reader.pending:
            done += reader.step()[0]
    reader.finished = True
    while reader.pending:
        done += reader.step()[0]
    return done


def test_every_kind_of_block():
    blocks = blocks_of(DOCUMENT, 2)
    assert [b.kind for b in blocks].count(BlockKind.CODE) == 1
    heading = blocks[0]
    assert (heading.kind, heading.level, heading.plain) == (
        BlockKind.HEADING,
        1,
        "Title with emphasis",
    )
    items = [(b.marker, b.depth, b.plain) for b in blocks if b.depth]
    assert items == [
        ("•", 1, "one"),
        ("•", 1, "two"),
        ("•", 2, "deep"),
        ("1.", 3, "deeper"),
        ("2.", 3, "deepest"),
        ("•", 1, "three"),
        ("1.", 1, "first"),
        ("2.", 1, "second"),
        ("", 1, "still second"),
    ]
    code = next(b for b in blocks if b.kind is BlockKind.CODE)
    assert (code.language, code.text) == ("python", "def f():\n\n    return 1")
    assert [b.quote for b in blocks if b.quote] == [1, 2]
    table = next(b for b in blocks if b.kind is BlockKind.TABLE)
    assert [[words(cell) for cell in row] for row in table.rows] == [["a", "b"], ["1", "2"]]
    assert table.aligns == ("left", "right")
    assert table.rows[1][1][0].bold


def test_a_list_is_tight_where_its_author_left_no_gaps():
    tight = blocks_of("para\n\n- a\n- b\n  - c\n")
    assert [b.tight for b in tight] == [False, False, True, True]
    loose = blocks_of("- a\n\n- b\n")
    assert [b.tight for b in loose] == [False, False]


def test_raw_html_stays_text():
    source = '<script>alert(1)</script> <img src="file:///x"> <b>no</b>\n\n<div onclick="x">y</div>'
    assert "<script>alert(1)</script>" in words(runs(source))
    assert '<img src="file:///x">' in words(runs(source))
    assert '<div onclick="x">y</div>' in words(runs(source))
    assert not any(run.href or run.bold for run in runs(source))


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,hi",
        "vbscript:x",
        "smb://host/share",
        "/etc/passwd",
        "\\\\host\\share",
        "java\tscript:alert(1)",
        "&#106;avascript:alert(1)",
    ],
)
def test_only_web_and_mail_addresses_become_links(address):
    for source in (f"[click]({address})", f"![pic]({address})", f"<{address}>"):
        assert not [run for run in runs(source) if run.href], source


def test_links_keep_their_whole_address():
    found = runs("[site](https://a.example/x?y=1) <mailto:me@a.example> https://b.example/path.")
    assert [run.href for run in found if run.href] == [
        "https://a.example/x?y=1",
        "mailto:me@a.example",
        "https://b.example/path",
    ]


def test_a_picture_is_its_caption_and_an_address_to_ask_about():
    (run,) = runs("![a cat](https://a.example/cat.png)")
    assert (run.text, run.href, run.italic) == ("[a cat]", "https://a.example/cat.png", True)


def test_marks_become_citations_only_where_there_is_such_a_memory():
    found = runs("Salmon[1]: fine [2, 1]. Not [3], not `[1]`, not [0].", citations=2)
    assert [(run.text, run.cite) for run in found if run.cite] == [("1", 1), ("2", 2), (", 1", 1)]
    assert words(found).startswith("Salmon1: fine2, 1. Not [3], not [1], not [0].")
    assert not [run for run in runs("Salmon[1]") if run.cite]


def test_line_breaks_stay_within_their_paragraph():
    (block,) = blocks_of("one\ntwo\u2029three\u0085four")
    assert "\n" not in block.plain
    assert "\u2029" not in block.plain
    assert block.plain.split("\u2028") == ["one", "two", "three", "four"]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=40))
def test_a_text_in_pieces_becomes_what_it_would_have_become_whole(sizes):
    pieces, at = [], 0
    while at < len(DOCUMENT):
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(DOCUMENT[at : at + size])
        at += size
    assert streamed(DOCUMENT, pieces, 2) == blocks_of(DOCUMENT, 2)


@given(st.text(alphabet="ab \n#>-*`|1.[]()!_~<&\\\t", max_size=300))
def test_no_text_is_too_strange(text):
    assert isinstance(blocks_of(text, 3), list)
    assert isinstance(streamed(text, list(text), 3), list)


def test_finished_blocks_are_never_read_again():
    reader = BlockReader()
    reader.feed("First.\n\nSecond.\n\nThird, still op")
    done, still_open = reader.step()
    assert [b.plain for b in done] == ["First.", "Second."]
    assert [b.plain for b in still_open] == ["Third, still op"]
    reader.feed("en.")
    assert reader.step() == ([], blocks_of("Third, still open."))


def test_code_of_any_length_is_one_piece_of_code():
    lines = "\n".join(f"x = {n}" for n in range(2_000))
    blocks = blocks_of(f"```python\n{lines}\n```\nafter")
    assert len(blocks) > 3
    assert all(b.continues for b in blocks[1:-1])
    assert "".join(b.text for b in blocks[:-1]) == lines
    assert blocks[-1].plain == "after"


def test_a_long_table_keeps_its_head_and_every_row():
    rows = "".join(f"| {n} | some words that take room |\n" for n in range(400))
    tables = [b for b in blocks_of(f"| n | words |\n|---|---|\n{rows}\nafter") if b.rows]
    assert all(words(table.rows[0][0]) == "n" for table in tables)
    assert [words(row[0]) for t in tables for row in t.rows[1:]] == [str(n) for n in range(400)]


def test_a_long_list_counts_on():
    source = "".join(f"{n}. item {n} with some words\n" for n in range(1, 301))
    blocks = blocks_of(source)
    assert [b.marker for b in blocks] == [f"{n}." for n in range(1, 301)]
    assert all(b.tight for b in blocks[1:])


def test_each_step_reads_a_little_of_a_long_text():
    reader = BlockReader()
    reader.feed("A paragraph of some length.\n\n" * 4_000)
    reader.finished = True
    most = 0
    while reader.pending:
        most = max(most, sum(len(b.plain) for b in reader.step()[0]))
    assert most <= SLICE_CHARS
