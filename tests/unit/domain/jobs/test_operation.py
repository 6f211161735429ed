import threading

import pytest

from app.domain.jobs.operation import Loop, Ticket, drive
from app.errors import Cancelled


class Spy:
    def __init__(self):
        self.events = []
        self.outcome = None
        self.done = threading.Event()

    def on_event(self, ticket, event):
        self.events.append(event)

    def on_done(self, ticket, result, error):
        self.outcome = (result, error)
        self.done.set()


def run(start):
    loop, spy = Loop("test"), Spy()
    loop.submit(Ticket(start, spy))
    loop.stop()
    loop.run()
    return spy


def test_events_then_result():
    def op(cancel):
        yield 1
        yield 2
        return "ok"

    spy = run(op)
    assert spy.events == [1, 2]
    assert spy.outcome == ("ok", None)


def test_error_reaches_the_listener():
    def op(cancel):
        yield 1
        raise ValueError("x")

    assert isinstance(run(op).outcome[1], ValueError)


def test_cancelling_closes_the_generator():
    closed = []

    def op(cancel):
        try:
            yield 1
            cancel.set()
            yield 2
            yield 3
        finally:
            closed.append(True)

    spy = run(op)
    assert spy.events == [1, 2]
    assert isinstance(spy.outcome[1], Cancelled)
    assert closed == [True]


def test_a_cancelled_operation_may_save_and_return():
    def op(cancel):
        said = []
        try:
            for word in ["to", "be", "or", "not"]:
                said.append(word)
                yield word
                if word == "or":
                    cancel.set()
        except Cancelled:
            pass
        return " ".join(said)

    assert run(op).outcome == ("to be or not", None)


def test_cancelled_before_it_started():
    def op(cancel):
        yield 1

    loop, spy = Loop("test"), Spy()
    ticket = Ticket(op, spy)
    ticket.cancel()
    loop.submit(ticket)
    loop.stop()
    loop.run()
    assert spy.events == []
    assert isinstance(spy.outcome[1], Cancelled)


def test_the_loop_runs_on_a_plain_thread():
    loop, spy = Loop("test"), Spy()
    thread = threading.Thread(target=loop.run, name="lane")
    thread.start()

    def op(cancel):
        yield threading.current_thread().name
        return 1

    loop.submit(Ticket(op, spy))
    assert spy.done.wait(5)
    loop.stop()
    thread.join(5)
    assert spy.events == ["lane"]
    assert spy.outcome == (1, None)


def test_drive_on_this_thread():
    def op():
        yield 1
        return 2

    seen = []
    assert drive(op(), threading.Event(), seen.append) == 2
    assert seen == [1]
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        drive(op(), stopped)
