"""How the next token is drawn: llama.cpp's samplers, put together as an answer wants them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.providers.base import Sampling

_TOP_K, _TOP_P, _MIN_P = 40, 0.95, 0.05


@contextmanager
def sampler(native: Any, vocabulary: Any, sampling: Sampling, seed: int) -> Iterator[Any]:
    """Lend what draws the tokens of one answer."""
    chain = native.llama_sampler_chain_init(native.llama_sampler_chain_default_params())
    try:
        for part in _parts(native, vocabulary, sampling, seed):
            native.llama_sampler_chain_add(chain, part)
        yield chain
    finally:
        native.llama_sampler_free(chain)


def _parts(native: Any, vocabulary: Any, sampling: Sampling, seed: int) -> Iterator[Any]:
    if grammar := _grammar(native, vocabulary, sampling.schema):
        yield grammar
    if sampling.temperature <= 0:
        yield native.llama_sampler_init_greedy()
        return
    yield native.llama_sampler_init_top_k(_TOP_K)
    yield native.llama_sampler_init_top_p(_TOP_P, 1)
    yield native.llama_sampler_init_min_p(_MIN_P, 1)
    yield native.llama_sampler_init_temp(sampling.temperature)
    yield native.llama_sampler_init_dist(seed)


def _grammar(native: Any, vocabulary: Any, schema: dict[str, Any] | None) -> Any:
    """Return what lets only answers through that obey a schema.

    None where llama.cpp cannot express it: the answer is parsed leniently then.
    """
    if schema is None:
        return None
    from llama_cpp.llama_grammar import LlamaGrammar

    try:
        grammar = LlamaGrammar.from_json_schema(json.dumps(schema), verbose=False)
    except Exception:  # noqa: BLE001 - whatever it trips over, there is no grammar
        return None
    return native.llama_sampler_init_grammar(vocabulary, grammar._grammar.encode(), b"root")
