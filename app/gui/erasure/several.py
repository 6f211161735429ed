"""Erase several memories through one dialog: their inventories as one, their proofs as one."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from app.domain.changes import Changes
from app.domain.erasure import Copy, Inventory, Proof
from app.errors import Cancelled, NotFound

MOST = 100
_SHARED = {
    "trace": "The traces of answers that used them",
    "journal": "Their history",
}


class MemoryEraser(Protocol):
    """The part of the erasure service that concerns memories."""

    def of_memory(self, memory_id: str) -> Inventory:
        """Return every copy of a memory and of the words it rests on."""

    def erase_memory(self, memory_id: str, ticked: frozenset[str]) -> Generator[Any, None, Proof]:
        """Erase a memory with what is ticked, and prove it."""


def inventory_of(erasure: MemoryEraser, ids: Sequence[str]) -> Inventory:
    """Return one inventory for several memories; a copy that they share stands in it once."""
    if len(ids) == 1:
        return erasure.of_memory(ids[0])
    copies: dict[str, Copy] = {}
    for memory_id in ids:
        for copy in erasure.of_memory(memory_id).copies:
            known = copies.get(copy.key)
            label = _SHARED.get(copy.key, copy.label)
            required = copy.required or (known is not None and known.required)
            if known is None or copy.required:
                copies[copy.key] = replace(copy, label=label, required=required)
    return Inventory(f"Erase {len(ids):,} memories", tuple(copies.values()))


def erase_several(
    erasure: MemoryEraser, ids: Sequence[str], ticked: frozenset[str]
) -> Generator[Any, None, Proof]:
    """Erase memory after memory; stopping in between keeps what is erased erased."""
    proofs: list[Proof] = []
    for memory_id in ids:
        try:
            proof = yield from erasure.erase_memory(memory_id, ticked)
        except NotFound:
            continue  # it went together with one before it
        except Cancelled:
            if not proofs:
                raise
            left = f"You stopped: {len(ids) - len(proofs):,} of {len(ids):,} memories were kept."
            return _joined([*proofs, Proof((), remaining=(left,))])
        proofs.append(proof)
    return _joined(proofs)


def _joined(proofs: Sequence[Proof]) -> Proof:
    changes = Changes()
    for proof in proofs:
        changes |= proof.changes
    return Proof(
        removed=tuple(dict.fromkeys(line for proof in proofs for line in proof.removed)),
        scanned_bytes=max((proof.scanned_bytes for proof in proofs), default=0),
        found_before=sum(proof.found_before for proof in proofs),
        found_after=sum(proof.found_after for proof in proofs),
        remaining=tuple(dict.fromkeys(line for proof in proofs for line in proof.remaining)),
        changes=changes,
    )
