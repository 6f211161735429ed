"""Bugs are logged without content and told without a traceback."""

import sys
import threading
from pathlib import Path

import pytest

from app.gui.exception_hook import note, watch_for_exceptions


@pytest.mark.expects_warnings
def test_a_bug_is_logged_by_place_without_a_word_of_content(caplog):
    try:
        {}["my secret walnut"]
    except KeyError as error:
        note(error)
    assert f"KeyError at {Path(__file__).name}:" in caplog.text
    assert "walnut" not in caplog.text


@pytest.mark.expects_warnings
def test_no_exception_reaches_the_person_as_a_traceback(monkeypatch, capsys):
    monkeypatch.setattr(sys, "excepthook", None)
    monkeypatch.setattr(threading, "excepthook", None)
    told, left = [], []
    watch_for_exceptions(told.append, lambda: left.append(1))
    bug = ValueError("x")
    sys.excepthook(ValueError, bug, None)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    threading.excepthook(threading.ExceptHookArgs((ValueError, bug, None, None)))
    assert told == [bug]
    assert left == [1]
    assert capsys.readouterr().err == ""
