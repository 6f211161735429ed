"""Keep what models called while they answered, with the answer."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.domain.ids import new_id, to_ms
from app.domain.language.foreign import read_json, storable
from app.domain.prompting.tools import ToolCall, ToolResult, ToolUse
from app.store.vault import rows
from app.store.vault.connection import Row
from app.store.vault.file import Vault


class ToolCalls:
    """The calls of a vault's answers; they go with the message they belong to."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def add(self, message_id: str, uses: Sequence[ToolUse]) -> None:
        """Keep the calls of an answer, in their order."""
        now = self._vault.clock()
        with self._vault.write() as connection:
            connection.executemany(
                "INSERT INTO tool_calls (id, message_pk, ordinal, name, arguments, raw, call_id,"
                " result, error, letters, round, created_at)"
                " SELECT ?, pk, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM messages WHERE id = ?",
                [
                    (new_id(now), n, *_columns(use), to_ms(now), message_id)
                    for n, use in enumerate(uses)
                ],
            )

    def of_conversation(self, conversation_id: str) -> Mapping[str, Sequence[ToolUse]]:
        """Return the calls of every answer of a conversation, by the answer's id."""
        found = self._vault.rows(
            "SELECT t.*, x.id AS message_id FROM tool_calls AS t"
            " JOIN messages AS x ON x.pk = t.message_pk"
            " JOIN conversations AS c ON c.pk = x.conversation_pk"
            " WHERE c.id = ? ORDER BY t.message_pk, t.ordinal",
            (conversation_id,),
        )
        uses: dict[str, list[ToolUse]] = {}
        for row in found:
            uses.setdefault(row["message_id"], []).append(_use(row))
        return uses


def _columns(use: ToolUse) -> tuple[object, ...]:
    call, result = use.call, use.result
    text = None if result is None else storable(result.text)
    failed = result is not None and result.failed
    return (
        storable(call.name),
        storable(rows.dumps(dict(call.arguments))),
        storable(call.raw),
        storable(call.id),
        None if failed else text,
        text if failed else None,
        use.letters,
        use.round,
    )


def _use(row: Row) -> ToolUse:
    said, error = row["result"], row["error"]
    name, raw = rows.words(row["name"]), rows.words(row["raw"])
    call = ToolCall(row["call_id"], name, _object(row["arguments"]), raw)
    told = error if said is None else said
    result = None if told is None else ToolResult(call.id, rows.words(told), failed=said is None)
    return ToolUse(call, result, row["letters"], row["round"])


def _object(text: object) -> Mapping[str, Any]:
    """Return the arguments of a call; none where something else made them unreadable."""
    try:
        found = read_json(rows.words(text))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
