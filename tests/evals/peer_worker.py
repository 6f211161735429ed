"""Ask one peer every question of a benchmark; runs in the peers' own virtual environment.

``tests.evals.peers`` starts it with the vectors already made, so nothing of Loci is imported here.
Nothing leaves this computer: a connection to anywhere else is refused.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from ipaddress import ip_address
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ask = Callable[[int], list[str]]


class Talk(NamedTuple):
    """One conversation: its messages, its questions, and the vectors of both."""

    ids: list[str]
    texts: list[str]
    passages: NDArray[np.float32]
    questions: list[str]
    asked: NDArray[np.float32]


def talks(file: Path) -> Iterator[Talk]:
    """Yield the conversations that ``tests.evals.peers`` has written."""
    with np.load(file) as arrays:
        for n in range(int(arrays["talks"])):
            ids, texts, questions = (
                [str(text) for text in arrays[f"{name}{n}"]]
                for name in ("ids", "texts", "questions")
            )
            yield Talk(ids, texts, arrays[f"passages{n}"], questions, arrays[f"asked{n}"])


@contextmanager
def chroma(talk: Talk, folder: Path, depth: int) -> Iterator[Ask]:
    """Keep a conversation in a collection of Chroma as it comes, compared by cosine."""
    import chromadb  # type: ignore[import-not-found, unused-ignore]

    settings = chromadb.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(str(folder), settings)
    kept = client.create_collection(
        "messages", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
    )
    batch = client.get_max_batch_size()
    for at in range(0, len(talk.ids), batch):
        part = slice(at, at + batch)
        kept.add(ids=talk.ids[part], embeddings=talk.passages[part], documents=talk.texts[part])

    def ask(question: int) -> list[str]:
        found = kept.query(query_embeddings=talk.asked[question], n_results=depth)
        return list(found["ids"][0])

    yield ask


@contextmanager
def mem0(talk: Talk, folder: Path, depth: int) -> Iterator[Ask]:
    """Keep a conversation in mem0 word for word, in the local vector store it comes with.

    Its extras stay out, because they fetch models when they are used: so it has no keyword search
    and no entities. The language model it insists on is never asked.
    """
    from mem0 import Memory  # type: ignore[import-not-found, unused-ignore]

    store = {"path": str(folder), "embedding_model_dims": talk.passages.shape[1]}
    nobody = {"model": "none", "api_key": "none", "openai_base_url": "http://127.0.0.1:9"}
    config = {
        "llm": {"provider": "openai", "config": nobody},
        "embedder": {"provider": "langchain", "config": {"model": _known(talk)}},
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": str(folder / "history.db"),
    }
    memory = Memory.from_config(config)
    for name, text in zip(talk.ids, talk.texts, strict=True):
        memory.add(text, user_id="person", metadata={"message": name}, infer=False)

    def ask(question: int) -> list[str]:
        whose = {"user_id": "person"}
        text = talk.questions[question]
        found = memory.search(text, filters=whose, top_k=depth, threshold=0.0)
        return [hit["metadata"]["message"] for hit in found["results"]]

    yield ask
    memory.close()


def _known(talk: Talk) -> Any:
    """Return an embedder that knows the vectors of this conversation and no others."""
    from langchain_core.embeddings import (  # type: ignore[import-not-found, unused-ignore]
        Embeddings,
    )

    texts = [text.strip() for text in (*talk.texts, *talk.questions)]
    vectors = dict(zip(texts, (*talk.passages, *talk.asked), strict=True))

    class Known(Embeddings):  # type: ignore[misc, unused-ignore]
        """Looks vectors up."""

        def embed_documents(self, wanted: list[str]) -> list[list[float]]:
            """Return the vectors of some texts."""
            return [self.embed_query(text) for text in wanted]

        def embed_query(self, text: str) -> list[float]:
            """Return the vector of a text."""
            return [float(number) for number in vectors[text.strip()]]

    return Known()


PEERS = {"chroma": ("chromadb", chroma), "mem0": ("mem0ai", mem0)}


def refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Let no connection leave this computer."""
    if event != "socket.connect" or isinstance(arguments[1], str | bytes):
        return
    host = arguments[1][0]
    try:
        local = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        local = False
    if not local:
        raise OSError(f"There is no network here, so none to {host}.")


def main(arguments: Sequence[str]) -> None:
    """Write the rankings of every question and how long each took."""
    peer, source, folder, depth, target = arguments
    package, opened = PEERS[peer]
    sys.addaudithook(refuse)
    rankings: list[list[str]] = []
    milliseconds: list[float] = []
    for n, talk in enumerate(talks(Path(source))):
        place = Path(folder) / str(n)
        place.mkdir()
        with opened(talk, place, int(depth)) as ask:
            for question in range(len(talk.questions)):
                started = perf_counter()
                rankings.append(ask(question))
                milliseconds.append((perf_counter() - started) * 1000)
    made = {"version": version(package), "rankings": rankings, "milliseconds": milliseconds}
    Path(target).write_text(json.dumps(made), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
