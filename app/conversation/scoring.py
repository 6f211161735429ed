"""Ask a model for marks of an answer, by criteria, and believe of its reply what can be."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from app.assets import resource
from app.conversation import fence
from app.conversation.clip import clipped
from app.domain.language.foreign import json_in
from app.domain.language.text import clipped as shortened
from app.domain.prompting.judge import HIGHEST, LOWEST, AnswerJudge, AnswerScore
from app.providers.base import PromptTurn, Sampling, rough_count

TEMPERATURE = 0.0
REPLY_TOKENS = 160  # for one criterion
LONGEST_REASON = 600  # characters
_LEAST, _QUESTION_SHARE = 128, 0.3
_NUMBER = re.compile(r"\d+")


def prompt(judge: AnswerJudge, question: str, answer: str, window: int) -> Sequence[PromptTurn]:
    """Return what a model is told to judge an answer.

    Args:
        judge: Says by which criteria.
        question: What was asked.
        answer: What is judged.
        window: How many tokens the model reads at once; what is longer is shown head and tail.
    """
    criteria = "\n".join(f"{n}. {fence.harmless(one)}" for n, one in enumerate(judge.criteria, 1))
    taken = rough_count(rules()) + rough_count(criteria) + sampling(judge).max_tokens
    room = max(_LEAST, window - taken - _LEAST)
    asked = clipped(question, int(room * _QUESTION_SHARE), rough_count)
    told = clipped(answer, int(room * (1 - _QUESTION_SHARE)), rough_count)
    data = [fence.apart(asked, "the question", "asked"), fence.apart(told, "the answer", "judged")]
    return [
        PromptTurn("system", rules()),
        PromptTurn("user", "\n\n".join([*data, f"The criteria:\n{criteria}"])),
    ]


def sampling(judge: AnswerJudge) -> Sampling:
    """Return how the reply is drawn: one object for all criteria."""
    mark = {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string", "maxLength": LONGEST_REASON},
            "score": {"type": "number"},
        },
        "required": ["reasoning", "score"],
    }
    names = [str(number) for number in range(1, len(judge.criteria) + 1)]
    schema = {"type": "object", "properties": dict.fromkeys(names, mark), "required": names}
    tokens = REPLY_TOKENS * len(names)
    return Sampling(temperature=TEMPERATURE, max_tokens=tokens, schema=schema)


def scores(reply: str, judge: AnswerJudge, model: str) -> list[AnswerScore]:
    """Return the marks of a reply; a criterion of which it tells none is left out.

    A mark beyond 0 or 10 counts as that, and what is no finite number as 0.

    Args:
        reply: What the model wrote.
        judge: Who asked.
        model: The name of the model.
    """
    said = next((one for one in json_in(reply) if isinstance(one, dict)), {})
    marks = {_key(name): mark for name, mark in said.items()}
    found: list[AnswerScore] = []
    for number, criterion in enumerate(judge.criteria, 1):
        mark = marks.get(str(number), marks.get(_key(criterion)))
        score = _score(mark)
        if score is not None and isinstance(mark, Mapping):
            why = mark.get("reasoning")
            reason = shortened(why, LONGEST_REASON) if isinstance(why, str) else ""
            found.append(AnswerScore(judge.name, criterion, score, reason, model))
    return found


def _key(name: str) -> str:
    """Return what a criterion is called: its number, or its words as they are compared."""
    words = " ".join(name.casefold().split()).rstrip(".")
    number = _NUMBER.match(words.removeprefix("criterion "))
    alone = number and not words.removeprefix("criterion ")[number.end() :].strip(" .:)")
    return str(int(number[0])) if number and alone else words


def _score(mark: Any) -> float | None:
    """Return a mark from 0 to 10; None where there is none."""
    if not isinstance(mark, Mapping) or "score" not in mark:
        return None
    told = mark["score"]
    if told is None:  # what was no finite number, once it was read
        return LOWEST
    try:
        score = LOWEST if isinstance(told, bool) else float(told)
    except (TypeError, ValueError, OverflowError):
        return None
    return min(HIGHEST, max(LOWEST, score)) if score == score else LOWEST


@cache
def rules() -> str:
    """Return what a judge is told to do."""
    return resource("prompts/judge.md").read_text(encoding="utf-8")
