"""What models are told of tools, and of what they called, in the forms that they read.

Servers and the templates of models that were taught to call tools read them in the form of the
OpenAI protocol. Any other model reads of them in plain words, and of calls and results as of
something that was said.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.domain.prompting.tools import ToolSpec
from app.providers.base import PromptTurn

OPEN, CLOSE = "<tool_call>", "</tool_call>"
RETURNED = "The tool {} returned:\n{}"
TOLD = "You can use these tools:"
RULES = (
    "To use a tool, answer with nothing but one line like this:\n{}\n"
    "You are then told its result, and answer with it. Where the person asks for what a tool does,"
    " use the tool. Where no tool is needed, answer in plain words."
)
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]")  # what servers take in no name
_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list of texts",
}


def offered(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Return tools in the form of the protocol."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


def message(turn: PromptTurn, *, as_text: bool) -> dict[str, Any]:
    """Return a turn in the form of the protocol.

    Args:
        turn: It may call tools, or answer a call.
        as_text: Whether arguments are a text of JSON, as servers read them, or values, as
            templates do.
    """
    told: dict[str, Any] = {"role": turn.role, "content": turn.content}
    if turn.call_id:
        told["tool_call_id"] = turn.call_id
    if turn.calls:
        told["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": _NO_NAME.sub("_", call.name)[:64] or "unknown",
                    "arguments": _json(call.arguments) if as_text else dict(call.arguments),
                },
            }
            for call in turn.calls
        ]
    return told


def plainly(turns: Sequence[PromptTurn]) -> list[PromptTurn]:
    """Return turns without calls: what was found is told with the question that it was for.

    So reads a model that is offered no tools. One that saw how calls are written would write more.
    """
    names: dict[str, str] = {}
    told: list[PromptTurn] = []
    for turn in turns:
        names |= {call.id: call.name for call in turn.calls}
        if turn.role != "tool":
            told += [replace(turn, calls=())] if turn.content or not turn.calls else []
        elif told and told[-1].role == "user":
            result = _result(turn, names)
            told[-1] = PromptTurn("user", f"{told[-1].content}\n\n{result}")
        else:
            told.append(PromptTurn("user", _result(turn, names)))
    return told


def described(turns: Sequence[PromptTurn], tools: Sequence[ToolSpec]) -> list[PromptTurn]:
    """Return turns in which the system tells of tools in plain words, and how they are called.

    Calls stand in what the assistant said, and results are told by the person. There is at least
    one tool; the first is the example, for a small model copies what it is shown.
    """
    names: dict[str, str] = {}
    told = []
    for turn in turns:
        names |= {call.id: call.name for call in turn.calls}
        if turn.role == "tool":
            told.append(PromptTurn("user", _result(turn, names)))
        else:
            calls = [_written(call.name, call.arguments) for call in turn.calls]
            told.append(PromptTurn(turn.role, "\n".join(filter(None, [turn.content, *calls]))))
    text = "\n".join([TOLD, *map(_described, tools), "", RULES.format(_example(tools[0]))])
    if told and told[0].role == "system":
        return [replace(told[0], content=f"{told[0].content}\n\n{text}"), *told[1:]]
    return [PromptTurn("system", text), *told]


def _result(turn: PromptTurn, names: Mapping[str, str]) -> str:
    return RETURNED.format(names.get(turn.call_id, ""), turn.content)


def words(turns: Sequence[PromptTurn], tools: Sequence[ToolSpec]) -> Iterator[str]:
    """Yield all that a model reads of a prompt, but for what frames it."""
    for turn in turns:
        yield turn.content
        for call in turn.calls:
            yield _written(call.name, call.arguments)
    for tool in tools:
        yield _json(offered([tool])[0])


def _example(tool: ToolSpec) -> str:
    arguments = list(tool.parameters.get("properties", {}))[:1]
    return _written(tool.name, dict.fromkeys(arguments, "…"))


def _described(tool: ToolSpec) -> str:
    needed = tool.parameters.get("required", ())
    named = tool.parameters.get("properties", {}).items()
    told = [_argument(name, wanted, name in needed) for name, wanted in named]
    return "\n".join([f"- {tool.name}: {tool.description}", *told])


def _argument(name: str, wanted: Mapping[str, Any], needed: bool) -> str:
    kind = _TYPES.get(wanted.get("type", "string"), "text")
    if allowed := wanted.get("enum"):
        kind = f"one of {', '.join(map(str, allowed))}"
    told = f"  - {name}: {kind}" + ("" if needed else ", may be left out")
    about = str(wanted.get("description", ""))
    return f"{told}. {about}" if about else told


def _written(name: str, arguments: Mapping[str, Any]) -> str:
    return f'{OPEN}{{"name": {_json(name)}, "arguments": {_json(arguments)}}}{CLOSE}'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)
