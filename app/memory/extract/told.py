"""A clause that no table knows, with all that its judges look at."""

import re
from dataclasses import dataclass

from app.memory.extract import lives, marks
from app.memory.extract.predicate import Aspect, Predicate
from app.memory.extract.subjects import Kind, Subject


@dataclass(frozen=True, slots=True)
class Told:
    """A clause with all that its judges look at.

    Attributes:
        days: How far its date lies ahead; negative where it is past, None without a date.
    """

    subject: Subject
    read: Predicate
    days: int | None

    @property
    def rest(self) -> str:
        """What follows the verb."""
        return self.read.rest

    @property
    def verb(self) -> str:
        """The verb's base form."""
        return self.read.verb

    @property
    def around(self) -> str:
        """What stands around the verb; what follows from it is left out."""
        return f"{self.read.adverbs} {self.read.rest.split(', so ')[0]}"

    @property
    def often(self) -> bool:
        """Whether it says that it is so again and again, or for long."""
        return bool(marks.OFTEN.search(self.around) or lives.CUSTOM.search(self.rest))

    @property
    def of_now(self) -> bool:
        """Whether it says that it is so at this moment."""
        return bool(marks.OF_NOW.search(self.around))

    @property
    def ahead(self) -> bool:
        """Whether its day is still to come."""
        feast = is_ahead(self.read) and marks.FEAST.search(self.rest)
        return bool(feast) or (self.days is not None and self.days > 0)

    @property
    def points(self) -> bool:
        """Whether it is about something that was said before, or about the task at hand."""
        return bool(marks.POINTING.match(self.rest) or marks.TASKS.search(self.rest))

    def is_of(self, *kinds: Kind) -> bool:
        """Return whether its subject is of one of these kinds."""
        return self.subject.kind in kinds


FIRST = re.compile(r",| and | but | so | because ")


def is_ahead(read: Predicate) -> bool:
    """Return whether a verb's form leaves its day open to be one that comes."""
    return read.aspect not in (Aspect.PAST, Aspect.WAS, Aspect.WAS_DOING, Aspect.PERFECT)
