import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import SettingsError
from app.providers.estimate import Ratio
from app.providers.remote.dialects import Dialect
from app.providers.remote.learnt import DAYS, MOST, Known, ServerMemory
from app.settings import computer

HERE = "http://127.0.0.1:8080/v1"


class Clock:
    def __init__(self):
        self.days = 20_000

    def __call__(self):
        return self.days * 86_400.0


@pytest.fixture
def file(tmp_path):
    return tmp_path / "servers.json"


def on(file, now=None):
    found = {} if now is None else {"now": now}
    return ServerMemory(partial(computer.load, file), partial(computer.save, file), **found)


def test_of_a_model_that_nobody_knows_the_usual_is_assumed(file):
    found = on(file).of(HERE, "fake")
    assert (found.window, found.ratio, found.dialect) == (0, Ratio(), Dialect())
    assert not file.exists()


def test_what_was_learnt_is_known_at_the_next_start_of_that_model_alone(file):
    dialect = Dialect("max_completion_tokens", False, formats=2, usage=False, tools=False)
    on(file).learn(HERE, "fake", window=512)
    on(file).learn(HERE, "fake", ratio=Ratio(2.0, 0.5), dialect=dialect)
    found = on(file).of(HERE, "fake")
    assert (found.window, found.ratio, found.dialect) == (512, Ratio(2.0, 0.5), dialect)
    assert on(file).of(HERE, "other").window == 0
    assert on(file).of("http://127.0.0.1:1234/v1", "fake").window == 0


def test_of_a_file_that_says_nothing_of_tools_the_usual_is_assumed(file):
    on(file).learn(HERE, "fake", window=512, dialect=Dialect(usage=False))
    rows = json.loads(file.read_text())
    for row in rows.values():
        del row["tools"]
    file.write_text(json.dumps(rows))
    assert on(file).of(HERE, "fake").dialect == Dialect(usage=False, tools=True)


def test_the_file_says_neither_which_servers_nor_which_models(file):
    on(file).learn("https://secret.example/v1", "my-model", window=512)
    assert "secret" not in file.read_text()
    assert "my-model" not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_after_a_month_it_is_learnt_anew(file):
    clock = Clock()
    learnt = on(file, clock)
    learnt.learn(HERE, "fake", window=512)
    clock.days += DAYS
    assert learnt.of(HERE, "fake").window == 512
    clock.days += 1
    assert learnt.of(HERE, "fake").window == 0
    learnt.learn(HERE, "fake", dialect=Dialect(formats=1))
    assert on(file, clock).of(HERE, "fake").window == 0


def test_no_more_is_kept_than_a_person_has_models(file):
    learnt = on(file)
    for number in range(MOST + 5):
        learnt.learn(HERE, f"m{number}", window=512)
    assert len(json.loads(file.read_text())) == MOST
    assert on(file).of(HERE, f"m{MOST + 4}").window == 512


def test_what_was_learnt_longest_ago_goes_first(file):
    clock = Clock()
    for number in range(MOST + 1):
        clock.days += number == 1
        on(file, clock).learn(HERE, f"m{number}", window=512)
    found = [on(file, clock).of(HERE, f"m{number}").window for number in range(MOST + 1)]
    assert found == [0, *[512] * MOST]


def test_two_programs_keep_what_the_other_learnt(file):
    first, second = on(file), on(file)
    first.of(HERE, "a"), second.of(HERE, "b")
    first.learn(HERE, "a", window=512)
    second.learn(HERE, "b", window=1024)
    assert (on(file).of(HERE, "a").window, on(file).of(HERE, "b").window) == (512, 1024)


def test_what_hardly_changed_is_not_written(file):
    learnt = on(file)
    learnt.learn(HERE, "fake", ratio=Ratio(1.5))
    before = file.stat().st_mtime_ns
    learnt.learn(HERE, "fake", ratio=Ratio(1.501))
    assert file.stat().st_mtime_ns == before


def test_a_window_that_none_can_have_is_not_believed(file):
    learnt = on(file)
    learnt.learn(HERE, "fake", window=3)
    learnt.learn(HERE, "fake", window=10**12)
    assert learnt.of(HERE, "fake").window == 0


@pytest.mark.expects_warnings
def test_a_damaged_file_is_begun_anew_and_that_is_said(file):
    file.write_text("{nonsense")
    (sentence,) = computer.mend(file, computer.SERVERS)
    assert "what was learned of model servers was damaged: it is learned anew." in sentence
    learnt = on(file)
    learnt.learn(HERE, "fake", window=512)
    assert on(file).of(HERE, "fake").window == 512
    assert computer.mend(file, computer.SERVERS) == []


@pytest.mark.expects_warnings
def test_a_disk_that_takes_nothing_does_not_keep_anybody_from_an_answer():
    def full(rows):
        raise SettingsError("The settings could not be saved: the disk is full.")

    learnt = ServerMemory(save=full)
    learnt.learn(HERE, "fake", window=512)
    assert learnt.of(HERE, "fake").window == 512


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.dictionaries(
        st.sampled_from([*Known.__slots__, "plain", "other", "limit", "formats", "usage"]), inner
    ),
    max_leaves=9,
)


@given(st.dictionaries(st.text(max_size=9), anything, max_size=4))
def test_whatever_stands_in_the_file_is_left_out_or_within_bounds(rows):
    for name in ("a", "b"):
        found = ServerMemory(lambda: rows).of(HERE, name)
        assert found.window == 0
    ServerMemory(lambda: rows).learn(HERE, "a", window=512)


@pytest.mark.parametrize(
    "spoilt",
    [
        {"window": -1},
        {"window": "512"},
        {"plain": None},
        {"formats": 9},
        {"limit": "max"},
        {"usage": 1},
    ],
)
def test_a_row_with_a_value_that_none_can_have_is_left_out(file, spoilt):
    on(file).learn(HERE, "fake", window=512)
    rows = json.loads(file.read_text())
    (name,) = rows
    rows[name] |= spoilt
    assert ServerMemory(lambda: rows).of(HERE, "fake").window == 0
