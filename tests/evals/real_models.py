"""How well Loci does with real small chat models: whatever GGUF files lie in a folder.

Nothing of it is needed by ``make test``, and no model comes with it. Run it for the figures::

    .venv/bin/python -m tests.evals.real_models DIR [--only WORD …] [--rows 1,2] [--out FILE]

1. **answers**: of the questions whose answer was recalled, how many are answered, as a share of
   what the best of some plain prompts reaches with the same finds (``real_answers``).
2. **echoes**: answers that show the memory block or what fences it, or are marks alone.
3. **learning**: false memories while the model learns, more than without one.
4. **first token**: how long it takes in later turns of a conversation of 7 KB, while the model
   learns in between, as a multiple of the same without learning.
5. **window**: conversations driven far past it in which every later message is answered.

Rows 1 and 2 come of the same answers. It takes an hour a model, so that what is done is kept in the
file of ``--out`` piece by piece, and not done again; use another file for another state of Loci.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from app.bench.life import script
from app.bench.life.script import LifeScript
from app.providers.local import gguf
from tests.evals import real_answers, real_talks

LIVES = Path(__file__).with_name("small_lives.json")
ROWS = (1, 2, 3, 4, 5)
WINDOW = 2048

Figures = dict[str, Any]


class Done:
    """What is done already, kept in a file piece by piece.

    Args:
        path: The file; nothing is kept where there is none.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        there = path is not None and path.is_file()
        self.pieces: dict[str, Any] = json.loads(path.read_text("utf-8")) if path and there else {}

    def piece(self, key: str, made: Callable[[], Any]) -> Any:
        """Return a piece, made now where it is not there yet."""
        if key not in self.pieces:
            sys.stderr.write(f"{key} …\n")
            self.pieces[key] = made()
            if self._path is not None:
                written = self._path.with_suffix(".new")
                written.write_text(json.dumps(self.pieces, indent=1, ensure_ascii=False), "utf-8")
                written.replace(self._path)
        return self.pieces[key]


class Measuring:
    """Measures one model.

    Args:
        path: Its file.
        lives: What is told and asked.
        done: What is done already.
        window: Tokens that it reads at once while it is driven past them.
    """

    def __init__(self, path: Path, lives: Sequence[LifeScript], done: Done, window: int) -> None:
        self._path, self._choice = path, f"file:{path.absolute()}"
        self._lives = lives
        self._done = done
        self._window = window

    def figures(self, rows: Sequence[int]) -> Figures:
        """Return the figures of some rows of the table."""
        found: Figures = {}
        if 1 in rows or 2 in rows:
            found["answers"] = self._answers(plain=1 in rows)
        for row, name, measure in (
            (3, "learning", self._learning),
            (4, "first_token", self._first_token),
            (5, "window", self._past_the_window),
        ):
            if row in rows:
                found[name] = measure()
        return found

    def _piece(self, kind: str, made: Callable[[], Any]) -> Any:
        return self._done.piece(f"{self._path.stem} · {kind}", made)

    def _answers(self, *, plain: bool) -> Figures:
        asks, rows = [], []
        answers: dict[str, list[str]] = {}
        for life in self._lives:
            came = self._piece(
                f"answers · {life.id}", partial(real_answers.asked, life, self._choice)
            )
            asks += life.asks
            rows += came
            if not plain:
                continue
            alone = partial(real_answers.plainly, life, came, self._path)
            for name, texts in self._piece(f"plain · {life.id}", alone).items():
                answers.setdefault(name, []).extend(texts)
        return real_answers.judged(asks, rows, answers).figures()

    def _learning(self) -> Figures:
        alone, with_it = [], []
        for life in self._lives:
            nobody = partial(real_talks.learnt, life, "")
            alone.append(self._done.piece(f"no model · learning · {life.id}", nobody))
            learns = partial(real_talks.learnt, life, self._choice)
            with_it.append(self._piece(f"learning · {life.id}", learns))
        return real_talks.compared(alone, with_it)

    def _first_token(self) -> Figures:
        waits = {}
        for name, learning in (("on", True), ("off", False)):
            talk = partial(real_talks.first_tokens, self._choice, learning=learning)
            came = self._piece(f"first token · learning {name}", talk)
            waits[name] = statistics.median(came["first_tokens"][1:])
        return waits | {"ratio": round(waits["on"] / waits["off"], 2)}

    def _past_the_window(self) -> Figures:
        found = {}
        for name, pastes in real_talks.conversations(self._window).items():
            talk = partial(real_talks.driven, self._choice, pastes, self._window)
            found[name] = self._piece(f"window {self._window} · {name}", talk)
        return {"go_on": sum(one["goes_on"] for one in found.values()), "of": len(found), **found}


def table(found: Mapping[str, Figures]) -> str:
    """Return the figures as a table, one row a model; what was not measured is empty."""
    heads = (
        *("model", "recalled", "right", "best plain", "share", "echoes", "more false memories"),
        *("first token, learning on / off", "past the window"),
    )
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    lines += [f"| {' | '.join((name, *_cells(one)))} |" for name, one in found.items()]
    return "\n".join(lines)


def _cells(found: Figures) -> Iterator[str]:
    answers, learning = found.get("answers"), found.get("learning")
    first, window = found.get("first_token"), found.get("window")
    yield f"{answers['recalled']} of {answers['asked']}" if answers else ""
    yield str(answers["right"]) if answers else ""
    plain = answers["plain"] if answers else {}
    yield str(max(plain.values())) if plain else ""
    yield str(answers["share_of_best_plain"]) if answers and plain else ""
    yield str(sum(answers["echoes"].values())) if answers else ""
    yield str(learning["more_false"]) if learning else ""
    yield f"{first['on']} / {first['off']} s = {first['ratio']}" if first else ""
    yield f"{window['go_on']} of {window['of']} go on" if window else ""


def models(folder: Path, only: Sequence[str]) -> list[Path]:
    """Return the chat models of a folder whose names hold one of some words, smallest first."""
    files = [path for path in folder.glob("*.gguf") if gguf.check(path).role == "chat"]
    named = [path for path in files if not only or any(word in path.name for word in only)]
    return sorted(named, key=lambda path: path.stat().st_size)


def _rows(text: str) -> list[int]:
    rows = [int(row) for row in text.split(",")]
    if not set(rows) <= set(ROWS):
        raise ValueError
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure Loci with real chat models.")
    parser.add_argument("folder", type=Path, help="where the GGUF files lie")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="some of the files")
    parser.add_argument("--lives", type=Path, default=LIVES, metavar="FILE")
    parser.add_argument("--rows", type=_rows, default=list(ROWS), metavar="1,2")
    parser.add_argument("--out", type=Path, metavar="FILE", help="keeps what is done")
    parser.add_argument("--window", type=int, default=WINDOW, metavar="TOKENS")
    asked = parser.parse_args(arguments)
    lives, done = script.load(asked.lives), Done(asked.out)
    found = {
        path.stem: Measuring(path, lives, done, asked.window).figures(asked.rows)
        for path in models(asked.folder, asked.only)
    }
    sys.stdout.write(f"{table(found)}\n\n{json.dumps(found, indent=1, ensure_ascii=False)}\n")


if __name__ == "__main__":
    main()
