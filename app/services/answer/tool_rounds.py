"""Run what a model calls while it answers, round by round, and say when it has to stop calling.

A round is what it calls together. What it called already in this answer, word for word, is not done
a second time: it is told what came of it. What a result may take is bounded by the model's window.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace
from threading import Event

from app.conversation.clip import clipped
from app.domain.events import ChatEvent, ToolEvent
from app.domain.prompting.tools import ToolCall, ToolResult, ToolSpec, ToolUse
from app.providers.base import ChatModel, PromptTurn
from app.services.tools.toolbox import Toolbox

RESULT_SHARE = 4  # of the window, one part in so many for the results of a round
DONE_ALREADY = "You called this already in this answer. What came of it: {}"
MOST_CALLS = 16  # in one round
TOO_MANY = "Only {} calls are done at once; call again for the rest."


class ToolRounds:
    """The calls of one answer.

    Args:
        toolbox: What may be called; None where nothing may.
        most: After how many rounds nothing may be called any more.
        cancel: Stops it.

    Attributes:
        uses: What was called so far, in order.
    """

    def __init__(self, toolbox: Toolbox | None, most: int, cancel: Event) -> None:
        self._toolbox = toolbox
        self._most = most
        self._cancel = cancel
        self._round = 0
        self.uses: list[ToolUse] = []

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What may be called now."""
        over = self._toolbox is None or self._round >= self._most
        return () if self._toolbox is None or over else tuple(self._toolbox.specs)

    def run(
        self, model: ChatModel, calls: Sequence[ToolCall], said: str, letters: int
    ) -> Generator[ChatEvent, None, list[PromptTurn]]:
        """Do what was called together; return the turns by which the model goes on.

        Args:
            model: Who called, by whose window results are bounded.
            calls: What it called.
            said: What it said in this round before it called.
            letters: How much of the answer's text stands before them.

        Raises:
            Cancelled: It was stopped.
        """
        turns = [PromptTurn("assistant", said, calls=tuple(calls))]
        room = model.info.context_tokens // RESULT_SHARE // max(1, min(len(calls), MOST_CALLS))
        for number, call in enumerate(calls):
            use = ToolUse(call, None, letters, self._round)
            yield ToolEvent(use)
            result = self._result(call, room) if number < MOST_CALLS else _too_many(call)
            result = replace(result, text=clipped(result.text, room, model.count))
            self.uses.append(replace(use, result=result))
            yield ToolEvent(self.uses[-1])
            turns.append(PromptTurn("tool", result.text, call_id=call.id))
        self._round += 1
        return turns

    def _result(self, call: ToolCall, room: int) -> ToolResult:
        for use in self.uses:
            same = (use.call.name, use.call.arguments) == (call.name, call.arguments)
            if same and use.result is not None and not use.result.failed and not call.problem:
                return ToolResult(call.id, DONE_ALREADY.format(use.result.text))
        if self._toolbox is None:
            return ToolResult(call.id, "There are no tools.", failed=True)
        return self._toolbox.run(call, room)


def _too_many(call: ToolCall) -> ToolResult:
    return ToolResult(call.id, TOO_MANY.format(MOST_CALLS), failed=True)
