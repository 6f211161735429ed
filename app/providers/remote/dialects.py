"""What of the OpenAI protocol a server understands: learnt from what it refuses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.providers.base import PromptTurn, Sampling
from app.providers.remote.refusals import Refusal, RefusalKind
from app.providers.tool_words import message, offered, plainly

JSON_SCHEMA, JSON_WITH_SCHEMA, JSON = "json_schema", "json_object with schema", "json_object"
FORMATS = (JSON_SCHEMA, JSON_WITH_SCHEMA, JSON, "")
LIMITS = ("max_tokens", "max_completion_tokens")
_MAY_BE_THE_FORMAT = (400, 415, 422, 500, 501)
_MAY_BE_THE_TOOLS = (400, 404, 405, 415, 422, 500, 501)
_MAY_BE_UNSAID = (400, 422)
_TOOLS = re.compile(r"\b(tools?|functions)\b|tool[_-](use|call|choice)|function[ _-]?call", re.I)
_CANNOT = re.compile(r"support|not (enabled|allowed|permitted)|require|unknown|unexpected", re.I)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a server is spoken to.

    Attributes:
        limit: What the longest answer is called.
        temperature: Whether it takes one.
        formats: How many of ``FORMATS`` it refused.
        usage: Whether it can be asked to count in a stream.
        tools: Whether it can be told of tools.
    """

    limit: str = LIMITS[0]
    temperature: bool = True
    formats: int = 0
    usage: bool = True
    tools: bool = True

    def body(self, model: str, prompt: Sequence[PromptTurn], sampling: Sampling) -> dict[str, Any]:
        """Return what is posted to have a prompt answered.

        Where no tools are offered, what was called before is told in words.
        """
        tools = offered(sampling.tools) if self.tools else []
        body: dict[str, Any] = {
            "model": model,
            "messages": [
                message(turn, as_text=True) for turn in (prompt if tools else plainly(prompt))
            ],
            "stream": True,
            self.limit: sampling.max_tokens,
        }
        if tools:
            body["tools"] = tools
        if self.usage:
            body["stream_options"] = {"include_usage": True}
        if self.temperature:
            body["temperature"] = sampling.temperature
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        if sampling.schema is not None and FORMATS[self.formats]:
            body["response_format"] = _format(FORMATS[self.formats], sampling.schema)
        return body

    def after(
        self, refusal: Refusal, sampling: Sampling, prompt: Sequence[PromptTurn]
    ) -> "Dialect | None":
        """Return what to try next, or None where nothing is left to give in."""
        if self.tools and sampling.tools and _takes_no_tools(refusal, prompt):
            return replace(self, tools=False)
        if refusal.kind not in (RefusalKind.REQUEST, RefusalKind.FAILED):
            return None
        said = refusal.said.lower()
        if LIMITS[1] in said and self.limit == LIMITS[0]:
            return replace(self, limit=LIMITS[1])
        if "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        if self.usage and ("stream_options" in said or "include_usage" in said):
            return replace(self, usage=False)
        last = self.formats == len(FORMATS) - 1
        if sampling.schema is not None and not last and refusal.status in _MAY_BE_THE_FORMAT:
            return replace(self, formats=self.formats + 1)
        if self.tools and sampling.tools and refusal.status in _MAY_BE_UNSAID:
            return None if _called(prompt) else replace(self, tools=False)
        return None


def toolless(refusal: Refusal, sampling: Sampling) -> Sampling | None:
    """Return how to ask once without tools, where they may be what the server trips over."""
    kinds = (RefusalKind.REQUEST, RefusalKind.FAILED)
    if sampling.tools and refusal.kind in kinds and refusal.status in _MAY_BE_THE_TOOLS:
        return replace(sampling, tools=())
    return None


def _takes_no_tools(refusal: Refusal, prompt: Sequence[PromptTurn]) -> bool:
    """Return whether a server says that it cannot be told of tools.

    What it says of them may be about one call, where some are in the prompt. Some say that a model
    is not there, where there is none that can be told of tools.
    """
    kinds = (RefusalKind.REQUEST, RefusalKind.FAILED, RefusalKind.UNKNOWN_MODEL)
    if refusal.kind not in kinds or refusal.status not in _MAY_BE_THE_TOOLS:
        return False
    named = _TOOLS.search(refusal.said) is not None
    return named and (_CANNOT.search(refusal.said) is not None or not _called(prompt))


def _called(prompt: Sequence[PromptTurn]) -> bool:
    return any(turn.calls or turn.call_id for turn in prompt)


def unstreamed(body: dict[str, Any]) -> dict[str, Any]:
    """Return what is posted to have the same answered in one piece."""
    kept = {key: value for key, value in body.items() if key != "stream_options"}
    return kept | {"stream": False}


def _format(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    if kind == JSON_SCHEMA:
        named = {"name": "answer", "schema": schema, "strict": True}
        return {"type": "json_schema", "json_schema": named}
    if kind == JSON_WITH_SCHEMA:
        return {"type": "json_object", "schema": schema}
    return {"type": "json_object"}
