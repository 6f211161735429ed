"""The list that ships with the program is whole, plausible, and taken only as it was made."""

import re

import pytest

from app.assets import resource
from app.domain.model import ModelRole
from app.errors import ModelFileError
from app.providers.library import CONTEXT_TOKENS
from app.providers.local import architectures, catalogue
from app.providers.local.gguf import memory_needed
from app.settings.rerank import RerankSettings

LISTED = catalogue.read()
SPDX = {"Apache-2.0", "MIT", "LicenseRef-Gemma", "LicenseRef-Llama-3.2"}
USES = {
    ModelRole.CHAT: {"answers", "learning", "tools"},
    ModelRole.EMBED: {"meaning"},
    ModelRole.RERANK: {"reranking"},
}


@pytest.mark.parametrize("one", LISTED, ids=lambda one: one.id)
def test_what_is_said_of_a_model_is_plausible(one):
    assert 4 < one.bytes * 8 / one.parameters < 10, "bits of a parameter"
    assert re.fullmatch(r"[0-9a-f]{40}", one.revision)
    assert len(bytes.fromhex(one.sha256)) == 32
    assert one.licence in SPDX
    assert set(one.good_for) <= USES[one.role]
    assert one.good_for
    assert one.languages
    assert not architectures.is_lacking(one.architecture)
    assert catalogue.offer(one).url == (
        f"https://huggingface.co/{one.repository}/resolve/{one.revision}/{one.file}"
    )


def test_there_are_chat_models_of_four_sizes_and_one_for_each_other_purpose():
    chat = [one.parameters for one in LISTED if one.role is ModelRole.CHAT]
    for low, high in ((0.3e9, 0.7e9), (1.4e9, 2e9), (3e9, 4.1e9), (7e9, 8.5e9)):
        assert any(low <= count <= high for count in chat)
    assert [one.role for one in LISTED].count(ModelRole.EMBED) == 1
    assert [one.role for one in LISTED].count(ModelRole.RERANK) == 1
    assert len({one.sha256 for one in LISTED}) == len(LISTED)


def test_learning_is_promised_only_of_models_that_are_large_enough():
    for one in LISTED:
        if "learning" in one.good_for:
            assert one.parameters >= 3_000_000_000


def test_a_context_takes_what_its_layers_and_heads_say():
    text = resource(catalogue.LIST).read_text("utf-8")
    said = re.findall(r"context_bytes = ([\d_]+) # (\d+) x (\d+) x (\d+)", text)
    assert len(said) == sum(one.role is ModelRole.CHAT for one in LISTED)
    for count, layers, heads, width in said:
        assert int(count) == int(layers) * int(heads) * int(width) * 4


def test_the_memory_is_the_file_times_1_6_and_the_context():
    one = next(one for one in LISTED if one.id == "qwen2.5-1.5b")
    needed = memory_needed(
        one.role, one.bytes, one.context_bytes, one.context_length, CONTEXT_TOKENS
    )
    assert needed == round(1_117_320_736 * 1.6) + 8_192 * 28_672


def test_the_reranker_of_the_settings_is_offered():
    (file,) = catalogue.offers(ModelRole.RERANK)
    assert file == RerankSettings().model


def test_a_list_that_was_changed_is_refused_in_one_sentence(tmp_path):
    changed = tmp_path / "catalogue.toml"
    raw = resource(catalogue.LIST).read_bytes()
    changed.write_bytes(raw.replace(b"huggingface.co", b"huggingface.cc"))
    with pytest.raises(ModelFileError, match=r"^The list of models was changed [^.]*\.$"):
        catalogue.read(changed)
    changed.write_bytes(raw.replace(b"\n", b"\r\n"))  # as some tools check files out on Windows
    assert catalogue.read(changed) == LISTED
    with pytest.raises(ModelFileError, match="is missing"):
        catalogue.read(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        (b'file = "qwen2.5-0.5b', b'file = "../../qwen2.5-0.5b'),
        (b"bytes = 491_400_032", b"bytes = 0"),
        (b"bytes = 491_400_032", b'bytes = "491"'),
        (b'revision = "9217', b'revision = "main'),
        (b'role = "rerank"', b'role = "pet"'),
        (b'id = "qwen2.5-0.5b"', b'id = "bge-m3"'),
        (b"[[model]]", b"[[model"),
        (b"languages =", b"tongues ="),
    ],
)
def test_even_a_list_with_the_right_checksum_must_have_the_right_form(tmp_path, was, becomes):
    import hashlib

    changed = tmp_path / "catalogue.toml"
    raw = resource(catalogue.LIST).read_bytes()
    assert was in raw
    changed.write_bytes(raw.replace(was, becomes))
    with pytest.raises(ModelFileError, match="was changed"):
        catalogue.read(changed, hashlib.sha256(changed.read_bytes()).hexdigest())
