import pytest

from app.domain.jobs.pace import Pace, remaining
from app.domain.jobs.progress import Progress

MB = 1_000_000


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def step(done):
    return Progress("Downloading", done * MB, 1_117 * MB)


def test_speed_and_time_left_are_told_once_they_can_be(clock):
    pace = Pace(clock)
    assert pace.words(step(0)) == "0 of 1,117 MB"
    clock.now += 0.1
    assert pace.words(step(5)) == "5 of 1,117 MB"
    clock.now += 1.9
    assert pace.words(step(20)) == "20 of 1,117 MB · 10.0 MB/s · about 2 minutes left"


def test_only_the_last_seconds_count(clock):
    pace = Pace(clock)
    pace.words(step(0))
    for second in range(1, 20):
        clock.now += 1
        said = pace.words(step(second * (2 if second < 8 else 10)))
    assert said == "190 of 1,117 MB · 10.0 MB/s · about 2 minutes left"


def test_a_download_that_begins_anew_has_no_negative_speed(clock):
    pace = Pace(clock)
    pace.words(step(500))
    clock.now += 2
    assert pace.words(step(0)) == "0 of 1,117 MB"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "a few seconds left"),
        (42, "about 40 seconds left"),
        (130, "about 2 minutes left"),
        (4_000, "about 67 minutes left"),
        (9_000, "about 2 hours left"),
    ],
)
def test_the_time_left_is_as_exact_as_anybody_can_know(seconds, words):
    assert remaining(seconds) == words
