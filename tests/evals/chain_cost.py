"""What the chain of the journal and the seals of memories cost of a write.

One profile is filled and copied. In one of the two the chain is stubbed out: nothing is hashed,
nothing is stored in its columns, no head is looked up or kept. Then both are written to in turns,
the order drawn anew each time: as a person does it (a memory is added, edited, forgotten, said once
more, through the services, without the models), and besides the bare transactions of the store. The
latter are no write that anybody makes, but the strictest measure.

The disk takes longer for one flush than for another by more than the chain costs, and the chain
adds no flush. So what it adds is the difference in time of the processor, and its share is that of
the write without it. Run it for the figures::

    .venv/bin/python -m tests.evals.chain_cost --memories 10000 --rounds 1000
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import Any
from unittest.mock import patch

from app.bench.fill import Draw, fill
from app.domain.ids import utc_now
from app.domain.memory import DEFAULT_SCOPE, Evidence, Memory, MemoryFilter, Origin, Status
from app.main.build import build
from app.paths import Paths
from app.store.memories import Memories, Note
from app.store.profiles import Profiles
from app.store.vault import chain

MOST_PERCENT = 5.0
WRITES = ("add", "edit", "forget", "seen")

Times = dict[str, dict[str, list[tuple[float, float]]]]


class NoChain(chain.Chain):
    """A chain that links and seals nothing."""

    def append(self, *_about: Any, **_more: Any) -> bytes:
        """Return no link, and keep no head."""
        return b""

    def seal(self, *_about: Any) -> bytes:
        """Return no seal."""
        return b""

    def entry_of(self, *_about: Any) -> bytes:
        """Take every row to be as it was left, without looking."""
        return b""


@contextmanager
def unchained() -> Iterator[None]:
    """Let no head of the chain be looked up for the mark beside the vault."""
    with patch.object(chain, "head", lambda _connection: chain.GONE):
        yield


class Side:
    """One of the two profiles, and what is done to it.

    Args:
        home: The data directory.
        chained: Whether the chain is on.
        seed: What is drawn; the same on both sides.
    """

    def __init__(self, home: Path, chained: bool, seed: int) -> None:
        profiles = Profiles(Paths(home), find_keyring=lambda: None)
        profile = profiles.list()[0]
        vault = profiles.open(profile.slug)
        if not chained:
            vault.chain = NoChain(vault.key)
        self.during = nullcontext if chained else unchained
        self.opened = build(profiles, profile, vault, utc_now)
        self._rows, self._does = Memories(vault), self.opened.services.memories
        self._draw, self._numbers = Draw(seed), count(1)
        self._ids = self._rows.ids(DEFAULT_SCOPE, MemoryFilter())
        random.Random(seed).shuffle(self._ids)

    def writes(self) -> dict[str, Callable[[], Any]]:
        """Return this round's writes by their names; what they need is drawn beforehand."""
        number, now = next(self._numbers), utc_now()
        new, edited, bare, again = (f"{self._draw.sentence(5, 14)} {number}{n}" for n in "abcd")
        ids = [self._ids.pop() for _ in range(4)]
        revision = self._rows.get(ids[0]).revision
        note = Note("user", "edit", f"bare-{number}")
        gone = {"status": Status.FORGOTTEN}
        added = Memory("", bare, now, now, origin=Origin.USER_TYPED, agent_pk=1)
        return {
            "add": lambda: self._does.add(new),
            "edit": lambda: self._does.edit(ids[0], revision, {"text": edited}),
            "forget": lambda: self._does.forget([ids[1]]),
            "seen": lambda: self._does.add(new),
            "bare add": lambda: self._rows.insert(added, [Evidence(bare, now)], note),
            "bare edit": lambda: self._rows.update(ids[2], {"text": again}, note),
            "bare forget": lambda: self._rows.update(ids[3], gone, note),
            "bare seen": lambda: self._rows.add_evidence(ids[2], Evidence(again, now)),
        }


def measured(memories: int, rounds: int, seed: int = 1) -> dict[str, Any]:
    """Return the medians of so many rounds, in microseconds, and what the chain adds in percent."""
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    with tempfile.TemporaryDirectory() as place:
        homes = {name: Path(place) / name for name in ("on", "off")}
        filled(homes["on"], memories)
        shutil.copytree(homes["on"], homes["off"])
        sides = {name: Side(home, name == "on", seed) for name, home in homes.items()}
        try:
            times = _timed(sides, rounds, random.Random(seed))
        finally:
            for side in sides.values():
                side.opened.close()
    return {"memories": memories, "rounds": rounds, "seed": seed, **summed_up(times)}


def filled(home: Path, memories: int) -> None:
    """Make a profile in which neither a language model nor an embedder is used."""
    profiles = Profiles(Paths(home), find_keyring=lambda: None)
    vault, profile = profiles.create("Ada")
    with closing(build(profiles, profile, vault, utc_now)) as opened:
        opened.services.preferences.set("chat.model", "notebook")
        opened.services.preferences.set("models.embedder", "hash")
        fill(opened.store, memories)
        vault.checkpoint()


def _timed(sides: dict[str, Side], rounds: int, chance: random.Random) -> Times:
    """Return how long every write took, by what it does and on which side."""
    times: Times = defaultdict(lambda: defaultdict(list))
    for _ in range(rounds):
        todo = {name: side.writes() for name, side in sides.items()}
        for what in todo["on"]:
            for name in chance.sample(sorted(sides), len(sides)):
                with sides[name].during():
                    began, computed = perf_counter(), thread_time()
                    todo[name][what]()
                    took = (perf_counter() - began, thread_time() - computed)
                times[what][name].append(took)
    return times


def summed_up(times: Times) -> dict[str, Any]:
    """Return what was measured, in figures, and which writes the chain makes too slow."""
    writes = {}
    for what, of in times.items():
        (whole, computing), (_, chained) = (
            [median(took) * 1e6 for took in zip(*of[name], strict=True)] for name in ("off", "on")
        )
        writes[what] = {
            "without_us": round(whole, 1),
            "computing_us": round(computing, 1),
            "adds_us": round(chained - computing, 1),
            "percent": round((chained - computing) / whole * 100, 2),
            "percent_of_computing": round((chained - computing) / computing * 100, 2),
        }
    bad = [what for what in WRITES if writes[what]["percent"] >= MOST_PERCENT]
    return {"writes": writes, "problems": bad}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write with and without the chain, and print what it costs; 1 where that is too much."""
    parser = argparse.ArgumentParser(prog="tests.evals.chain_cost", description=main.__doc__)
    parser.add_argument("--memories", type=int, default=10_000, help="in the vault beforehand")
    parser.add_argument("--rounds", type=int, default=1_000, help="of one write of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args(arguments)
    found = measured(asked.memories, asked.rounds, asked.seed)
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    else:
        sys.stdout.write("".join(f"{line}\n" for line in _table(found["writes"])))
    return 1 if found["problems"] else 0


def _table(writes: dict[str, dict[str, float]]) -> Iterator[str]:
    heads = ("a write", "computing", "the chain")
    yield f"{'':12}{''.join(f'{head:>12}' for head in heads)}{'share':>9}{'of computing':>15}"
    for what, of in writes.items():
        times = "".join(
            f"{of[name]:>9,.0f} µs" for name in ("without_us", "computing_us", "adds_us")
        )
        yield f"{what:12}{times}{of['percent']:>7.1f} %{of['percent_of_computing']:>13.1f} %"


if __name__ == "__main__":
    sys.exit(main())
