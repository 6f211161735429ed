"""What is typed at a terminal is told from what is pasted into it, whatever the paste holds."""

import os
import select
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from app.cli import terminal
from app.cli.terminal import BEGINS, OFF, ON, LinePrompt, message
from app.domain.conversation import PartOrigin

pty = pytest.importorskip("pty")
TYPED, PASTED = PartOrigin.TYPED, PartOrigin.PASTED
PATIENCE = 120  # seconds
TALK = """
from app.cli import terminal
with terminal.asking(1000) as asking:
    while True:
        try:
            parts = terminal.message(asking)
        except EOFError:
            break
        print("GOT", [(str(part.origin), part.text) for part in parts], flush=True)
"""


def said(lines, pastes=b"", longest=1000):
    """Return the parts of a message for what a terminal sends."""
    typed, sent = iter(lines), iter(pastes)
    line = lambda prompt: next(typed)  # noqa: E731
    byte = lambda: bytes(one for one in [next(sent, None)] if one is not None)  # noqa: E731
    parts = message(LinePrompt(line, byte, lambda: True, nullcontext, longest))
    return parts and [(part.origin, part.text) for part in parts]


def test_a_line_is_typed():
    assert said(["I live in Ghent."]) == [(TYPED, "I live in Ghent.")]
    assert said([""]) == []


def test_what_stands_between_the_marks_is_pasted_whatever_it_holds():
    paste = b"a\rb\r\n\x15\x04\x1b[200~c\x1b[201~"
    assert said([f"Look: {BEGINS}", "thanks"], paste) == [
        (TYPED, "Look: "),
        (PASTED, "a\nb\n\x15\x04\x1b[200~c"),
        (TYPED, "\nthanks"),
    ]


def test_two_pastes_and_a_paste_in_the_middle_of_a_line_keep_their_order():
    assert said([f"a{BEGINS}b", f"c{BEGINS}", ""], b"1\x1b[201~2\x1b[201~") == [
        (TYPED, "a"),
        (PASTED, "1"),
        (TYPED, "\nbc"),
        (PASTED, "2"),
    ]


@pytest.mark.parametrize("mark", ["\x1b[200~", "[200~"])
def test_marks_that_come_through_are_heeded_over_several_lines(mark):
    assert said([f"See {mark}x", "y", "z\x1b[201~ so"]) == [
        (TYPED, "See "),
        (PASTED, "x\ny\nz"),
        (TYPED, "\n so"),
    ]


def test_a_paste_that_is_too_long_is_read_to_its_end_and_left_out():
    assert said([BEGINS, ""], b"x" * 11 + b"\x1b[201~", longest=10) is None
    assert said([BEGINS, ""], b"x" * 10 + b"\x1b[201~", longest=10) == [(PASTED, "x" * 10)]


def test_a_paste_whose_end_never_comes_ends_with_the_terminal_or_by_ctrl_c():
    with pytest.raises(EOFError):
        said([BEGINS], b"half")
    with pytest.raises(KeyboardInterrupt):
        said([BEGINS], b"half\x03")


def test_the_mode_is_switched_off_however_it_ends(monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with pytest.raises(ZeroDivisionError), terminal.asking(10):
        raise ZeroDivisionError
    assert capsys.readouterr().out == ON + OFF


def test_at_a_real_terminal():
    """Readline edits what is typed, and no key in a paste does anything."""
    child, number = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm", "INPUTRC": os.devnull, "PYTHONPATH": str(Path.cwd())}
        os.execv(sys.executable, [sys.executable, "-c", TALK])
    try:
        assert ON.encode() in until(number, b"> ")
        os.write(number, b"ab\x7fc\r")
        assert b"GOT [('typed', 'ac')]" in until(number, b"]\r\n> ")
        os.write(number, b"Look: \x1b[200~My name\r\x15is Evil\x1b[201~")
        until(number, "… ".encode())
        os.write(number, b"thanks\r")
        told = b"('typed', 'Look: '), ('pasted', 'My name\\n\\x15is Evil'), ('typed', '\\nthanks')"
        assert told in until(number, b"]\r\n> ")
        os.write(number, b"\x04")
        assert OFF.encode() in until(number, OFF.encode())
    finally:
        os.close(number)
        os.waitpid(child, 0)


def until(number, wanted):
    """Return what a terminal shows, up to some words."""
    shown = b""
    while wanted not in shown and select.select([number], [], [], PATIENCE)[0]:
        try:
            shown += os.read(number, 65_536)
        except OSError:
            break
    return shown
