"""Find statements about one thing: greedy stars by likeness, split wherever they must not mix."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.domain.memory import Memory
from app.memory.change.agreement import agree, fullest, holds

Members = tuple[Memory, ...]


def identity(memory_ids: Iterable[str]) -> str:
    """Return what a cluster is known by: the sha256 of its sorted ids."""
    return hashlib.sha256(",".join(sorted(memory_ids)).encode()).hexdigest()


def star(vectors: NDArray[np.float32], threshold: float, most: int) -> list[int]:
    """Return the first row, and the later ones that are as like it as ``threshold``.

    What is like another member only, is not in it.

    Args:
        vectors: Shape (rows, dims), each of length 1 or zero, the oldest first.
        threshold: The least cosine.
        most: At most so many rows.
    """
    cosines = vectors[1:] @ vectors[0]
    near = [row for row, cosine in enumerate(cosines, 1) if cosine >= threshold]
    return [0, *near[: most - 1]]


def clusters(
    members: Sequence[Memory], vectors: NDArray[np.float32], threshold: float, most: int
) -> list[Members]:
    """Return the clusters of two and more statements that may be folded into one.

    Each is around the oldest statement that is in none yet. What is like that one, but may not be
    folded with it, is free for the next: what comes first keeps nothing from being folded.

    No cluster mixes agents, those who may see it, trusts, tags or types, and no two statements in
    one contradict each other.

    Args:
        members: Statements, the oldest first.
        vectors: Shape (members, dims).
        threshold: The least cosine to the oldest.
        most: At most so many statements in a cluster.
    """
    found: list[Members] = []
    for seen in _split(range(len(members)), lambda row: _seen_by(members[row])):
        free = seen
        while free:
            around = [free[row] for row in star(vectors[free], threshold, most)]
            groups = agreeing([members[row] for row in around])
            taken = {member.id for group in groups for member in group}
            free = [row for row in free[1:] if members[row].id not in taken]
            found += groups
    return found


def agreeing(members: Sequence[Memory]) -> list[Members]:
    """Return the groups of two and more statements among some that may be folded into one."""
    found: list[Members] = []
    for kind in _split(range(len(members)), lambda row: _kind(members[row])):
        found += _agreeing([members[row] for row in kind])
    return [group for group in found if len(group) > 1]


def told_by_one(
    members: Sequence[Memory], settled: Sequence[Collection[str]] = ()
) -> list[tuple[Memory, Members]]:
    """Return groups of which one member says all that the others say, each with that member.

    This needs no model. A member that no other one holds is in no group.

    Args:
        members: Statements about one thing.
        settled: Sets of ids that are no group, nor is a part of one.
    """
    rest, found = list(members), []
    while len(rest) > 1:
        best = fullest(rest)
        group = tuple(m for m in rest if m is best or holds(best.text, m.text))
        taken = (best,) if known(group, settled) else group
        rest = [m for m in rest if m not in taken]
        if len(taken) > 1:
            found.append((best, group))
    return found


def known(members: Iterable[Memory], sets: Iterable[Collection[str]]) -> bool:
    """Return whether all these statements are in one of some sets of ids."""
    ids = {member.id for member in members}
    return any(ids <= set(one) for one in sets)


def _agreeing(members: Sequence[Memory]) -> list[Members]:
    """Put each statement with the first others that it agrees with, all of them."""
    found: list[list[Memory]] = []
    for member in members:
        for group in found:
            if all(agree(member, other) for other in group):
                group.append(member)
                break
        else:
            found.append([member])
    return [tuple(group) for group in found]


def _split(rows: Iterable[int], by: Callable[[int], object]) -> list[list[int]]:
    """Return rows in groups of one kind, in their order."""
    groups: dict[object, list[int]] = {}
    for row in rows:
        groups.setdefault(by(row), []).append(row)
    return list(groups.values())


def _seen_by(memory: Memory) -> tuple[object, ...]:
    return memory.agent_pk, memory.visibility, memory.group_pks


def _kind(memory: Memory) -> tuple[object, ...]:
    return *_seen_by(memory), memory.trust, memory.type, tuple(sorted(memory.tags))
