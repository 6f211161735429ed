"""Failures of a learning model are counted in a row, and are there at the next start."""

from app.domain.model import Failure
from app.store.work.trials import Trials


def test_three_failures_in_a_row_give_a_model_up_in_every_process(vault):
    trials = Trials(vault)
    for times in (1, 2, 3):
        assert trials.given_up("a") is None
        trials.failed("a", Failure.SLOW)
        assert Trials(vault).failing().times == times
    assert Trials(vault).given_up("a").how is Failure.SLOW
    assert trials.given_up("b") is None
    trials.again()
    assert trials.given_up("a") is None
    assert trials.failing() is None


def test_one_that_works_or_another_model_begins_anew(vault):
    trials = Trials(vault)
    trials.failed("a", Failure.ERROR)
    trials.failed("a", Failure.ERROR)
    trials.worked("b")
    assert trials.failing().times == 2
    trials.worked("a")
    assert trials.failing() is None
    trials.failed("a", Failure.ERROR)
    trials.failed("b", Failure.UNREADABLE)
    assert (trials.failing().model_id, trials.failing().times) == ("b", 1)


def test_what_cannot_be_read_of_it_counts_as_nothing(vault):
    for value in (b"", b"{", b'{"model": "a", "times": "x", "how": "slow"}', b'{"how": "odd"}'):
        with vault.write() as connection:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES ('learner_failures', ?)"
                " ON CONFLICT DO UPDATE SET value = excluded.value",
                (value,),
            )
        assert Trials(vault).failing() is None
    Trials(vault).failed("a", Failure.ERROR)
    assert Trials(vault).failing().times == 1
