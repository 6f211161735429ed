"""Keep the bundled embedder's token vectors of every labelled message, for train_reader.py.

usage: embed_messages.py CACHE_DIR [--ids]        (run with Loci's own packages)

Texts that are in the cache already are not embedded again. With ``--ids`` only the tokens are kept, which is all that
a reader needs whose own BERT is taught along.
"""

import hashlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))
from app.assets import resource
from app.providers.local.embedding import GgufEmbedding, _batches
from app.providers.host import BUNDLED
from labels import labelled


def key(text: str) -> str:
    """Return the name under which a text is kept."""
    return hashlib.md5(text.encode()).hexdigest()


def texts() -> Iterator[str]:
    """Yield every text of the training data: messages and what stood before them, questions, orders."""
    for one in labelled():
        yield from (one["text"], one["asked"], one["earlier"])
    for path in sorted((HERE / "data").glob("leans_*.jsonl")):
        yield from (json.loads(line)["said"] for line in path.read_text("utf-8").splitlines())


def main() -> None:
    """Embed what is missing."""
    cache, ids_alone = Path(sys.argv[1]), "--ids" in sys.argv
    cache.mkdir(parents=True, exist_ok=True)
    have = {name for file in cache.glob("*.keys") for name in file.read_text().split()}
    model = GgufEmbedding(str(resource(BUNDLED)), "mean", 1, 0)._model
    (cache / "pieces.json").write_text(json.dumps([model.piece(i) for i in range(30522)]))
    wanted = sorted({t for t in texts() if t.strip() and key(t) not in have}, key=len)
    found = [model.tokens(text[:6144]) for text in wanted]
    keys, ids, states, counts = [], [], [], []
    for batch in _batches([len(tokens) for tokens in found]):
        given = [found[i] for i in batch]
        read = [np.zeros((len(one), 0)) for one in given] if ids_alone else model.run(given)
        for i, vectors in zip(batch, read, strict=True):
            keys.append(key(wanted[i]))
            ids += found[i]
            states.append(vectors.astype(np.float16))
            counts.append(len(found[i]))
    if keys:
        name = cache / str(int(time.time()))
        np.savez(
            name.with_suffix(".npz"),
            ids=np.array(ids, np.int32),
            states=np.concatenate(states),
            counts=np.array(counts),
        )
        name.with_suffix(".keys").write_text("\n".join(keys))
    print(len(keys), "texts embedded")


if __name__ == "__main__":
    main()
