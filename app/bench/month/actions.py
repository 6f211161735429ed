"""What the person of the simulated month does besides talking: forget, erase, decide, bring in.

They know what is true of themselves, so they decide by that.
"""

from collections import Counter
from collections.abc import Generator
from datetime import datetime
from pathlib import Path

from app.bench.month.ground_truth import Truth, Why, in_use, says
from app.bench.month.script import EveningAction, MonthFact, Script
from app.domain.contradiction import Contradiction, Settlement
from app.domain.jobs.progress import Progress
from app.domain.memory import Memory, MemoryFilter, Status
from app.services.services import Services

Steps = Generator[Progress, None, None]


class Deeds:
    """Does what the script says, and counts it."""

    def __init__(
        self,
        script: Script,
        services: Services,
        truth: Truth,
        counts: Counter[str],
        export: Path,
    ) -> None:
        self._script = script
        self._services = services
        self._truth = truth
        self._counts = counts
        self._export = export
        self._seen: set[str] = set()

    def look(self) -> None:
        """See what contradicts each other by now."""
        self._seen |= {pair.id for pair in self._services.attention.contradictions()}
        self._counts["contradictions_found"] = len(self._seen)

    def settings(self, day: int) -> None:
        """Change the settings that are changed in the morning of a day."""
        for deed in self._of(day):
            if deed.do == "ask_first":
                self._services.preferences.set("extraction.ask_first", deed.on)

    def evening(self, day: int, now: datetime) -> Generator[Progress, None, int]:
        """Do what is done in the evening of a day; return how many messages came of it."""
        brought = 0
        for deed in self._of(day):
            if deed.do == "forget":
                self._forget(deed.fact, now)
            elif deed.do == "erase":
                yield from self._erase(deed.fact, now)
            elif deed.do == "decide":
                self._decide(deed)
            elif deed.do == "revert":
                self._revert()
            elif deed.do == "bring_in":
                brought += self._bring_in(now)
            elif deed.do == "export":
                yield from self._services.transfer.export(self._export)
            elif deed.do == "import" and self._export.exists():
                yield from self._services.transfer.import_file(self._export)
            yield from self._services.background.run(upkeep=True)
        return brought

    def _of(self, day: int) -> list[EveningAction]:
        return [deed for deed in self._script.deeds if deed.day == day]

    # -- taking away -------------------------------------------------------------------------------

    def _forget(self, fact_id: str, now: datetime) -> None:
        fact = self._truth.current[fact_id]
        found = [memory.id for memory in self._saying(fact)]
        self._truth.end(fact_id, Why.FORGOTTEN, now)
        self._services.memories.forget(found)
        self._counts["memories_forgotten"] += len(found)

    def _erase(self, fact_id: str, now: datetime) -> Steps:
        fact = self._truth.current[fact_id]
        self._truth.end(fact_id, Why.ERASED, now)
        while found := self._saying(fact):
            erasure = self._services.erasure
            copies = erasure.of_memory(found[0].id).copies
            ticked = frozenset(copy.key for copy in copies if copy.ticked or copy.required)
            proof = yield from erasure.erase_memory(found[0].id, ticked)
            self._counts["memories_erased"] += 1
            self._counts["copies_left_by_erasing"] += proof.found_after

    def _saying(self, fact: MonthFact) -> list[Memory]:
        everything = self._services.memories.list(MemoryFilter(), 0, -1)
        return [memory for memory in in_use(everything) if says(memory, fact)]

    def _revert(self) -> None:
        standing = self._services.consolidation
        for run in standing.runs():
            if not all(fold.undone for fold in standing.diff(run.batch)):
                standing.revert(run.batch)
                self._counts["consolidations_reverted"] += 1
                return

    # -- deciding ----------------------------------------------------------------------------------

    def _decide(self, deed: EveningAction) -> None:
        """Accept what is true, reject what is not, and settle what contradicts."""
        self.look()
        attention = self._services.attention
        for proposal in attention.proposals():
            memory = proposal.memory
            unwanted = any(says(memory, fact) for fact in deed.reject)
            suspicious = memory.status is Status.QUARANTINED and not self._truth.is_true(memory)
            if unwanted or suspicious or self._truth.is_wrong(memory):
                attention.reject([memory.id])
                self._counts["proposals_rejected"] += 1
            else:
                attention.accept([memory.id])
                self._counts["proposals_accepted"] += 1
        for pair in attention.contradictions():
            attention.settle(pair, self._judged(pair))
            self._counts["contradictions_settled"] += 1

    def _judged(self, pair: Contradiction) -> Settlement:
        older, newer = self._truth.is_wrong(pair.older), self._truth.is_wrong(pair.newer)
        if older == newer:
            return Settlement.KEEP_BOTH
        return Settlement.KEEP_NEWER if older else Settlement.KEEP_OLDER

    # -- bringing in -------------------------------------------------------------------------------

    def _bring_in(self, now: datetime) -> int:
        """Bring in the conversations that the person had elsewhere, the same ones every time."""
        turns = []
        for number, turn in enumerate(self._script.older):
            turns.append((f"{number}q", turn.session, "User", turn.at, turn.user))
            turns.append((f"{number}a", turn.session, "Assistant", turn.at, turn.assistant))
            self._truth.tell(turn, now)
        self._services.transfer.add_transcript(turns, own=True)
        sessions = {turn.session for turn in self._script.older}
        self._counts["conversations_brought_in"] += len(sessions)
        return len(turns)
