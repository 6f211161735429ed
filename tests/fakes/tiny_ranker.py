"""Builds tiny rerankers with random weights, and computes in numpy what they must answer.

The file is a BERT with a classification head, as llama.cpp reads it. Its vocabulary is a few words;
``flavour`` says which special tokens it has: those of BERT, or those of XLM-R.
"""

from pathlib import Path

import numpy as np

WIDTH, LAYERS, HEADS, HIDDEN, CONTEXT = 32, 2, 4, 64, 512
WORDS = (
    *("where", "do", "i", "live", "you", "in", "porto", "lisbon", "tea", "coffee", "like"),
    *("drink", "the", "sea", "walnuts"),
)
EPSILON = 1e-12


def vocabulary(flavour: str = "bert") -> list[str]:
    """Return the tokens in order; what stands first is special."""
    if flavour == "bert":
        return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"▁{word}" for word in WORDS)]
    return ["<s>", "<pad>", "</s>", "<unk>", "▁", *(f"▁{word}" for word in WORDS)]


def ranker(
    path: Path,
    *,
    flavour: str = "bert",
    head: bool = True,
    pooling: int | None = 4,
    seed: int = 0,
    layers: int = LAYERS,
    hidden: int = HIDDEN,
    template: str | None = None,
) -> Path:
    """Write a reranker; without ``head`` it lacks what makes a score of a text.

    ``hidden`` is what the header claims of the weights' width, so any but the default is a lie.
    """
    from gguf import GGUFWriter

    writer = GGUFWriter(path, "bert")
    writer.add_name("Tiny reranker")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(hidden)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(EPSILON)
    writer.add_causal_attention(False)
    if pooling is not None:
        writer.add_uint32("bert.pooling_type", pooling)
    if template is not None:
        writer.add_string("tokenizer.chat_template.rerank", template)
    _add_vocabulary(writer, flavour)
    for name, data in weights(flavour, seed=seed, head=head, layers=layers).items():
        writer.add_tensor(name, data)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_vocabulary(writer, flavour: str) -> None:
    from gguf import TokenType

    tokens = vocabulary(flavour)
    special = 5 if flavour == "bert" else 4
    kinds = [TokenType.CONTROL if at < special else TokenType.NORMAL for at in range(len(tokens))]
    kinds[tokens.index("[UNK]" if flavour == "bert" else "<unk>")] = TokenType.UNKNOWN
    writer.add_tokenizer_model("bert" if flavour == "bert" else "t5")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([int(kind) for kind in kinds])
    if flavour == "bert":
        writer.add_token_type_count(2)
        writer.add_bos_token_id(2)
        writer.add_eos_token_id(3)
        writer.add_sep_token_id(3)
        writer.add_uint32("tokenizer.ggml.cls_token_id", 2)
        writer.add_pad_token_id(0)
        writer.add_unk_token_id(1)
        return
    writer.add_token_type_count(1)
    writer.add_token_scores([-float(at) for at in range(len(tokens))])
    writer.add_add_space_prefix(True)
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(2)
    writer.add_sep_token_id(2)
    writer.add_pad_token_id(1)
    writer.add_unk_token_id(3)
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)


def weights(flavour: str = "bert", *, seed: int = 0, head: bool = True, layers: int = LAYERS):
    """Return the tensors by name."""
    random = np.random.default_rng(seed)
    found: dict[str, np.ndarray] = {}

    def draw(name, *shape):
        if name.endswith("norm.weight"):
            data = random.normal(1, 0.1, shape)
        else:
            data = random.normal(0, 0.3, shape)
        found[name] = data.astype(np.float32)

    draw("token_embd.weight", len(vocabulary(flavour)), WIDTH)
    draw("token_types.weight", 2 if flavour == "bert" else 1, WIDTH)
    draw("position_embd.weight", CONTEXT, WIDTH)
    for part in ("weight", "bias"):
        draw(f"token_embd_norm.{part}", WIDTH)
    for block in range(layers):
        for name, out, into in (
            *((f"attn_{x}", WIDTH, WIDTH) for x in ("q", "k", "v", "output")),
            ("ffn_up", HIDDEN, WIDTH),
            ("ffn_down", WIDTH, HIDDEN),
        ):
            draw(f"blk.{block}.{name}.weight", out, into)
            draw(f"blk.{block}.{name}.bias", out)
        for name in ("attn_output_norm", "layer_output_norm"):
            for part in ("weight", "bias"):
                draw(f"blk.{block}.{name}.{part}", WIDTH)
    if head:
        draw("cls.weight", WIDTH, WIDTH)
        draw("cls.bias", WIDTH)
        draw("cls.output.weight", 1, WIDTH)
        draw("cls.output.bias", 1)
    return found


def tokens(query: str, text: str, flavour: str = "bert") -> list[int]:
    """Return the tokens of a pair, put together by hand."""
    known = {token: at for at, token in enumerate(vocabulary(flavour))}
    unknown = known["[UNK]" if flavour == "bert" else "<unk>"]

    def said(words):
        return [known.get(f"▁{word}", unknown) for word in words.lower().split()]

    if flavour == "bert":
        return [2, *said(query), 3, *said(text), 3]
    return [0, *said(query), 2, 2, *said(text), 2]


def score(query: str, text: str, flavour: str = "bert", *, seed: int = 0) -> float:
    """Return what the model says of a pair, from 0 to 1."""
    return score_of(tokens(query, text, flavour), flavour, seed=seed)


def score_of(ids: list[int], flavour: str = "bert", *, seed: int = 0) -> float:
    """Return what the model says of these tokens, from 0 to 1."""
    w = weights(flavour, seed=seed)
    at = np.arange(len(ids))
    state = w["token_embd.weight"][ids] + w["token_types.weight"][0] + w["position_embd.weight"][at]
    state = _normed(state, w, "token_embd_norm")
    for block in range(LAYERS):
        state = _block(state, w, f"blk.{block}")
    pooled = np.tanh(_linear(state[0], w, "cls"))
    return float(1 / (1 + np.exp(-_linear(pooled, w, "cls.output")[0])))


def _block(state, w, name):
    split = (len(state), HEADS, WIDTH // HEADS)
    q, k, v = (_linear(state, w, f"{name}.attn_{x}").reshape(split) for x in "qkv")
    likeness = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(WIDTH // HEADS)
    share = np.exp(likeness - likeness.max(-1, keepdims=True))
    share /= share.sum(-1, keepdims=True)
    mixed = np.einsum("hij,jhd->ihd", share, v).reshape(len(state), WIDTH)
    mixed = _linear(mixed, w, f"{name}.attn_output")
    state = _normed(state + mixed, w, f"{name}.attn_output_norm")
    inner = _linear(state, w, f"{name}.ffn_up")
    inner = inner * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (inner + 0.044715 * inner**3)))
    return _normed(state + _linear(inner, w, f"{name}.ffn_down"), w, f"{name}.layer_output_norm")


def _linear(state, w, name):
    return state @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _normed(state, w, name):
    centred = state - state.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
    return scaled * w[f"{name}.weight"] + w[f"{name}.bias"]
