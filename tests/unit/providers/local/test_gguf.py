import contextlib
import os
import struct
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.assets import resource
from app.domain.model import ModelRole
from app.errors import ModelFileError
from app.providers.local import architectures, gguf, gguf_values
from tests.fakes import tiny_gguf


@pytest.fixture
def file(tmp_path):
    def write(data, name="model.gguf"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def test_the_bundled_embedder():
    info = gguf.check(resource("models/loci-minilm-v2-Q8_0.gguf"))
    assert (info.architecture, info.context_length, info.embedding_length) == ("bert", 512, 384)
    assert (info.pooling, info.role) == ("mean", ModelRole.EMBED)


def test_a_chat_model(tmp_path):
    info = gguf.read(tiny_gguf.chat_model(tmp_path / "tiny.gguf"))
    assert (info.name, info.role) == ("Tiny", ModelRole.CHAT)
    assert (info.context_length, info.bytes) == (512, (tmp_path / "tiny.gguf").stat().st_size)


def test_the_hand_made_file_is_sound(file):
    info = gguf.read(file(tiny_gguf.header(general__name="  Small  ")))
    assert (info.name, info.role) == ("Small", ModelRole.CHAT)
    assert gguf.read(file(tiny_gguf.header(), "other.gguf")).name == "other"


@pytest.mark.parametrize(
    ("keys", "role"),
    [
        ({"llama__pooling_type": 3}, ModelRole.EMBED),
        ({"llama__pooling_type": 4}, ModelRole.RERANK),
        ({"llama__pooling_type": 0}, ModelRole.CHAT),
        ({"general__architecture": "nomic-bert"}, ModelRole.EMBED),
    ],
)
def test_what_a_model_is_for(file, keys, role):
    assert gguf.read(file(tiny_gguf.header(**keys))).role is role


SOUND = tiny_gguf.header(general__name="x", tokenizer__ggml__tokens=["a", "bc", ""])
HEAD = struct.calcsize("<4sIQQ")


def patched(at, form, value):
    data = bytearray(SOUND)
    struct.pack_into(form, data, at, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not a GGUF model file"),
        (b"PK\x03\x04 zip", "is not a GGUF model file"),
        (b"GGUF", "is incomplete"),
        (patched(4, "<I", 1), "old or foreign"),
        (patched(4, "<I", 3 << 24), "old or foreign"),
        (patched(4, "<I", 9), "newer format"),
        (patched(8, "<Q", 0), "contains no weights"),
        (patched(8, "<Q", 1 << 60), "impossible counts"),
        (patched(16, "<Q", (1 << 64) - 1), "impossible counts"),
        (patched(HEAD, "<Q", 1 << 62), "a key in its header is"),
        (patched(HEAD, "<Q", 0), "is empty or there twice"),
        (SOUND[:-1], "is incomplete"),
        (SOUND[: len(SOUND) // 2], "is incomplete"),
        (tiny_gguf.header(general__alignment=0), "alignment is impossible"),
        (tiny_gguf.header(general__alignment=24), "alignment is impossible"),
        (tiny_gguf.header(general__alignment="x"), "alignment is impossible"),
        (tiny_gguf.header(general__architecture="../../x"), "what kind of model"),
        (tiny_gguf.header(general__architecture=7), "what kind of model"),
        (tiny_gguf.header(general__type="mmproj"), "belongs to another model"),
    ],
)
def test_a_file_that_is_no_use_is_one_sentence(file, data, words):
    path = file(data)
    with pytest.raises(ModelFileError, match=words) as caught:
        gguf.read(path)
    assert str(caught.value).startswith("model.gguf ")
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("kind", ["strings", "numbers", "text"])
def test_hostile_lengths_cost_nothing(file, kind):
    many = {"strings": (9, 8, 1 << 61), "numbers": (9, 12, 1 << 61), "text": (8, 1 << 62)}[kind]
    body = struct.pack("<Q1s", 1, b"k") + struct.pack("<IIQ" if len(many) == 3 else "<IQ", *many)
    path = file(b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + body + bytes(1000))
    tracemalloc.start()
    with pytest.raises(ModelFileError, match=r"incomplete|impossible"):
        gguf.read(path)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_an_endless_list_of_empty_words_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "zeros.gguf"
    count = gguf_values.MOST_STRINGS + 1
    with path.open("wb") as out:
        out.write(b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + struct.pack("<Q1s", 1, b"k"))
        out.write(struct.pack("<IIQ", 9, 8, count))
        out.truncate(out.tell() + count * 8)
    with pytest.raises(ModelFileError, match="impossible counts"):
        gguf.read(path)


@pytest.mark.parametrize("shape", [(0, 4), (7, 4)], ids=["empty", "no whole block"])
def test_impossible_tensors_are_refused(file, shape):
    at = SOUND.rindex(b"output.weight") + len("output.weight")
    data = bytearray(SOUND)
    struct.pack_into("<IQQIQ", data, at, 2, *shape, 8 if shape[0] else 0, 0)
    with pytest.raises(ModelFileError, match="impossible shape"):
        gguf.read(file(bytes(data)))


def test_a_tensor_beyond_the_end_is_refused(file):
    at = SOUND.rindex(b"output.weight") + len("output.weight")
    for values in ((2, 8, 4, 0, 32), (2, 1 << 62, 1 << 62, 0, 0), (1, 1 << 40, 1, 0, 1 << 63)):
        data = bytearray(SOUND)
        struct.pack_into("<IQQIQ", data, at, *values)
        with pytest.raises(ModelFileError, match=r"incomplete|damaged"):
            gguf.read(file(bytes(data)))


def test_tensor_types_are_those_of_the_format():
    from gguf.constants import GGML_QUANT_SIZES

    known = {int(kind): tuple(size) for kind, size in GGML_QUANT_SIZES.items()}
    assert known == gguf.BLOCKS


HEADS = {"llama__block_count": 4, "llama__attention__head_count": 8, "llama__embedding_length": 64}


@pytest.mark.parametrize(
    ("keys", "bytes_of_a_token"),
    [
        ({}, 0),
        (HEADS, 4 * 8 * (8 + 8) * 2),
        (HEADS | {"llama__attention__head_count_kv": 2}, 4 * 2 * (8 + 8) * 2),
        (HEADS | {"llama__attention__head_count_kv": [2, 0, 1, 0]}, 3 * (8 + 8) * 2),
        (HEADS | {"llama__attention__head_count": [8, 4, 8, 4]}, 24 * (8 + 8) * 2),
        (
            HEADS
            | {
                "llama__attention__head_count_kv": 1,
                "llama__attention__key_length": 32,
                "llama__attention__value_length": 16,
            },
            4 * (32 + 16) * 2,
        ),
        (
            HEADS | {"llama__attention__head_count_kv": 2, "llama__full_attention_interval": 4},
            2 * (8 + 8) * 2,
        ),
        (HEADS | {"llama__attention__head_count_kv": [-5, 2, 2, 2, 9, 9]}, 6 * (8 + 8) * 2),
        (HEADS | {"llama__attention__head_count": 0}, 0),
        (HEADS | {"llama__attention__head_count_kv": ["a", "b"]}, 4 * 8 * (8 + 8) * 2),
    ],
)
def test_what_a_token_of_the_context_takes(file, keys, bytes_of_a_token):
    assert gguf.read(file(tiny_gguf.header(**keys))).context_bytes == bytes_of_a_token


def test_a_token_takes_what_llama_cpp_takes_for_it(tmp_path):
    info = gguf.read(tiny_gguf.chat_model(tmp_path / "tiny.gguf"))
    assert info.context_bytes == tiny_gguf.LAYERS * 2 * tiny_gguf.WIDTH * 2


def test_parameters_are_those_of_every_expert(file):
    tensors = {"token_embd.weight": (8, 4), "blk.0.ffn_up_exps.weight": (8, 16, 6)}
    mixed = file(tiny_gguf.header(tensors, llama__expert_count=6, llama__expert_used_count=2))
    assert gguf.read(mixed).parameters == 8 * 4 + 8 * 16 * 6


@pytest.mark.parametrize(
    ("keys", "base"),
    [
        ({}, True),
        ({"tokenizer__chat_template": ""}, True),
        ({"tokenizer__chat_template": "{{ x }}"}, False),
        ({"tokenizer__chat_template": "{{ x }}" * 1000}, False),
        ({"tokenizer__chat_template": "{{ x }}", "general__finetune": "Base"}, True),
        ({"tokenizer__chat_template": "{{ x }}", "general__finetune": "Instruct"}, False),
    ],
)
def test_a_base_model_has_no_template_or_says_so(file, keys, base):
    assert gguf.read(file(tiny_gguf.header(**keys))).is_base is base


def test_an_architecture_that_llama_cpp_lacks_is_said(file):
    with pytest.raises(ModelFileError, match="of the kind qwen99, which this version of Loci can"):
        gguf.read(file(tiny_gguf.header(general__architecture="qwen99")))


def test_no_architecture_that_llama_cpp_has_is_refused():
    from gguf.constants import MODEL_ARCH_NAMES

    assert [name for name in MODEL_ARCH_NAMES.values() if architectures.is_lacking(name)] == []


def test_without_a_library_to_look_into_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(architectures, "_library", lambda: None)
    assert not architectures.is_lacking("qwen99")


def test_lists_that_nobody_needs_are_not_kept(file):
    keys = {f"x{n}__attention__head_count": [1] * 1000 for n in range(200)}
    path = file(tiny_gguf.header(**keys, **HEADS))
    tracemalloc.start()
    assert gguf.read(path).context_bytes == 4 * 8 * (8 + 8) * 2
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(ModelFileError, match="is not a file"):
        gguf.read(tmp_path / "pipe.gguf")
    with pytest.raises(ModelFileError, match="is not a file"):
        gguf.read(tmp_path)
    with pytest.raises(ModelFileError, match="not there any more"):
        gguf.read(tmp_path / "gone.gguf")


def test_every_part_of_a_split_model_is_checked(file):
    later = {"general__architecture": None, "llama__context_length": None, "split__no": 1}
    first = file(tiny_gguf.header(split__count=2), "big-00001-of-00002.gguf")
    with pytest.raises(ModelFileError, match=r"big-00002-of-00002.gguf is not there"):
        gguf.check(first)
    file(tiny_gguf.header(split__count=2, **later)[:-9], "big-00002-of-00002.gguf")
    with pytest.raises(ModelFileError, match=r"big-00002-of-00002.gguf is incomplete"):
        gguf.check(first)
    second = file(tiny_gguf.header(split__count=2, **later), "big-00002-of-00002.gguf")
    whole = gguf.check(first)
    assert (whole.parts, whole.parameters) == (2, 64)
    assert whole.bytes == first.stat().st_size + second.stat().st_size
    with pytest.raises(ModelFileError, match="is part 2 of a model; choose the first part"):
        gguf.check(second)


def test_a_split_model_without_its_number_is_said_to_be_one(file):
    renamed = file(tiny_gguf.header(split__count=3), "mine.gguf")
    with pytest.raises(ModelFileError, match=r"must end in -00001-of-00003\.gguf"):
        gguf.check(renamed)


EDITS = st.lists(
    st.tuples(st.integers(0, len(SOUND) - 1), st.binary(min_size=1, max_size=9)), max_size=6
)


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(EDITS, st.integers(0, len(SOUND)), st.binary(max_size=40))
def test_no_damage_raises_anything_else(file, edits, length, tail):
    data = bytearray(SOUND)
    for at, new in edits:
        data[at : at + len(new)] = new
    with contextlib.suppress(ModelFileError):
        gguf.read(file(bytes(data[:length]) + tail))
    with contextlib.suppress(ModelFileError):
        gguf.read(file(bytes(data)))


TIED = {"token_embd.weight": (64, 100), "output.weight": (64, 100)}


@pytest.mark.parametrize(
    ("tensors", "label", "counted"),
    [
        (TIED | {"blk.0.ffn_up.weight": (64, 500)}, None, 38_400),
        (TIED | {"blk.0.ffn_up.weight": (64, 500)}, "0.000038M", 38_400),
        (TIED | {"blk.0.ffn_up.weight": (64, 500)}, "44.8K", 44_800),
        (TIED | {"blk.0.ffn_up.weight": (64, 500)}, "38K", 38_400),
        (TIED | {"blk.0.ffn_up.weight": (64, 500)}, "large", 38_400),
        (TIED | {"blk.0.ffn_up.weight": (64, 1_100)}, "76K", 83_200),
        ({"token_embd.weight": (64, 100), "output.weight": (100, 64)}, None, 12_800),
        ({"output.weight": (64, 100)}, None, 6_400),
    ],
)
def test_an_output_that_is_stored_once_more_is_counted_once(file, tensors, label, counted):
    made = file(tiny_gguf.header(tensors, general__size_label=label))
    assert gguf.read(made).parameters == counted


def test_a_damaged_chat_template_is_told_of_before_anything_is_loaded(file):
    damaged = {"tokenizer__chat_template": "{% for m in messages %}" + "x" * 5_000}
    with pytest.raises(ModelFileError, match=r"^model\.gguf .* its chat template is damaged\.$"):
        gguf.check(file(tiny_gguf.header(**damaged)))
    meaning = file(tiny_gguf.header(llama__pooling_type=1, **damaged))
    assert gguf.check(meaning).role is ModelRole.EMBED, "it does not use its template"
    longer = {"tokenizer__chat_template": "x" * (gguf.LONGEST_TEMPLATE + 1)}
    assert gguf.check(file(tiny_gguf.header(**longer))).role is ModelRole.CHAT
