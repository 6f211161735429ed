from threading import Event

import pytest

from app.providers.base import PromptTurn, Sampling
from app.providers.local import threads
from app.providers.local.contexts import Threads


@pytest.mark.parametrize(
    ("cores", "tried"),
    [(1, [1]), (2, [1, 2]), (4, [1, 2, 3, 4]), (6, [1, 2, 3, 4, 6]), (10, [1, 2, 3, 4, 6, 8, 10])],
)
def test_few_numbers_are_tried_and_all_cores_are_among_them(cores, tried):
    assert threads.counts(cores) == tried


@pytest.mark.parametrize(
    ("rates", "chosen"),
    [
        ({1: 10.0}, 1),
        ({1: 10.0, 2: 10.9}, 1),
        ({1: 10.0, 2: 18.0}, 2),
        ({1: 10.0, 2: 18.0, 4: 19.0, 8: 9.0}, 2),
        ({1: 10.0, 2: 18.0, 4: 30.0, 8: 31.0}, 4),
    ],
)
def test_less_than_a_tenth_is_noise_and_fewer_threads_are_better(rates, chosen):
    assert threads.best(rates) == chosen


def test_the_person_decides_then_what_was_measured_then_half_of_the_cores(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert Threads.of(3, 5) == Threads(3, 3)
    assert Threads.of(0, 5) == Threads(5, 8)
    assert Threads.of(0, 0) == Threads(4, 8)


def test_a_model_is_measured_beside_its_conversation(chat):
    prompt = [PromptTurn("user", "tell me of the sea " * 8)]
    list(chat.stream(prompt, Sampling(max_tokens=2), Event()))
    found = chat.tune(Event())
    assert found.threads in found.rates
    assert all(rate > 0 for rate in found.rates.values())
    list(chat.stream(prompt, Sampling(max_tokens=2), Event()))
    assert chat.last_use.kept_tokens == chat.last_use.prompt_tokens - 1


def test_a_measurement_that_is_cut_off_says_nothing(chat):
    stop = Event()
    stop.set()
    assert chat.tune(stop) is None


def test_nothing_of_the_machine_can_be_read_from_its_name():
    assert threads.machine() == threads.machine()
    assert len(threads.machine()) == 16
