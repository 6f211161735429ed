"""Live the days and nights of a script with the real services, on a clock that is put forward.

Every message goes the way of the chat, is answered without a model, and is learnt from by the
background job. Every night the schedule is asked at its hours, and what it begins runs to its end.
"""

import random
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from app.bench.extract import NO_MODEL
from app.bench.month.actions import Deeds
from app.bench.month.ground_truth import Truth
from app.bench.month.script import MonthMessage, Script
from app.bench.opened import HandClock
from app.domain.conversation import Part, PartOrigin
from app.domain.events import Answered, MessageStored
from app.domain.jobs.progress import Progress
from app.domain.memory import Memory, MemoryFilter, Status
from app.services.services import Services
from app.store.store import Store

SEED = 7
PRUNE_AFTER = 20
SETTINGS = (
    ("chat.model", NO_MODEL),
    ("upkeep.mains_only", False),
    ("upkeep.consolidation.enabled", True),
    ("upkeep.dream.enabled", True),
    ("upkeep.dream.prune_after_days", PRUNE_AFTER),
    ("memory.compaction.enabled", True),
    ("memory.compaction.target_size", 100),
    ("memory.compaction.threshold", 110),
)
NIGHT = ((2, 5), (3, 5), (3, 35), (4, 5))
OTHERS, QUESTIONS = 3, 3

Steps = Generator[Progress, None, None]


@dataclass(frozen=True, slots=True)
class Night:
    """What there was when a night was over.

    Attributes:
        memories: Every memory, of any status.
        bytes: How large the vault was.
        messages: How many messages there were, answers and what was brought in included.
        deeds: What the person had done the day before.
    """

    day: int
    at: datetime
    memories: Sequence[Memory]
    bytes: int
    messages: int
    deeds: Sequence[str] = ()

    def count(self, *statuses: Status, observations: bool | None = None) -> int:
        """Return how many memories have one of these statuses."""
        return sum(
            memory.status in statuses
            and (observations is None or (memory.proof_count is not None) is observations)
            for memory in self.memories
        )


@dataclass(slots=True)
class SimulationResult:
    """What became of the days.

    Attributes:
        counts: What the person did, and how often.
        messages: How many messages there are, answers and what was brought in included.
        at_first: Bytes of the vault before anything was said.
    """

    truth: Truth = field(default_factory=Truth)
    nights: list[Night] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    at_first: int = 0


@dataclass(frozen=True, slots=True)
class _Message:
    """A message to say; ``line`` is the line that it is, or that it repeats."""

    talk: str
    text: str
    line: MonthMessage | None = None
    again: bool = False


class Simulation:
    """Lives a script with a fresh profile and its clock."""

    def __init__(self, script: Script, services: Services, store: Store, moment: HandClock) -> None:
        self._script = script
        self._services = services
        self._store = store
        self._moment = moment
        self._chance = random.Random(SEED)
        self._talks: dict[tuple[str, int], str] = {}
        self._again = self._repeats()
        self.lived = SimulationResult()

    def live(self, days: int) -> Steps:
        """Live the first days of the script, and their nights."""
        for key, value in SETTINGS:
            self._services.preferences.set(key, value)
        self.lived.at_first = self._size()
        with TemporaryDirectory(prefix="loci-bench-") as folder:
            lived = self.lived
            export = Path(folder) / "loci.zip"
            deeds = Deeds(self._script, self._services, lived.truth, lived.counts, export)
            for day in range(1, days + 1):
                yield Progress(f"Day {day} of {days}", day - 1, days)
                yield from self._day(day, deeds)
                yield from self._night(day)
                deeds.look()

    # -- by day ------------------------------------------------------------------------------------

    def _day(self, day: int, deeds: Deeds) -> Steps:
        self._moment.now = self._hour(day, 7)
        deeds.settings(day)
        self._moment.now = self._hour(day, 8)
        for message in self._messages(day):
            yield from self._say(message, day)
        self._moment.now = max(self._moment.now, self._hour(day, 20))
        self.lived.messages += yield from deeds.evening(day, self._moment.now)

    def _messages(self, day: int) -> list[_Message]:
        """Return what is said on a day, talk by talk, with what is asked and chatted between."""
        truth, chance = self.lived.truth, self._chance
        said = [line for line in self._script.said if line.day == day]
        found = [_Message(line.talk, line.say, line) for line in said]
        for line, text in self._again.get(day, ()):
            if line.facts and all(fact.id in truth.current for fact in line.facts):
                found.append(_Message("again", text, line, again=True))
        asked = chance.sample(sorted(truth.current), min(QUESTIONS, len(truth.current)))
        found += [_Message("questions", truth.current[fact].ask) for fact in asked]
        talks = list(dict.fromkeys(message.talk for message in found)) or ["other"]
        for text in chance.sample(self._script.other, OTHERS):
            found.insert(chance.randrange(len(found) + 1), _Message(chance.choice(talks), text))
        return sorted(found, key=lambda message: talks.index(message.talk))

    def _say(self, message: _Message, day: int) -> Steps:
        self._moment.now += timedelta(minutes=self._chance.randrange(1, 9))
        parts = [Part(message.text, PartOrigin.TYPED)]
        if message.line is not None and message.line.paste and not message.again:
            parts.append(Part(message.line.paste, PartOrigin.PASTED))
        place = message.talk, day // 7
        sending = self._services.chat.send(self._talks.get(place), parts, Event())
        for event in sending:
            if isinstance(event, MessageStored):
                self._talks[place] = event.conversation.id
            self.lived.messages += isinstance(event, MessageStored | Answered)
        if message.again and message.line is not None:
            self.lived.truth.say_again(message.line, self._moment.now)
        elif message.line is not None:
            self.lived.truth.tell(message.line, self._moment.now)
        yield from self._services.background.run()

    def _repeats(self) -> dict[int, list[tuple[MonthMessage, str]]]:
        """Return what is said again on which day, and in which words."""
        found: dict[int, list[tuple[MonthMessage, str]]] = {}
        for line in self._script.said:
            later = range(line.day + 1, line.day + 1 + max(28, line.times))
            for number, day in enumerate(self._chance.sample(later, line.times)):
                found.setdefault(day, []).append((line, line.again[number % len(line.again)]))
        return found

    # -- by night ----------------------------------------------------------------------------------

    def _night(self, day: int) -> Steps:
        for hour, minute in NIGHT:
            self._moment.now = self._hour(day + 1, hour, minute)
            self._services.upkeep.tick()
            yield from self._services.background.run(upkeep=True)
        self._moment.now = self._hour(day + 1, 6)
        memories = self._services.memories.list(MemoryFilter(), 0, -1)
        deeds = [deed.do for deed in self._script.deeds if deed.day == day]
        night = Night(day, self._moment.now, memories, self._size(), self.lived.messages, deeds)
        self.lived.nights.append(night)

    def _size(self) -> int:
        self._store.vault.checkpoint()
        return self._store.vault.path.stat().st_size

    def _hour(self, day: int, hour: int, minute: int = 0) -> datetime:
        first = self._script.first_day.replace(tzinfo=None)
        when = first + timedelta(days=day - 1, hours=hour, minutes=minute)
        return when.astimezone()
