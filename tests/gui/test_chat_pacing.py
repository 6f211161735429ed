"""A growing answer repaints at a steady beat; long work leaves the window awake."""

from itertools import pairwise

from PySide6.QtCore import QObject, QTimer

from app.gui.chat.pacing import BEAT_MS, REST, Pacer, Slices


class FakeTime:
    """A clock that stands, and a timer that fires when told."""

    def __init__(self):
        self.now = 1_000.0
        self.waiting = []

    def clock(self):
        return self.now

    def later(self, milliseconds, action):
        self.waiting.append((self.now + milliseconds, action))

    def pass_by(self, milliseconds):
        end = self.now + milliseconds
        while due := sorted(w for w in self.waiting if w[0] <= end):
            self.waiting.remove(due[0])
            self.now = due[0][0]
            due[0][1]()
        self.now = end


def test_the_first_piece_shows_at_once():
    time, beats = FakeTime(), []
    Pacer(lambda: beats.append(time.now), time.later, time.clock).ask()
    assert beats == [1_000.0]


def test_a_hundred_pieces_a_second_are_thirty_beats():
    time, beats = FakeTime(), []
    pacer = Pacer(lambda: beats.append(time.now), time.later, time.clock)
    for _ in range(100):
        pacer.ask()
        time.pass_by(10)
    time.pass_by(BEAT_MS + 1)
    assert len(beats) <= 1_000 / BEAT_MS + 2
    assert all(b - a >= BEAT_MS for a, b in pairwise(beats))
    assert len(time.waiting) == 0


def test_the_last_piece_is_never_lost():
    time, shown, said = FakeTime(), [], []
    pacer = Pacer(lambda: shown.append(len(said)), time.later, time.clock)
    for piece in "abc":
        said.append(piece)
        pacer.ask()
    time.pass_by(BEAT_MS + 1)
    assert shown == [1, 3]


def test_a_slow_repaint_is_followed_by_a_rest():
    time, begun = FakeTime(), []

    def slow():
        begun.append(time.now)
        time.now += 100

    pacer = Pacer(slow, time.later, time.clock)
    pacer.ask()
    pacer.ask()
    time.pass_by(200)
    assert begun[1] - begun[0] >= 100 + BEAT_MS


def test_slices_finish_their_work_between_events(qtbot):
    parent, done = QObject(), []

    def steps():
        for n in range(50):
            done.append(n)
            yield

    slices = Slices(parent)
    with qtbot.waitSignal(slices.finished, timeout=5_000):
        slices.start(steps(), now=False)
        assert done == []
        assert slices.busy
    assert done == list(range(50))
    assert not slices.busy


def test_a_rest_lets_events_pass(qtbot):
    parent, seen = QObject(), []

    def steps():
        for n in range(3):
            QTimer.singleShot(0, parent, lambda n=n: seen.append(("event", n)))
            seen.append(("step", n))
            yield REST

    slices = Slices(parent)
    with qtbot.waitSignal(slices.finished, timeout=5_000):
        slices.start(steps())
    assert seen.index(("event", 0)) < seen.index(("step", 2))


def test_new_work_replaces_what_was_left(qtbot):
    parent, done = QObject(), []

    def steps(name, count):
        for _ in range(count):
            done.append(name)
            yield

    slices = Slices(parent)
    slices.start(steps("old", 10_000_000), now=False)
    with qtbot.waitSignal(slices.finished, timeout=5_000):
        slices.start(steps("new", 3), now=False)
    assert done == ["new"] * 3
