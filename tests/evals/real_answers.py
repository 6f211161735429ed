"""What a model makes of what was recalled, beside what it makes of the same in a plain prompt.

A life is told without a model and asked with one (``bench_life``). Each question whose answer was
recalled is then asked again, by the model alone, with the same finds as a plain list: all that
recall let through, of which Loci may leave out what changed since. All that is kept of it are
texts, so that they can be judged anew without asking again.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

from app.bench.life.living import LifeReply, Living
from app.bench.life.score import first_line
from app.bench.life.script import Ask, LifeScript
from app.bench.opened import HandClock
from app.conversation import block, context, fence
from app.conversation.dates import date
from app.domain.jobs.operation import drive
from app.domain.language.text import normalise
from app.domain.recall import Hit
from app.errors import ModelError
from app.main.program import Program
from app.providers.base import PromptTurn, Sampling
from app.providers.local.llamacpp import LlamaChat

MOST_TOKENS = 64
FIRST_WORDS = 40  # an answer that comes later than this is none
CONTEXT = 4096
ORDER = "Answer in one short sentence."
TOLD = "What I told you:"
ECHOES = ("fence", "block", "marks", "nothing")

_MARK = re.compile(r"\s*[\[［【]\s*\d[\d\s,]*[\]］】]")
_FENCE = re.compile(r"<<+|>>+|\bmemory\s+[0-9a-f]{8,}", re.IGNORECASE)
_LABEL = re.compile(
    r"\((?:learned|system|external|claimed|message)\b[^)]*\d{4}"
    r"|^\s*\d+\. \d{1,2} [a-z]{3} \d{4}, [^:\n]{3,80}:",
    re.IGNORECASE | re.MULTILINE,
)
_RUN = 6  # words in a row that nobody writes by chance
_SHOWN = 3  # lines of the block in one answer
_WORD = re.compile(r"\w+")

Row = Mapping[str, Any]
Plain = Callable[[Sequence[Row], str], Sequence[PromptTurn]]


# -- asking ----------------------------------------------------------------------------------------


def asked(life: LifeScript, choice: str) -> list[dict[str, Any]]:
    """Tell a life and ask its questions of a model, named as in settings; return what came."""
    moment = HandClock(life.talk[0].at)
    with Program().temporary(moment) as (services, store):
        services.preferences.set("chat.max_answer_tokens", MOST_TOKENS)
        living = Living(replace(life, orders=()), services, store, moment)
        lived = drive(living.live(answer_with=choice), Event())
    return [_row(reply) for _, reply in lived.asked]


def _row(reply: LifeReply) -> dict[str, Any]:
    return {
        "said": reply.text,
        "streamed": reply.streamed,
        "failed": reply.failed,
        "milliseconds": round(reply.milliseconds),
        "lines": [_line(hit) for hit in reply.hits],
        "changed": [_line(hit) for hit in reply.changed],
    }


def _line(hit: Hit) -> dict[str, str]:
    happened = date(hit.occurred_at) if hit.occurred_at is not None else ""
    return {"text": " ".join(hit.text.split()), "on": date(hit.at), "happened": happened}


# -- plain prompts ---------------------------------------------------------------------------------


def _list(lines: Sequence[Row], *, dated: bool = False) -> str:
    said = [f"{line['on']}: {line['text']}" if dated else line["text"] for line in lines]
    return "\n".join([TOLD, *(f"{number}. {text}" for number, text in enumerate(said, start=1))])


def _question_first(lines: Sequence[Row], question: str) -> Sequence[PromptTurn]:
    return [PromptTurn("user", f"{_list(lines)}\n\n{question}\n{ORDER}")]


def _question_last(lines: Sequence[Row], question: str) -> Sequence[PromptTurn]:
    return [PromptTurn("user", f"{_list(lines)}\n\n{ORDER}\n\n{question}")]


def _dated(lines: Sequence[Row], question: str) -> Sequence[PromptTurn]:
    return [PromptTurn("user", f"{_list(lines, dated=True)}\n\n{question}\n{ORDER}")]


def _in_system(lines: Sequence[Row], question: str) -> Sequence[PromptTurn]:
    return [PromptTurn("system", f"{ORDER}\n\n{_list(lines)}"), PromptTurn("user", question)]


PLAIN: Mapping[str, Plain] = {
    "question, then order": _question_first,
    "order, then question": _question_last,
    "with dates": _dated,
    "as instructions": _in_system,
}


def plainly(life: LifeScript, rows: Sequence[Row], path: Path) -> dict[str, list[str]]:
    """Ask a model alone whatever was recalled; return its answers in order, by kind of prompt.

    What was not recalled is not asked: its answer is empty.
    """
    found: dict[str, list[str]] = {name: [] for name in PLAIN}
    model = LlamaChat(path, f"file:{path}", context_tokens=CONTEXT)
    try:
        for ask, row in zip(life.asks, rows, strict=True):
            for name, prompt in PLAIN.items():
                turns = prompt(finds(row), ask.question) if recalled(ask, row) else ()
                found[name].append(_answer(model, turns) if turns else "")
    finally:
        model.close()
    return found


def _answer(model: LlamaChat, turns: Sequence[PromptTurn]) -> str:
    try:
        return "".join(model.stream(turns, Sampling(0.0, MOST_TOKENS, seed=0), Event()))
    except ModelError:
        return ""


# -- judging ---------------------------------------------------------------------------------------


def finds(row: Row) -> list[dict[str, str]]:
    """Return what was recalled for a question, whether it stood in Loci's prompt or not."""
    return [*row["lines"], *row.get("changed", ())]


def recalled(ask: Ask, row: Row) -> bool:
    """Return whether the answer to a question was recalled."""
    said = "\n".join(f"{one['text']} {one['happened']}" for one in finds(row))
    return _answered(ask, normalise(said)) is not None


def echo(answer: str, lines: Sequence[Row]) -> str:
    """Return what an answer shows in place of one; empty where it is one.

    The only place that knows what the memory block looks like: "fence" and "block" are what Loci
    wrote around or among the lines, "marks" and "nothing" say what they say. To quote a line or two
    is to answer.
    """
    bare = _MARK.sub("", answer)
    if not _WORD.search(bare):
        return "marks" if _WORD.search(answer) else "nothing"
    if _FENCE.search(answer):
        return "fence"
    said = normalise(bare)
    shown = {text for line in lines if len(text := normalise(line["text"])) > 15 and text in said}
    words = f" {' '.join(_WORD.findall(said))} "
    if _LABEL.search(answer) or len(shown) >= _SHOWN or any(run in words for run in _own_words()):
        return "block"
    return ""


def _own_words() -> Iterator[str]:
    """Yield every run of words that Loci writes around what was recalled."""
    for module in (block, context, fence):
        for name, text in vars(module).items():
            if name.startswith("_") or not isinstance(text, str):
                continue
            words = _WORD.findall(normalise(text))
            for start in range(len(words) - _RUN + 1):
                yield f" {' '.join(words[start : start + _RUN])} "


def right(ask: Ask, answer: str, lines: Sequence[Row]) -> bool:
    """Return whether an answer tells what was asked, and tells it soon.

    What is wrong may stand behind it, not before; an echo of the prompt tells nothing.
    """
    soon = " ".join(_MARK.sub("", answer).split()[:FIRST_WORDS])
    return not echo(answer, lines) and _tells(ask, normalise(soon))


def _tells(ask: Ask, said: str) -> bool:
    """Return whether a normalised text has the answer, and nothing wrong before it."""
    answered = _answered(ask, said)
    wrong = [at for word in ask.wrong if (at := _place(word, said)) is not None]
    return answered is not None and not any(at < answered for at in wrong)


def _answered(ask: Ask, said: str) -> int | None:
    """Return where the last part of the answer begins in a normalised text, if all is there."""
    places = []
    for group in ask.answer:
        found = [at for word in group if (at := _place(word, said)) is not None]
        if not found:
            return None
        places.append(min(found))
    return max(places, default=None)


def _place(word: str, said: str) -> int | None:
    """Return where a word stands in a normalised text; "7" does not stand in "17"."""
    found = re.search(rf"(?<!\d){re.escape(normalise(word))}(?!\d)", said)
    return found.start() if found else None


@dataclass(slots=True)
class Judged:
    """What a model's answers come to.

    Attributes:
        asked: How many questions.
        recalled: Of how many the answer was recalled; only these can be right.
        right: How many of these were answered.
        first: In how many of them the very first sentence says it.
        plain: How many a plain prompt got right, by kind.
        echoes: Answers that are none, by what they show, among all that were asked.
        failed: Questions that got a sentence on what went wrong.
        misses: What was wrong, to read.
    """

    asked: int
    recalled: int
    right: int
    first: int
    plain: dict[str, int]
    echoes: dict[str, int]
    failed: int
    misses: list[dict[str, Any]]

    def figures(self) -> dict[str, Any]:
        """Return the figures, with what the best plain prompt reaches and the share of it."""
        best = max(self.plain.values(), default=0)
        return {
            "asked": self.asked,
            "recalled": self.recalled,
            "right": self.right,
            "first_line_right": self.first,
            "plain": self.plain,
            "share_of_best_plain": round(self.right / best, 3) if best else None,
            "echoes": self.echoes,
            "failed": self.failed,
            "misses": self.misses,
        }


def judged(asks: Sequence[Ask], rows: Sequence[Row], plain: Mapping[str, Sequence[str]]) -> Judged:
    """Judge answers, and those that plain prompts got.

    Args:
        asks: The questions.
        rows: What came of each, as ``asked`` returns it.
        plain: The answers to each kind of plain prompt; may be empty.
    """
    known = [n for n, (ask, row) in enumerate(zip(asks, rows, strict=True)) if recalled(ask, row)]
    good = [n for n in known if right(asks[n], rows[n]["said"], rows[n]["lines"])]
    shown = [_shown(row) for row in rows]
    return Judged(
        asked=len(asks),
        recalled=len(known),
        right=len(good),
        first=sum(_tells(asks[n], first_line(rows[n]["said"])) for n in good),
        plain={
            name: sum(right(asks[n], answers[n], rows[n]["lines"]) for n in known)
            for name, answers in plain.items()
        },
        echoes={kind: count for kind in ECHOES if (count := shown.count(kind))},
        failed=sum(bool(row["failed"]) for row in rows),
        misses=[
            {"asked": asks[n].question, "said": rows[n]["said"], "shows": shown[n]}
            for n in range(len(asks))
            if shown[n] or (n in known and n not in good)
        ],
    )


def _shown(row: Row) -> str:
    """Return what somebody who watched the answer come saw in place of one; empty where nothing."""
    texts = [row["said"], *([row["streamed"]] if row["streamed"] else [])]
    return next((kind for text in texts if (kind := echo(text, row["lines"]))), "")
