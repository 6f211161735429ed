from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import EndpointError
from app.providers.remote import sse

STREAM = (
    "\ufeff: hi\r\ndata: Grüße\r\ndata:  two\r\n\r\nevent: x\rdata: 3\r\rid\ndata: last".encode()
)


def cut(data, places):
    edges = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[a:b] for a, b in pairwise(edges)]


@given(st.lists(st.integers(min_value=0)))
def test_events_do_not_depend_on_how_the_bytes_arrive(places):
    assert list(sse.events(cut(STREAM, places))) == ["Grüße\n two", "3", "last"]


@given(st.lists(st.binary()))
def test_any_bytes_are_taken(chunks):
    list(sse.events(chunks))


def test_a_line_without_end_is_refused():
    with pytest.raises(EndpointError, match="without end"):
        list(sse.events(b"x" * 1_000_000 for _ in range(100)))
