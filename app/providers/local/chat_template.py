"""From turns to the text a local chat model was trained on; rendered in the chat child process.

The model file brings a Jinja template, which is run in llama-cpp-python's sandbox. Some templates
refuse a system turn, or two turns of one side in a row; what they refuse is folded into the next
turn of the person, so that nothing said is lost. Whether a template can be read at all is seen
before its model is chosen, without running any of it.

A template that was made for tools, and writes calls in a form that is understood, is given them as
they are. For any other they are put in plain words; its model is told how to write a call. Where
none are offered, nothing of that is shown but what was found.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from app.domain.prompting.tools import ToolCall, ToolSpec
from app.errors import ModelError
from app.providers.base import PromptTurn
from app.providers.tool_words import described, message, offered, plainly

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.nodes import Node

PLAIN = (
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n\n{% endfor %}"
    "assistant:"
)
PLAIN_STOPS = ("\n\nuser:", "\n\nassistant:", "\n\nsystem:")


class ChatTemplate:
    """Renders a prompt by the model's own template, or in plain paragraphs where it has none."""

    def __init__(self, source: str | None, first: str, last: str) -> None:
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        self.stops = () if source else PLAIN_STOPS
        try:
            self._format: Any = Jinja2ChatFormatter(source or PLAIN, last, first)
        except Exception as error:  # a template may break its reader in any way
            raise ModelError("The model cannot be used: its chat template is damaged.") from error
        self.knows_tools = _knows_tools(self._format)

    def render(self, turns: Sequence[PromptTurn], tools: Sequence[ToolSpec] = ()) -> str:
        """Return the prompt.

        Raises:
            ModelError: The template takes these turns in no form.
        """
        for told, given in self._forms(turns, tools):
            must = [turn.content.strip()[:64] for turn in told if turn.role == "system"]
            for variant in _variants(told):
                try:
                    prompt = _rendered(self._format, variant, given)
                except Exception:  # noqa: BLE001 - a template may raise anything; the next variant
                    continue
                if all(text in prompt for text in must):
                    return prompt
        raise ModelError("The chat template in the model's file does not work.")

    def _forms(
        self, turns: Sequence[PromptTurn], tools: Sequence[ToolSpec]
    ) -> Iterator[tuple[Sequence[PromptTurn], Sequence[ToolSpec]]]:
        """Yield turns as the template may take them, and the tools that it is given."""
        if not tools:
            yield plainly(turns), ()
            return
        if self.knows_tools:
            yield _renamed(turns), tools
        yield described(turns, tools), ()


_TRIED = ToolSpec(
    "loci_tried",
    "Loci tries.",
    {"type": "object", "properties": {"word": {"type": "string", "description": "Any word."}}},
)
_TRIAL = (
    PromptTurn("user", "Try."),
    PromptTurn("assistant", "", (ToolCall("callcall1", _TRIED.name, {"word": "tried"}),)),
    PromptTurn("tool", "It works.", call_id="callcall1"),
)
_CALLED = re.compile(
    r'"name":\s*"loci_tried",\s*"(arguments|parameters)":\s*\{"word":\s*"tried"\}'
    r'|\[TOOL_CALLS\]\s*loci_tried(\[CALL_ID\]\w+)?(\[ARGS\])?\s*\{"word":\s*"tried"\}'
)


def _knows_tools(formatter: Any) -> bool:
    """Return whether a template tells of tools, calls and results in a form that is understood."""
    try:
        prompt = _rendered(formatter, _TRIAL, [_TRIED])
    except Exception:  # noqa: BLE001 - as above
        return False
    told = _TRIED.description in prompt and _TRIAL[-1].content in prompt
    return told and _CALLED.search(prompt) is not None


def _rendered(formatter: Any, turns: Sequence[PromptTurn], tools: Sequence[ToolSpec]) -> str:
    messages = [message(turn, as_text=False) for turn in turns]
    more = {"tools": offered(tools)} if tools else {}
    prompt: str = formatter(messages=messages, **more).prompt
    return prompt


def _renamed(turns: Sequence[PromptTurn]) -> list[PromptTurn]:
    """Return turns whose calls are numbered, by ids of nine letters and digits.

    Some templates take no others, and a prompt that begins like the last one must be read alike.
    """
    names: dict[str, str] = {}
    told, made = [], 0
    for turn in turns:
        calls = []
        for call in turn.calls:
            made += 1
            names[call.id] = f"call{made:05}"
            calls.append(replace(call, id=names[call.id]))
        call_id = names.get(turn.call_id, turn.call_id)
        told.append(replace(turn, calls=tuple(calls), call_id=call_id))
    return told


def is_sound(source: str) -> bool:
    """Return whether a template can be read; it is not compiled, for that computes parts of it."""
    try:
        environment = _environment()
        return not _names_unknown(environment.parse(source), environment)
    except Exception:  # noqa: BLE001 - as above
        return False


def speaks_of_tools(source: str) -> bool:
    """Return whether a sound template makes anything of tools; it is not compiled either."""
    from jinja2 import nodes

    try:
        names = _environment().parse(source).find_all(nodes.Name)
        return any(name.name == "tools" for name in names)
    except Exception:  # noqa: BLE001 - as above
        return False


@cache
def _environment() -> "Environment":
    """Return what reads templates as llama-cpp-python does, without its native code."""
    from jinja2 import Environment
    from jinja2.ext import Extension, loopcontrols

    class Generation(Extension):
        def parse(self, parser: Any) -> Any:
            parser.stream.skip(1)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    Generation.tags = {"generation"}
    return Environment(extensions=[Generation, loopcontrols])


def _names_unknown(node: "Node", environment: "Environment") -> bool:
    """Return whether a filter or test is asked for that there is not, as compiling finds out.

    In a branch it is missed only once that is taken.
    """
    from jinja2 import nodes

    if isinstance(node, nodes.If | nodes.CondExpr):
        return False
    if isinstance(node, nodes.Filter) and node.name not in environment.filters:
        return True
    if isinstance(node, nodes.Test) and node.name not in environment.tests:
        return True
    return any(_names_unknown(child, environment) for child in node.iter_child_nodes())


def _variants(turns: Sequence[PromptTurn]) -> Iterator[list[PromptTurn]]:
    yield _merged(turns)
    folded = _merged(_folded(turns))
    yield folded
    while folded and folded[0].role == "assistant":
        folded = folded[1:]
    yield folded


def _folded(turns: Sequence[PromptTurn]) -> Iterator[PromptTurn]:
    """Move what the system says into the next turn of the person."""
    waiting: list[str] = []
    for turn in turns:
        if turn.role == "system":
            waiting.append(turn.content)
        elif turn.role == "user" and waiting:
            yield PromptTurn("user", "\n\n".join([*waiting, turn.content]))
            waiting = []
        else:
            yield turn
    if waiting:
        yield PromptTurn("user", "\n\n".join(waiting))


def _merged(turns: Sequence[PromptTurn] | Iterator[PromptTurn]) -> list[PromptTurn]:
    """Join turns of one side in a row; a call and a result stay what they are."""
    found: list[PromptTurn] = []
    for turn in turns:
        alone = turn.role == "tool" or turn.calls
        if found and found[-1].role == turn.role and not alone and not found[-1].calls:
            found[-1] = PromptTurn(turn.role, f"{found[-1].content}\n\n{turn.content}")
        else:
            found.append(turn)
    return found


class Stops:
    """Holds back the end of a text while it may become one of the words that end an answer."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._held = ""
        self.reached = False

    def passed(self, piece: str) -> str:
        """Return what of the text so far is certainly part of the answer."""
        text = self._held + piece
        found = [at for word in self._words if (at := text.find(word)) >= 0]
        if found:
            self.reached, self._held = True, ""
            return text[: min(found)]
        keep = max((self._overlap(text, word) for word in self._words), default=0)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def rest(self) -> str:
        """Return what was held back, at the end."""
        return self._held

    @staticmethod
    def _overlap(text: str, word: str) -> int:
        longest = min(len(word) - 1, len(text))
        return next((n for n in range(longest, 0, -1) if text.endswith(word[:n])), 0)
