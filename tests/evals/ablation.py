"""Measure what each part of recall adds, on benchmark files.

Every file is stored and embedded once; then all its questions are asked once for each row of
``STEPS``. Rows build on one another up to recall as it is shipped, or take one part out of that::

    .venv/bin/python -m tests.evals.ablation FILE [FILE …] [--only WORD] [--json OUT]

What is a setting is changed by its setting. The parts of late interaction have none, so their
constants are replaced here for the time of a row.
"""

import argparse
import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from app import log
from app.bench import recall as bench
from app.cli.program import run
from app.main.program import Program
from app.memory.recall import interaction
from app.memory.recall.late import Likeness, likeness
from app.services.services import Services
from tests.evals.peers import preset

NO_FLOOR = {"rag.floor": "0"}
NO_TIME = {"rag.time.enabled": "false"}
NO_LATE = {"rag.late_interaction": "false"}
NO_AROUND = {"AROUND": 0.0}
NO_THROUGHOUT = {"THROUGHOUT": 0.0}
NO_REPLIES = {"likeness": "plain"}
NO_SPEAKER = {"FIRST_PERSON": 0.0, "CLOSES_ASKING": 0.0, "ONLY_ASKS": 0.0}
NO_SENTENCES = {"COSINE": 0.0, "COSINE_BESIDE": 0.0}


@dataclass(frozen=True)
class Step:
    """One way to recall.

    Attributes:
        settings: What differs from the shipped settings.
        constants: What differs in ``app.memory.recall.interaction``.
    """

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Any] = field(default_factory=dict)


BARE = {**NO_FLOOR, **NO_TIME}
PARTS = (NO_AROUND, NO_THROUGHOUT, NO_REPLIES, NO_SPEAKER, NO_SENTENCES)


def _but(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the constants without these parts of late interaction."""
    return {name: value for part in parts for name, value in part.items()}


STEPS = (
    Step("reference preset", preset()),
    Step("order by relevance", {**BARE, **NO_LATE}),
    Step("late interaction, each message alone", BARE, _but(*PARTS)),
    Step("+ its neighbours", BARE, _but(*PARTS[1:])),
    Step("+ its conversation", BARE, _but(*PARTS[2:])),
    Step("+ what it replies to", BARE, _but(*PARTS[3:])),
    Step("+ who speaks, who asks", BARE, _but(*PARTS[4:])),
    Step("+ whole sentences", BARE),
    Step("+ time", NO_FLOOR),
    Step("+ floor (as shipped)"),
    Step("without neighbours", {}, NO_AROUND),
    Step("without conversation", {}, NO_THROUGHOUT),
    Step("without what it replies to", {}, NO_REPLIES),
    Step("without who speaks, who asks", {}, NO_SPEAKER),
    Step("without whole sentences", {}, NO_SENTENCES),
    Step("without time", NO_TIME),
    Step("without recency", {"rag.scoring.recency_alpha": "0"}),
    Step("40 candidates", {"rag.candidates": "40"}),
    Step("200 candidates", {"rag.candidates": "200"}),
)


def measured(path: Path, steps: Sequence[Step]) -> dict[str, dict[str, float]]:
    """Return the mean shares of evidence found, by step."""
    shares: dict[str, list[list[float]]] = {step.name: [] for step in steps}
    for talk in bench.load(path):
        with Program().temporary(bench.at_the_end(talk)) as (services, _):
            ids = run(bench.ingest(services, talk, bench.RecallTally()))
            for step in steps:
                with tried(services, step):
                    shares[step.name] += list(_asked(services, talk, ids))
    return {
        name: {
            f"recall@{k}": round(statistics.fmean(column), 4)
            for k, column in zip(bench.DEPTHS, zip(*rows, strict=True), strict=True)
        }
        for name, rows in shares.items()
    }


@contextmanager
def tried(services: Services, step: Step) -> Iterator[None]:
    """Recall in the way of a step for a while."""
    with ExitStack() as stack:
        for name, value in step.constants.items():
            made: Any = _plain if value == "plain" else value
            stack.enter_context(patch.object(interaction, name, made))
        for key, value in step.settings.items():
            services.preferences.set(key, value)
            stack.callback(services.preferences.reset, key)
        yield


def _plain(*given: Any) -> Likeness:
    """Compare as ``likeness`` does, and let a question count for its own message alone."""
    found = likeness(*given)
    return replace(found, told=found.said, asked=found.asked * 0)


def _asked(
    services: Services, talk: Mapping[str, Any], ids: dict[str, str]
) -> Iterator[list[float]]:
    for question in talk["questions"]:
        if gold := bench.evidence(question):
            hits = services.memories.recall(question["text"], bench.RANKED).hits
            yield bench.found_at(bench.messages(hits, ids), gold)


def table(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return the figures as a table for a document."""
    names = list(figures)
    lines = ["| | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for step in next(iter(figures.values())):
        cells = " | ".join(_row(figures[name][step]) for name in names)
        lines.append(f"| {step} | {cells} |")
    return "\n".join(lines)


def _row(found: Mapping[str, float]) -> str:
    return " ".join(f"{value:.3f}"[1:] for value in found.values())


def main() -> None:
    """Measure what each part of recall adds."""
    parser = argparse.ArgumentParser(prog="tests.evals.ablation", description=main.__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="files for loci bench recall")
    parser.add_argument("--only", default="", help="only steps with this word in their name")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    asked = parser.parse_args()
    log.quiet()
    steps = [step for step in STEPS if asked.only in step.name]
    figures = {path.stem: measured(path, steps) for path in asked.files}
    if asked.json:
        asked.json.write_text(json.dumps(figures, indent=1), "utf-8")
    print(table(figures))


if __name__ == "__main__":
    main()
