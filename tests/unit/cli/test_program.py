import io
import os
import signal
import sys
from threading import Event
from types import SimpleNamespace

import pytest

from app.cli.program import as_json, finish_pending, passphrase_of, run, stoppable
from app.domain.profile import Profile, SlotKind
from app.errors import Cancelled


def test_ctrl_c_stops_long_work_where_it_can_be_stopped():
    steps = []

    def work():
        for step in range(5):
            steps.append(step)
            if step == 1:
                os.kill(os.getpid(), signal.SIGINT)
            yield step

    with pytest.raises(Cancelled):
        run(work())
    assert steps == [0, 1]


def test_a_second_ctrl_c_breaks_off_at_once():
    with stoppable(Event()) as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wait(5)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Idle:
    """Work in the background, of which nothing waits."""

    def take_over(self):
        pass

    def run(self, _stop, without=()):
        yield from ()


@pytest.mark.parametrize("moment", [0.0, 1.0])
def test_ctrl_c_pressed_while_nothing_was_left_to_do_is_heard(moment):
    stop = Event()
    stop.set()
    services = SimpleNamespace(background=Idle())
    with pytest.raises(Cancelled):
        finish_pending(services, stop, moment=moment)
    assert finish_pending(services, Event(), moment=moment) is bool(moment)


def test_a_process_told_to_ignore_ctrl_c_goes_on_ignoring_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stoppable(Event()) as stop:
            os.kill(os.getpid(), signal.SIGINT)
            assert not stop.is_set()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("encoding", "printed"), [("utf-8", '"é"'), ("ascii", '"\\u00e9"')])
def test_json_fits_whoever_reads_it(monkeypatch, encoding, printed):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
    assert as_json("é") == printed


class Terminal(io.StringIO):
    """A keyboard."""

    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("slots", "asked"),
    [
        ((SlotKind.PASSPHRASE,), True),
        ((SlotKind.PASSPHRASE, SlotKind.RECOVERY), True),
        ((SlotKind.KEYRING, SlotKind.PASSPHRASE), False),
        ((SlotKind.KEY_FILE,), False),
        ((), False),
    ],
)
def test_a_passphrase_is_asked_for_only_where_nothing_else_opens(monkeypatch, slots, asked):
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("click.prompt", lambda *_, **__: "typed")
    profile = Profile("ann", "Ann", slots)
    assert passphrase_of(profile) == ("typed" if asked else None)
    monkeypatch.setenv("LOCI_PASSPHRASE", "given")
    assert passphrase_of(profile) == "given"


def test_nobody_is_asked_where_nobody_is(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert passphrase_of(Profile("ann", "Ann", (SlotKind.PASSPHRASE,))) is None
