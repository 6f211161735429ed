"""Random kills over all operations: what is lost, stuck, left behind or moved.

Each operation (``kills_work``) is run in a process of its own (``forked``) that is killed at a
drawn event or moment. After every kill the vault is opened and compared with what was acknowledged
(``kills_seen``); at the end an hour passes, the next start does what was left to be done, and
whatever is still stuck, left behind or moved counts. Run it for the figures::

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
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from app import log
from tests.evals.forked import Done
from tests.evals.kills_seen import Seen
from tests.evals.kills_work import Work, drain

LATER = timedelta(hours=2)
MODELS = 0.2  # how often what starts models is killed, of once in a round
WRONG = (
    "lost",
    "doubled",
    "halved",
    "not_erased",
    "plaintext",
    "unlisted",
    "unprotected",
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


class Life:
    """Operations that are killed, one after the other, in one place.

    Args:
        place: An empty folder.
        chance: What is drawn.
        only: The names of the operations; all where it is empty.
    """

    def __init__(self, place: Path, chance: random.Random, only: Iterable[str] = ()) -> None:
        self.seen, self.chance = Seen(place, chance), chance
        self.work = Work(self.seen)
        self.names = sorted(only or self.work.operations)
        self.kills: Counter[str] = Counter()
        self.operations = 0
        self._lengths: dict[str, tuple[int, float]] = {}
        self._due: list[str] = []
        self.seen.call("models", "--use", "hash")
        self.seen.default = self.seen.profiles().list()[0].slug
        for _ in range(3):
            self._whole("remember")

    def live(self, count: int) -> None:
        """Kill so many operations, each about as often."""
        while self.kills.total() < count:
            name = self._next()
            if name not in self._lengths:
                self._whole(name)
            self._kill(name)
            self.seen.look(name)

    def an_hour_later(self) -> dict[str, Any]:
        """Let time pass and the next starts do what was left; return all figures."""
        seen = self.seen
        seen.age(LATER)
        said = seen.call("chat", later=LATER)
        if said.code:
            seen.wrong("not_finished", said.err.strip())
        aside = self._look_at_health()
        seen.look_at_profiles(LATER)
        seen.look_for_files()
        seen.look_for_orphans()
        seen.look_for_erased()
        seen.look_for_ways_in()
        seen.look("an hour")
        return {
            "kills": self.kills.total(),
            "by_operation": dict(sorted(self.kills.items())),
            "operations": self.operations,
            "set_aside": aside,
            "acknowledged": sum(map(len, (seen.kept, seen.erased, seen.answers, seen.made))),
            **{name: seen.figures[name] for name in WRONG},
            "problems": seen.problems[:50],
        }

    def _look_at_health(self) -> int:
        """Ask the doctor; return how many jobs had been set aside, which are tried again."""
        seen, doctor = self.seen, ("doctor", "--thorough", "--json")
        done = seen.call(*doctor, later=LATER)
        report = json.loads(done.out)
        aside = int(report["jobs"].get("failed", 0))
        if aside:  # killed three times at the same: the person is told
            seen.call("upkeep", "retry", later=LATER)
            done = seen.call(*doctor, later=LATER)
            report = json.loads(done.out)
        for state in ("running", "failed"):
            if number := report["jobs"].get(state):
                seen.wrong("stuck_jobs", f"{number} {state}")
        seen.look_for_queued(LATER)
        if done.code:
            seen.wrong("unhealthy", json.dumps(report["problems"]))
        return aside

    # How it is killed.

    def _next(self) -> str:
        """Return the next operation: every one of a round, in an order that is drawn."""
        while not self._due:
            self._due = [
                name
                for name in self.names
                if name not in self.work.models or self.chance.random() < MODELS
            ]
            self.chance.shuffle(self._due)
        return self._due.pop()

    def _whole(self, name: str) -> None:
        """Do it once without a kill, to learn how long it is."""
        done, seconds = self._do(name)
        if done.code:
            self.seen.wrong("failed", f"{name}: {done.err.strip()[-300:]}")
        self._lengths[name] = done.events, seconds

    def _kill(self, name: str) -> None:
        events, seconds = self._lengths[name]
        if self.chance.random() < 0.7:
            done, _ = self._do(name, kill_at=self.chance.randint(1, max(1, events)))
        else:
            done, _ = self._do(name, kill_after=self.chance.uniform(0.001, seconds))
        self.kills[name] += done.code is None

    def _do(self, name: str, **kill: Any) -> tuple[Done, float]:
        """Do it; return what it came to, and how many seconds it took."""
        while len(self.seen.kept) < 3:
            drain(self.work.operations["remember"](), self.seen.call)
        self.operations += 1
        took: list[float] = []

        def call(*words: str, **options: Any) -> Done:
            began = time.monotonic()
            done = self.seen.call(*words, **options)
            took.append(time.monotonic() - began)
            return done

        return drain(self.work.operations[name](), call, **kill), took[0]


def measured(count: int, seed: int, only: Iterable[str] = ()) -> dict[str, Any]:
    """Return the figures of so many kills, of some operations or of all."""
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    began = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        life = Life(Path(place), random.Random(seed), only)
        life.live(count)
        figures = life.an_hour_later()
    return {"seed": seed, "seconds": round(time.monotonic() - began), **figures}


def main(arguments: Sequence[str] | None = None) -> None:
    """Kill operations at random, and print what went wrong as JSON."""
    parser = argparse.ArgumentParser(prog="tests.evals.kills", description=main.__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="how many kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=(), help="operations; all without it")
    asked = parser.parse_args(arguments)
    log.quiet()
    sys.stdout.write(json.dumps(measured(asked.count, asked.seed, asked.only), indent=1) + "\n")


if __name__ == "__main__":
    main()
