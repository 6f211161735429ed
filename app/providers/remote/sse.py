"""Server-sent events: the text format in which servers stream an answer.

https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

import codecs
import re
from collections.abc import Iterable, Iterator

from app.errors import EndpointError

LONGEST_LINE = 4_000_000
_BREAK = re.compile(r"\r\n|\n|\r")


def events(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of every event, whatever the pieces in which the bytes arrive.

    A last event that no empty line closes counts too: some servers leave that line out.

    Raises:
        EndpointError: A line or an event is longer than any can be.
    """
    data: list[str] = []
    length = 0
    for line in _lines(chunks):
        if not line:
            if data:
                yield "\n".join(data)
            data, length = [], 0
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
            length += len(line)
            if length > LONGEST_LINE:
                raise EndpointError("The server sent an event without end.")
    if data:
        yield "\n".join(data)


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    """Yield each line; what has come of one is looked at once, however often more comes."""
    held: list[str] = []
    length, returned = 0, False
    for text in _decoded(chunks):
        fresh = text.removeprefix("\n") if returned else text
        returned = text.endswith("\r")
        begun, *more = _BREAK.split(fresh)
        held.append(begun)
        for line in more:
            yield "".join(held)
            held, length = [line], 0
        length += len(held[-1])
        if length > LONGEST_LINE:
            raise EndpointError("The server sent a line without end.")
    if rest := "".join(held):
        yield rest


def _decoded(chunks: Iterable[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    for chunk in chunks:
        if text := decoder.decode(chunk):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text
