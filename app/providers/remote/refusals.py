"""What a server means when it refuses: known servers say the same in many ways.

The wordings are those of OpenAI, llama-server, llama-cpp-python, vLLM, SGLang, TGI, LM Studio,
Ollama, Mistral, xAI, Groq, Together, OpenRouter and Gemini. What nobody knows stays what it is: a
request refused, or a server that failed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.domain.language.foreign import MOST, read_json, whole_of

_LONGEST_SAID = 200
_SMALLEST_WINDOW = 16


class RefusalKind(StrEnum):
    """Why a server refuses."""

    TOO_LONG = "too long"
    LOADING = "loading"
    NOT_LOADED = "not loaded"
    UNKNOWN_MODEL = "unknown model"
    KEY = "key"
    FORBIDDEN = "forbidden"
    UNPAID = "unpaid"
    LIMITED = "limited"
    BUSY = "busy"
    MOVED = "moved"
    REQUEST = "request"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that is no success.

    Attributes:
        kind: Why.
        status: Its number.
        said: What the server said, in one line.
        wait: After how many seconds it may be asked again; 0 where it does not say.
        tokens: How many the prompt has, where it is too long and the server counted; else 0.
        window: How many the model reads at once, where the server said so; else 0.
    """

    kind: RefusalKind
    status: int
    said: str = ""
    wait: int = 0
    tokens: int = 0
    window: int = 0


def read(status: int, headers: Mapping[str, str], body: bytes) -> Refusal:
    """Return what an answer that is no success means."""
    told = _told(body)
    words = " ".join(told.words.split())
    kind = _kind(status, words, told.codes)
    said, wait = words[:_LONGEST_SAID], headers.get("retry-after", "")
    seconds = int(wait) if wait.isdecimal() and len(wait) < 6 else 0
    if kind is not RefusalKind.TOO_LONG:
        return Refusal(kind, status, said, seconds)
    tokens = told.tokens or _first(_TOKENS, words)
    window = told.window or _first(_WINDOWS, words)
    return Refusal(kind, status, said, seconds, tokens, window)


@dataclass(slots=True)
class _Told:
    """What the body of a refusal has in the places where servers put it."""

    words: str = ""
    codes: str = ""
    tokens: int = 0
    window: int = 0


def _told(body: bytes) -> _Told:
    told = _Told()
    try:
        _gather(read_json(body), told, 4)
    except ValueError:
        return _Told()
    return told


def _gather(found: Any, told: _Told, room: int) -> None:
    """Take what stands in an error, in the error within it, or in the text that is one."""
    if isinstance(found, list) and found:
        found = found[0]
    if isinstance(found, str):
        try:
            inner = read_json(found) if found.lstrip().startswith("{") else None
        except ValueError:
            inner = None
        if inner is None or not room:
            told.words = told.words or found
        else:
            _gather(inner, told, room - 1)
    if not isinstance(found, dict) or not room:
        return
    told.codes += " ".join(str(found.get(key, "")) for key in ("code", "type")) + " "
    told.tokens = told.tokens or _number(found.get("n_prompt_tokens"), 1)
    told.window = told.window or _number(found.get("n_ctx"), _SMALLEST_WINDOW)
    for key in ("error", "message", "detail", "msg"):
        if key in found:
            _gather(found[key], told, room - 1)


def _kind(status: int, words: str, codes: str) -> RefusalKind:
    if 300 <= status < 400:
        return RefusalKind.MOVED
    if status == 401:
        return RefusalKind.KEY
    if status == 402 or re.search(r"insufficient_quota|insufficient_balance", codes):
        return RefusalKind.UNPAID
    if status in (403, 451):
        return (
            RefusalKind.KEY
            if re.search(r"\bkey\b|token is", words, re.I)
            else RefusalKind.FORBIDDEN
        )
    if status == 429:
        return RefusalKind.LIMITED
    for kind, known in _WORDINGS:
        if known.search(words) or known.search(codes):
            return kind
    if status in (404, 413):
        return RefusalKind.UNKNOWN_MODEL if status == 404 else RefusalKind.TOO_LONG
    if status in (408, 503, 529):
        return RefusalKind.BUSY
    return RefusalKind.FAILED if status >= 500 else RefusalKind.REQUEST


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


_WORDINGS = (
    (RefusalKind.LIMITED, _any(r"rate.?limit", r"too many requests", r"\b(TPM|RPM)\b")),
    (
        RefusalKind.TOO_LONG,
        _any(
            r"context_(length|window)_exceeded|exceed_context_size|request_too_large",
            r"(context|prompt) (length|window|size|limit)( has been| is| was)? exceed",
            r"context (the )?overflows|context length is only",
            r"maximum (context|prompt|model) length",
            r"exceed(s|ed)? .{0,60}\b(context|token limit|input length|configured limit)",
            r"(context|prompt|input|messages?|request)( is| are)? too long",
            r"is (longer|greater) than .{0,40}(context length|model length|max_seq_len)",
            r"too large for model with|configured context size is",
            r"reduce the length of the|range of input length should be",
            r"input token count|prompt token count|too many tokens",
            r"`inputs` (tokens|must have)",
            r"llama_decode returned 1\b",  # no room is left in its cache
        ),
    ),
    (RefusalKind.LOADING, _any(r"loading model", r"model is (still |being |currently )*load")),
    (
        RefusalKind.NOT_LOADED,
        _any(r"no models? .{0,20}loaded", r"model (is |was |has been )?(not loaded|unloaded)"),
    ),
    (
        RefusalKind.UNKNOWN_MODEL,
        _any(
            r"model_not_found",
            r"model .{0,120}(not found|does not exist|not exist\b)",
            r"(no such|unknown|invalid) model",
            r"not a valid model",
        ),
    ),
    (
        RefusalKind.BUSY,
        _any(r"overloaded", r"server is busy", r"no slots? available", r"at capacity"),
    ),
)

_N = r"(\d[\d,]*)"
_WINDOWS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"maximum (?:context|prompt|model) length(?: of| is)? \(?{_N}",
        rf"context (?:length|size|window)(?: is only| is| of)? ?\(?(?:of )?(?:only )?{_N}",
        rf"model length of {_N}|max_seq_len {_N}|too large for model with {_N}",
        rf"(?:configured |the )?limit of {_N}|token limit: ?{_N}|must be <= {_N}",
        rf"less than {_N} tokens|tokens allowed \({_N}\)|> {_N} maximum|input length of {_N}",
        rf"length should be \[\d+, ?{_N}\]|cannot exceed {_N}",
    )
)
_TOKENS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\({_N} (?:in the messages|in your prompt|of text input)",
        rf"{_N} tokens from the input|(?:has|passed) {_N} input tokens",
        rf"messages resulted in {_N}|Given: {_N}|keep the first {_N}|too long: {_N} tokens",
        rf"(?:request|input|prompt|tokens) \({_N}(?: tokens)?\)|token count (?:of )?\(?{_N}",
        rf"\(length {_N}\)|(?:prompt|input) length:? {_N}|(?:contains|has) {_N} tokens",
        rf"requested:? (?:about |a total of )?{_N}|received {_N}",
    )
)


def _first(patterns: tuple[re.Pattern[str], ...], words: str) -> int:
    """Return the first number that is found, or 0."""
    return next(_numbers(patterns, words), 0)


def _numbers(patterns: tuple[re.Pattern[str], ...], words: str) -> Iterator[int]:
    for pattern in patterns:
        for match in pattern.finditer(words):
            digits = next(group for group in match.groups() if group).replace(",", "")
            if len(digits) <= len(str(MOST)) and _SMALLEST_WINDOW <= int(digits) <= MOST:
                yield int(digits)


def _number(value: Any, least: int) -> int:
    try:
        return whole_of(value, least)
    except ValueError:
        return 0
