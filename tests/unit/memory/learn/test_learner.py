"""A learning model that fails three times in a row is given up; one that waits has not failed."""

import os
from contextlib import contextmanager
from threading import Event

import pytest

from app.domain.model import Failure
from app.errors import Cancelled, Hindered, ModelError
from app.memory.learn.learner import LearningModel
from app.providers.base import PromptTurn, Sampling
from app.store.vault.file import Vault
from app.store.work.trials import Trials
from tests.unit.memory.conftest import FRIDAY, FakeChat, FakeModels

PROMPT = [PromptTurn("user", "What is to be remembered?")]


class Slow(FakeChat):
    """Takes ten seconds for each piece, on a clock of its own."""

    seconds = 0.0

    def measure(self, prompt, cancel, tools=()):
        self.seconds += 1000  # to be loaded
        return super().measure(prompt, cancel)

    def stream(self, prompt, sampling, cancel):
        for piece in super().stream(prompt, sampling, cancel):
            self.seconds += 10
            if cancel.is_set():
                return
            yield piece


class Busy(FakeModels):
    """May not be used."""

    @contextmanager
    def chat(self, interactive=True, *, learning=False, cancel=None):
        raise Hindered("Background work has reached its spending limit for this month.")
        yield


@pytest.fixture
def vault(tmp_path):
    vault = Vault(tmp_path / "vault.db", os.urandom(32), lambda: FRIDAY)
    yield vault
    vault.close()


def ask(vault, model, *, models=None, cancel=None, seconds=60.0, now=lambda: 0.0):
    models = models or FakeModels(model=model)
    learner = LearningModel(Trials(vault), models, now)
    return learner.asked(PROMPT, Sampling(), cancel or Event(), seconds)


def failing(vault):
    known = Trials(vault).failing()
    return (known.times, known.how) if known else None


def test_a_reply_that_can_be_read_is_its_items_and_clears_what_failed(vault):
    Trials(vault).failed("fake", Failure.ERROR)
    assert ask(vault, FakeChat('{"memories": [{"quote": "x"}]}')) == [{"quote": "x"}]
    assert failing(vault) is None
    assert ask(vault, FakeChat('{"memories": []}')) == []


@pytest.mark.parametrize(
    "reply", ["", "I am sorry, I cannot do that.", '{"memories": [{"quo', "[1]"]
)
def test_garbage_three_times_gives_a_model_up(vault, reply):
    for times in (1, 2, 3):
        assert ask(vault, FakeChat(reply)) is None
        assert failing(vault) == (times, Failure.UNREADABLE)
    model = FakeChat()
    learner = LearningModel(Trials(vault), FakeModels(model=model))
    assert learner.info() is None
    with pytest.raises(Hindered):
        learner.asked(PROMPT, Sampling(), Event())
    assert model.prompts == []
    Trials(vault).again()
    assert learner.info().id == "fake"


def test_errors_count(vault):
    with pytest.raises(ModelError):
        ask(vault, FakeChat(error=ModelError("It broke.")))
    assert failing(vault) == (1, Failure.ERROR)


def test_a_model_of_this_computer_that_takes_over_a_minute_is_stopped_and_counts(vault):
    model = Slow('{"memories": []}' + " " * 200)
    with pytest.raises(ModelError, match="too long"):
        ask(vault, model, now=lambda: model.seconds)
    assert failing(vault) == (1, Failure.SLOW)
    assert model.seconds < 1100


def test_the_time_it_takes_to_load_is_no_part_of_that_and_a_review_may_take_longer(vault):
    model = Slow('{"memories": []}')
    assert ask(vault, model, now=lambda: model.seconds) == []
    slower = Slow('{"memories": []}' + " " * 200)
    assert ask(vault, slower, seconds=None, now=lambda: slower.seconds) == []
    assert failing(vault) is None


def test_what_was_stopped_or_may_not_be_done_now_has_not_failed(vault):
    stopped = Event()
    stopped.set()
    with pytest.raises(Cancelled):
        ask(vault, FakeChat(), cancel=stopped)
    with pytest.raises(Cancelled):
        ask(vault, FakeChat(error=Cancelled("A conversation needed the model first.")))
    with pytest.raises(Hindered):
        ask(vault, None, models=Busy(model=FakeChat()))
    assert failing(vault) is None
