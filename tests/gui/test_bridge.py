import threading
import time

import pytest
from PySide6.QtWidgets import QLabel

from app.domain.changes import Changes
from app.errors import Cancelled, DiskFull, VaultClosed
from app.gui.bridge import MOST_UNHEARD, THREADS, Bridge, WorkQueue


def test_events_and_result_arrive_on_the_gui_thread_and_changes_once(qtbot, bridge):
    events, delivered, worked, published = [], set(), set(), []
    bridge.changed.connect(published.append)
    changes = Changes(conversations=frozenset({"c1"}))

    def start(cancel):
        worked.add(threading.get_ident())
        yield from ("to", "be")
        return changes

    def on_event(event):
        events.append(event)
        delivered.add(threading.get_ident())

    with qtbot.waitCallback() as called:
        bridge.submit(start, on_event, called)
    assert events == ["to", "be"]
    assert delivered == {threading.get_ident()}
    assert worked.isdisjoint(delivered)
    assert called.args == [changes]
    assert published == [changes]


def test_changes_within_a_tuple_are_published_too(qtbot, bridge):
    changes = Changes(memories=frozenset({"m"}))
    with qtbot.waitSignal(bridge.changed) as signal:
        bridge.run(lambda: (changes, ["one row was left alone"]))
    assert signal.args == [changes]


def test_no_change_is_not_published(qtbot, bridge):
    published = []
    bridge.changed.connect(published.append)
    with qtbot.waitCallback() as called:
        bridge.run(Changes, called)
    assert published == []


def test_an_expected_error_is_said_and_a_bug_is_announced(bridge):
    announced, bug = [], ValueError("secret")
    bridge.failed.connect(announced.append)
    assert bridge.told(DiskFull("The disk is full."), "Not saved.") == "The disk is full."
    assert announced == []
    assert bridge.told(bug, "Not saved.") == "Not saved."
    assert announced == [bug]


def test_twenty_thousand_events_arrive_in_order(qtbot, bridge):
    seen = []

    def start(cancel):
        yield from range(20_000)
        return "end"

    with qtbot.waitCallback(timeout=30_000) as called:
        bridge.submit(start, seen.append, called)
    assert seen == list(range(20_000))


def test_what_comes_faster_than_the_window_takes_it_in_waits(qtbot, bridge):
    began, sent = threading.Event(), []

    def start(cancel):
        for number in range(MOST_UNHEARD * 50):
            if number == MOST_UNHEARD:
                began.set()
            sent.append(number)
            yield number

    seen = []
    with qtbot.waitCallback() as called:
        bridge.submit(start, seen.append, called)
        assert began.wait(5)
        assert len(sent) <= MOST_UNHEARD + 1, "the window has heard of none yet"
    assert seen == sent == list(range(MOST_UNHEARD * 50))


def test_twenty_thousand_plain_emits(qtbot, bridge):
    seen = []
    bridge.failed.connect(seen.append)
    for number in range(20_000):
        bridge.failed.emit(number)
    assert len(seen) == 20_000


def test_cancelling_stops_an_operation_and_says_so(qtbot, bridge):
    errors, seen, gate = [], [], threading.Event()

    def start(cancel):
        yield 1
        gate.wait(5)
        yield 2
        yield 3

    ticket = bridge.submit(start, seen.append, on_error=errors.append)
    qtbot.waitUntil(lambda: seen == [1])
    ticket.cancel()
    gate.set()
    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], Cancelled)
    assert seen == [1]


def test_an_unheard_error_is_announced_a_heard_one_is_not(qtbot, bridge):
    announced = []
    bridge.failed.connect(announced.append)

    def fail():
        raise ValueError("boom")

    with qtbot.waitCallback() as called:
        bridge.run(fail, on_error=called)
    assert announced == []
    with qtbot.waitSignal(bridge.failed) as signal:
        bridge.run(fail)
    assert isinstance(signal.args[0], ValueError)


def test_a_cancelled_operation_nobody_hears_of_is_no_error(qtbot, bridge):
    announced = []
    bridge.failed.connect(announced.append)

    def start(cancel):
        yield from ()

    bridge.submit(start).cancel()
    with qtbot.waitCallback() as called:
        bridge.run(lambda: 1, called, lane="interactive")
    assert announced == []


@pytest.mark.parametrize("lane", list(WorkQueue))
def test_each_lane_has_its_own_threads(qtbot, bridge, lane):
    gate, running = threading.Event(), []

    def work():
        running.append(threading.get_ident())
        gate.wait(5)

    done = []
    for _ in range(THREADS[lane] + 1):
        bridge.run(work, done.append, lane=lane)
    qtbot.waitUntil(lambda: len(running) == THREADS[lane])
    others = [other for other in WorkQueue if other is not lane]
    for other in others:
        with qtbot.waitCallback() as called:
            bridge.run(lambda: "free", called, lane=other)
    gate.set()
    qtbot.waitUntil(lambda: len(done) == THREADS[lane] + 1)
    assert len(set(running)) == THREADS[lane]


def test_of_two_reads_the_later_stays_though_the_earlier_ends_last(qtbot, bridge):
    later_ended, other_ended, shown = threading.Event(), threading.Event(), []

    def slow():
        later_ended.wait(9)
        return Changes(memories=frozenset({"m"})), "earlier"

    bridge.run(slow, shown.append, newest="list")
    bridge.run(lambda: "other", lambda _: other_ended.set(), newest="another list")
    with qtbot.waitCallback() as called:
        bridge.run(lambda: "later", lambda found: (shown.append(found), called()), newest="list")
    with qtbot.waitSignal(bridge.changed):  # what it changed is told all the same
        later_ended.set()
    assert shown == ["later"]
    assert other_ended.is_set()


def test_of_two_reads_the_earlier_stays_where_the_later_fails(qtbot, bridge):
    go_on, shown, errors = threading.Event(), [], []

    def fail():
        raise VaultClosed("It is closed.")

    with qtbot.waitCallback() as failed:
        bridge.run(lambda: go_on.wait(9) and "earlier", shown.append, newest="list")
        told = lambda error: (errors.append(error), failed())  # noqa: E731
        bridge.run(fail, shown.append, told, newest="list")
    go_on.set()
    qtbot.waitUntil(lambda: shown == ["earlier"])
    assert [str(error) for error in errors] == ["It is closed."]


def test_of_two_reads_the_earlier_is_told_while_the_later_is_under_way(qtbot, bridge):
    go_on, shown = threading.Event(), []
    with qtbot.waitCallback() as called:
        bridge.run(lambda: "earlier", lambda found: (shown.append(found), called()), newest="list")
        bridge.run(lambda: go_on.wait(9) and "later", shown.append, newest="list")
    assert shown == ["earlier"]
    go_on.set()
    qtbot.waitUntil(lambda: shown == ["earlier", "later"])


def test_drain_mutes_what_runs_and_calls_back_when_all_is_quiet(qtbot, bridge):
    heard, gate = [], threading.Event()

    def start(cancel):
        gate.wait(5)
        yield 1
        return "late"

    bridge.submit(start, heard.append, heard.append, heard.append)
    with qtbot.waitCallback() as called:
        bridge.drain(called)
        assert not called.called
        gate.set()
    assert heard == []


def test_drain_tells_nobody_of_a_failure_that_can_be_expected(qtbot, bridge):
    told, gate = [], threading.Event()
    bridge.failed.connect(told.append)

    def fail():
        gate.wait(5)
        raise VaultClosed("The vault is closed.")

    bridge.run(fail)
    with qtbot.waitCallback() as called:
        bridge.drain(called)
        gate.set()
    assert told == []


def test_drain_begins_nothing_that_is_asked_for_on_the_way(qtbot, bridge):
    """An answer that is stopped is saved; its change is no reason to learn while closing."""
    did, heard, gate = [], [], threading.Event()

    def answer(cancel):
        try:
            yield "begun"
            gate.wait(5)
            yield "more"
        except Cancelled:
            return Changes(jobs=True)

    def learn(_changes):
        bridge.run(lambda: did.append("learnt"), did.append, did.append, WorkQueue.BACKGROUND)

    bridge.changed.connect(learn)
    bridge.submit(answer, heard.append)
    qtbot.waitUntil(lambda: heard == ["begun"])
    with qtbot.waitSignal(bridge.changed), qtbot.waitCallback() as called:
        bridge.drain(called)
        gate.set()
    assert did == []
    with qtbot.waitCallback() as called:
        bridge.run(lambda: "next profile", called)
    assert called.args == ["next profile"]


def test_drain_of_an_idle_bridge_calls_back_at_once(bridge):
    called = []
    bridge.drain(lambda: called.append(1))
    assert called == [1]


def test_an_outcome_for_a_screen_that_is_gone_hurts_nobody(qtbot, bridge):
    label = QLabel()
    with qtbot.waitSignal(label.destroyed):
        label.deleteLater()
    bridge.run(lambda: "late", label.setText)
    bridge.run(lambda: "late", label.windowTitleChanged.emit)
    with qtbot.waitCallback() as called:
        bridge.run(lambda: 1, called)


def test_closing_while_busy_is_bounded_and_complete(qtbot):
    bridge = Bridge()

    def start(cancel):
        while not cancel.wait(0.01):
            yield 0

    for lane in WorkQueue:
        for _ in range(3):
            bridge.submit(start, lane=lane)
    began = time.monotonic()
    assert bridge.close()
    assert time.monotonic() - began < 3


@pytest.mark.expects_warnings
def test_closing_reports_a_thread_that_does_not_end(qtbot):
    bridge, gate, started = Bridge(), threading.Event(), threading.Event()
    bridge.run(lambda: (started.set(), gate.wait(10)))
    assert started.wait(5)
    assert not bridge.close(seconds=0.2)
    gate.set()
    for thread in bridge._threads:
        assert thread.wait(5000)


def test_an_emit_from_a_plain_thread_is_received_on_the_gui_thread(qtbot, bridge):
    with qtbot.waitSignal(bridge.changed) as signal:
        threading.Thread(target=bridge.changed.emit, args=(Changes(jobs=True),)).start()
    assert signal.args == [Changes(jobs=True)]
