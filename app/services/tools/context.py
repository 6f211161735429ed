"""Tools by which a model reads again what it is shown only a summary of.

They see the conversation that is being answered and no other: an id of another one is not found.
What they return is data, on lines that nothing in it can leave.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from app.conversation import fence
from app.conversation.dates import date
from app.domain.conversation import Message, Role
from app.domain.prompting.context import MESSAGE, SUMMARY, Summary
from app.domain.prompting.tools import ToolSpec
from app.errors import NotFound
from app.providers.base import rough_count
from app.services.tools.toolbox import Tool, ToolScope
from app.settings.context import Engine
from app.settings.spec import Settings
from app.store.store import Store

FEWEST, USUAL, MOST = 1, 10, 30
DIGITS = 18  # more than any row has
NOTHING = "Nothing in this conversation has these words."
NO_SESSION = "Nothing in other conversations has these words."
UNKNOWN = "There is no summary or message with this id in this conversation."
NEXT = "There is more: call ctx_expand again with the cursor {}."
AT_AN_END = "This is all of it."

_ID = {"type": "string", "description": "Of a summary such as s12, or a message such as m34."}
_LIMIT = {"type": "integer", "description": "The most to return, 1 to 30; 10 without it."}
SEARCH = ToolSpec(
    "ctx_search",
    "Find words in this conversation, also in what you see only a summary of. Messages that are"
    " found come with the id of the summary that covers them.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "A few words that stand there."},
            "scope": {"type": "string", "enum": ["messages", "summaries", "both"]},
            "limit": _LIMIT,
        },
        "required": ["query"],
    },
)
INSPECT = ToolSpec(
    "ctx_inspect",
    "Say what a summary of this conversation is: its text, what it covers, and from when.",
    {"type": "object", "properties": {"id": _ID}, "required": ["id"]},
)
EXPAND = ToolSpec(
    "ctx_expand",
    "Read what a summary stands for: the messages word for word, or the summaries it was made of.",
    {
        "type": "object",
        "properties": {
            "id": _ID,
            "cursor": {"type": "string", "description": "Where to go on, as it was returned."},
        },
        "required": ["id"],
    },
)
SESSIONS = ToolSpec(
    "session_search",
    "Find words in earlier conversations; without words, list the latest conversations.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "scope": {"type": "string", "enum": ["all", "user", "assistant", "tool"]},
            "limit": _LIMIT,
        },
        "required": [],
    },
)


class ContextTools:
    """Reads a conversation on behalf of the model that answers in it."""

    def __init__(self, store: Store, settings: Callable[[], Settings]) -> None:
        self._summaries = store.summaries
        self._messages = store.messages
        self._conversations = store.conversations
        self._settings = settings

    def tools(self) -> Sequence[Tool]:
        """Return the tools of the engine in use."""
        if self._settings().context.engine is Engine.PIPELINE:
            return [Tool(SESSIONS, self._sessions)]
        return [
            Tool(SEARCH, self._search),
            Tool(INSPECT, self._inspect),
            Tool(EXPAND, self._expand),
        ]

    def _search(self, arguments: Mapping[str, Any], who: ToolScope) -> str:
        scope, limit = arguments.get("scope", "both"), _clamped(arguments.get("limit", USUAL))
        query = str(arguments["query"])
        said, told = self._summaries.found(who.conversation_id, query, limit)
        lines: list[str] = []
        if scope != "summaries":
            messages = {m.pk: m for m in self._messages.of_rows([pk for pk, _ in said])}
            lines += [
                self._hit(messages[pk], snippet, who)
                for pk, snippet in said
                if pk in messages and messages[pk].id != who.message_id
            ]
        if scope != "messages":
            lines += [f"summary {one.handle} {_span(one)}: {_data(text)}" for one, text in told]
        return "\n".join(lines[:limit]) or NOTHING

    def _hit(self, message: Message, snippet: str, who: ToolScope) -> str:
        covering = self._summaries.covering(message.pk, who.conversation_id)
        covered = f", in summary {covering.handle}" if covering else ""
        return f"message {_handle(message)}{covered}, {_said(message)}: {_data(snippet)}"

    def _inspect(self, arguments: Mapping[str, Any], who: ToolScope) -> str:
        one = self._summary(str(arguments["id"]), who)
        children = self._summaries.children(one.pk, who.conversation_id)
        parts = ", ".join(child.handle for child in children)
        facts = [
            f"summary {one.handle} {_span(one)}",
            f"depth {one.depth}, {one.tokens:,} tokens for {one.source_tokens:,}",
            f"made of {parts}" if children else "of messages",
            "excerpts, made without a model" if one.rung == max(type(one.rung)) else "",
            "not all of it the user's or the assistant's words" if one.untrusted else "",
        ]
        return "\n".join([*filter(None, facts), fence.apart(one.text, "its text", "summary")])

    def _expand(self, arguments: Mapping[str, Any], who: ToolScope) -> str:
        wanted, cursor = str(arguments["id"]), str(arguments.get("cursor", ""))
        pieces = self._pieces(wanted, who)
        first, _, offset = cursor.partition(":")
        start = int(first) if first.isdecimal() else 0
        at = int(offset) if offset.isdecimal() else 0
        left = min(self._settings().context.expand_tokens, who.room * 3 // 4)
        lines: list[str] = []
        for number, (head, text) in enumerate(pieces):
            if number < start:
                continue
            rest = text[at if number == start else 0 :]
            if lines and rough_count(rest) > left:
                return "\n".join([*lines, NEXT.format(number)])
            shown = rest[: 4 * left] if rough_count(rest) > left else rest
            lines.append(fence.apart(shown, head, "expanded"))
            left -= rough_count(shown)
            if len(shown) < len(rest):
                begun = len(text) - len(rest) + len(shown)
                return "\n".join([*lines, NEXT.format(f"{number}:{begun}")])
        return "\n".join([*lines, AT_AN_END])

    def _pieces(self, wanted: str, who: ToolScope) -> Iterator[tuple[str, str]]:
        """Yield what an id stands for, piece by piece: where each comes from, and its text."""
        if wanted.startswith(MESSAGE):
            (message,) = self._messages_of([_row(wanted, MESSAGE)], who)
            yield f"message {_handle(message)}, {_said(message)}", message.text
            return
        one = self._summary(wanted, who)
        children = self._summaries.children(one.pk, who.conversation_id)
        for child in children:
            yield f"summary {child.handle} {_span(child)}", child.text
        if not children:
            for pk in self._summaries.covered(one.pk, who.conversation_id):
                for message in self._messages_of([pk], who):
                    yield f"message {_handle(message)}, {_said(message)}", message.text

    def _summary(self, wanted: str, who: ToolScope) -> Summary:
        try:
            return self._summaries.get(_row(wanted, SUMMARY), who.conversation_id)
        except NotFound:
            raise NotFound(UNKNOWN) from None

    def _messages_of(self, pks: Sequence[int], who: ToolScope) -> Sequence[Message]:
        """Return messages of the conversation that is being answered."""
        found = self._messages.of_rows(pks)
        mine = [one for one in found if one.conversation_id == who.conversation_id]
        if len(mine) < len(pks):
            raise NotFound(UNKNOWN)
        return mine

    def _sessions(self, arguments: Mapping[str, Any], who: ToolScope) -> str:
        query, scope = str(arguments.get("query", "")).strip(), arguments.get("scope", "all")
        limit, agent = _clamped(arguments.get("limit", USUAL)), who.scope.agent_pk
        talks = {one.id: one for one in self._conversations.list(agent) if one.mode.learns}
        if not query:
            latest = [one for one in talks.values() if one.id != who.conversation_id][:limit]
            lines = [f"{date(one.updated_at)}: {_data(one.title)}" for one in latest]
            return "\n".join(lines) or NO_SESSION
        found = self._conversations.search(query, agent, MOST * 10, elsewhere=True)
        lines = [
            f"{date(one.at)}, in {_data(one.conversation_title)}, the {one.role}:"
            f" {_data(one.snippet)}"
            for one in found
            if one.conversation_id in talks and scope in ("all", one.role)
        ]
        return "\n".join(lines[:limit]) or NO_SESSION


def _clamped(limit: int) -> int:
    return max(FEWEST, min(MOST, limit))


def _span(one: Summary) -> str:
    begun, ended = date(one.earliest), date(one.latest)
    return f"of {one.messages:,} messages, {begun if begun == ended else f'{begun} to {ended}'}"


def _said(message: Message) -> str:
    who = message.speaker or ("the user" if message.role is Role.USER else f"the {message.role}")
    return f"{fence.harmless(who)} on {date(message.created_at)}"


def _data(text: str) -> str:
    """Return words of others on one line, between quotation marks they cannot end."""
    return f"“{fence.quotable(text)}”"


def _handle(message: Message) -> str:
    return f"{MESSAGE}{message.pk}"


def _row(handle: str, kind: str) -> int:
    """Return the row behind what a model calls something by.

    Raises:
        NotFound: It calls nothing by that.
    """
    digits = handle.strip().removeprefix(kind)
    if not (digits.isdecimal() and digits.isascii() and len(digits) < DIGITS):
        raise NotFound(UNKNOWN)
    return int(digits)
