import threading
from threading import Event

import pytest

from app.errors import Cancelled
from app.providers.turns import Turns


def queued(turns, urgent, order, name):
    def run():
        turns.enter(urgent)
        order.append(name)
        turns.leave()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_urgent_callers_overtake_the_others():
    turns, order = Turns(), []
    turns.enter(urgent=True)
    threads = [queued(turns, False, order, "patient")]
    threads.append(queued(turns, True, order, "urgent"))
    while turns._urgent_waiting < 1:
        pass
    turns.leave()
    for thread in threads:
        thread.join(5)
    assert order == ["urgent", "patient"]


def test_an_urgent_caller_asks_a_patient_holder_to_leave():
    turns = Turns()
    wanted_back = turns.enter(urgent=False)
    assert not wanted_back.is_set()
    thread = queued(turns, True, [], "urgent")
    assert wanted_back.wait(5)
    turns.leave()
    thread.join(5)


def test_an_urgent_holder_is_never_asked_to_leave():
    turns = Turns()
    wanted_back = turns.enter(urgent=True)
    thread = queued(turns, True, [], "urgent")
    while turns._urgent_waiting < 1:
        pass
    assert not wanted_back.is_set()
    turns.leave()
    thread.join(5)


def test_waiting_can_be_cancelled():
    turns, cancel = Turns(), Event()
    turns.enter(urgent=True)
    cancel.set()
    with pytest.raises(Cancelled):
        turns.enter(urgent=True, cancel=cancel)
    turns.leave()
    assert turns.try_enter()
    assert not turns.try_enter()
