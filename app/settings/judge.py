"""The settings of the judge that gives answers marks: see ``spec.py``."""

from dataclasses import dataclass

from app.settings.types import Level, setting

ADVANCED = Level.ADVANCED


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Whether a model gives answers marks, and by what."""

    enabled: bool = setting(
        False,
        "Score answers",
        "After an answer of a model, the learning model gives it marks from 0 to 10 in the"
        " background. You see them under “Why this answer”, and day by day under Activity.",
    )
    criteria: str = setting(
        "It answers what was asked.\nIt makes nothing up.\nIt is no longer than it has to be.",
        "Criteria",
        "One on each line; an answer is given a mark for each.",
        multiline=True,
    )
    sampling_rate: float = setting(
        1.0,
        "Share of answers",
        "1 scores every answer, 0.1 about one in ten.",
        minimum=0,
        maximum=1,
        step=0.05,
    )
    name: str = setting(
        "Judge", "Name of the judge", "Stands beside the marks it gives.", level=ADVANCED
    )
    model: str = setting(
        "",
        "Model that judges",
        "An id that `loci models` lists; empty for the learning model.",
        level=ADVANCED,
    )
