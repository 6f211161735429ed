"""The settings of questions with a time in them: a section of the table in ``spec.py``."""

from dataclasses import dataclass

from app.settings.lanes import COUNTS
from app.settings.types import Level, setting

ADVANCED = Level.ADVANCED


@dataclass(frozen=True, slots=True)
class Dated:
    """Questions such as "What did I say last March?"."""

    enabled: bool = setting(
        True,
        "Understand times",
        "Where a question names a time, what was said or happened then comes first.",
        reference=False,
    )
    weight: float = setting(
        1.0,
        "Weight of the time",
        COUNTS,
        minimum=0,
        maximum=10,
        level=ADVANCED,
    )
    inside: float = setting(
        1.4,
        "Within the time asked for",
        "What the score of a result from that time is multiplied by.",
        minimum=1,
        maximum=5,
        level=ADVANCED,
    )
    outside: float = setting(
        0.5,
        "Far from the time asked for",
        "What the score of a result from quite another time is multiplied by.",
        minimum=0,
        maximum=1,
        level=ADVANCED,
    )
    favour: float = setting(
        1.1,
        "Within a time only hinted at",
        'The same for words such as "recently"; results from other times keep their score.',
        minimum=1,
        maximum=5,
        level=ADVANCED,
    )
