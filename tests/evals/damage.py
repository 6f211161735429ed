"""Damaged and rolled-back states of a profile: is each noticed, and does a way out work?

Every state is a copy of one profile, as a killed process left it, to which one thing was done.
``loci doctor`` must notice it: it fails, or the start says that it put something right. Then the
ways out that a person is told of are tried, and afterwards the doctor must find nothing and the
memories must be there. Run it for the figures::

    .venv/bin/python -m tests.evals.damage --count 500 --seed 1
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from app import log
from app.domain.ids import utc_now
from app.main.build import build
from app.paths import Paths, ProfilePaths
from app.store.profiles import Profiles
from tests.evals.forked import Done, loci

SAID = [f"I own a boat called Wren{number}." for number in range(12)]
WAYS: tuple[tuple[str, ...], ...] = (
    ("doctor", "--accept"),
    ("profiles", "backup"),
    ("profiles", "rename", "personal", "Ada"),
    ("doctor", "--rebuild"),
    ("upkeep", "retry"),
)
RESTORE = ("profiles", "restore", "--yes")
OK = "ok"


class Grounds:
    """A profile to be damaged: in good health, as it was earlier, and another person's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.whole, self.earlier = folder / "whole", folder / "earlier"
        live = folder / "live"
        loci("models", "--use", "hash", home=live)
        loci("settings", "set", "appearance.theme", "dark", home=live)
        for text in SAID[:6]:
            loci("remember", text, home=live)
        loci("profiles", "backup", home=live)
        shutil.copytree(live, self.earlier)
        profiles = Profiles(Paths(live), find_keyring=lambda: None)
        profile = profiles.list()[0]
        opened = build(profiles, profile, profiles.open(profile.slug), utc_now)
        with closing(opened):
            for text in SAID[6:]:
                opened.services.memories.add(text)
            shutil.copytree(live, self.whole)  # with what the log alone holds
        other = folder / "other"
        loci("remember", "I am somebody else.", home=other)
        self.slug = profile.slug

    def copy(self, name: str) -> Path:
        """Return a fresh copy of the profile that is to be damaged."""
        home = self.folder / name
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self.whole, home)
        return home

    def files(self, home: Path) -> ProfilePaths:
        """Return the files of the profile in a copy."""
        return Paths(home).profile(self.slug)


Damage = Callable[[Grounds, Path, random.Random], object]


def flipped(path: Path, chance: random.Random) -> None:
    """Turn one bit of a file."""
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def cut(path: Path, chance: random.Random) -> None:
    """Take the end off a file."""
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def noise(path: Path, chance: random.Random) -> None:
    """Put noise in a file's place."""
    path.write_bytes(chance.randbytes(chance.choice((1, 40, 5_000))))


def removed(path: Path, _chance: random.Random) -> None:
    """Remove a file."""
    path.unlink()


def page(path: Path, chance: random.Random) -> None:
    """Put noise in the place of one page."""
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data) // 4096) * 4096
    data[at : at + 4096] = chance.choice((bytes(4096), chance.randbytes(4096)))
    path.write_bytes(data)


def _log_of(files: ProfilePaths) -> Path:
    return files.vault.with_name("vault.db-wal")


def _kinds() -> dict[str, Damage]:
    """Return every kind of damage by its name."""
    found: dict[str, Damage] = {}
    places: dict[str, tuple[Callable[[ProfilePaths], Path], Sequence[Any]]] = {
        "vault": (lambda f: f.vault, (flipped, cut, noise, removed, page)),
        "log": (_log_of, (flipped, cut, noise, removed)),
        "slots": (lambda f: f.slots, (flipped, cut, noise, removed)),
        "slots_spare": (lambda f: f.slots.with_suffix(".bak"), (flipped, cut, noise, removed)),
        "key": (lambda f: f.key_file, (flipped, cut, noise, removed)),
        "key_spare": (lambda f: f.key_spare, (flipped, cut, noise, removed)),
        "card": (lambda f: f.card, (cut, noise, removed)),
        "settings": (lambda f: f.folder.parents[1] / "app.json", (cut, noise, removed)),
        "backup": (lambda f: sorted(f.backups.glob("*.db"))[-1], (flipped, cut, noise)),
    }
    for name, (place, ways) in places.items():
        for way in ways:
            found[f"{name}_{way.__name__}"] = _at(place, way)
    return found | {
        "rolled_back": _rolled_back,
        "rolled_back_without_log": _rolled_back_without_log,
        "of_somebody_else": _of_somebody_else,
        "row_without_words": _run_sql("DELETE FROM memories_fts WHERE rowid = 1"),
        "row_that_refers_to_none": _run_sql(
            "PRAGMA foreign_keys = OFF", "UPDATE evidence SET memory_pk = 99999 WHERE rowid = 1"
        ),
    }


def _at(place: Callable[[ProfilePaths], Path], way: Any) -> Damage:
    return lambda grounds, home, chance: way(place(grounds.files(home)), chance)


def _rolled_back(grounds: Grounds, home: Path, _chance: random.Random) -> None:
    shutil.copyfile(grounds.files(grounds.earlier).vault, grounds.files(home).vault)
    _log_of(grounds.files(home)).unlink()


def _rolled_back_without_log(grounds: Grounds, home: Path, _chance: random.Random) -> None:
    for ending in ("", "-wal", "-shm"):
        path = grounds.files(home).vault
        path.with_name(path.name + ending).unlink(missing_ok=True)
    shutil.copyfile(grounds.files(grounds.earlier).vault, grounds.files(home).vault)


def _of_somebody_else(grounds: Grounds, home: Path, _chance: random.Random) -> None:
    theirs = next((grounds.folder / "other" / "profiles").glob("*/vault.db"))
    shutil.copyfile(theirs, grounds.files(home).vault)
    _log_of(grounds.files(home)).unlink()


def _run_sql(*statements: str) -> Damage:
    def damage(_grounds: Grounds, home: Path, _chance: random.Random) -> None:
        profiles = Profiles(Paths(home), find_keyring=lambda: None)
        vault = profiles.open(profiles.list()[0].slug)
        with closing(vault):
            for statement in statements:
                vault._writer.execute(statement)

    return damage


KINDS = _kinds()


def examined(grounds: Grounds, name: str, chance: random.Random) -> dict[str, Any]:
    """Damage a copy, let the doctor look, and try the ways out."""
    home = grounds.copy("damaged")
    before = _state(home)
    KINDS[name](grounds, home, chance)
    if _state(home) == before:
        return {"kind": name, "unchanged": True}
    found = loci("doctor", home=home)
    tried = [found]
    noticed = found.code != 0 or bool(found.err.strip())
    way = OK if found.code == 0 else ""
    for words in () if way else (*WAYS, *_restores(grounds.files(home))):
        tried.append(loci(*words, home=home))
        tried.append(loci("doctor", home=home))
        if tried[-1].code == 0:
            way = " ".join(words[:3])
            break
    listed = loci("memories", "list", home=home)
    tried.append(listed)
    there = sum(text.rstrip(".") in listed.out for text in SAID)
    return {
        "kind": name,
        "noticed": noticed,
        "way_out": way if listed.code == 0 and there else "",
        "memories": there,
        "mistakes": [done.err[-300:] for done in tried if done.made_a_mistake],
        "said": " ".join(found.err.split())[-300:] or _problems(found),
    }


def _restores(files: ProfilePaths) -> list[tuple[str, ...]]:
    """Return how each backup there is now is restored, the newest first."""
    return [(*RESTORE, str(copy)) for copy in sorted(files.backups.glob("vault-*.db"))[::-1]]


def _problems(found: Done) -> str:
    lines = [line.strip() for line in found.out.splitlines() if "PROBLEM" in line]
    return " ".join(lines)[:300]


def _state(home: Path) -> dict[str, bytes]:
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def measured(count: int, seed: int) -> dict[str, Any]:
    """Return the figures of so many damaged states."""
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    chance = random.Random(seed)
    names = sorted(KINDS)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        grounds = Grounds(Path(place))
        found = []
        while len(found) < count:
            chance.shuffle(names)
            found += [examined(grounds, name, chance) for name in names[: count - len(found)]]
    return {"seed": seed, **summed_up([one for one in found if not one.get("unchanged")])}


def summed_up(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what was found, in figures, and what was not as it should be."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        kinds[one["kind"]]["states"] += 1
        kinds[one["kind"]]["noticed"] += one["noticed"]
        kinds[one["kind"]]["way_out"] += bool(one["way_out"])
    bad = [one for one in found if not (one["noticed"] and one["way_out"]) or one["mistakes"]]
    return {
        "states": len(found),
        "noticed": sum(one["noticed"] for one in found),
        "with_a_way_out": sum(bool(one["way_out"]) for one in found),
        "mistakes": sum(bool(one["mistakes"]) for one in found),
        "ways": dict(Counter(one["way_out"] or "none" for one in found)),
        "by_kind": {kind: dict(numbers) for kind, numbers in sorted(kinds.items())},
        "problems": bad[:50],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Damage a profile in many ways, and print what was noticed and mended as JSON."""
    parser = argparse.ArgumentParser(prog="tests.evals.damage", description=main.__doc__)
    parser.add_argument("--count", type=int, default=500, help="how many states")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    log.quiet()
    sys.stdout.write(json.dumps(measured(asked.count, asked.seed), indent=1) + "\n")


if __name__ == "__main__":
    main()
