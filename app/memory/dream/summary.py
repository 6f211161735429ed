"""Condense many entries into few with a model, which only words what the entries say.

A reply that names or numbers what no entry does is refused, and so is one that is not shorter. The
new rows and the retiring of the old ones are one transaction; trust, scope and sources are stamped
here and never taken from the model.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event

from app.assets import resource
from app.domain.language.foreign import json_in
from app.domain.memory import Memory, MemoryType, Origin, Status, Trust
from app.memory.learn.copied import copied
from app.memory.screen.gate import is_clean
from app.memory.text import novelty
from app.providers.base import ChatModel, PromptTurn, Sampling
from app.settings.upkeep import Dream

LONGEST = 1000
_CLIPPED = 500
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[^\W\d_a-z][\w'’-]+")
_SCHEMA = {
    "type": "object",
    "properties": {
        "summaries": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"reasoning": {"type": "string"}, "content": {"type": "string"}},
                "required": ["content"],
            },
        }
    },
    "required": ["summaries"],
}


@dataclass(frozen=True, slots=True)
class Group:
    """Entries that may be condensed together: of one agent, scope and kind.

    Attributes:
        name: The category they share, or ``all``.
    """

    name: str
    entries: Sequence[Memory]


def grouped(entries: Sequence[Memory], settings: Dream) -> list[Group]:
    """Return the groups worth condensing, in the order of their oldest entry."""
    found: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    for entry in entries:
        kind = (entry.category or "fact") if settings.summarise_group_by == "category" else "all"
        found[entry.agent_pk, entry.visibility, entry.group_pks, entry.trust, kind].append(entry)
    least = max(settings.summarise_min_entries, settings.summarise_target_entries + 1)
    return [Group(str(key[-1]), those) for key, those in found.items() if len(those) >= least]


def condensed(model: ChatModel, group: Group, target: int, cancel: Event) -> list[str]:
    """Return what a model makes of a group; nothing where its reply cannot be used.

    Raises:
        ModelError: The model did not answer.
        Cancelled: The model was needed elsewhere.
    """
    rules = resource("prompts/summarise.md").read_text("utf-8")
    said = "\n".join(f"- {entry.text[:_CLIPPED]}" for entry in group.entries)
    prompt = [
        PromptTurn("system", rules.replace("{target}", str(target))),
        PromptTurn("user", f"The statements:\n<<<\n{said}\n>>>"),
    ]
    sampling = Sampling(temperature=0.2, max_tokens=200 * target + 200, schema=_SCHEMA)
    texts = _texts("".join(model.stream(prompt, sampling, cancel)))[:target]
    own = all(faithful(text, group.entries) and not copied(text, rules, said) for text in texts)
    return texts if own else []


def faithful(text: str, entries: Sequence[Memory]) -> bool:
    """Return whether a summary says nothing that no entry says, and orders nobody."""
    if not is_clean(text):
        return False
    said = " ".join(entry.text for entry in entries)
    numbers = set(_NUMBER.findall(text)) - set(_NUMBER.findall(said))
    named = {word.casefold() for word in _NAME.findall(text)}
    known = {word.casefold() for word in re.findall(r"[\w'’-]+", said)}
    return not numbers and named <= known and bool(novelty.content(text).words)


def rows(texts: Sequence[str], group: Group) -> list[dict[str, object]]:
    """Return the fields of the memories that take the place of a group."""
    entries = group.entries
    trust = min((entry.trust for entry in entries), key=lambda one: one.rank)
    tags = tuple(dict.fromkeys(tag for entry in entries for tag in entry.tags))
    first = entries[0]
    return [
        {
            "text": text[:LONGEST],
            "type": MemoryType.SEMANTIC,
            "trust": Trust(trust),
            "origin": Origin.DREAM,
            "actor": "dream",
            "status": Status.ACTIVE,
            "category": None if group.name in ("all", "fact") else group.name,
            "visibility": first.visibility,
            "group_pks": first.group_pks,
            "agent_pk": first.agent_pk,
            "tags": tags,
            "source_ids": tuple(entry.id for entry in entries),
            "occurred_at": max((e.occurred_at for e in entries if e.occurred_at), default=None),
        }
        for text in texts
    ]


def _texts(reply: str) -> list[str]:
    """Return the summaries of a reply, however it is wrapped."""
    for found in json_in(reply[:50_000]):
        items = found.get("summaries", []) if isinstance(found, dict) else found
        if isinstance(items, list):
            said = [i.get("content") for i in items if isinstance(i, dict)]
            return [" ".join(s.split()) for s in said if isinstance(s, str) and s.strip()]
    return []
