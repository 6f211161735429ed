"""Whether an erasure names whatever it leaves: canaries are restated, quoted and derived, and go.

Each round plants a canary in one profile: a memory with the words it rests on, restatements with
and without its name, answers that quote it or were derived from it, titles, drafts, another memory
of the same, an older wording in the history of one that changed. A memory, several, or the whole
conversation is then erased, with some places unticked. What still holds the canary, or says the
same without its name, must be named in the proof; what has nothing to do with it must be as it was.
Run it for the figures::

    .venv/bin/python -m tests.evals.erasing [rounds]
"""

import json
import random
import sys
import tempfile
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
from app.domain.memory import Evidence, Memory
from app.domain.recall import Hit, HitKind, Recall
from app.domain.text import clipped
from app.jobs.operation import drive
from app.memory.index import Indexer
from app.memory.restated import Restated
from app.paths import Paths
from app.providers.llamacpp import LlamaEmbedder
from app.services.erasure import ErasureService
from app.services.scrub import Scrubber
from app.store.conversations import Conversations
from app.store.copies import Copies
from app.store.memories import Memories, Note
from app.store.profiles import Profiles
from app.store.recalls import Recalls
from app.store.vectors import Vectors
from tests.fakes.understanding import Understanding

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MODEL = "models/loci-minilm-v2-Q8_0.gguf"
SYLLABLES = """
bra vol qua zen tor mik lup dra fen gor hax jil kov nym pex rud syl tav wex yor
""".split()  # noqa: SIM905 - easier to read than a list
FACTS = (  # what is remembered; restated with its name, twice; restated without it
    (
        "You drive a {}",
        "My {} needs new tyres.",
        "I bought the {} second-hand, did I say?",
        "",
    ),
    (
        "You are allergic to {} nuts",
        "No {} for me, please, I get a rash.",
        "The doctor says {} nuts could kill me.",
        "",
    ),
    (
        "Your sister {} works as a nurse in a hospital",
        "{} called yesterday.",
        "I am having lunch with {} on Monday.",
        "My sister is a hospital nurse.",
    ),
    (
        "Your therapist is called {} and you see her because of panic attacks",
        "{} moved our appointment.",
        "I owe {} for two sessions.",
        "I go to a therapist for my panic attacks.",
    ),
    (
        "You are moving to {} because you lost your job",
        "Rents in {} are high.",
        "Is the train to {} expensive?",
        "I lost my job, so I am moving away.",
    ),
)
BYSTANDERS = (
    "How do I boil an egg?",
    "The tyres of a bicycle wear out slowly.",
    "My brother works in a bakery near the station.",
    "What rash does a nettle leave?",
    "I moved the sofa to the other wall on Monday.",
    "Please remind me to call the bank.",
)
OTHERS = ("You play the cello on Sundays", "You like your eggs hard", "Your brother is a baker")


@dataclass
class Row:
    """One place that was planted.

    Attributes:
        key: As an inventory names it.
        text: What it says.
        named: Whether it holds the canary itself.
    """

    key: str
    text: str
    named: bool = True


@dataclass
class Planted:
    """One canary, and where it stands."""

    word: str
    memory: str
    talk: str
    rows: list[Row] = field(default_factory=list)


class Life:
    """A profile in which canaries are planted and erased."""

    def __init__(self, folder: Path, chance: random.Random, embedder: LlamaEmbedder) -> None:
        self.profiles = Profiles(Paths(folder), lambda: NOW, lambda: None)
        self.vault, profile = self.profiles.create("Ada")
        self.talks, self.memories = Conversations(self.vault), Memories(self.vault)
        self.recalls, self.copies = Recalls(self.vault), Copies(self.vault)
        self.chance, self.embedder, self.made = chance, embedder, 0
        restated = Restated(self.vault, lambda: embedder, Understanding, lambda: NOW)
        self.erasure = ErasureService(
            self.vault,
            self.profiles.files(profile.slug),
            "Ada",
            Scrubber(self.vault),
            lambda _asking: (),
            restated=restated,
        )
        self.talk = self.talks.create(title="This and that").id
        self.bystanders = [self.say(self.talk, text) for text in BYSTANDERS]
        self.others = [self.remember(text) for text in OTHERS]

    def say(self, talk: str, text: str, role: Role = Role.USER) -> str:
        """Add a message; return its id."""
        origin = PartOrigin.TYPED if role is Role.USER else PartOrigin.MODEL
        return self.talks.add_message(talk, role, (Part(text, origin),)).id

    def remember(self, text: str, *said: tuple[str, str]) -> str:
        """Add a memory that rests on quotes of messages; return its id."""
        self.made += 1
        number = f"m{self.made:06}"
        evidence = [Evidence(quote, NOW, message) for message, quote in said]
        self.memories.insert(
            Memory(number, text, NOW, NOW), evidence, Note("user", "insert", number)
        )
        return number

    def plant(self, number: int) -> Planted:
        """Plant a canary."""
        word = "".join(self.chance.sample(SYLLABLES, 3)).capitalize() + SYLLABLES[number % 20]
        fact, first, second, unnamed = (t.format(word) for t in FACTS[number % len(FACTS)])
        quote = fact.replace("You are", "I am").replace("Your", "My").replace("You ", "I ")
        home = self.talks.create(title=clipped(quote, 30)).id
        said = self.say(home, f"Good morning. {quote}. Anyway, how are you?")
        planted = Planted(word, self.remember(fact, (said, quote)), home)
        other = self.talks.create(title=f"About {word}").id
        self.talks.set_draft(other, f"and {word} again")
        add = planted.rows.append
        for key, text in (
            (f"title:{other}", word),
            (f"draft:{other}", word),
            (f"message:{said}", quote),
        ):
            add(Row(key, text))
        for text, role in (
            (first, Role.USER),
            (f"Noted. As you told me, {quote}. Shall I go on?", Role.ASSISTANT),
            (f"Well, {second}", Role.USER),
            (unnamed, Role.USER),
        ):
            if text:
                add(Row(f"message:{self.say(other, text, role)}", text, word in text))
        self._derive(planted, other, fact)
        twin = self.say(other, f"{first} {second}")
        add(Row(f"message:{twin}", first))
        add(Row(f"memory:{self.remember(f'You said that {fact}', (twin, first))}", fact))
        return planted

    def _derive(self, planted: Planted, talk: str, fact: str) -> None:
        """Add an answer that cites the memory in words of its own, and a memory that changed."""
        text = "Paris is lovely. That would suit what you told me [1]. Shall I book?"
        answer = self.say(talk, text, Role.ASSISTANT)
        memory = self.memories.get(planted.memory)
        hit = Hit(memory.id, HitKind.MEMORY, memory.text, NOW, pk=memory.pk)
        self.recalls.save(answer, Recall(hits=(hit,)), [memory.id], [memory.id])
        planted.rows.append(Row(f"message:{answer}", "what you told me", named=False))
        changed = self.remember(f"You wrote once: {planted.word}, {fact}")
        note = Note("user", "edit", f"e{changed}")
        self.memories.update(changed, {"text": f"You tend bees in hive {changed}"}, note)

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
    """Return what became of canaries in so many erasures."""
    chance, counts, missed = random.Random(seed), Counter[str](), list[str]()
    embedder = LlamaEmbedder(resource(MODEL), "The bundled embedder")
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Path(folder), chance, embedder)
        with closing(life.vault):
            for number in range(rounds):
                planted = life.plant(number)
                life.index()
                inventory, kept, proof = _erased(life, planted, number)
                _weighed(life, planted, inventory, kept, proof, counts, missed)
            untouched = [life.text(f"message:{one}") for one in life.bystanders]
            stay = [life.text(f"memory:{one}") for one in life.others]
    swept = sum(a != b for a, b in zip([*untouched, *stay], [*BYSTANDERS, *OTHERS], strict=True))
    return {"erasures": rounds, **counts, "swept_wrongly": swept, "missed": missed}


def _erased(life: Life, planted: Planted, number: int) -> tuple[Inventory, set[str], Proof]:
    """Erase with up to two places unticked; return what was shown, kept and proved."""
    whole = number % 3 == 2
    subject = planted.talk if whole else planted.memory
    look = life.erasure.of_conversation if whole else life.erasure.of_memory
    inventory = look(subject)
    free = [c.key for c in inventory.copies if c.ticked and not c.required and not c.follows]
    kept = set(life.chance.sample(free, min(len(free), number % 3)))
    ticked = frozenset(c.key for c in inventory.copies if c.ticked) - kept
    erase = life.erasure.erase_conversation if whole else life.erasure.erase_memory
    return inventory, kept, drive(erase(subject, ticked), Event())


def _weighed(
    life: Life,
    planted: Planted,
    inventory: Inventory,
    kept: set[str],
    proof: Proof,
    counts: Counter[str],
    missed: list[str],
) -> None:
    told = "\n".join(proof.left)
    lines = {copy.key: copy.line for copy in inventory.copies}
    counts["found_after"] += proof.found_after
    for row in planted.rows:
        counts["planted"] += 1
        now = life.text(row.key)
        stands = planted.word in now if row.named else row.text in now
        line = lines.get(row.key)
        if not stands:
            counts["gone"] += 1
        elif line is not None and line in told:
            counts["kept_and_named" if row.key in kept else "left_and_named"] += 1
        else:
            counts["unnamed"] += 1
            missed.append(f"{row.key}: {now}")
    if not kept and life.copies.occurs(planted.word) and planted.word not in told:
        counts["unnamed"] += 1
        missed.append(f"{planted.word} in {life.copies.places(planted.word)}")


def main() -> None:
    """Measure, and print the figures as JSON."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(json.dumps(measured(rounds), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
