"""Finds the calls of tools that a model writes into its answer, and leaves them out of its text.

Models of this computer, and servers that do not look at what they pass on, write calls as they were
taught to::

    <tool_call>{"name": …, "arguments": {…}}</tool_call>     Qwen, Hermes, whoever is told so
    [TOOL_CALLS][{"name": …, "arguments": {…}}, …]           Mistral
    [TOOL_CALLS]name[ARGS]{…}                                Mistral, later
    {"name": …, "parameters": {…}}                           Llama 3: the whole answer

Text is passed on as soon as it cannot be part of a call, and what is none is passed on whole. A
mark in quotation marks or in code is one that is spoken of. What follows a call is dropped, for it
was written before the result was known; and once a call is the same as one before it, all that
follows, for small models go round in circles.
"""

import json
import re
import secrets
from collections.abc import Collection, Generator, Iterator
from contextlib import closing, suppress
from enum import Enum, auto
from threading import Event
from typing import Any

from app.domain.language.foreign import fit, storable
from app.domain.limits import LONGEST_ANSWER, is_crowded
from app.domain.prompting.tools import ToolCall
from app.providers.function_calls import function_calls, may_begin
from app.providers.tool_words import CLOSE, OPEN

MISTRAL, ARGUMENTS, CALL_ID = "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]"
MARKS = (OPEN, CLOSE, MISTRAL, ARGUMENTS, CALL_ID)
"""What a model of this computer may write that is no text."""

MOST_CALLS = 32
LONGEST_NAME = 64
CUT_OFF = "The call was cut off before its end. Write it again, and make it shorter."
NO_JSON = 'The call could not be read. Write {"name": "…", "arguments": {…}} in valid JSON.'
NO_NAME = "The call does not say which tool is meant."
NO_ARGUMENTS = "The arguments could not be read: they must be one JSON object."
TOO_LARGE = "The call is too long."

_MARK = re.compile(f"{re.escape(OPEN)}|{re.escape(MISTRAL)}")
_END = re.compile("</?tool_call>")
_QUOTES = frozenset("`\"'“‘«")
_NAMED = re.compile(r"\s*([^\s\[{]+?)\s*(?:\[CALL_ID\][^\[{]*)?(?:\[ARGS\])?\s*(?=\{)")
_KEY = re.compile(r'"(?:arguments|parameters)"\s*:\s*')
_FENCE = re.compile(r"```(?:json)?\s*")
_BARE = re.compile(
    r'(?:```(?:json)?\s*)?\[?\s*\{\s*"(?P<key>\w+)"\s*:\s*'
    r'(?:"(?P<name>[^"]*)"\s*(?:,\s*"(?P<next>\w+)"\s*:|(?P<end>\}))?)?'
)
_BARE_BEGINS = re.compile(r'\[?\s*(?:\{\s*(?:"\w*"?\s*:?\s*"?)?)?$')
_GIVEN = ("arguments", "parameters")
_BARE_KEYS = frozenset(("name", "function", "type", "id", *_GIVEN))
_BETWEEN = re.compile(r"[\s;,]*")
_LONGEST_BEFORE = 200
_DECODER = json.JSONDecoder(strict=False)


def with_calls(
    pieces: Generator[str | ToolCall, None, None], names: Collection[str], cancel: Event
) -> Generator[str | ToolCall, None, None]:
    """Yield an answer's text, and then what is called in it.

    Args:
        pieces: The answer; calls that somebody has already found are passed on.
        names: What the tools are called; without any, the answer is passed on as it is.
        cancel: Once it is set, a call that is not whole is dropped.
    """
    if not names:
        yield from pieces
        return
    found, given = WrittenCalls(names), False
    with closing(pieces):
        for piece in pieces:
            if isinstance(piece, ToolCall):
                yield from found.rest()
                yield piece
                given = True
            elif not given:
                yield from found.passed(piece)
                if found.over:
                    return
    if not cancel.is_set():
        yield from found.rest()


class _Place(Enum):
    """Where in an answer the reading is."""

    START = auto()
    TEXT = auto()
    BARE = auto()
    CALL = auto()
    LISTED = auto()
    AFTER = auto()


class WrittenCalls:
    """Reads an answer as it comes.

    Attributes:
        over: Whether nothing of what follows matters.
    """

    def __init__(self, names: Collection[str]) -> None:
        self._names = frozenset(names)
        self._place = _Place.START
        self._held, self._seen, self._last = "", 0, ""
        self._made: set[tuple[str, str]] = set()
        self.over = False

    def passed(self, piece: str) -> Iterator[str | ToolCall]:
        """Yield the text that is certainly no call, and the calls that are whole."""
        self._held += piece
        before = None
        while before is not self._place and not self.over:
            before = self._place
            if before in (_Place.START, _Place.BARE):
                self._begin()
            elif before is _Place.TEXT:
                yield from self._text()
            elif before is _Place.CALL:
                yield from self._call()
            elif before is _Place.AFTER:
                self._after()
        if "}" in piece and self._goes_round():
            yield from self.rest()
        elif len(self._held) > LONGEST_ANSWER:
            yield self._problem(self._held, TOO_LARGE)
            self.over = True

    def rest(self) -> Iterator[str | ToolCall]:
        """Yield what was held back, at the end: text, or calls, of which one may be cut off."""
        held, place, self._held = self._held, self._place, ""
        if held and place in (_Place.START, _Place.TEXT):
            yield held
        elif held and place is _Place.BARE:
            yield from self._bare(held)
        elif place is _Place.CALL and held.strip():
            yield from self._calls(held, CUT_OFF)
        elif place is _Place.LISTED:
            yield from self._listed(held)
        self.over = True

    # -- on the way --------------------------------------------------------------------------------

    def _begin(self) -> None:
        """See whether the whole answer may be a call, once there is more of it than blanks."""
        if text := self._held.lstrip():
            self._place = _Place.BARE if self._may_be_bare(text) else _Place.TEXT

    def _text(self) -> Iterator[str]:
        """Yield text up to a mark, or to what may become one."""
        text, shown = self._held, ""
        for mark in _MARK.finditer(text):
            if (text[: mark.start()] or self._last)[-1:] not in _QUOTES:
                self._held, shown = text[mark.end() :], text[: mark.start()]
                self._place = _Place.CALL if mark[0] == OPEN else _Place.LISTED
                self._seen = 0
                break
        else:
            keep = max(_overlap(text, mark) for mark in (OPEN, MISTRAL))
            shown, self._held = text[: len(text) - keep], text[len(text) - keep :]
        if shown.strip() or (shown and self._last):
            self._last = shown[-1]
            yield shown
        elif self._place is _Place.TEXT:  # blanks before the answer: a call may follow
            self._held = shown + self._held

    def _call(self) -> Iterator[ToolCall]:
        """Yield the calls up to the mark that ends them; one that begins the next ends them too."""
        while self._place is _Place.CALL and not self.over:
            end = _END.search(self._held, max(0, self._seen - len(CLOSE)))
            if end is None:
                self._seen = len(self._held)
                return
            body, self._held, self._seen = self._held[: end.start()], self._held[end.end() :], 0
            self._place = _Place.CALL if end[0] == OPEN else _Place.AFTER
            if body.strip():
                yield from self._calls(body, NO_JSON)

    def _after(self) -> None:
        """Look whether another call follows."""
        text = self._held.lstrip()
        if text.startswith(OPEN):
            self._held, self._place, self._seen = text[len(OPEN) :], _Place.CALL, 0
        elif not OPEN.startswith(text):
            self.over = True

    def _may_be_bare(self, text: str) -> bool:
        """Whether an answer that begins like this can be a call and nothing else."""
        if may_begin(text, self._names):
            return True
        found = _BARE.match(text)
        if found is None:
            head = _FENCE.sub("", text, count=1) if text.startswith("```") else text
            begins = _BARE_BEGINS.match(head) is not None or "```json".startswith(text)
            return begins and len(text) < _LONGEST_BEFORE
        if found["key"] not in ("name", "function") or found["name"] is None:
            return found["key"] in _BARE_KEYS
        if found["name"] in self._names or found["next"]:
            return found["name"] in self._names or found["next"] in _GIVEN
        return not found["end"] and len(text) < _LONGEST_BEFORE

    def _goes_round(self) -> bool:
        """Whether the last line was written before, where there are calls alone and no end."""
        if self._place not in (_Place.BARE, _Place.CALL, _Place.LISTED):
            return False
        *before, last = self._held.rstrip().splitlines() or [""]
        if last not in before or not last.startswith("{"):
            return False
        values, rest = _values(_FENCE.sub("", self._held, count=1))
        return len(values) > 1 and not rest.strip() and all(map(self._is_call, values))

    # -- what is written ---------------------------------------------------------------------------

    def _bare(self, text: str) -> Iterator[str | ToolCall]:
        """Yield the calls that an answer is made of, or the answer where it is made of none."""
        if written := list(function_calls(text, self._names)):
            for name, raw in written:
                yield from self._counted(name, raw)
            return
        values, rest = _values(_FENCE.sub("", text, count=1))
        begun = _BARE.match(text.lstrip())
        values = next((values[:n] for n, value in enumerate(values) if value in values[:n]), values)
        if values and all(map(self._is_call, values)):
            for value in values:
                yield from self._made_of(value, text)
        elif values or begun is None:
            yield text
        elif begun["name"] in self._names or begun["next"] in _GIVEN:
            yield self._problem(rest, CUT_OFF, begun["name"])
        else:
            yield text

    def _is_call(self, value: dict[str, Any]) -> bool:
        """Whether an object is a call, be it of a tool that there is not."""
        given = any(isinstance(value.get(key), dict) for key in _GIVEN)
        return _name(value) in self._names or (
            given and bool(_name(value)) and set(value) <= _BARE_KEYS
        )

    def _calls(self, body: str, problem: str) -> Iterator[ToolCall]:
        values, _ = _values(body)
        if not values and problem is NO_JSON:
            values = next(filter(None, (_values(body + more)[0] for more in ("}", "}}"))), [])
        if not values:
            yield self._problem(body, problem)
        for value in values:
            yield from self._made_of(value, body)

    def _listed(self, text: str) -> Iterator[ToolCall]:
        """Yield the calls that follow Mistral's mark, which nothing ends."""
        for part in filter(str.strip, text.split(MISTRAL)):
            if self.over:
                return
            if named := _NAMED.match(part):
                written = part[named.end() :]
                values, rest = _values(written)
                raw = written[: len(written) - len(rest)] if values else written
                yield from self._counted(named[1], raw, cut=not values)
            else:
                yield from self._calls(part, CUT_OFF)

    def _made_of(self, value: Any, text: str) -> Iterator[ToolCall]:
        inner = value.get("function")
        found = inner if isinstance(inner, dict) else value
        keys = [key for key in _GIVEN if key in found]
        arguments = found[keys[0]] if keys else {}
        raw = arguments if isinstance(arguments, str) else _word_for_word(text, arguments)
        yield from self._counted(_name(value), raw)

    def _counted(self, name: str, raw: str, *, cut: bool = False) -> Iterator[ToolCall]:
        self.over = self.over or (name, raw) in self._made or len(self._made) == MOST_CALLS
        if not self.over:
            self._made.add((name, raw))
            yield tool_call(made_id(), name, raw, cut=cut)

    def _problem(self, raw: str, problem: str, name: str = "") -> ToolCall:
        if not name and (found := re.search(r'"name"\s*:\s*"([^"]*)"', raw)):
            name = found[1][:LONGEST_NAME]
        return ToolCall(made_id(), name, raw=raw.strip()[:LONGEST_ANSWER], problem=problem)


def tool_call(call_id: str, name: str, raw: str, *, cut: bool = False) -> ToolCall:
    """Return a call whose arguments came as a text.

    Args:
        call_id: By which its result is paired with it.
        name: The tool.
        raw: The arguments: an object of JSON, or nothing.
        cut: Whether the answer ended because it was too long.
    """
    raw, name, problem = storable(raw), storable(name).strip()[:LONGEST_NAME], ""
    arguments: Any = {}
    if is_crowded(raw) or len(raw) > LONGEST_ANSWER:
        raw, problem = raw[:LONGEST_ANSWER], TOO_LARGE
    elif raw.strip():
        with suppress(ValueError, RecursionError):
            arguments = fit(_DECODER.decode(raw))
            arguments = {} if arguments is None else arguments
            return _sound(ToolCall(call_id, name, arguments, raw))
        arguments, problem = {}, CUT_OFF if cut else NO_ARGUMENTS
    return _sound(ToolCall(call_id, name, arguments, raw, problem))


def made_id() -> str:
    """Return an id for a call that came without one: nine letters and digits, as Mistral wants."""
    return secrets.token_hex(5)[:9]


def _sound(call: ToolCall) -> ToolCall:
    if not isinstance(call.arguments, dict):
        return ToolCall(call.id, call.name, raw=call.raw, problem=NO_ARGUMENTS)
    if not call.name:
        return ToolCall(call.id, "", call.arguments, call.raw, call.problem or NO_NAME)
    return call


def _name(value: Any) -> str:
    inner = value.get("function") if isinstance(value, dict) else None
    found = inner if isinstance(inner, dict) else value
    name = found.get("name", inner) if isinstance(found, dict) else None
    return name if isinstance(name, str) else ""


def _values(text: str) -> tuple[list[dict[str, Any]], str]:
    """Return the objects that a text begins with, those in a list among them, and the rest of it.

    The rest is all of it where it does not begin with one that is whole.
    """
    found: list[dict[str, Any]] = []
    at = 0
    if is_crowded(text):
        return [], text
    while (start := _BETWEEN.match(text, at)) and start.end() < len(text):
        try:
            value, end = _DECODER.raw_decode(text, start.end())
            value = fit(value)
        except (ValueError, RecursionError):
            break
        several = value if isinstance(value, list) else [value]
        if not several or not all(isinstance(one, dict) for one in several):
            break
        found, at = [*found, *several], end
    return found, text[at:]


def _word_for_word(text: str, arguments: Any) -> str:
    """Return arguments as they stand in a text."""
    for key in _KEY.finditer(text):
        with suppress(ValueError, RecursionError):
            value, end = _DECODER.raw_decode(text, key.end())
            if fit(value) == arguments:
                return text[key.end() : end]
    return json.dumps(arguments, ensure_ascii=False)


def _overlap(text: str, mark: str) -> int:
    """Return how many of the last characters of a text may begin a mark."""
    longest = min(len(mark) - 1, len(text))
    return next((size for size in range(longest, 0, -1) if text.endswith(mark[:size])), 0)
