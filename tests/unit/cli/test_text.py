from datetime import UTC, datetime

from app.cli.text import WORDS, day, on_one_line, received
from app.domain.language.text import counted, shown


def test_bytes_that_are_no_text_become_marks_and_lose_nothing_else():
    assert received(b"caf\xe9 \xe2\x80\x94 \x00!") == "caf\ufffd — \ufffd!"
    assert received(b"\xef\xbb\xbfHello") == "Hello"
    assert WORDS.convert("caf\udce9", None, None) == "caf\ufffd"


def test_what_is_printed_cannot_steer_the_terminal():
    assert shown("a\x1b[2Jb\tc\nd\x9b") == "a\ufffd[2Jb\tc\nd\ufffd"
    assert on_one_line("a\n  b\r\nc") == "a b c"


def test_counting():
    assert counted(1, "memory") == "1 memory"
    assert counted(2000, "memory") == "2,000 memories"
    assert counted(0, "row") == "0 rows"


def test_a_day_is_the_one_on_the_persons_calendar(monkeypatch):
    import time

    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        assert day(datetime(2026, 11, 20, 13, tzinfo=UTC)) == "2026-11-21"
    finally:
        monkeypatch.undo()
        time.tzset()
