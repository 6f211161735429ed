"""Turn a BERT in an eight-bit ONNX file back into a folder that training can begin with.

usage: unquantise_onnx.py MODEL_DIR OUT_DIR   (MODEL_DIR holds model.onnx, tokenizer.json, vocab.txt)

For files that were quantised dynamically: each matrix is kept as whole numbers with a scale and a zero
point, under a name that tells nothing; the bias added behind its product tells which matrix it is.
Needs onnx, numpy, safetensors.
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file
from unquantise import CONFIG

QUANTISED = "_quantized"
STEPS = 6  # from a product to the sum with its bias


def main(model_dir: str, out_dir: str) -> None:
    source, out = Path(model_dir), Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    graph = onnx.load(source / "model.onnx").graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    used: dict[str, list] = {}
    for node in graph.node:
        for name in node.input:
            used.setdefault(name, []).append(node)
    tensors = {
        name: array
        for name, array in held.items()
        if array.dtype == np.float32
        and array.ndim
        and name.startswith(("embeddings.", "encoder."))
        and not name.endswith("_scale")
    }
    for name, array in held.items():
        if not name.endswith(QUANTISED):
            continue
        bare = name.removesuffix(QUANTISED)
        zero = held[f"{bare}_zero_point"].astype(np.float32)
        matrix = (array.astype(np.float32) - zero) * held[f"{bare}_scale"]
        if bare.startswith("embeddings."):
            tensors[bare] = matrix
        elif bias := _bias(used, held, name):
            tensors[bias.replace(".bias", ".weight")] = matrix.T
    save_file(
        {name: np.ascontiguousarray(array, np.float32) for name, array in tensors.items()},
        out / "model.safetensors",
        metadata={"format": "pt"},
    )
    layers = 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder."))
    vocabulary, width = tensors["embeddings.word_embeddings.weight"].shape
    inner = len(tensors["encoder.layer.0.intermediate.dense.bias"])
    shape = {"hidden_size": width, "vocab_size": vocabulary, "num_hidden_layers": layers}
    config = CONFIG | shape | {"intermediate_size": inner}
    (out / "config.json").write_text(json.dumps(config))
    (out / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True})
    )
    for name in ("tokenizer.json", "vocab.txt"):
        shutil.copy(source / name, out)


def _bias(used: dict[str, list], held: dict[str, np.ndarray], matrix: str) -> str:
    """Return the name of what is added to a product with a matrix."""
    (product,) = (node for node in used[matrix] if node.op_type == "MatMulInteger")
    name = product.output[0]
    for _ in range(STEPS):
        node = used[name][0]
        if node.op_type == "Add" and any(one in held for one in node.input):
            return next(one for one in node.input if one in held)
        name = node.output[0]
    return ""


if __name__ == "__main__":
    main(*sys.argv[1:])
