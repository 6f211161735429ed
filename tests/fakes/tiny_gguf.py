"""Builds tiny GGUF models with random weights: real files that llama.cpp loads and runs.

The chat model's vocabulary is bytes and letters, so what it writes is noise, but it is drawn by the
same code, token by token, as any other model's.
"""

from pathlib import Path

import numpy as np

WIDTH, LAYERS, HEADS, HIDDEN = 32, 2, 4, 64
CONTEXT = 512

TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>"
    "{{ message['content'] }}</s>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('roles must alternate') }}{% endif %}"
    "<|{{ message['role'] }}|>{{ message['content'] }}</s>{% endfor %}<|assistant|>"
)


def vocabulary(marks=()):
    """Return tokens and types: specials, every byte, printable characters, and more marks."""
    from gguf import TokenType

    tokens = [("<unk>", TokenType.UNKNOWN), ("<s>", TokenType.CONTROL), ("</s>", TokenType.CONTROL)]
    tokens += [(f"<|{role}|>", TokenType.CONTROL) for role in ("system", "user", "assistant")]
    tokens += [(f"<0x{byte:02X}>", TokenType.BYTE) for byte in range(256)]
    tokens += [(chr(code), TokenType.NORMAL) for code in range(33, 127)]
    tokens += [("▁", TokenType.NORMAL)]
    tokens += [(mark, TokenType.CONTROL) for mark in marks]
    return tokens


def chat_model(
    path: Path,
    *,
    template: str | None = TEMPLATE,
    name: str = "Tiny",
    context: int = CONTEXT,
    layers: int = LAYERS,
    seed: int = 0,
    marks: tuple[str, ...] = (),
) -> Path:
    """Write a llama-architecture chat model of a few hundred kilobytes.

    Its vocabulary ends in ``marks``, which steer it like the marks of its template.
    """
    from gguf import GGUFWriter

    random = np.random.default_rng(seed)
    tokens = vocabulary(marks)
    writer = GGUFWriter(path, "llama")
    writer.add_name(name)
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _ in tokens])
    writer.add_token_scores([0.0 if kind != 1 else -1.0 for _, kind in tokens])
    writer.add_token_types([int(kind) for _, kind in tokens])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    if template is not None:
        writer.add_chat_template(template)
    for tensor, shape in _shapes(len(tokens), layers):
        ones = tensor.endswith("norm.weight")
        data = np.ones(shape) if ones else random.normal(0, 0.3, shape)
        if tensor == "output.weight":
            data[:6] = 0.0  # never among the probable ones, so that answers go on to their limit
        writer.add_tensor(tensor, data.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _shapes(words: int, layers: int):
    yield "token_embd.weight", (words, WIDTH)
    for block in range(layers):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            yield f"blk.{block}.{part}.weight", (WIDTH, WIDTH)
        for part in ("attn_norm", "ffn_norm"):
            yield f"blk.{block}.{part}.weight", (WIDTH,)
        for part in ("ffn_gate", "ffn_up"):
            yield f"blk.{block}.{part}.weight", (HIDDEN, WIDTH)
        yield f"blk.{block}.ffn_down.weight", (WIDTH, HIDDEN)
    yield "output_norm.weight", (WIDTH,)
    yield "output.weight", (words, WIDTH)


def header(tensors=None, **keys) -> bytes:
    """Return a small sound file of raw bytes, written by hand, for tests that damage it.

    Args:
        tensors: Name and shape of each tensor; they are of F32.
        keys: What the header says, with two underscores for a dot; None leaves a key out.
    """
    import struct

    def text(value: str) -> bytes:
        raw = value.encode()
        return struct.pack("<Q", len(raw)) + raw

    def value(found) -> bytes:
        if isinstance(found, str):
            return struct.pack("<I", 8) + text(found)
        if isinstance(found, list) and all(isinstance(n, int) for n in found):
            return struct.pack(f"<IIQ{len(found)}i", 9, 5, len(found), *found)
        if isinstance(found, list):
            return struct.pack("<IIQ", 9, 8, len(found)) + b"".join(map(text, found))
        return struct.pack("<II", 4, found)

    keys = {"general.architecture": "llama", "llama.context_length": 512} | {
        key.replace("__", "."): found for key, found in keys.items()
    }
    keys = {key: found for key, found in keys.items() if found is not None}
    body = b"".join(text(key) + value(found) for key, found in keys.items())
    described, size = b"", 0
    for name, shape in (tensors or {"output.weight": (8, 4)}).items():
        form = f"<I{len(shape)}QIQ"
        described += text(name) + struct.pack(form, len(shape), *shape, 0, size)
        size += -(-4 * int(np.prod(shape)) // 32) * 32
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors or "1"), len(keys)) + body + described
    return head + bytes(-len(head) % 32) + bytes(size)
