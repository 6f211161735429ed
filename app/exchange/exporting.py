"""Write everything a profile holds into one ZIP that can be read without Loci."""

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.domain import provenance
from app.domain.conversation import Conversation, Message, Role
from app.domain.ids import Clock, to_ms
from app.domain.jobs.progress import Progress
from app.domain.language.text import clipped
from app.domain.memory import Memory, MemoryFilter, Scope, Status
from app.domain.transfer import TransferReport
from app.errors import TransferError
from app.exchange.format import FORMAT, README, SIGNING_KEY, VERSION, sign
from app.files import reason
from app.store.archive import TABLES
from app.store.store import Store
from app.store.vault.rows import words
from app.store.vault.scratch import beside

PAGE = 500
MANIFEST = "manifest.json"
PLAINTEXT = (
    "It lies at {} and is not encrypted: whoever can open the file can read all of it. Keep it"
    " where nobody else can, or delete it when you no longer need it."
)
NO_FILE = "{} is not a normal file, so the export was not written there."
_UNSAFE = re.compile(r"[^\w\- ]+")


def is_export(path: Path) -> bool:
    """Return whether an export lies there, so that a newer one may take its place."""
    try:
        with zipfile.ZipFile(path) as bundle:
            return MANIFEST in bundle.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


class Exporter:
    """Writes exports of one vault."""

    def __init__(self, store: Store, scope: Scope, clock: Clock) -> None:
        self._scope = scope
        self._home = store.vault.path.parent
        self._archive = store.archive
        self._conversations = store.conversations
        self._messages = store.messages
        self._memories = store.memories
        self._meta = store.meta
        self._exports = store.exports
        self._clock = clock

    def run(self, path: Path, profile: str) -> Generator[Progress, None, TransferReport]:
        """Write the export to ``path``, whole or not at all.

        Raises:
            TransferError: The file cannot be written, or something that is no file lies there.
        """
        if path.exists() and not path.is_file():
            raise TransferError(NO_FILE.format(path))
        try:
            with beside(self._home, path) as part:
                with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
                    report = yield from self._fill(bundle, path, profile)
                self._put_in_place(part, path)
        except OSError as error:
            raise TransferError(f"The export could not be written: {reason(error)}.") from error
        return report

    def _put_in_place(self, part: Path, path: Path) -> None:
        """Give the file its name, listed beforehand: a kill leaves none that no list knows."""
        noted = self._exports.add(str(path.absolute()), to_ms(self._clock()))
        try:
            part.replace(path)
        except OSError:
            self._exports.drop(noted)
            raise

    def _fill(
        self, bundle: zipfile.ZipFile, path: Path, profile: str
    ) -> Generator[Progress, None, TransferReport]:
        files: dict[str, dict[str, Any]] = {}
        counts: dict[str, int] = {}
        for number, table in enumerate(TABLES):
            yield Progress("Exporting", number, len(TABLES) + 1)
            name = f"data/{table}.jsonl"
            rows = self._archive.rows(table)
            lines = (_line(row) for row in rows)
            files[name], counts[table] = _add(bundle, name, lines)
        yield Progress("Exporting a readable copy", len(TABLES), len(TABLES) + 1)
        files["README.md"], _ = _add(bundle, "README.md", [README])
        files["readable/memories.md"], _ = _add(
            bundle, "readable/memories.md", self._readable_memories()
        )
        for name, text in self._readable_conversations():
            files[name], _ = _add(bundle, name, text)
            yield Progress("Exporting a readable copy", len(TABLES), len(TABLES) + 1)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "profile": profile,
            "created_at": self._clock().isoformat(),
            "files": files,
        }
        key = self._meta.once(SIGNING_KEY, lambda: os.urandom(32))
        bundle.writestr(MANIFEST, json.dumps(sign(manifest, key), indent=1))
        where = str(path.absolute())
        return TransferReport(where, counts, notes=(PLAINTEXT.format(where),))

    def _readable_memories(self) -> Iterable[str]:
        yield "# What Loci remembers\n"
        wanted = MemoryFilter(statuses=frozenset(Status), order="oldest")
        for memory in _pages(lambda at: self._memories.list(self._scope, wanted, at, PAGE)):
            yield _memory_line(memory)

    def _readable_conversations(self) -> Iterable[tuple[str, Iterable[str]]]:
        seen: set[str] = set()
        for archived in (False, True):
            for talk in self._conversations.list(self._scope.agent_pk, archived, 1_000_000):
                stem = f"{talk.created_at:%Y-%m-%d} {_UNSAFE.sub('', talk.title)[:60].strip()}"
                name, number = stem.strip(), 1
                while name in seen:
                    number += 1
                    name = f"{stem.strip()} {number}"
                seen.add(name)
                yield f"readable/conversations/{name}.md", self._talk(talk)

    def _talk(self, talk: Conversation) -> Iterable[str]:
        """Yield a conversation as it is shown, and then what was said in its other branches."""
        yield f"# {talk.title or 'Untitled'}\n"
        shown = self._messages.branch(talk.id)
        yield from map(_message_text, shown)
        yield from _branches(shown, self._all(talk))

    def _all(self, talk: Conversation) -> Iterable[Message]:
        after = 0
        while page := self._messages.after(talk.id, after, PAGE):
            yield from page
            after = page[-1].pk


def _branches(shown: Sequence[Message], messages: Iterable[Message]) -> Iterable[str]:
    """Yield the branches of a conversation beside the one that is shown.

    Each begins with where it leaves what was said before it and follows its first answers.
    """
    known = {message.id: message for message in messages}
    left = {id_: m for id_, m in known.items() if id_ not in {one.id for one in shown}}
    answers: dict[str, list[Message]] = {}
    for message in left.values():
        answers.setdefault(message.parent_id or "", []).append(message)
    for first in list(left.values()):
        at: Message | None = first if first.id in left else None
        if at is not None:
            before = known.get(at.parent_id or "")
            where = f"branch, after “{clipped(before.text, 80)}”" if before else "beginning"
            yield f"\n## Another {where}\n"
        while at is not None:
            yield _message_text(left.pop(at.id))
            at = next((one for one in answers.get(at.id, ()) if one.id in left), None)


def _pages(page: Callable[[int], Sequence[Memory]]) -> Iterable[Memory]:
    at = 0
    while found := page(at):
        yield from found
        at += len(found)


def _line(row: Mapping[str, Any]) -> str:
    """Return a row as JSON; what something else left unreadable in it is named as damaged."""
    return json.dumps(row, ensure_ascii=False, default=words) + "\n"


def _memory_line(memory: Memory) -> str:
    facts = [f"{memory.created_at:%Y-%m-%d}", memory.type, memory.trust]
    if memory.status is not Status.ACTIVE:
        facts.append(memory.status)
    if memory.pinned:
        facts.append("pinned")
    return f"\n- {memory.text} ({', '.join(facts)})"


def _message_text(message: Message) -> str:
    """Return a message as it is read, its words under whoever said them or where they come from."""
    at = f", {message.created_at:%Y-%m-%d %H:%M}"
    told = provenance.of(message) or (provenance.Passage(message.text),)
    said = [f"**{_who(message, one.whence)}**{at}\n\n{one.text}\n" for one in told]
    return "".join(f"\n{one}" for one in said)


def _who(message: Message, whence: str) -> str:
    """Return who said the words of a message; nobody here did where they come from elsewhere."""
    who = message.speaker or {Role.USER: "", Role.ASSISTANT: "Loci"}.get(message.role, "Tool")
    if not whence:
        return who or "You"
    return f"{who}, {whence}" if who else f"{whence[:1].upper()}{whence[1:]}"


def _add(bundle: zipfile.ZipFile, name: str, lines: Iterable[str]) -> tuple[dict[str, Any], int]:
    digest, rows = hashlib.sha256(), 0
    with bundle.open(name, "w") as file:
        for line in lines:
            data = line.encode()
            digest.update(data)
            file.write(data)
            rows += 1
    return {"sha256": digest.hexdigest(), "rows": rows}, rows
