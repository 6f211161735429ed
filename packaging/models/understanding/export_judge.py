"""Write the judge or the reader as Loci ships it: its encoder as GGUF, its heads as an .npz.

usage: export_judge.py TRAINED_DIR VOCABULARY.txt OUT TASKS   (OUT-Q8_0.gguf and OUT.npz are written)

TASKS are those whose heads are shipped, parted by commas: "compare,entail"; "all" for the reader.
"""

import json
import sys
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import load_file

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import make_gguf


def main(trained: str, vocabulary: str, out: str, tasks: str) -> None:
    folder = Path(trained)
    config = json.loads((folder / "config.json").read_text())
    writer = gguf.GGUFWriter(f"{out}-Q8_0.gguf", "bert")
    writer.add_name(Path(out).name)
    writer.add_license("apache-2.0")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    make_gguf.add_vocabulary(writer, Path(vocabulary).read_text("utf-8").splitlines())
    for tensor, array in load_file(folder / "model.safetensors").items():
        name = make_gguf.tensor_name(tensor)
        if name is None:
            continue
        array = array.astype(np.float32)
        if array.ndim == 1 or name.startswith(("position_embd", "token_types")):
            writer.add_tensor(name, array)
        else:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quants.quantize(array, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    heads = np.load(folder / "heads.npz")
    wanted = tasks.split(",")
    shipped = [n for n in heads.files if tasks == "all" or n.partition(".")[0] in wanted]
    np.savez_compressed(f"{out}.npz", **{name: heads[name] for name in shipped})


if __name__ == "__main__":
    main(*sys.argv[1:])
