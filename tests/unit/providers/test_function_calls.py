"""Calls that are written as in a program, and answers that only speak of one."""

from threading import Event

import pytest

from app.domain.prompting.tools import ToolCall
from app.providers.written_calls import with_calls

NAMES = ("ctx_search", "memory_get")
ONE = [("ctx_search", {"query": "pier 40"})]


def read(text, size):
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    told = list(with_calls(pieces, NAMES, Event()))
    calls = [(one.name, one.arguments) for one in told if isinstance(one, ToolCall)]
    return "".join(one for one in told if isinstance(one, str)), calls


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('ctx_search({query: "pier 40"})', ONE),
        ('ctx_search({"query": "pier 40"})', ONE),
        ("ctx_search(query='pier 40')", ONE),
        ('  `ctx_search({ query: "pier 40" });`\n', ONE),
        ('```js\nctx_search({query: "pier 40"})\n```', ONE),
        ('ctx_search({query: "pier 40"})\n\nThis looks for the pier.', ONE),
        (
            'ctx_search({query: "a", limit: 3})\nmemory_get({id: "m1"})',
            [("ctx_search", {"query": "a", "limit": 3}), ("memory_get", {"id": "m1"})],
        ),
        ("memory_get()", [("memory_get", {})]),
        ("memory_get(exact=True)", [("memory_get", {"exact": True})]),
    ],
)
def test_a_call_is_read_however_it_comes(text, calls, size):
    assert read(text, size) == ("", calls)


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "ctx_search is a tool that finds words.",
        "ctx_search(whatever you like) finds words.",
        "ctx_search({query: pier})",
        "other_tool({query: 1})",
        "You can call ctx_search({query: 1}) for that.",
        "memory",
        "(ctx_search)",
        "ctx_search(",
    ],
)
def test_what_is_no_call_stays_text(text, size):
    said, calls = read(text, size)
    assert (said.strip(), calls) == (text, [])
