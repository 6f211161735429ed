"""The operations that are killed: what each asks for, and what it acknowledges.

Each is a generator: it yields what is to be run (a command, or an act with the services of the open
profile, as the window has them), is sent what that came to, and then notes in the life what was
acknowledged. What it runs before and after that is never killed.
"""

import json
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import Event
from typing import Any

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.ids import utc_now
from app.domain.jobs.operation import drive
from app.domain.memory import DEFAULT_SCOPE, Evidence, Memory, Status, Trust
from app.errors import NotFound, VaultLocked
from app.exchange.exporting import Exporter
from app.paths import Paths
from app.services.services import Services
from app.store.conversations import Conversations
from app.store.memories import Memories, Note
from app.store.messages import Messages
from app.store.profiles import Profiles
from app.store.store import Store
from app.store.vault.meta import Exports
from tests.evals.forked import Done
from tests.evals.kills_seen import Seen, lines_of

GREEN, RED = {"LOCI_PASSPHRASE": "green apples"}, {"LOCI_PASSPHRASE": "red plums"}
NIGHTLY = ("dream", "compact", "backup", "consolidate")
Asking = Generator[tuple[Any, ...], Done, None]


class Work:
    """What can be done in a life.

    Args:
        seen: The life's data directory, and what was acknowledged in it.

    Attributes:
        operations: By their names.
        models: The names of those that start the models that understand.
    """

    def __init__(self, seen: Seen) -> None:
        self.seen, self.call, self.chance = seen, seen.call, seen.chance
        self.operations: dict[str, Callable[[], Asking]] = {
            "remember": self._remember,
            "edit": self._edit,
            "forget": self._forget,
            "undo": self._undo,
            "erase": self._erase,
            "erase_talk": self._erase_talk,
            "erase_profile": self._erase_profile,
            "set": self._set,
            "create": self._create,
            "passphrase": self._passphrase,
            "passphrase_change": self._passphrase_change,
            "passphrase_remove": self._passphrase_remove,
            "recovery": self._recovery,
            "backup": lambda: self._plain("profiles", "backup"),
            "restore": self._restore,
            "export": self._export,
            "import": self._import,
            "import_claims": self._import_claims,
            "trust": self._trust,
            "upkeep": self._upkeep,
            "doctor": lambda: self._plain("doctor"),
            "chat": self._chat,
            "review": lambda: self._plain("upkeep", "run", "review"),
        }
        self.models = ("chat", "review")

    # Memories.

    def _remember(self) -> Asking:
        word = self.seen.word()
        done = yield "remember", f"I own a boat called {word}."
        if done.code == 0:
            self.seen.kept.add(word)

    def _edit(self) -> Asking:
        word, memory_id = self._some()
        new = f"I own a boat called {word}, painted {self.seen.word()}."
        done = yield "memories", "edit", memory_id, new
        if done.code == 0 and self._active(memory_id) != new:
            self.seen.wrong("lost", f"the edit {new!r} of {memory_id}")

    def _forget(self) -> Asking:
        word, memory_id = self._some()
        self.seen.kept.remove(word)
        done = yield "memories", "forget", memory_id
        if done.code == 0 and self._active(memory_id):
            self.seen.wrong("lost", f"the forgetting of {word}")

    def _undo(self) -> Asking:
        """Undo the forgetting of two at once: both are back, or none."""
        both = dict(self._some() for _ in range(2))
        self.seen.kept -= both.keys()
        self.call("memories", "forget", *both.values())
        done = yield ("undo",)
        back = {word for word, memory_id in both.items() if self._active(memory_id)}
        if back not in (set(), set(both)) or (done.code == 0 and not back):
            self.seen.wrong("halved", f"undone ({done.code}): {back} of {set(both)}")
        self.seen.kept |= back

    def _trust(self) -> Asking:
        """Accept what an import claimed: all of it, or nothing."""
        if not self._claimed():
            drain(self._import_claims(), self.call)
        before = self._claimed()
        done = yield "memories", "trust", "--all", "--yes"
        left = self._claimed()
        if left not in (set(), before) or (done.code == 0 and left):
            self.seen.wrong("halved", f"trusted ({done.code}): {left} of {before} are left")

    # Erasing.

    def _erase(self) -> Asking:
        word, memory_id = self._some()
        self.seen.kept.remove(word)
        done = yield "memories", "erase", memory_id, "--yes"
        if done.code == 0 or not self._has(memory_id):
            self.seen.erased.add(word)

    def _erase_talk(self) -> Asking:
        word, talk = self._talk()

        def act(services: Services) -> list[str]:
            stop = Event()
            looked = drive(services.erasure.looking_for_conversation(talk), stop)
            ticked = frozenset(copy.key for copy in looked.copies if copy.ticked)
            proof = drive(services.erasure.erase_conversation(talk, ticked), stop)
            return [*proof.left, *proof.remaining]

        done = yield ({"act": act},)
        if not self._talk_is_whole(word, talk):
            self.seen.erased.add(word)
        elif done.code == 0:
            self.seen.wrong("not_erased", f"the conversation of {word}")

    def _erase_profile(self) -> Asking:
        """Erase another profile: its folder goes, at the latest at the next start, or is whole."""
        name = f"Profile {self.seen.counted()}"
        made = json.loads(self.call("profiles", "create", name, "--json").out)
        word, slug = self.seen.word(), str(made["slug"])
        self.call("remember", f"I own a boat called {word}.", "--profile", slug)
        done = yield "erase", "--all", "--yes", "--profile", slug
        self.seen.others[slug] = None if done.code == 0 else word

    def _create(self) -> Asking:
        done = yield "profiles", "create", f"Profile {self.seen.counted()}", "--json"
        if done.code == 0:
            self.seen.made.add(str(json.loads(done.out)["slug"]))

    # Settings and ways in.

    def _set(self) -> Asking:
        wanted = self.chance.choice(("dark", "light", "system"))
        before, self.seen.theme = self.seen.theme, ""
        done = yield "settings", "set", "appearance.theme", wanted
        said = self.call("settings", "get", "appearance.theme").out.strip()
        if said != wanted and (done.code == 0 or said != before):
            self.seen.wrong("lost", f"the theme is {said}, not {before} or {wanted}")
        self.seen.theme = said

    def _passphrase(self) -> Asking:
        done = yield "profiles", "passphrase", {"say": "green apples\n"}
        self._protected(done)
        self._let_go(GREEN, {} if done.code else GREEN)

    def _passphrase_change(self) -> Asking:
        self.call("profiles", "passphrase", say="green apples\n")
        done = yield "profiles", "passphrase", {"say": "red plums\n", "env": GREEN}
        self._protected(done)
        self._let_go(RED, RED if done.code == 0 else GREEN)

    def _passphrase_remove(self) -> Asking:
        self.call("profiles", "passphrase", say="green apples\n")
        done = yield "profiles", "passphrase", "--remove", {"env": GREEN}
        if done.code == 0 and self.call("doctor").code:
            self.seen.wrong("not_opened", "without the passphrase that was removed")
        self._let_go(GREEN, {})

    def _protected(self, done: Done) -> None:
        """See that what a passphrase is said to protect does not open without it."""
        if done.code == 0:
            with suppress(VaultLocked):
                self.seen.opened().close()
                self.seen.wrong("unprotected", "it opens without the passphrase")

    def _let_go(self, *phrases: dict[str, str]) -> None:
        """Remove the passphrase, which is one of these."""
        tried = [self.call("profiles", "passphrase", "--remove", env=env) for env in phrases]
        if all(done.code for done in tried):
            self.seen.wrong("not_opened", f"passphrase: {tried[-1].err.strip()}")

    def _recovery(self) -> Asking:
        """Make a recovery code; the one that was acknowledged last opens the profile."""
        self.seen.recovery = ""
        done = yield "profiles", "recovery-code", "--json"
        if done.code == 0:
            self.seen.recovery = str(json.loads(done.out)["code"])

    # Files.

    def _restore(self) -> Asking:
        self.call("profiles", "backup")
        yield "profiles", "restore", "--yes"

    def _export(self) -> Asking:
        """Export: the file is whole and listed for an erasure to name, or is not there."""
        path = self.seen.place / f"out{self.seen.counted()}.zip"
        done = yield "export", str(path)
        there = path.exists()
        if there:
            if missing := [word for word in self.seen.kept if word not in lines_of(path)]:
                self.seen.wrong("lost", f"not in the export: {missing}")
            with closing(self.seen.opened()) as vault:
                if str(path) not in Exports(vault).paths():
                    self.seen.wrong("unlisted", f"the export {path.name} ({done.code})")
            self.seen.exports.add(path)
        elif done.code == 0:
            self.seen.wrong("lost", f"the export {path.name}")

    def _import(self) -> Asking:
        path = self.seen.place / "in.zip"
        if not path.exists():
            self.call("export", str(path))
            self.seen.exports.add(path)
        yield "import", str(path), "--own"

    def _import_claims(self) -> Asking:
        """Bring in what another vault holds: all of it, or nothing."""
        words = [self.seen.word() for _ in range(3)]
        path = self.seen.place / f"claims{self.seen.counted()}.zip"
        _write_of_another(path, [f"I own a boat called {word}." for word in words])
        self.seen.exports.add(path)
        done = yield "import", str(path)
        came = {word for word in words if any(word in m.text for m in self.seen.memories())}
        if came not in (set(), set(words)) or (done.code == 0 and not came):
            self.seen.wrong("halved", f"imported ({done.code}): {came} of {words}")
        self.seen.kept |= came

    # What goes on by itself, and talk.

    def _upkeep(self) -> Asking:
        kind = self.chance.choice(NIGHTLY)
        yield "upkeep", "run", kind
        again = self.call("upkeep", "run", kind)
        if "at work" in again.err:
            self.seen.wrong("said_busy", again.err.strip())

    def _chat(self) -> Asking:
        lines = "".join(f"I own a boat called {self.seen.word()}.\n" for _ in range(3))
        done = yield "chat", "--typed", "--json", {"say": lines}
        for line in done.out.splitlines():
            if line.endswith("}"):
                self.seen.answers.append(json.loads(line))

    def _plain(self, *arguments: str) -> Asking:
        yield arguments

    # What there is.

    def _some(self) -> tuple[str, str]:
        word = self.chance.choice(sorted(self.seen.kept))
        return word, next(memory.id for memory in self.seen.memories() if word in memory.text)

    def _talk(self) -> tuple[str, str]:
        """Make a conversation from which something was learnt; return its word and id."""
        word, now = self.seen.word(), utc_now()
        text = f"I own a boat called {word}."
        with closing(self.seen.opened()) as vault:
            talks = Conversations(vault)
            messages = Messages(vault)
            talk = talks.create(1, title=f"About {word}").id
            said = messages.add(talk, Role.USER, (Part(text, PartOrigin.TYPED),)).id
            answer = (Part(f"Noted: {word}.", PartOrigin.MODEL),)
            messages.add(talk, Role.ASSISTANT, answer)
            memory = Memory(f"learnt-{word}", text, now, now, agent_pk=1)
            evidence = [Evidence(text, now, said)]
            Memories(vault).insert(memory, evidence, Note("user", "insert", memory.id))
        return word, talk

    def _talk_is_whole(self, word: str, talk: str) -> bool:
        """Return whether a conversation is there with what was learnt; gone, it is so for good."""
        with closing(self.seen.opened()) as vault:
            try:
                there = Conversations(vault).get(talk).message_count == 2
            except NotFound:
                there = False
            learnt = bool(Memories(vault).by_ids([f"learnt-{word}"]))
        if there != learnt:
            self.seen.wrong("halved", f"conversation {there}, memory {learnt}")
        return there

    def _has(self, memory_id: str) -> bool:
        """Return whether the vault holds a memory, once what a kill interrupted is finished."""
        self.call("memories", "show", memory_id)
        with closing(self.seen.opened()) as vault:
            return bool(Memories(vault).by_ids([memory_id]))

    def _active(self, memory_id: str) -> str:
        """Return what a memory says; empty where it is forgotten or gone."""
        return next((m.text for m in self.seen.memories() if m.id == memory_id), "")

    def _claimed(self) -> set[str]:
        """Return the ids of memories in use that an import claimed."""
        found = (m for m in self.seen.memories() if m.status is Status.ACTIVE)
        return {m.id for m in found if m.trust is Trust.CLAIMED}


def _write_of_another(path: Path, texts: Sequence[str]) -> None:
    """Write the export of a vault that somebody else filled."""
    now = utc_now()
    with tempfile.TemporaryDirectory() as place:
        vault, _ = Profiles(Paths(Path(place)), find_keyring=lambda: None).create("Eve")
        with closing(vault):
            for number, text in enumerate(texts):
                memory = Memory(f"{path.stem}-{number}", text, now, now, agent_pk=1)
                Memories(vault).insert(memory, [], Note("user", "insert", memory.id))
            drive(Exporter(Store(vault), DEFAULT_SCOPE, utc_now).run(path, "Eve"), Event())


def drain(asking: Asking, call: Callable[..., Done], **kill: Any) -> Done:
    """Run what an operation asks for, and let it note what came of it; return that."""
    asked = next(asking)
    options = asked[-1] if isinstance(asked[-1], dict) else {}
    done = call(*(word for word in asked if isinstance(word, str)), **options, **kill)
    with suppress(StopIteration):
        asking.send(done)
    return done
