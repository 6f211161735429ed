"""From turns to the text a local chat model was trained on; rendered in the chat child process.

The model file brings a Jinja template, which is run in llama-cpp-python's sandbox. Some templates
refuse a system turn, or two turns of one side in a row; what they refuse is folded into the next
turn of the person, so that nothing said is lost. Whether a template can be read at all is seen
before its model is chosen, without running any of it.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from app.errors import ModelError

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.nodes import Node

Said = tuple[str, str]

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

    def render(self, turns: Sequence[Said]) -> str:
        """Return the prompt.

        Raises:
            ModelError: The template takes these turns in no form.
        """
        must = [content.strip()[:64] for role, content in turns if role == "system"]
        for variant in _variants(turns):
            try:
                messages = [{"role": role, "content": content} for role, content in variant]
                prompt: str = self._format(messages=messages).prompt
            except Exception:  # noqa: BLE001 - a template may raise anything; the next variant
                continue
            if all(text in prompt for text in must):
                return prompt
        raise ModelError("The chat template in the model's file does not work.")


def is_sound(source: str) -> bool:
    """Return whether a template can be read; it is not compiled, for that computes parts of it."""
    try:
        environment = _environment()
        return not _names_unknown(environment.parse(source), environment)
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


def _variants(turns: Sequence[Said]) -> Iterator[list[Said]]:
    yield _merged(turns)
    folded = _merged(_folded(turns))
    yield folded
    while folded and folded[0][0] == "assistant":
        folded = folded[1:]
    yield folded


def _folded(turns: Sequence[Said]) -> Iterator[Said]:
    """Move what the system says into the next turn of the person."""
    waiting: list[str] = []
    for role, content in turns:
        if role == "system":
            waiting.append(content)
        elif role == "user" and waiting:
            yield role, "\n\n".join([*waiting, content])
            waiting = []
        else:
            yield role, content
    if waiting:
        yield "user", "\n\n".join(waiting)


def _merged(turns: Sequence[Said] | Iterator[Said]) -> list[Said]:
    found: list[Said] = []
    for role, content in turns:
        if found and found[-1][0] == role:
            found[-1] = role, f"{found[-1][1]}\n\n{content}"
        else:
            found.append((role, content))
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
