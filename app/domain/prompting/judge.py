"""Judges: who gives answers marks, by which criteria, and the marks they gave."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

LOWEST, HIGHEST = 0.0, 10.0
MOST_CRITERIA = 12


@dataclass(frozen=True, slots=True)
class AnswerJudge:
    """Gives answers marks.

    Attributes:
        criteria: Sentences; each is given a mark of its own.
        sampling_rate: The share of answers it looks at, from 0 to 1.
        model: The id of the model that judges; empty for the one that learns.
    """

    name: str
    criteria: tuple[str, ...]
    sampling_rate: float = 1.0
    model: str = ""


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """The mark of an answer by one criterion.

    Attributes:
        judge: The name of who gave it.
        model: The name of the model that judged.
        score: From 0 to 10.
        reasoning: Why, in the words of the model.
    """

    judge: str
    criterion: str
    score: float
    reasoning: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class ScoredDay:
    """The marks that the answers of one agent were given on one day.

    Attributes:
        day: Of the answers, by the person's calendar.
        mean: The average of all marks, from 0 to 10.
        answers: How many answers were judged.
    """

    agent: str
    day: date
    mean: float
    answers: int


def criteria_of(text: str) -> tuple[str, ...]:
    """Return the criteria that stand on the lines of a text."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(dict.fromkeys(filter(None, lines)))[:MOST_CRITERIA]


def judges_of(stored: object) -> tuple[AnswerJudge, ...]:
    """Return the judges that plain values tell; one that makes no sense is left out."""
    told = stored if isinstance(stored, list | tuple) else ()
    return tuple(judge for one in told if isinstance(one, Mapping) and (judge := _judge(one)))


def _judge(told: Mapping[str, Any]) -> AnswerJudge | None:
    name, rate, model = told.get("name"), told.get("sampling_rate", 1.0), told.get("model", "")
    lines = told.get("criteria")
    texts = [one for one in lines if isinstance(one, str)] if isinstance(lines, list) else []
    criteria = criteria_of("\n".join(texts))
    sound = isinstance(name, str) and isinstance(model, str) and type(rate) in (int, float)
    if not (sound and criteria and 0 <= rate <= 1):
        return None
    return AnswerJudge(str(name), criteria, float(rate), model)
