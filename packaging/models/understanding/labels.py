"""The labelled messages as samples: a text, what stood before it, and what is to be learnt of it.

``data/told.jsonl`` marks whole stretches of older messages and nothing else, so it teaches where statements are, marked as
texts of another kind; ``messages_*``, ``orders_*`` and ``lives_*`` teach everything, ``questions_*`` whether a question asks
for all that qualifies. Where something was known or said before a message
it is a sample twice, with that (for train_meant.py) and without.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIKE, OTHERS = (
    2,
    4,
)  # memories of a life that stand before a message: of whom it speaks, and of others


def rows(path: Path) -> list[dict]:
    """Return the rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def place(words: str | None, text: str) -> tuple[int, int] | None:
    """Return where words stand in a text."""
    start = text.find(words) if words else -1
    return (start, start + len(words)) if start >= 0 else None


def bare(name: str) -> str:
    """Return a name without whose it is, in small letters: "my sister Ana" is "sister ana"."""
    return re.sub(r"^(?:my|our|the|mijn|meine?|mi|ma|mon)\s", "", name.lower())


def sample(
    row: dict, text: str, *, asked: str = "", earlier: str = "", group: str = "", tells: bool = True
) -> dict:
    """Return a row as a sample.

    Args:
        row: Its labels.
        text: The message.
        asked: What the assistant had asked.
        earlier: What was known and said before, a line each.
        group: What is kept aside together with it.
        tells: Whether it is known what it states.
    """
    spans = [(*found, told) for told in row.get("tells", ()) if (found := place(told["q"], text))]
    return {
        "text": text,
        "asked": asked,
        "earlier": earlier,
        "group": group or text,
        "tells": spans if tells else None,
        "act": row.get("act") or row.get("kind"),
        "target": place(row.get("target"), text),
        "new": True,
        "many": row.get("many"),
        "file": "",
        "roles": bool(row.get("known") or row.get("earlier")),
    }


def labelled() -> list[dict]:
    """Return all samples."""
    found: list[dict] = []
    for path in sorted((HERE / "data").glob("*.jsonl")):
        if path.name.startswith(("messages", "orders")):
            for row in rows(path):
                before = [*row.get("known", ()), *row.get("earlier", ())]
                ones = _twice(row, row["said"], row.get("asked") or "", before)
                found += (one | {"file": path.stem} for one in ones)
        if path.name.startswith("lives"):
            for life in rows(path):
                found += _lived(life)
        if path.name.startswith("questions"):
            found += [
                sample({"act": "ask", "many": several(row)}, row["q"], group=row["life"])
                for row in rows(path)
            ]
    return found + list(_told())


def several(ask: dict) -> bool:
    """Return whether a question is answered by all that qualifies rather than by one statement."""
    good = ask.get("good") or ask.get("from") or ()
    return ask["kind"] == "list" or (ask["kind"] == "count" and len(good) > 1)


def _twice(row: dict, text: str, asked: str, before: list[str], group: str = "") -> list[dict]:
    """Return a message alone and, where something stood before it, with that."""
    behind = "\n".join(line.replace("\n", " ") for line in before)
    return [
        sample(row, text, asked=asked, earlier=earlier, group=group)
        for earlier in dict.fromkeys(("", behind))
    ]


def _lived(life: dict) -> Iterator[dict]:
    said: dict[str, list[str]] = {}
    known: list[dict] = []
    for told in life["talk"]:
        before = said.setdefault(told["conversation"], [])
        lines = [*_remembered(told, known), *before]
        yield from _twice(told, told["said"], told.get("assistant") or "", lines, life["id"])
        before.append(told["said"])
        known += told.get("tells", ())
    for one in life["asks"]:
        yield sample({"act": "ask", "many": several(one)}, one["q"], group=life["id"])
    for one in life["orders"]:
        yield sample(one, one["said"], group=life["id"], tells=False)


def _remembered(told: dict, known: list[dict]) -> list[str]:
    """Return what may be remembered when a message is read: of whom it speaks, and of others."""
    tells = told.get("tells", ())
    meant = {one.get("who") or "me" for one in tells} - {"me"}
    meant |= {str(name) for one in tells for name in (one.get("refs") or {}).values()}
    names = [re.compile(rf"(?<!\w){re.escape(bare(name))}(?!\w)") for name in sorted(meant)]
    of_them = [one for one in known if any(name.search(one["q"].lower()) for name in names)][-LIKE:]
    others = [one for one in known if one not in of_them]
    others.sort(key=lambda one: hashlib.md5((told["said"] + one["q"]).encode()).hexdigest())
    chosen = [*of_them, *others[:OTHERS]]
    return [one["q"] for one in known if one in chosen]


def _told() -> Iterator[dict]:
    for row in rows(HERE / "data" / "told.jsonl"):
        text, spans = row["message"], []
        for told in row["told"]:
            if at := place(told.lower().strip(" .!?,"), text.lower()):
                spans.append((*at, None))
        if spans or not row["told"]:
            yield sample({}, text) | {"tells": spans, "new": False}
