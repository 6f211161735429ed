"""Average the weights of models tuned from one original: what one of them forgot, another kept.

usage: average.py OUT_DIR SHARE=MODEL_DIR SHARE=MODEL_DIR …

Each MODEL_DIR holds model.safetensors and, where all do, heads.npz. The mean of several tunings often finds more than any of
them (Wortsman et al., "Model soups", 2022). Needs numpy and safetensors.
"""

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file


def mean(models: list[dict[str, np.ndarray]], shares: list[float]) -> dict[str, np.ndarray]:
    """Return the weighted mean of what all models have."""
    names = set.intersection(*(set(model) for model in models))
    return {
        name: sum(
            share / sum(shares) * model[name].astype(np.float32)
            for share, model in zip(shares, models, strict=True)
        ).astype(np.float32)
        for name in sorted(names)
        if models[0][name].dtype.kind == "f"
    }


def main(out: str, *parts: str) -> None:
    """Write the weighted mean."""
    shares = [float(part.partition("=")[0]) for part in parts]
    folders = [Path(part.partition("=")[2]) for part in parts]
    Path(out).mkdir(parents=True, exist_ok=True)
    weights = mean([load_file(folder / "model.safetensors") for folder in folders], shares)
    save_file(weights, Path(out) / "model.safetensors", {"format": "pt"})
    heads = [folder / "heads.npz" for folder in folders]
    if all(file.is_file() for file in heads):
        found = mean([dict(np.load(file)) for file in heads], shares)
        half = {name: array.astype(np.float16) for name, array in found.items()}
        np.savez(Path(out) / "heads.npz", **half)


if __name__ == "__main__":
    main(*sys.argv[1:])
