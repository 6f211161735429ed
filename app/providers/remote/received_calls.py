"""The calls of tools in an answer of the OpenAI protocol, as they come in pieces.

Servers differ: some send each call whole, some letter by letter; some leave out ids or the number
of a call, some give all of them the same; some send the arguments as values and not as a text.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.domain.language.foreign import storable
from app.domain.prompting.tools import ToolCall
from app.providers.written_calls import LONGEST_NAME, MOST_CALLS, made_id, tool_call

_LONGEST_ID = 200


@dataclass(slots=True)
class _Begun:
    """A call of which more may come."""

    place: Any
    id: str
    name: str
    pieces: list[str]

    @property
    def raw(self) -> str:
        return "".join(self.pieces)


class ReceivedCalls:
    """Puts calls together."""

    def __init__(self) -> None:
        self._begun: list[_Begun] = []

    def __bool__(self) -> bool:
        return bool(self._begun)

    def add(self, delta: Any) -> int:
        """Take what a chunk, or a whole message, has of calls; return how many characters."""
        parts = delta.get("tool_calls") if isinstance(delta, dict) else None
        if not isinstance(parts, list):
            return 0
        return sum(self._add(part) for part in parts if isinstance(part, dict))

    def whole(self, *, cut: bool) -> Iterator[ToolCall]:
        """Yield the calls in their order; where the answer was ``cut``, the last may be a part."""
        used: set[str] = set()
        for number, one in enumerate(self._begun, start=1):
            call_id = one.id if one.id and one.id not in used else made_id()
            used.add(call_id)
            yield tool_call(call_id, one.name, one.raw, cut=cut and number == len(self._begun))

    def _add(self, part: dict[str, Any]) -> int:
        told = part.get("function")
        told = told if isinstance(told, dict) else {}
        call_id, name = _text(part.get("id"))[:_LONGEST_ID], _text(told.get("name"))
        found, raw = told.get("arguments"), ""
        if isinstance(found, str):
            raw = found
        elif found is not None:
            raw = json.dumps(found, ensure_ascii=False)
        one = self._of(part.get("index"), call_id, name)
        if one is not None:
            one.id, one.name = one.id or call_id, one.name or name[:LONGEST_NAME]
            one.pieces.append(raw)
        return len(raw) + len(name) + len(call_id)

    def _of(self, place: Any, call_id: str, name: str) -> _Begun | None:
        """Return the call that a piece belongs to, beginning it where it is the first.

        None where there are too many.
        """
        known = [one for one in self._begun if one.place == place]
        last = known[-1] if known else None
        if last is not None and not _another(last, call_id, name):
            return last
        if len(self._begun) >= MOST_CALLS:
            return None
        self._begun.append(_Begun(place, call_id, name[:LONGEST_NAME], []))
        return self._begun[-1]


def _another(last: _Begun, call_id: str, name: str) -> bool:
    """Return whether a piece at the place of a call begins the next one."""
    if call_id and last.id and call_id != last.id:
        return True
    named = bool(name) and bool(last.name) and not call_id
    return named and (last.place is None or last.raw.rstrip().endswith("}"))


def _text(value: Any) -> str:
    return storable(value) if isinstance(value, str) else ""
