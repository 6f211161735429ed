"""Average the weights of models tuned from one original: what one of them forgot, another kept.

usage: average.py OUT_DIR SHARE=MODEL_DIR SHARE=MODEL_DIR …

Each MODEL_DIR holds model.safetensors. The mean of several tunings often finds more than any of
them (Wortsman et al., "Model soups", 2022). Needs numpy and safetensors.
"""

import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file


def main(out: str, *parts: str) -> None:
    """Write the weighted mean."""
    shares = [float(part.partition("=")[0]) for part in parts]
    models = [load_file(Path(part.partition("=")[2]) / "model.safetensors") for part in parts]
    names = set.intersection(*(set(model) for model in models))
    mean = {
        name: sum(
            share / sum(shares) * model[name].astype(np.float32)
            for share, model in zip(shares, models, strict=True)
        ).astype(np.float32)
        for name in sorted(names)
        if models[0][name].dtype.kind == "f"
    }
    Path(out).mkdir(parents=True, exist_ok=True)
    save_file(mean, Path(out) / "model.safetensors", {"format": "pt"})


if __name__ == "__main__":
    main(*sys.argv[1:])
