"""Prompts go out with stand-ins, and answers come back without them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from app.conversation.standins.standins import StandIns
from app.domain.prompting.tools import ToolCall
from app.providers.base import PromptTurn

Piece = TypeVar("Piece")
_OURS = frozenset({"role", "id", "call_id", "name"})  # fields that hold no words of anybody


class StandInVeil:
    """Hides names and numbers; follows ``app.providers.veil.Veil``."""

    def __init__(self, stand_ins: StandIns) -> None:
        self._stand_ins = stand_ins
        self._last: tuple[list[PromptTurn], list[PromptTurn]] = [], []

    def concealed(self, prompt: Sequence[PromptTurn]) -> Sequence[PromptTurn]:
        """Return a prompt with stand-ins, whatever its turns hold."""
        if prompt and list(prompt) == self._last[0]:  # it was measured, and is asked now
            return self._last[1]
        texts: list[str] = []
        for turn in prompt:
            _mapped(turn, lambda text: texts.append(text) or text)  # type: ignore[func-returns-value]
        sent = iter(self._stand_ins.concealed(texts))
        self._last = [*prompt], [_mapped(turn, lambda _text: next(sent)) for turn in prompt]
        return self._last[1]

    def revealed(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield an answer with what is meant; what is no text comes once the text before it did."""
        coming = iter(pieces)
        others: list[Any] = []

        def texts() -> Iterator[str]:
            for piece in coming:
                if not isinstance(piece, str):
                    others.append(piece)
                    return
                yield piece

        while True:
            yield from self._stand_ins.revealed(texts())  # type: ignore[misc]
            if not others:
                return
            yield self._meant(others.pop())

    def _meant(self, piece: Any) -> Any:
        """Return a tool's call as it is meant."""
        if isinstance(piece, ToolCall):
            return _mapped(piece, self._stand_ins.restored)
        return piece


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with every text in it changed, in a fixed order."""
    if isinstance(value, str):
        return change(value)
    if is_dataclass(value) and not isinstance(value, type):
        named = [one.name for one in fields(value) if one.name not in _OURS and one.init]
        return replace(value, **{name: _mapped(getattr(value, name), change) for name in named})
    if isinstance(value, Mapping):
        return {key: _mapped(one, change) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_mapped(one, change) for one in value)
    return value
