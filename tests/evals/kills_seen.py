"""What is there after a kill, held against what was acknowledged; every file left anywhere counts.

All of a life lies in one place: the data directory, what was exported and is imported, and the
system's folder for temporary files, so that nothing that a kill leaves can lie where nobody looks.
"""

import json
import os
import random
import time
import zipfile
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from app.cli.program import run as finished
from app.domain.ids import to_ms, utc_now
from app.domain.jobs.kinds import INDEX, LEARN
from app.domain.language.text import ERASED
from app.domain.memory import Memory, MemoryFilter, Status
from app.errors import AppError
from app.paths import Paths
from app.store.memories import Memories
from app.store.profiles import Profiles
from app.store.vault import wipe
from app.store.vault.file import Vault
from app.store.vault.meta import Exports
from tests.evals.forked import Done, loci

LEFT = (".new", ".part", ".todo", ".tmp")
PASSING = ("temporary", "system")
PROBES = (b"", b"blat")  # what Python itself writes there to see whether it may, and removes
HERE = frozenset(Status) - {Status.FORGOTTEN}
CALLED = "Wren"  # what every word of a life begins with
PATIENCE_SECONDS = 20.0


class Seen:
    """One place, what was acknowledged in it, and what was found wrong.

    Args:
        place: An empty folder.
        chance: What is drawn.

    Attributes:
        kept, erased: Words that memories hold, and that nothing may hold any more.
        answers: What chat told, as JSON.
        theme: The setting as it was seen last; empty while it is being changed.
        recovery: The recovery code that was acknowledged last, or nothing.
        made: Slugs of profiles that were made.
        others: Slugs of profiles whose erasure was begun; with the word in them, or None where it
            was acknowledged.
        exports: Files that the person has: plaintext that is known.
    """

    def __init__(self, place: Path, chance: random.Random) -> None:
        self.place, self.home, self.chance = place, place / "loci", chance
        self.temporary = place / "system"
        self.temporary.mkdir()
        self.kept: set[str] = set()
        self.erased: set[str] = set()
        self.answers: list[dict[str, Any]] = []
        self.theme, self.recovery = "system", ""
        self.made: set[str] = set()
        self.others: dict[str, str | None] = {}
        self.exports: set[Path] = set()
        self.figures: Counter[str] = Counter()
        self.problems: list[str] = []
        self.default = ""
        self._number = 0
        self._sessions: set[int] = set()

    def call(self, *arguments: str, **options: Any) -> Done:
        """Run a command; a mistake of the program counts."""
        env = {"TMPDIR": str(self.temporary), **options.pop("env", {})}
        done = loci(*arguments, home=self.home, env=env, **options)
        self.ended(done.session)
        if done.made_a_mistake:
            self.wrong("mistakes", f"{arguments}: {done.err.strip()[-300:]}")
        return done

    def ended(self, session: int) -> None:
        """Note that the first process of a session has ended, and with it all of it should have."""
        self._sessions.add(session)

    def word(self) -> str:
        """Return a word that stands nowhere yet."""
        return f"{CALLED}{self.counted()}x{self.chance.randrange(10**6)}"

    def counted(self) -> int:
        """Return the next number."""
        self._number += 1
        return self._number

    def wrong(self, what: str, how: str) -> None:
        """Note a problem."""
        self.figures[what] += 1
        self.problems.append(f"{what}: {how}")

    def profiles(self) -> Profiles:
        """Return the profiles of the data directory."""
        return Profiles(Paths(self.home), find_keyring=lambda: None)

    def opened(self) -> Vault:
        """Return the vault of the default profile."""
        return self.profiles().open(self.default)

    def memories(self) -> Sequence[Memory]:
        """Return the memories that are not forgotten."""
        with closing(self.opened()) as vault:
            return Memories(vault).list(MemoryFilter(statuses=HERE), 0, -1)

    def look(self, after: str) -> None:
        """Compare what is there with what was acknowledged."""
        if self._current() != self.default:
            self.wrong("defaults_moved", f"after {after}: {self._current()}")
        there = {profile.slug for profile in self.profiles().list()}
        if gone := self.made - there:
            self.wrong("lost", f"after {after}: profiles {gone}")
            self.made -= gone
        try:
            vault = self.opened()
        except Exception as error:
            self.wrong("not_opened", f"after {after}: {type(error).__name__} {error}")
            return
        with closing(vault):
            with vault.read() as connection:
                if (found := connection.execute("PRAGMA quick_check").fetchone()[0]) != "ok":
                    self.wrong("damaged", f"after {after}: {found}")
            self._compare(vault, after)

    def _compare(self, vault: Vault, after: str) -> None:
        held = [m.text for m in Memories(vault).list(MemoryFilter(statuses=HERE), 0, -1)]
        for word in sorted(self.kept):
            if not any(word in text for text in held):
                self.wrong("lost", f"after {after}: {word}")
                self.kept.remove(word)
        if twice := [text for text, number in Counter(held).items() if number > 1]:
            self.wrong("doubled", f"after {after}: {twice}")
        for answer in list(self.answers):
            with vault.read() as connection:
                sql = "SELECT text FROM messages WHERE parent_pk = (SELECT pk FROM messages"
                found = connection.execute(f"{sql} WHERE id = ?)", (answer["message"],)).fetchall()
            texts = [row[0] for row in found]
            if answer["answer"] not in texts and not any(ERASED in text for text in texts):
                self.wrong("lost", f"after {after}: {answer['answer']!r} of {texts}")
                self.answers.remove(answer)

    def _current(self) -> str:
        listed = json.loads(self.call("profiles", "list", "--json").out)
        return next((str(one["slug"]) for one in listed if one["current"]), "")

    # An hour later.

    def age(self, by: timedelta) -> None:
        """Let files be as old as they would be: what is left of writing is swept by its age."""
        for path in self.files():
            found = path.stat()
            back = by.total_seconds()
            os.utime(path, (found.st_atime - back, found.st_mtime - back))

    def files(self) -> list[Path]:
        """Return every file anywhere in the place."""
        return sorted(path for path in self.place.rglob("*") if path.is_file())

    def look_for_files(self) -> None:
        """Count what is temporary, what nobody can account for, and words that can be read."""
        for path in self.files():
            name = str(path.relative_to(self.place))
            known = self.home in path.parents or path in self.exports
            passing = path.suffix in LEFT or path.parent.name in PASSING
            passing |= path.parent.name == "backups" and not path.match("vault-*.db")
            probe = path.parent == self.temporary and path.read_bytes() in PROBES
            if (passing or not known) and not probe:
                self.wrong("temporary_files", name)
            if CALLED.encode() in path.read_bytes() and path not in self.exports:
                self.wrong("plaintext", name)

    def look_at_profiles(self, later: timedelta) -> None:
        """See that each other profile opens, or is wholly gone."""
        for slug in sorted(self.made | {slug for slug, word in self.others.items() if word}):
            if not (folder := self.home / "profiles" / slug).exists():
                if slug in self.made:
                    self.wrong("lost", f"profile {slug}")
                continue
            told = self.call("memories", "list", "--profile", slug, "--json", later=later)
            if told.code or (self.others.get(slug) or "") not in told.out:
                files = [path.name for path in folder.rglob("*")]
                self.wrong("halved", f"profile {slug}: {told.err.strip()[-200:]} {files}")
        for slug, word in self.others.items():
            if word is None and (self.home / "profiles" / slug).exists():
                self.wrong("not_erased", f"profile {slug}")

    def look_for_ways_in(self) -> None:
        """See that the recovery code that was acknowledged last opens the profile."""
        if not self.recovery:
            return
        try:
            self.profiles().open(self.default, recovery=self.recovery).close()
        except AppError as error:
            self.wrong("not_opened", f"recovery code: {error}")

    def look_for_erased(self) -> None:
        """See that nothing that can be decrypted holds a word that was erased."""
        words = [word.encode() for word in sorted(self.erased)]
        with closing(self.opened()) as vault:
            key, told = vault.key, Exports(vault).paths()
            for file in sorted(vault.path.parent.rglob("*.db")):
                if found := finished(wipe.scan(file, key, words)).found:
                    self.wrong("not_erased", f"{found} in {file.relative_to(self.home)}")
        for memory in self.memories():
            if any(word in memory.text for word in self.erased):
                self.wrong("not_erased", f"{memory.status}, {memory.updated_at}: {memory.text}")
        outside = [path for path in self.exports if path.name.startswith("out")]
        if unlisted := [path.name for path in outside if str(path) not in told]:
            self.wrong("unlisted", f"exports {unlisted}")

    def look_for_queued(self, later: timedelta) -> None:
        """Count what should have been learnt or indexed by now and still waits for it."""
        with closing(self.opened()) as vault, vault.read() as connection:
            found = connection.execute(
                "SELECT kind, count(*) FROM jobs WHERE state = 'queued' AND run_after <= ?"
                " AND kind IN (?, ?) GROUP BY kind",
                (to_ms(utc_now() + later), LEARN, INDEX),
            ).fetchall()
        for kind, number in found:
            self.wrong("stuck_jobs", f"{number} {kind} queued")

    def look_for_orphans(self) -> None:
        """Count processes that outlived those that were killed."""
        end = time.monotonic() + PATIENCE_SECONDS
        while (left := alive_in(self._sessions)) and time.monotonic() < end:
            time.sleep(0.1)
        if left:
            self.wrong("orphans", f"{len(left)}")


def lines_of(path: Path) -> str:
    """Return what an export holds of memories; nothing where the file is not whole."""
    with zipfile.ZipFile(path) as bundle:
        return "" if bundle.testzip() else bundle.read("data/memories.jsonl").decode()


def alive_in(sessions: Collection[int]) -> list[int]:
    """Return the processes that belong to sessions of commands that have ended.

    Nothing else of a process can be read that lets nobody dump it, as a model's does.
    """
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, session, *_ = (place / "stat").read_text().rpartition(")")[2].split()
        except (OSError, ValueError):
            continue
        if int(session) in sessions and state != "Z":
            found.append(int(place.name))
    return found
