"""How often the bundled judge is right on the sets of ``understanding/`` that nothing learnt from.

Pairs of statements are compared one by one, without what the rest of a memory would tell;
rewordings go the product's own way (``app/memory/learn/entailment.py``). It takes a minute::

    .venv/bin/python -m tests.evals.judged
"""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from app.memory.change.comparing import Relation
from app.memory.learn.entailment import Entailment
from app.providers.base import Understanding
from app.providers.host import ModelHost
from app.providers.judging import Task
from app.providers.library import ModelsFolder
from app.settings.spec import Settings

SETS = Path(__file__).with_name("understanding")
PAIRS = ("pairs", "pairs_alike", "pairs_beside")


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a set."""
    lines = (SETS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def compared(models: Understanding, pairs: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return how many of some pairs are told right, in all and of each relation."""
    chances = models.judge(Task.COMPARE, [(pair["a"], pair["b"]) for pair in pairs])
    told = [list(Relation)[int(row.argmax())] for row in chances]
    right = [one == pair["label"] for one, pair in zip(told, pairs, strict=True)]
    figures = {"right": sum(right) / len(right)}
    for relation in Relation:
        of_it = [ok for ok, pair in zip(right, pairs, strict=True) if pair["label"] == relation]
        if of_it:
            figures[relation] = sum(of_it) / len(of_it)
    return {name: round(share, 3) for name, share in figures.items()}


def reworded(models: Understanding, pairs: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return how many twisted rewordings are accepted, and how many faithful ones refused."""
    held = Entailment(lambda: models).judged([(pair["said"], pair["written"]) for pair in pairs])
    twisted = [ok for ok, pair in zip(held, pairs, strict=True) if pair["label"] == "twisted"]
    faithful = [ok for ok, pair in zip(held, pairs, strict=True) if pair["label"] == "faithful"]
    return {
        "twisted_accepted": round(sum(twisted) / len(twisted), 3),
        "faithful_refused": round(1 - sum(faithful) / len(faithful), 3),
    }


def main() -> None:
    """Print the figures."""
    host = ModelHost(ModelsFolder(Path("none")), Settings)
    with closing(host):
        models = host.understanding
        found: dict[str, Any] = {name: compared(models, rows(name)) for name in PAIRS}
        found["entail"] = reworded(models, rows("entail"))
    sys.stdout.write(f"{json.dumps(found, indent=1)}\n")


if __name__ == "__main__":
    main()
