"""Random kills over all operations: what is lost, stuck, left behind or moved.

Each operation of the command line is run in a process of its own (``forked``) that is killed at a
drawn event or moment. After every kill the vault is opened and compared with what was acknowledged;
at the end an hour passes, the next start does what was left to be done, and whatever is still
stuck, left behind or moved counts. Run it for the figures::

    .venv/bin/python -m tests.evals.kills --count 1000 --seed 1
"""

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

from app import log
from app.cli.program import run as finished
from app.domain.memory import MemoryFilter
from app.domain.text import ERASED
from app.paths import Paths
from app.store import wipe
from app.store.memories import Memories
from app.store.profiles import Profiles
from app.store.vault import Vault
from tests.evals.forked import Done, loci

LATER = timedelta(hours=2)
LEFT = (".new", ".part", ".todo", ".tmp")
PATIENCE_SECONDS = 20.0
MODELS = 0.1  # of the operations, those that wait for the models that understand


class Life:
    """One data directory, what was acknowledged in it, and what was found wrong.

    Args:
        home: The data directory.
        chance: What is drawn.
        talks: Whether conversations are among the operations; they start models.
    """

    def __init__(self, home: Path, chance: random.Random, *, talks: bool = True) -> None:
        self.home, self.chance = home, chance
        self.kept: dict[str, str] = {}
        self.erased: set[str] = set()
        self.answers: list[dict[str, Any]] = []
        self.theme = "system"
        self.figures: Counter[str] = Counter()
        self.kills: Counter[str] = Counter()
        self.problems: list[str] = []
        self.lengths: dict[str, tuple[int, float]] = {}
        self._number = 0
        self._operations: dict[str, Callable[[], Iterator[Any]]] = {
            "remember": self._remember,
            "edit": self._edit,
            "forget": self._forget,
            "erase": self._erase,
            "set": self._set,
            "create": self._create,
            "passphrase": self._passphrase,
            "recovery": lambda: self._plain("profiles", "recovery-code"),
            "backup": lambda: self._plain("profiles", "backup"),
            "restore": self._restore,
            "export": lambda: self._plain("export", str(self.home.parent / "out.zip")),
            "import": self._import,
            "upkeep": self._upkeep,
            "doctor": lambda: self._plain("doctor"),
        }
        if talks:
            self._operations["chat"] = self._chat
        self.call("models", "--use", "hash")
        self.default = self._profiles().list()[0].slug
        for _ in range(3):
            self._whole("remember")

    def live(self, count: int) -> None:
        """Kill so many operations."""
        names = sorted(self._operations)
        while self.kills.total() < count:
            name = self.chance.choice(names)
            if name == "chat" and self.chance.random() > MODELS * len(names):
                continue
            if name not in self.lengths:
                self._whole(name)
            self._kill(name)
            self.look(name)

    def call(self, *arguments: str, **options: Any) -> Done:
        """Run a command; a mistake of the program counts."""
        done = loci(*arguments, home=self.home, **options)
        if done.made_a_mistake:
            self._wrong("mistakes", f"{arguments}: {done.err.strip()[-300:]}")
        return done

    def look(self, after: str) -> None:
        """Compare what is there with what was acknowledged."""
        profiles = self._profiles()
        if not profiles.list() or self._default() != self.default:
            self._wrong("defaults_moved", f"after {after}: {self._default()}")
        try:
            vault = self._open()
        except Exception as error:
            self._wrong("not_opened", f"after {after}: {type(error).__name__} {error}")
            return
        with closing(vault):
            with vault.read() as connection:
                if (found := connection.execute("PRAGMA quick_check").fetchone()[0]) != "ok":
                    self._wrong("damaged", f"after {after}: {found}")
            self._compare(vault, after)

    def an_hour_later(self) -> dict[str, Any]:
        """Let time pass and the next starts do what was left; return all figures."""
        self._age_files()
        said = self.call("chat", later=LATER)
        if said.code:
            self._wrong("not_finished", said.err.strip())
        done = self.call("doctor", "--thorough", "--json", later=LATER)
        report = json.loads(done.out)
        self.figures["set_aside"] = report["jobs"].get("failed", 0)
        if report["jobs"].get("failed"):  # killed three times at the same: the person is told
            self.call("upkeep", "retry", later=LATER)
            done = self.call("doctor", "--thorough", "--json", later=LATER)
            report = json.loads(done.out)
        stuck = {n: k for n, k in report["jobs"].items() if n in ("running", "failed") and k}
        for state, number in stuck.items():
            self._wrong("stuck_jobs", f"{number} {state}")
        if done.code:
            self._wrong("unhealthy", json.dumps(report["problems"]))
        for path in sorted(self.home.rglob("*")):
            if path.suffix in LEFT or path.parent.name == "temporary":
                self._wrong("temporary_files", str(path.relative_to(self.home)))
        self._look_for_orphans()
        self._look_for_erased()
        self.look("an hour")
        return {
            "kills": self.kills.total(),
            "by_operation": dict(sorted(self.kills.items())),
            "operations": self.figures["operations"],
            "set_aside": self.figures["set_aside"],
            "acknowledged": len(self.kept) + len(self.erased) + len(self.answers),
            **{name: self.figures[name] for name in WRONG},
            "problems": self.problems[:50],
        }

    def _age_files(self) -> None:
        """Let files be as old as they would be: what is left of writing is swept by its age."""
        for path in self.home.rglob("*"):
            if path.is_file():
                found = path.stat()
                back = LATER.total_seconds()
                os.utime(path, (found.st_atime - back, found.st_mtime - back))

    # What is done.

    def _remember(self) -> Iterator[Any]:
        word = self._word()
        done = yield "remember", f"I own a boat called {word}."
        if done.code == 0:
            self.kept[word] = ""

    def _edit(self) -> Iterator[Any]:
        word, memory_id = self._some()
        yield "memories", "edit", memory_id, f"I own a boat called {word}, painted {self._word()}."

    def _forget(self) -> Iterator[Any]:
        word, memory_id = self._some()
        del self.kept[word]
        yield "memories", "forget", memory_id

    def _erase(self) -> Iterator[Any]:
        word, memory_id = self._some()
        del self.kept[word]
        done = yield "memories", "erase", memory_id, "--yes"
        if done.code == 0 or not self._has(memory_id):
            self.erased.add(word)

    def _set(self) -> Iterator[Any]:
        wanted = self.chance.choice(("dark", "light", "system"))
        before, self.theme = self.theme, ""
        done = yield "settings", "set", "appearance.theme", wanted
        self.theme = wanted if done.code == 0 else self._theme()
        if self.theme not in (before, wanted):
            self._wrong("lost", f"the theme is {self.theme}, not {before} or {wanted}")

    def _create(self) -> Iterator[Any]:
        yield "profiles", "create", f"Profile {self._word()}"

    def _passphrase(self) -> Iterator[Any]:
        done = yield "profiles", "passphrase", {"say": "green apples\n"}
        if self.call("profiles", "passphrase", "--remove", env=PHRASE).code:
            again = self.call("profiles", "passphrase", "--remove")
            if again.code:
                self._wrong("not_opened", f"passphrase ({done.code}): {again.err.strip()}")

    def _restore(self) -> Iterator[Any]:
        self.call("profiles", "backup")
        yield "profiles", "restore", "--yes"

    def _import(self) -> Iterator[Any]:
        path = self.home.parent / "in.zip"
        if not path.exists():
            self.call("export", str(path))
        yield "import", str(path), "--own"

    def _upkeep(self) -> Iterator[Any]:
        kind = self.chance.choice(("dream", "compact", "backup"))
        yield "upkeep", "run", kind
        again = self.call("upkeep", "run", kind)
        if "at work" in again.err:
            self._wrong("said_busy", again.err.strip())

    def _chat(self) -> Iterator[Any]:
        lines = "".join(f"I own a boat called {self._word()}.\n" for _ in range(3))
        done = yield "chat", "--typed", "--json", {"say": lines}
        for line in done.out.splitlines():
            if line.endswith("}"):
                self.answers.append(json.loads(line))

    def _plain(self, *arguments: str) -> Iterator[Any]:
        yield arguments

    # How it is killed.

    def _whole(self, name: str) -> None:
        """Do it once without a kill, to learn how long it is."""
        began = time.monotonic()
        done = self._do(name)
        if done.code:
            self._wrong("failed", f"{name}: {done.err.strip()[-300:]}")
        self.lengths[name] = done.events, time.monotonic() - began

    def _kill(self, name: str) -> None:
        events, seconds = self.lengths[name]
        if self.chance.random() < 0.7:
            done = self._do(name, kill_at=self.chance.randint(1, max(1, events)))
        else:
            done = self._do(name, kill_after=self.chance.uniform(0.001, seconds))
        self.kills[name] += done.code is None

    def _do(self, name: str, **kill: Any) -> Done:
        if len(self.kept) < 2 and name in ("edit", "forget", "erase"):
            self._do("remember")
        self.figures["operations"] += 1
        running = self._operations[name]()
        asked = next(running)
        words = asked if isinstance(asked[0], str) else asked[0]
        options = words[-1] if isinstance(words[-1], dict) else {}
        done = self.call(*[word for word in words if isinstance(word, str)], **options, **kill)
        with suppress(StopIteration):
            running.send(done)
        return done

    # What is there.

    def _compare(self, vault: Vault, after: str) -> None:
        rows = Memories(vault).list(MemoryFilter(), 0, 100_000)
        held = [memory.text for memory in rows]
        for word in sorted(self.kept):
            if not any(word in text for text in held):
                self._wrong("lost", f"after {after}: {word}")
                del self.kept[word]
        twice = [text for text, number in Counter(held).items() if number > 1]
        if twice:
            self._wrong("doubled", f"after {after}: {twice}")
        for answer in list(self.answers):
            with vault.read() as connection:
                sql = "SELECT text FROM messages WHERE parent_pk = (SELECT pk FROM messages"
                found = connection.execute(f"{sql} WHERE id = ?)", (answer["message"],)).fetchall()
            texts = [row[0] for row in found]
            if answer["answer"] not in texts and not any(ERASED in text for text in texts):
                self._wrong("lost", f"after {after}: {answer['answer']!r} of {texts}")
                self.answers.remove(answer)

    def _look_for_erased(self) -> None:
        if not self.erased:
            return
        with closing(self._open()) as vault:
            for word in sorted(self.erased):
                scan = wipe.scan(vault.path, vault.key, [word.encode()])
                if found := finished(scan).found:
                    self._wrong("not_erased", f"{word}: {found}")

    def _look_for_orphans(self) -> None:
        """Count processes that outlived those that were killed."""
        end = time.monotonic() + PATIENCE_SECONDS
        while (left := _of(self.home)) and time.monotonic() < end:
            time.sleep(0.1)
        if left:
            self._wrong("orphans", f"{len(left)}")

    def _profiles(self) -> Profiles:
        return Profiles(Paths(self.home), find_keyring=lambda: None)

    def _open(self) -> Vault:
        return self._profiles().open(self.default)

    def _default(self) -> str:
        listed = json.loads(self.call("profiles", "list", "--json").out)
        return next((str(one["slug"]) for one in listed if one["current"]), "")

    def _theme(self) -> str:
        return self.call("settings", "get", "appearance.theme").out.strip()

    def _has(self, memory_id: str) -> bool:
        return self.call("memories", "show", memory_id).code == 0

    def _some(self) -> tuple[str, str]:
        with closing(self._open()) as vault:
            rows = Memories(vault).list(MemoryFilter(), 0, 100_000)
        word = self.chance.choice(sorted(self.kept))
        return word, next(memory.id for memory in rows if word in memory.text)

    def _word(self) -> str:
        self._number += 1
        return f"Wren{self._number}x{self.chance.randrange(10**6)}"

    def _wrong(self, what: str, how: str) -> None:
        self.figures[what] += 1
        self.problems.append(f"{what}: {how}")


PHRASE = {"LOCI_PASSPHRASE": "green apples"}
WRONG = (
    "lost",
    "doubled",
    "not_erased",
    "damaged",
    "not_opened",
    "defaults_moved",
    "said_busy",
    "stuck_jobs",
    "unhealthy",
    "not_finished",
    "temporary_files",
    "orphans",
    "failed",
    "mistakes",
)


def _of(home: Path) -> list[int]:
    """Return the processes that were started with a data directory."""
    mark, found = f"LOCI_HOME={home}\0".encode(), []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (place / "environ").read_bytes() and int(place.name) != os.getpid():
                found.append(int(place.name))
        except OSError:
            continue
    return found


def measured(count: int, seed: int, *, talks: bool = True) -> dict[str, Any]:
    """Return the figures of so many kills."""
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        life = Life(Path(place) / "loci", random.Random(seed), talks=talks)
        life.live(count)
        return {"seed": seed, **life.an_hour_later()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Kill operations of the command line at random, and print what went wrong as JSON."""
    parser = argparse.ArgumentParser(prog="tests.evals.kills", description=main.__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="how many kills")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    log.quiet()
    sys.stdout.write(json.dumps(measured(asked.count, asked.seed), indent=1) + "\n")


if __name__ == "__main__":
    main()
