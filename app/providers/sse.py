"""Server-sent events: the text format in which servers stream an answer.

https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

import codecs
import re
from collections.abc import Iterable, Iterator

from app.errors import EndpointError

LONGEST_LINE = 8_000_000
_BREAK = re.compile(r"\r\n|\n|\r")


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of every event, whatever the pieces in which the bytes arrive.

    A last event that no empty line closes counts too: some servers leave that line out.
    """
    data: list[str] = []
    for line in _lines(chunks):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
    if data:
        yield "\n".join(data)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    pending = ""
    for chunk in chunks:
        pending += decoder.decode(chunk)
        held = "\r" if pending.endswith("\r") else ""
        *whole, rest = _BREAK.split(pending.removesuffix(held))
        yield from whole
        pending = rest + held
        if len(pending) > LONGEST_LINE:
            raise EndpointError("The server sent a line without end.")
    *whole, rest = _BREAK.split(pending + decoder.decode(b"", final=True))
    yield from whole
    if rest:
        yield rest
