"""Tell what is no longer true once a statement is: what says all that it said, or rests on it."""

from collections.abc import Iterable

from app.domain.memory import Candidate, Memory, Status, Trust, Visibility
from app.memory import novelty, slots
from app.memory.agreement import holds
from app.memory.extract.vocabulary import ANY_VALUE
from app.store.memories import Memories


def ends(said: Candidate, old: Memory) -> bool:
    """Return whether a statement says that what holds its key is over."""
    over = said.extra.get("closes")
    return over is not None and (over == ANY_VALUE or novelty.same_value(old.value, over))


def takes_over(said: Candidate, known: Memory) -> bool:
    """Return whether what was known in addition now holds alone: "I live there too", "I moved"."""
    beside = known.key is None and known.status is Status.ACTIVE
    if not beside or known.visibility is not Visibility.SELF or known.proof_count is not None:
        return False
    if not said.key or said.value is None or "closes" in said.extra:
        return False
    adds = slots.adds(said.quote, said.text, said.value)
    return not adds and slots.turns(said.quote, said.text)


def also_over(
    old: Memory, near: Iterable[Memory], memories: Memories, trust: Trust
) -> list[Memory]:
    """Return what ends with a statement that was replaced, but for what is trusted more.

    Args:
        old: The statement.
        near: Memories that may say all that it says.
        memories: Where a trade may be that was plied at the place of work it tells of.
        trust: How far whoever replaces it is trusted.
    """
    trade = memories.by_key(old.agent_pk, "job_title") if old.key == "employer" else None
    resting = [trade] if trade and novelty.says_no_more(str(old.value), trade.text) else []
    fuller = [memory for memory in near if holds(memory.text, old.text)]
    return [
        memory
        for memory in {m.id: m for m in (*fuller, *resting)}.values()
        if memory.id != old.id and not memory.pinned and memory.trust.rank <= trust.rank
    ]
