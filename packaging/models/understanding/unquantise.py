"""Turn a shipped judge back into a folder that training can begin with.

usage: unquantise.py NAME-Q8_0.gguf OUT_DIR   (model.safetensors, config.json, vocab.txt are written)

Its heads are in NAME.npz beside it. Needs gguf, numpy, safetensors.
"""

import json
import sys
from pathlib import Path

import numpy as np
from gguf import GGUFReader
from gguf.quants import dequantize
from safetensors.numpy import save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import make_gguf

CONFIG = {
    "architectures": ["BertModel"],
    "model_type": "bert",
    "num_attention_heads": 12,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
}


def original(name: str) -> str:
    """Return the name that a tensor of the file has in training."""
    for theirs, ours in make_gguf.EMBEDDINGS.items():
        if ours == name:
            return theirs
    _, index, rest = name.split(".", 2)
    part, kind = rest.rsplit(".", 1)
    parts = {ours: theirs for theirs, ours in make_gguf.LAYER.items()}
    return f"encoder.layer.{index}.{parts[part]}.{kind}"


def main(source: str, out: str) -> None:
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    reader = GGUFReader(source)
    tensors = {
        original(one.name): np.ascontiguousarray(dequantize(one.data, one.tensor_type), np.float32)
        for one in reader.tensors
    }
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    field = reader.fields["tokenizer.ggml.tokens"]
    tokens = [bytes(field.parts[i]).decode("utf-8") for i in field.data]
    own = set(make_gguf.CONTROL)
    words = [
        one if one in own or one.startswith("[unused") else one[1:] if one[0] == "\u2581" else f"##{one}"
        for one in tokens
    ]
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", "utf-8")
    sizes = {
        "vocab_size": len(words),
        "hidden_size": tensors["embeddings.LayerNorm.weight"].shape[0],
        "num_hidden_layers": 1 + max(int(n.split(".")[2]) for n in tensors if "layer." in n),
        "intermediate_size": tensors["encoder.layer.0.intermediate.dense.bias"].shape[0],
    }
    (folder / "config.json").write_text(json.dumps(CONFIG | sizes))
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true, "tokenizer_class": "BertTokenizer"}')


if __name__ == "__main__":
    main(*sys.argv[1:])
