"""Times: what is stored comes back, and whatever is stored can be shown."""

from datetime import timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import EARLIEST, LATEST, from_ms, to_ms

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.integers(to_ms(EARLIEST), to_ms(LATEST)))
def test_a_time_comes_back(ms):
    assert to_ms(from_ms(ms)) == ms


@given(st.integers(), ZONES)
def test_any_number_is_a_time_that_can_be_shown_in_every_zone(ms, zone):
    moment = from_ms(ms)
    assert EARLIEST <= moment <= LATEST
    for one in (moment, moment + timedelta(days=31), moment - timedelta(days=31)):
        assert f"{one.astimezone(zone):%Y-%m-%d %H:%M}"


@given(st.integers(), st.integers())
def test_times_keep_their_order(one, other):
    assert (from_ms(min(one, other))) <= from_ms(max(one, other))
