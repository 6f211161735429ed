"""Damaged and rolled-back states of a profile: is each noticed, and does a way out work?

Every state is a copy of one profile, as a killed process left it, to which one thing was done, or
two at once (``damaging``). ``loci doctor`` must notice it: it fails, or the start says that it put
something right. Then the ways out that a person is told of, and no others, are tried, and
afterwards the doctor must find nothing, and nothing may be missing of what the way promises:

* what is restored is the newest backup that reads: all that it holds must be there;
* whatever else is done leaves what SQLCipher alone reads of the damaged vault; where it reads
  nothing, the newest backup that reads, and where there is none, there is nothing to be saved.

Three states are not to be noticed by intent, which SECURITY.md says: a mark that lags behind, and
an older state that is put back along with its mark, alone or in its whole folder. They are counted
apart, and all that they hold must be there. Run it for the figures::

    .venv/bin/python -m tests.evals.damage --count 500 --seed 1
"""

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from app import log
from app.domain.ids import utc_now
from app.errors import AppError
from app.main.build import build
from app.paths import Paths, ProfilePaths
from app.store.profiles import Profiles
from tests.evals import damaging
from tests.evals.damaging import BENT_WORK, OFTEN, SAID, TAMPERED, UNNOTICED, Grounds, State
from tests.evals.forked import Done, loci

KINDS = damaging.KINDS
WAYS: tuple[tuple[str, ...], ...] = (
    ("doctor", "--accept"),
    ("profiles", "backup"),
    ("profiles", "rename", "personal", "Ada"),
    ("doctor", "--rebuild"),
    ("upkeep", "retry"),
)
PUT_BACK, ERASE, RESTORE = "put back", ("memories", "erase"), ("profiles", "restore")
OK = "none needed"
_NAMED = re.compile(r"loci memories erase ([\w-]+)`")
_FROM_A_COPY = re.compile(r"[Pp]ut (?:it|vault\.key) back from a copy")
_RESTORE = re.compile(r"[Rr]estore an? (?:earlier )?backup")


@dataclass
class Course:
    """How one state was looked at and put right.

    Attributes:
        now: What SQLCipher read of the damaged vault.
        backups: The backups that read, the newest first.
        ways: What was done, in order.
        gone: Ids of memories that were erased on the way.
        tried: What every command came to.
    """

    grounds: Grounds
    home: Path
    now: State | None
    backups: Sequence[tuple[Path, State]]
    ways: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    tried: list[Done] = field(default_factory=list)
    restored: bool = False

    @property
    def promised(self) -> State | None:
        """What has to be there in the end; None where there is nothing to be saved."""
        if self.now is None or self.restored:
            return self.backups[0][1] if self.backups else None
        stays = {key: one for key, one in self.now.memories.items() if key not in self.gone}
        return replace(self.now, memories=stays)

    @property
    def said(self) -> str:
        """All that the person was told."""
        return " ".join(f"{done.out} {done.err}" for done in self.tried)

    def run(self, *words: str) -> Done:
        """Run a command."""
        done = loci(*words, home=self.home)
        self.tried.append(done)
        return done

    def put_right(self, *, restore: bool) -> bool:
        """Try the ways out that the person is told of; say whether all is well then.

        Args:
            restore: Whether a backup is restored before anything is accepted.
        """
        for way in self._restoring() if restore else self._ways():
            if way and self._done(way):
                return True
        return False

    def _restoring(self) -> Iterator[tuple[str, ...]]:
        yield from self._restores()
        yield from self._others()

    def _ways(self) -> Iterator[tuple[str, ...]]:
        yield from self._others()
        yield from self._restores()
        yield from self._others()  # as a backup in place of one that did not read

    def _others(self) -> Iterator[tuple[str, ...]]:
        if _FROM_A_COPY.search(self.said):
            yield (PUT_BACK,)
        for memory_id in dict.fromkeys(_NAMED.findall(self.said)):
            yield (*ERASE, memory_id, "--yes")
        for way in WAYS:
            if f"loci {' '.join(way[:2])}" in self.said:
                yield way

    def _restores(self) -> Iterator[tuple[str, ...]]:
        if _RESTORE.search(self.said):
            copies = sorted(self.grounds.files(self.home).backups.glob("vault-*.db"), reverse=True)
            for copy in copies:
                yield (*RESTORE, "--yes", str(copy))
                yield from self._others()  # what else is told then, before an older one is tried

    def _done(self, way: tuple[str, ...]) -> bool:
        """Go one way out; say whether the doctor finds nothing then."""
        self.ways.append(" ".join(way[:2]))
        if way == (PUT_BACK,):
            _put_back(self.grounds.files(self.grounds.earlier), self.grounds.files(self.home))
        elif self.run(*way).code == 0:
            self.restored = self.restored or way[:2] == RESTORE
            self.gone |= {way[2]} if way[:2] == ERASE else set()
        return self.run("doctor").code == 0


def _put_back(copy: ProfilePaths, files: ProfilePaths) -> None:
    """Put what opens the profile back from a copy of its folder, as the person is told to."""
    for path in (copy.slots, copy.key_file):
        shutil.copyfile(path, files.folder / path.name)


def examined(grounds: Grounds, name: str, chance: random.Random) -> dict[str, Any]:
    """Damage a copy, let the doctor look, and try the ways out."""
    home = grounds.copy("damaged")
    before = _files(home)
    done = KINDS[name](grounds, home, chance) or name
    if _files(home) == before:
        return {"kind": name, "unchanged": True}
    course = Course(grounds, home, grounds.now(home), grounds.backed_up(home))
    found = course.run("doctor")
    hidden = _hidden(course) if name.startswith("bent_") else 0
    if name in BENT_WORK:
        _look_at_work(course)
    well = found.code == 0
    if not well:
        well = course.put_right(restore=name in TAMPERED and chance.random() < 0.5)
    there = _seen(course)
    if name.startswith("bent_journal"):
        _look_back(course)
    promised = course.promised
    missing = there.lacks(promised) if promised and there else int(promised is not None)
    texts = {one[0] for one in there.memories.values()} if there else set()
    return {
        "kind": name,
        "done": done,
        "noticed": found.code != 0 or bool(found.err.strip()),
        "well": well,
        "way": " + ".join(course.ways) or OK,
        "hopeless": promised is None,
        "missing": missing,
        "lost": sum(text not in texts for text in SAID),
        "hidden": hidden,
        "mistakes": [done.err[-300:] for done in course.tried if done.made_a_mistake],
        "said": " ".join(found.err.split())[-300:] or _problems(found),
    }


def _look_back(course: Course) -> None:
    """Ask for the history of everything, and undo until nothing is left to undo."""
    for memory_id in course.now.memories if course.now else ():
        course.run("history", str(memory_id))
    course.run("audit")
    for _ in SAID:
        course.run("undo")


def _look_at_work(course: Course) -> None:
    """Ask what Loci does by itself and did, and let it do more."""
    for words in (("upkeep", "status"), ("upkeep", "history"), ("remember", "I own a kite.")):
        if course.run(*words).code != 0:
            course.tried.append(Done(None, "", f"Traceback: {words} failed"))


def _seen(course: Course) -> State | None:
    """Return what a person sees: the memories listed, and every conversation with its messages."""
    listed = course.run("memories", "list", "--json")
    if listed.code:
        return None
    memories = {
        row["id"]: (row["text"], row["trust"], row["pinned"]) for row in json.loads(listed.out)
    }
    profiles = Profiles(Paths(course.home), find_keyring=lambda: None)
    try:
        profile = profiles.list()[0]
        opened = build(profiles, profile, profiles.open(profile.slug), utc_now)
        with closing(opened):
            service = opened.services.conversations
            talks = {
                talk.title: tuple(one.text for one in service.messages(talk.id))
                for talk in service.list()
            }
    except AppError:
        return None
    except Exception as error:  # a bug, which a person would see
        course.tried.append(Done(None, "", f"Traceback: {error!r}"))
        return None
    return State(memories, talks)


def _hidden(course: Course) -> int:
    """Return how many rows a bent one keeps from being listed."""
    seen, now = _seen(course), course.now
    if seen is None or now is None:
        return len(SAID)
    messages = sum(map(len, now.talks.values())) - sum(map(len, seen.talks.values()))
    return (
        len(now.memories.keys() - seen.memories.keys())
        + (len(now.talks) - len(seen.talks))
        + messages
    )


def _problems(found: Done) -> str:
    lines = [line.strip() for line in found.out.splitlines() if "PROBLEM" in line]
    return " ".join(lines)[:300]


def _files(home: Path) -> dict[str, bytes]:
    return {str(p.relative_to(home)): p.read_bytes() for p in home.rglob("*") if p.is_file()}


def measured(count: int, seed: int) -> dict[str, Any]:
    """Return the figures of so many damaged states."""
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    chance = random.Random(seed)
    names = [name for name in sorted(KINDS) for _ in range(OFTEN.get(name, 1))]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        grounds = Grounds(Path(place))
        found: list[dict[str, Any]] = []
        while len(found) < count:
            chance.shuffle(names)
            found += [examined(grounds, name, chance) for name in names[: count - len(found)]]
    return {"seed": seed, **summed_up([one for one in found if not one.get("unchanged")])}


def summed_up(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what was found, in figures, and what was not as it should be."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one in found:
        silent = one["kind"] in UNNOTICED
        one["solved"] = one["well"] and not (one["missing"] or one["hidden"] or one["mistakes"])
        one["as_it_should"] = not one["mistakes"] and (
            (one["noticed"] or silent) and (one["solved"] or one["hopeless"])
        )
        kinds[one["kind"]]["states"] += 1
        for name in ("noticed", "solved", "hopeless"):
            kinds[one["kind"]][name] += one[name]
    told = [one for one in found if one["kind"] not in UNNOTICED]
    return {
        "states": len(found),
        "to_be_noticed": len(told),
        "noticed": sum(one["noticed"] for one in told),
        "unnoticed_as_documented": len(found) - len(told),
        "solved": sum(one["solved"] for one in found),
        "nothing_to_be_saved": sum(one["hopeless"] for one in found),
        "mistakes": sum(bool(one["mistakes"]) for one in found),
        "missing_of_what_was_promised": dict(Counter(one["missing"] for one in found)),
        f"memories_lost_of_{len(SAID)}": dict(
            sorted(Counter(one["lost"] for one in found).items())
        ),
        "ways": dict(Counter(one["way"] for one in found).most_common()),
        "by_kind": {kind: dict(numbers) for kind, numbers in sorted(kinds.items())},
        "problems": [one for one in found if not one["as_it_should"]][:50],
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
