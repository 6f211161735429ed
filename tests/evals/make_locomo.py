"""Turn LoCoMo and the audit of its evidence into two benchmark files: one to develop on, one not.

The first half is for trying things out, the second to see that what was gained is not tuned to the
first. Fetch ``data/locomo10.json`` of ``snap-research/locomo`` and ``errors.json`` of
``dial481/locomo-audit`` yourself: both are CC BY-NC 4.0, to measure with and never to ship, so
neither they nor the two files made here belong into the repository::

    .venv/bin/python -m tests.evals.make_locomo locomo10.json errors.json dev.json heldout.json
    .venv/bin/loci bench recall dev.json --json
"""

import argparse
import json
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

ABOUT = {
    "name": "LoCoMo (snap-research/locomo), evidence audited by dial481/locomo-audit",
    "licence": "CC BY-NC 4.0",
}
CATEGORIES = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
FIRST_HALF = 5

_MESSAGE = re.compile(r"D\d+:\d+")
_MOMENT = "%I:%M %p on %d %B, %Y"


class SourceError(Exception):
    """A source cannot be read; its text is a sentence for whoever runs this."""


def convert(number: int, sample: Mapping[str, Any], audit: Mapping[str, Any]) -> dict[str, Any]:
    """Return one sample of LoCoMo as a conversation of the benchmark.

    Questions whose evidence is not in the conversation are left out.

    Args:
        number: Which sample it is, from 0; the audit knows them by it.
        audit: What the audit found wrong, by its question ids.
    """
    talk = sample["conversation"]
    messages = _messages(talk)
    known = {message["id"] for message in messages}
    questions = []
    for n, item in enumerate(sample["qa"]):
        stated = _cited(item.get("evidence", ()), known)
        fixed = audit.get(f"locomo_{number}_qa{n}")
        corrected = _cited(fixed["correct_evidence"], known) if fixed else stated
        if stated or corrected:
            question = {
                "id": f"{sample['sample_id']}/q{n}",
                "text": item["question"],
                "category": CATEGORIES[item["category"]],
                "evidence": stated,
                "evidence_corrected": corrected or stated,
            }
            questions.append(question)
    speakers = [talk["speaker_a"], talk["speaker_b"]]
    named = {"id": sample["sample_id"], "speakers": speakers}
    return {**named, "messages": messages, "questions": questions}


def halves(locomo: Path, errors: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the conversations of the first and of the second half.

    Raises:
        SourceError: One of the files cannot be read, or is not what it should be.
    """
    samples, found = _json(locomo), _json(errors)
    try:
        audit = {error["question_id"]: error for error in found}
        talks = [convert(number, sample, audit) for number, sample in enumerate(samples)]
    except KeyError as error:
        raise SourceError(f"These are not LoCoMo and its audit: no {error} where one is.") from None
    except (AttributeError, TypeError, ValueError) as error:
        raise SourceError(f"These are not LoCoMo and its audit: {error}.") from None
    return talks[:FIRST_HALF], talks[FIRST_HALF:]


def written(path: Path, talks: Sequence[Mapping[str, Any]]) -> str:
    """Write a benchmark file; return a line that says what is in it.

    Raises:
        SourceError: The file cannot be written.
    """
    made = {"about": ABOUT, "conversations": talks}
    try:
        path.write_text(json.dumps(made, ensure_ascii=False, indent=0), "utf-8")
    except OSError as error:
        raise SourceError(f"{path} could not be written: {error.strerror}.") from error
    questions = [question for talk in talks for question in talk["questions"]]
    corrected = sum(q["evidence"] != q["evidence_corrected"] for q in questions)
    messages = sum(len(talk["messages"]) for talk in talks)
    return (
        f"{path}: {len(talks)} conversations, {messages} messages, {len(questions)} questions,"
        f" {corrected} of them with corrected evidence"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write both halves."""
    parser = argparse.ArgumentParser(prog="tests.evals.make_locomo", description=main.__doc__)
    parser.add_argument("locomo", type=Path, help="locomo10.json")
    parser.add_argument("errors", type=Path, help="errors.json of the audit")
    parser.add_argument("first", type=Path, help="where the first half goes")
    parser.add_argument("second", type=Path, help="where the second half goes")
    asked = parser.parse_args(arguments)
    try:
        first, second = halves(asked.locomo, asked.errors)
        for path, talks in ((asked.first, first), (asked.second, second)):
            sys.stdout.write(written(path, talks) + "\n")
    except SourceError as error:
        sys.exit(str(error))


def _messages(talk: Mapping[str, Any]) -> list[dict[str, Any]]:
    messages = []
    session = 1
    while (turns := talk.get(f"session_{session}")) is not None:
        at = datetime.strptime(talk[f"session_{session}_date_time"], _MOMENT)
        for turn in turns:
            seen = turn.get("blip_caption")
            message = {
                "id": turn["dia_id"],
                "session": session,
                "speaker": turn["speaker"],
                "at": at.isoformat(),
                "text": turn["text"] + (f" [shares an image: {seen}]" if seen else ""),
            }
            messages.append(message)
        session += 1
    return messages


def _cited(evidence: Sequence[str], known: set[str]) -> list[str]:
    """Return the messages that are named; the originals write several in one string at times."""
    named = {message for cited in evidence for message in _MESSAGE.findall(cited)}
    return sorted(named & known)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SourceError(f"{path} could not be read: {error.strerror}.") from error
    except ValueError:
        raise SourceError(f"{path} is not JSON.") from None


if __name__ == "__main__":
    main()
