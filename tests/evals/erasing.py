"""Whether an erasure names whatever it leaves: canaries are restated, quoted and derived, and go.

Each round plants a canary (``erasing_canaries``: names, rare words, words of scripts without
capitals, numbers) in one profile: a memory with the words it rests on, or a conversation from which
nothing was learnt; restatements with and without the canary, answers that quote it or were derived
from it, titles, drafts, another memory of the same, an older wording in the history of one that
changed; sometimes a crowd of places, backups, and an export that is called so. A memory or the
whole conversation is then erased, with some places unticked. What still holds the canary, or says
the same without it, must be named in the proof; no backup may hold it; what has nothing to do with
it must be as it was. Run it for the figures::

    .venv/bin/python -m tests.evals.erasing [rounds] [seed]
"""

import json
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

from app.assets import resource
from app.domain.conversation import Part, PartOrigin, Role
from app.domain.erasure import Inventory, Proof
from app.domain.jobs.operation import drive
from app.domain.language.text import clipped
from app.domain.memory import DEFAULT_SCOPE, Evidence, Memory
from app.domain.recall import Hit, HitKind, Recall
from app.exchange.exporting import Exporter
from app.memory.erasure.restated import Restated
from app.memory.erasure.sought import LONG_NUMBER
from app.memory.learn.index import Indexer
from app.paths import Paths
from app.providers.local.llamacpp import LlamaEmbedder
from app.services.erasure import ErasureService
from app.services.upkeep.scrub import Scrubber
from app.store.conversations import Conversations
from app.store.index.occurrences import TextOccurrences
from app.store.index.vectors import Vectors
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.profiles import Profiles
from app.store.recalls import Recalls
from app.store.store import Store
from app.store.vault import backup, wipe
from tests.evals.erasing_canaries import BYSTANDERS, KINDS, MOST, OTHERS, Kind
from tests.fakes.understanding import Understanding

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MODEL = "models/loci-minilm-v2-Q8_0.gguf"
CROWD = 45
FEWEST = 5  # letters by which a word can be told in the bytes of a file
KEPT = 3
MODES = ((False, True), (True, True), (False, True), (True, False))  # whole, learnt from
COUNTED = ("stands in", "stand in", "still stands")


@dataclass(frozen=True)
class Row:
    """One place that was planted.

    Attributes:
        key: As an inventory names it.
        held: What of it tells of the canary: the canary itself, or what says the same.
        named: Whether it holds the canary itself.
    """

    key: str
    held: str
    named: bool = True


@dataclass
class Planted:
    """One canary, and where it stands.

    Attributes:
        word: The canary.
        subject: Id of the memory or the conversation that is to be erased.
        whole: Whether that is a conversation.
        rows: Every place beside it.
        exports: Files that were exported.
    """

    word: str
    subject: str
    whole: bool
    rows: list[Row] = field(default_factory=list)
    exports: list[Path] = field(default_factory=list)


class Life:
    """A profile in which canaries are planted and erased."""

    def __init__(self, folder: Path, chance: random.Random, embedder: LlamaEmbedder) -> None:
        self.folder = folder
        self.profiles = Profiles(Paths(folder), lambda: NOW, lambda: None)
        self.vault, profile = self.profiles.create("Ada")
        self.talks, self.messages = Conversations(self.vault), Messages(self.vault)
        self.memories = Memories(self.vault)
        self.recalls, self.copies = Recalls(self.vault), TextOccurrences(self.vault)
        self.chance, self.embedder, self.made = chance, embedder, 0
        restated = Restated(Store(self.vault), lambda: embedder, Understanding, lambda: NOW)
        self.erasure = ErasureService(
            Store(self.vault),
            self.profiles.files(profile.slug),
            "Ada",
            Scrubber(Store(self.vault)),
            lambda _asking: (),
            restated=lambda: restated,
        )
        self.talk = self.talks.create(1, title="This and that").id
        self.bystanders = [self.say(self.talk, text) for text in BYSTANDERS]
        self.others = [self.remember(text) for text in OTHERS]

    def say(self, talk: str, text: str, role: Role = Role.USER) -> str:
        """Add a message; return its id."""
        origin = PartOrigin.TYPED if role is Role.USER else PartOrigin.MODEL
        return self.messages.add(talk, role, (Part(text, origin),)).id

    def remember(self, text: str, *said: tuple[str, str]) -> str:
        """Add a memory that rests on quotes of messages; return its id."""
        self.made += 1
        number = f"m{self.made:06}"
        evidence = [Evidence(quote, NOW, message) for message, quote in said]
        self.memories.insert(
            Memory(number, text, NOW, NOW, agent_pk=1), evidence, Note("user", "insert", number)
        )
        return number

    def plant(self, number: int) -> Planted:
        """Plant a canary."""
        turn, at = divmod(number, len(KINDS))
        kind = KINDS[at]
        word = kind.canary(self.chance, turn)
        said, fact = kind.said.format(word), kind.fact.format(word)
        whole, learnt = MODES[(number + turn) % len(MODES)] if kind.fact else (True, False)
        home = self.talks.create(1, title=clipped(said, 30)).id
        message = self.say(home, f"Good morning. {said}. Anyway, how are you?")
        if kind.heard:
            self.say(home, f"{kind.heard.format(word)}. Do rest.", Role.ASSISTANT)
        memory = self.remember(fact, (message, said)) if learnt else ""
        planted = Planted(word, home if whole else memory, whole)
        if not whole:
            planted.rows.append(Row(f"message:{message}", word))
        self._restate(planted, kind, said, fact, memory)
        if number % 5 == 1:
            self._crowd(planted, kind.heard.format(word) or said)
        if number % 3 == 1:
            self._keep_copies(planted, number)
        return planted

    def _restate(self, planted: Planted, kind: Kind, said: str, fact: str, memory: str) -> None:
        """Say it elsewhere, in the words of others too, and let something be made of it."""
        word, add = planted.word, planted.rows.append
        first, second = (text.format(word) for text in kind.again)
        other = self.talks.create(1, title=f"About {word}").id
        self.talks.set_draft(other, f"and {word} again")
        add(Row(f"title:{other}", word))
        add(Row(f"draft:{other}", word))
        add(Row(f"message:{self.say(other, first)}", word))
        told = kind.heard.format(word) or said
        answer = f"Noted. As you told me, {told}. Shall I go on?"
        add(Row(f"message:{self.say(other, answer, Role.ASSISTANT)}", word))
        add(Row(f"message:{self.say(other, f'Well, {second}')}", word))
        if kind.unnamed:
            add(Row(f"message:{self.say(other, kind.unnamed)}", kind.unnamed, named=False))
        if kind.digits > LONG_NUMBER:
            apart = " ".join((word[:3], word[3:]))
            add(Row(f"message:{self.say(other, f'So it was {apart}.')}", apart))
        twin = self.say(other, f"{first} {second}")
        add(Row(f"message:{twin}", word))
        fact = fact or f"Perhaps it is {word}"
        add(Row(f"memory:{self.remember(f'You said that {fact}', (twin, first))}", word))
        if memory:
            self._derive(planted, other, memory)
        changed = self.remember(f"You wrote once: {word}, {fact}")
        note = Note("user", "edit", f"e{changed}")
        self.memories.update(changed, {"text": f"You tend bees in hive {changed}"}, note)

    def _derive(self, planted: Planted, talk: str, memory_id: str) -> None:
        """Add an answer that cites the memory in words of its own."""
        text = "Paris is lovely. That would suit what you told me [1]. Shall I book?"
        answer = self.say(talk, text, Role.ASSISTANT)
        memory = self.memories.get(memory_id)
        hit = Hit(memory.id, HitKind.MEMORY, memory.text, NOW, pk=memory.pk)
        self.recalls.save(answer, Recall(hits=(hit,)), [memory.id], [memory.id])
        planted.rows.append(Row(f"message:{answer}", "what you told me", named=False))

    def _crowd(self, planted: Planted, said: str) -> None:
        """Say it in so many places that no list shows them all at once."""
        for number in range(CROWD):
            talk = self.talks.create(1, title=f"Day {number}").id
            key = f"message:{self.say(talk, f'For the {number}th time: {said}!')}"
            planted.rows.append(Row(key, planted.word))

    def _keep_copies(self, planted: Planted, number: int) -> None:
        """Back up, also what only the backup holds then, and export into a file called so."""
        talk = self.talks.create(1, title="Soon gone").id
        gone = self.say(talk, f"It was {planted.word} all along.")
        backup.create(self.vault.path, self.vault.key, self.vault.clock)
        backup.rotate(self.vault.path, 1, 1)
        self.talks.delete(talk)
        planted.rows.append(Row(f"message:{gone}", planted.word))
        backup.create(self.vault.path, self.vault.key, self.vault.clock)
        for name in (f"out {number}.zip", f"About {planted.word}.zip"):
            path = self.folder / name
            drive(Exporter(Store(self.vault), DEFAULT_SCOPE, lambda: NOW).run(path, "Ada"), Event())
            planted.exports.append(path)

    def index(self) -> None:
        """Embed what is new."""
        drive(Indexer(Vectors(self.vault), lambda: self.embedder).run(Event()), Event())

    def text(self, key: str) -> str:
        """Return what a place says now; empty where it is gone."""
        kind, _, row_id = key.partition(":")
        with self.vault.read() as connection:
            table, column = {
                "title": ("conversations", "title"),
                "draft": ("conversations", "draft"),
                "message": ("messages", "text"),
                "memory": ("memories", "text"),
            }[kind]
            row = connection.execute(
                f"SELECT {column} FROM {table} WHERE id = ?", (row_id,)
            ).fetchone()
        return row[0] if row else ""


def measured(rounds: int, seed: int = 1) -> dict[str, Any]:
    """Return what became of canaries in so many erasures, at most ``MOST``."""
    chance = random.Random(seed)
    embedder = LlamaEmbedder(resource(MODEL), "The bundled embedder")
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Path(folder), chance, embedder)
        weighed = Weighed(life)
        with closing(life.vault):
            for number in range(rounds):
                planted = life.plant(number)
                life.index()
                weighed.take(planted, *_erased(life, planted, number))
            now = [life.text(f"message:{one}") for one in life.bystanders]
            now += [life.text(f"memory:{one}") for one in life.others]
    swept = [one for one, left in zip([*BYSTANDERS, *OTHERS], now, strict=True) if one != left]
    return {
        "seed": seed,
        "seconds": round(time.monotonic() - began),
        "erasures": rounds,
        **weighed.counts,
        "swept_wrongly": swept,
        "missed": weighed.missed,
    }


def _erased(life: Life, planted: Planted, number: int) -> tuple[Inventory, set[str], Proof]:
    """Erase with a few places unticked; return what was shown, kept and proved."""
    look = life.erasure.of_conversation if planted.whole else life.erasure.of_memory
    inventory = look(planted.subject)
    free = [c.key for c in inventory.copies if c.ticked and not c.required and not c.follows]
    kept = set(life.chance.sample(free, min(len(free), number % (KEPT + 1))))
    ticked = frozenset(c.key for c in inventory.copies if c.ticked) - kept
    erase = life.erasure.erase_conversation if planted.whole else life.erasure.erase_memory
    return inventory, kept, drive(erase(planted.subject, ticked), Event())


class Weighed:
    """What became of canaries."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self.counts: Counter[str] = Counter()
        self.missed: list[str] = []

    def take(self, planted: Planted, inventory: Inventory, kept: set[str], proof: Proof) -> None:
        """Hold what is left against what the proof says."""
        told = "\n".join(proof.left)
        lines: dict[str, list[str]] = {}
        for copy in inventory.copies:  # of a message, quotes may be listed by themselves
            lines.setdefault(_row(copy.key), []).append(copy.line)
        counted = _is_counted(planted.word, proof)
        self.counts["found_after"] += proof.found_after
        for row in planted.rows:
            self.counts["planted"] += 1
            now = self._life.text(row.key)
            named = any(line in told for line in lines.get(_row(row.key), ()))
            if row.held not in now:
                self.counts["gone"] += 1
            elif named:
                self.counts["kept_and_named" if row.key in kept else "left_and_named"] += 1
            elif row.named and counted:
                self.counts["left_and_counted"] += 1
            else:
                self._miss(f"{row.key} ({planted.word}): {now}")
        self._look_at_files(planted, proof, told)

    def _look_at_files(self, planted: Planted, proof: Proof, told: str) -> None:
        """See that no place, no backup and no export holds it unnamed.

        A short word is part of ids, times and other numbers, too; of it, rows alone are looked at.
        """
        for path in planted.exports:
            if not any(str(path) in line for line in proof.remaining):
                self._miss(f"the export {path.name}")
        word, copies = planted.word, self._life.copies
        if len(word) < FEWEST:
            return
        stands = copies.occurs(word)
        if stands and word not in "\n".join([told, *proof.remaining]):  # an export is named there
            self._miss(f"{word} in {copies.places(word)}")
        vault = self._life.vault
        for file in (vault.path, *backup.copies(vault.path)):
            found = drive(wipe.scan(file, vault.key, wipe.needles(word)), Event()).found
            self.counts["files"] += 1
            if found and not stands:
                self._miss(f"{word} in {file.name}")

    def _miss(self, what: str) -> None:
        self.counts["unnamed"] += 1
        self.missed.append(what)


def _row(key: str) -> str:
    """Return the id of the row that a place is in, or which of its title and draft."""
    kind, _, row_id = key.partition(":")
    return f"{kind}:{row_id}" if kind in ("title", "draft") else row_id.partition("/")[0]


def _is_counted(word: str, proof: Proof) -> bool:
    """Return whether the proof says that a word stands in places that it does not list.

    Of scripts written without spaces it names the pieces of three letters that were sought.
    """
    pieces = {word, *(word[at : at + 3] for at in range(len(word) - 2) if not word.isascii())}
    said = [line for line in proof.left if any(f"“{piece}”" in line for piece in pieces)]
    return any(told in line for line in said for told in COUNTED)


def main() -> None:
    """Measure, and print the figures as JSON."""
    rounds, seed = (int(one) for one in (*sys.argv[1:], *("100", "1")[len(sys.argv) - 1 :])[:2])
    if rounds > MOST:
        sys.exit(f"One profile has canaries for {MOST} rounds; take another seed for more.")
    print(json.dumps(measured(rounds, seed), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
