"""What is said beside the matter: only on a terminal, and nothing of it stays or steers."""

import io
from types import SimpleNamespace

import pytest

from app.cli import output


class Screen(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def screen(monkeypatch):
    made = Screen()
    monkeypatch.setattr(output, "sys", SimpleNamespace(stderr=made))
    return made


def test_a_status_is_replaced_by_the_next_and_taken_away(screen):
    output.status("Reading … 35 %")
    output.status("Reading … 70 %")
    output.status("")
    assert screen.getvalue() == "\r\x1b[KReading … 35 %\r\x1b[KReading … 70 %\r\x1b[K"


def test_names_in_a_status_neither_steer_nor_fill_the_terminal(screen):
    output.status("Loading \x1b[2J" + "x" * 500)
    said = screen.getvalue().removeprefix("\r\x1b[K")
    assert "\x1b" not in said
    assert len(said) < 80


def test_what_is_murmured_is_grey(screen):
    output.murmur("41 tokens, 13 tokens/s")
    assert screen.getvalue() == "\x1b[2m41 tokens, 13 tokens/s\x1b[0m\n"


def test_without_a_terminal_nothing_is_said(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(output, "sys", SimpleNamespace(stderr=pipe))
    output.status("Reading … 35 %")
    output.murmur("41 tokens")
    assert pipe.getvalue() == ""
