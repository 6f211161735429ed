"""The checksum of a model file is read once, and again when the file is another."""

import hashlib
import os
from threading import Event

import pytest

from app.errors import ModelFileError
from app.providers.local.checksums import FILE, Checksums, Held

BODY = b"GGUF" + bytes(9_000_000)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(BODY)
    return path


def held(made, path, body=BODY):
    return made.held(path, len(body), hashlib.sha256(body).hexdigest())


def read(made, path):
    return len(list(made.read(path, Event())))


def test_it_is_known_also_after_a_restart(tmp_path, file):
    made = Checksums(tmp_path)
    assert held(made, file) is Held.UNCHECKED
    assert read(made, file) > 1
    for known in (made, Checksums(tmp_path)):
        assert held(known, file) is Held.WHOLE
        assert read(known, file) == 0


def test_a_file_that_changed_is_read_again(tmp_path, file):
    made = Checksums(tmp_path)
    read(made, file)
    other = BODY[:-1] + b"x"
    file.write_bytes(other)
    os.utime(file, (1, 1))
    assert held(made, file) is Held.UNCHECKED
    read(made, file)
    assert held(made, file) is Held.OTHER
    assert held(made, file, other) is Held.WHOLE
    assert (tmp_path / FILE).read_text().count("m.gguf") == 1, "what is no longer so is not kept"


def test_what_cannot_be_it_is_not_read(tmp_path, file):
    made = Checksums(tmp_path)
    assert held(made, tmp_path / "none.gguf") is Held.NOTHING
    assert held(made, file, BODY + b"x") is Held.OTHER
    file.write_bytes(bytes(len(BODY)))
    assert held(made, file) is Held.OTHER


@pytest.mark.parametrize("text", ["{", "[]", "3", "null", '{"a": 3, "b": []}'])
def test_a_damaged_list_is_none(tmp_path, file, text):
    (tmp_path / FILE).write_text(text)
    made = Checksums(tmp_path)
    assert held(made, file) is Held.UNCHECKED
    read(made, file)
    assert held(Checksums(tmp_path), file) is Held.WHOLE


def test_a_file_that_is_gone_is_a_sentence(tmp_path):
    with pytest.raises(ModelFileError, match=r"^gone\.gguf cannot be read: "):
        read(Checksums(tmp_path), tmp_path / "gone.gguf")
