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
from app.providers import gguf, gguf_values
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
    assert (info.pooling, info.role, info.has_chat_template) == ("mean", ModelRole.EMBED, False)


def test_a_chat_model(tmp_path):
    info = gguf.read(tiny_gguf.chat_model(tmp_path / "tiny.gguf"))
    assert (info.name, info.role, info.has_chat_template) == ("Tiny", ModelRole.CHAT, True)
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


def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.gguf")
    with pytest.raises(ModelFileError, match="is not a file"):
        gguf.read(tmp_path / "pipe.gguf")
    with pytest.raises(ModelFileError, match="is not a file"):
        gguf.read(tmp_path)
    with pytest.raises(ModelFileError, match="not there any more"):
        gguf.read(tmp_path / "gone.gguf")


def test_every_part_of_a_split_model_is_checked(file):
    first = file(tiny_gguf.header(split__count=2), "big-00001-of-00002.gguf")
    with pytest.raises(ModelFileError, match=r"big-00002-of-00002.gguf is not there"):
        gguf.check(first)
    file(tiny_gguf.header(split__count=2, split__no=1)[:-9], "big-00002-of-00002.gguf")
    with pytest.raises(ModelFileError, match=r"big-00002-of-00002.gguf is incomplete"):
        gguf.check(first)
    file(tiny_gguf.header(split__count=2, split__no=1), "big-00002-of-00002.gguf")
    assert gguf.check(first).parts == 2


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
