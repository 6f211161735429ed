"""Measure Loci, its peers and plain full-text search on one benchmark file, with one embedder.

=========  ==========================================================================
loci       Loci as it is shipped, by the code behind ``loci bench recall``
reference  its "reference" preset, but with past messages searched (there is nothing else to find)
fts        the content words of a question in SQLite's FTS5: porter stemmer, bm25
chroma     Chroma: a collection as it comes, compared by cosine
mem0       mem0 with every message kept word for word (``infer=False``), in its local vector store
=========  ==========================================================================

Every message is one unit, every conversation is kept apart, and what counts as found is what counts
for ``loci bench recall``: the share of a question's evidence among the first k, averaged. The peers
get the vectors of the bundled embedder; ``latency_ms`` has the embedding of the question in it,
``search_ms`` has not. The peers are installed into a virtual environment of their own, in a folder
that can be named to keep it; only that needs the network::

    .venv/bin/python -m tests.evals.peers FILE [--only chroma,mem0] [--folder DIR] [--json]

``tests.evals.make_locomo`` makes such files.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from app import log
from app.assets import resource
from app.bench import recall as bench
from app.cli.program import run
from app.errors import AppError
from app.main.program import Program
from app.memory.text.query import match
from app.providers.base import Embedder, Purpose, Vector
from app.providers.local.llamacpp import LlamaEmbedder
from app.services.preferences import shown
from app.settings.table import entries, get, reference
from app.settings.types import SAME

MODEL = "models/loci-minilm-v2-Q8_0.gguf"
WORKER = Path(__file__).with_name("peer_worker.py")
METHODS = ("loci", "reference", "fts", "chroma", "mem0")
PACKAGES = {
    "chroma": ("chromadb==1.5.9",),
    "mem0": ("mem0ai==2.2.1", "langchain==1.4.7"),
}
SILENT = {"ANONYMIZED_TELEMETRY": "False", "MEM0_TELEMETRY": "False", "DO_NOT_TRACK": "1"}


class PeerError(Exception):
    """A peer could not be measured; its text is a sentence for whoever runs this."""


@dataclass(frozen=True)
class Talk:
    """One conversation of the benchmark, and its vectors.

    Attributes:
        ids: The benchmark's names of the messages.
        texts: What the messages say, each after who says it, as Loci embeds them.
        questions: As in the file.
        milliseconds: How long each question took to embed.
    """

    ids: list[str]
    texts: list[str]
    questions: list[dict[str, Any]]
    passages: list[Vector]
    asked: list[Vector]
    milliseconds: list[float]


@dataclass(frozen=True)
class Answers:
    """What one method found.

    Attributes:
        rankings: The messages found for every question, best first.
        latency: How long each question took, with its embedding.
        search: The same without its embedding, where that is known.
        version: Of the peer's package.
    """

    rankings: list[list[str]]
    latency: Sequence[float]
    search: Sequence[float] = ()
    version: str = ""


def embedded(path: Path, embedder: Embedder) -> list[Talk]:
    """Read a benchmark file and embed what is in it, the questions one by one.

    Raises:
        AppError: It is no such file, or the embedder fails.
    """
    found = []
    for talk in bench.load(path):
        messages, questions = talk["messages"], talk["questions"]
        texts = [f"{message['speaker']}: {message['text']}" for message in messages]
        passages = [made.vector for made in embedder.embed(texts, Purpose.PASSAGE)]
        asked, milliseconds = [], []
        for question in questions:
            started = perf_counter()
            asked.append(embedder.embed([question["text"]], Purpose.QUERY)[0].vector)
            milliseconds.append((perf_counter() - started) * 1000)
        ids = [str(message["id"]) for message in messages]
        found.append(Talk(ids, texts, questions, passages, asked, milliseconds))
    return found


def scored(questions: Sequence[dict[str, Any]], rankings: Sequence[list[str]]) -> dict[str, Any]:
    """Return the figures that ``loci bench recall`` gives for these rankings."""
    shares: list[list[float]] = []
    ranks: list[float] = []
    for question, ranking in zip(questions, rankings, strict=True):
        if gold := bench.evidence(question):
            shares.append(bench.found_at(ranking, gold))
            first = next((n for n, message in enumerate(ranking, start=1) if message in gold), 0)
            ranks.append(1 / first if first else 0.0)
    recalls = {f"recall@{k}": _mean([s[n] for s in shares]) for n, k in enumerate(bench.DEPTHS)}
    return {"questions": len(shares), **recalls, "mrr": _mean(ranks)}


def words(talks: Sequence[Talk]) -> Answers:
    """Find messages by the content words of each question alone."""
    rankings, milliseconds = [], []
    for talk in talks:
        store = sqlite3.connect(":memory:")
        store.execute("CREATE VIRTUAL TABLE said USING fts5 (text, tokenize = 'porter unicode61')")
        rows = enumerate(talk.texts)
        store.executemany("INSERT INTO said (rowid, text) VALUES (?, ?)", rows)
        for question in talk.questions:
            started = perf_counter()
            query = "SELECT rowid FROM said WHERE said MATCH ? ORDER BY rank, rowid LIMIT ?"
            wanted = match(question["text"])
            found = store.execute(query, (wanted, bench.RANKED)).fetchall() if wanted else []
            milliseconds.append((perf_counter() - started) * 1000)
            rankings.append([talk.ids[row] for (row,) in found])
        store.close()
    return Answers(rankings, milliseconds, milliseconds)


def preset() -> dict[str, str]:
    """Return the settings of the "reference" preset that differ, past messages searched."""
    values = reference()
    rows = [declared for declared in entries() if declared.row.reference is not SAME]
    return {row.key: shown(get(values, row.key)) for row in rows} | {"rag.messages": "true"}


def recalled(path: Path, wanted: Mapping[str, str]) -> dict[str, Any]:
    """Return the figures of ``loci bench recall`` for some settings."""
    found, _ = run(bench.recall_quality(path, Program().temporary, wanted, foreign=False))
    kept = ("questions", *(f"recall@{k}" for k in bench.DEPTHS), "mrr", "latency_ms")
    return {key: found[key] for key in kept}


def installed(packages: Sequence[str], folder: Path) -> Path:
    """Return the Python of a virtual environment that has some packages; make it if need be.

    Raises:
        PeerError: They could not be installed.
    """
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    quietly = ("--quiet", "--disable-pip-version-check")
    command = [str(python), "-m", "pip", "install", *quietly, *packages]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PeerError(f"{', '.join(packages)} could not be installed: {_last(done.stderr)}")
    return python


def asked_of(peer: str, talks: Sequence[Talk], python: Path) -> Answers:
    """Let a peer keep the conversations and answer the questions, in a process of its own.

    Raises:
        PeerError: It failed.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        source, home, target = (Path(place) / name for name in ("in.npz", "home", "out.json"))
        home.mkdir()
        np.savez(source, **arrays(talks))
        command = [python, "-I", WORKER, peer, source, home, bench.RANKED, target]
        where = {"HOME": str(home), "USERPROFILE": str(home), "MEM0_DIR": str(home / "mem0")}
        done = subprocess.run(
            [str(word) for word in command],
            env={**os.environ, **SILENT, **where},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise PeerError(f"{peer} could not be measured: {_last(done.stderr)}")
        made = json.loads(target.read_text("utf-8"))
    search = made["milliseconds"]
    before = [taken for talk in talks for taken in talk.milliseconds]
    latency = [one + other for one, other in zip(before, search, strict=True)]
    return Answers(made["rankings"], latency, search, made["version"])


def arrays(talks: Sequence[Talk]) -> dict[str, Any]:
    """Return the conversations as ``tests.evals.peer_worker`` reads them."""
    found: dict[str, Any] = {"talks": len(talks)}
    for n, talk in enumerate(talks):
        found[f"ids{n}"] = np.array(talk.ids, str)
        found[f"texts{n}"] = np.array(talk.texts, str)
        found[f"passages{n}"] = np.array(talk.passages, np.float32)
        found[f"questions{n}"] = np.array([q["text"] for q in talk.questions], str)
        found[f"asked{n}"] = np.array(talk.asked, np.float32)
    return found


def measured(method: str, path: Path, talks: Sequence[Talk], folder: Path) -> dict[str, Any]:
    """Return the figures of one method.

    Raises:
        PeerError: It is a peer, and failed.
        AppError: Loci failed.
    """
    if method in ("loci", "reference"):
        return recalled(path, preset() if method == "reference" else {})
    if method == "fts":
        answers = words(talks)
    else:
        answers = asked_of(method, talks, installed(PACKAGES[method], folder))
    questions = [question for talk in talks for question in talk.questions]
    return {
        **scored(questions, answers.rankings),
        "latency_ms": bench.quantiles(answers.latency),
        "search_ms": bench.quantiles(answers.search),
        **({"version": answers.version} if answers.version else {}),
    }


def table(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the figures of every method as a table."""
    columns = (*(f"recall@{k}" for k in bench.DEPTHS), "mrr")
    lines = [f"{'':16}" + "".join(f"{name:>10}" for name in columns) + f"{'p50':>9}{'p95':>9} ms"]
    for method, found in figures.items():
        name = f"{method} {found.get('version', '')}"
        numbers = "".join(_cell(found[column], 10, 4) for column in columns)
        times = "".join(_cell(found["latency_ms"][key], 9, 1) for key in ("p50", "p95"))
        lines.append(f"{name:16}{numbers}{times}")
    return "\n".join(lines)


def chosen(text: str) -> tuple[str, ...]:
    """Return the methods of a list with commas."""
    names = tuple(name.strip() for name in text.split(","))
    if unknown := [name for name in names if name not in METHODS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(METHODS)}")
    return names


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure Loci and its peers on one benchmark file."""
    parser = argparse.ArgumentParser(prog="tests.evals.peers", description=main.__doc__)
    parser.add_argument("file", type=Path, help="a file for loci bench recall")
    parser.add_argument("--only", type=chosen, default=METHODS, metavar="NAMES", help="which ones")
    parser.add_argument("--folder", type=Path, help="keep the peers' virtual environment here")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    asked = parser.parse_args(arguments)
    log.quiet()
    embedder = LlamaEmbedder(resource(MODEL), "The bundled embedder")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        try:
            talks = embedded(asked.file, embedder)
            folder = asked.folder or Path(place) / "peers"
            figures = {name: measured(name, asked.file, talks, folder) for name in asked.only}
        except (PeerError, AppError) as error:
            sys.exit(str(error))
        finally:
            embedder.close()
    made = {"file": asked.file.name, "embedder": Path(MODEL).stem, "methods": figures}
    sys.stdout.write((json.dumps(made, indent=2) if asked.json else table(figures)) + "\n")


def _mean(values: Sequence[float]) -> float | None:
    return round(statistics.fmean(values), 4) if values else None


def _cell(value: float | None, width: int, digits: int) -> str:
    return f"{'–':>{width}}" if value is None else f"{value:{width}.{digits}f}"


def _last(said: str) -> str:
    """Return the last line of what a program said."""
    return (said.strip().splitlines() or ["it said nothing."])[-1]


if __name__ == "__main__":
    main()
