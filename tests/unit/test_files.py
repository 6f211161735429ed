import os

import pytest

from app import files


def test_an_ordinary_file_is_read_as_far_as_it_may(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 1_000)
    assert files.read_file(path, 1_000) == b"x" * 1_000
    with pytest.raises(OSError, match="it is larger than 999 bytes"):
        files.read_file(path, 999)


def test_a_link_leads_to_the_file(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x")
    (tmp_path / "b.txt").symlink_to(tmp_path / "a.txt")
    assert files.read_file(tmp_path / "b.txt", 10) == b"x"


@pytest.mark.parametrize("most", [1, 10**12])
def test_nobody_waits_at_a_pipe_nor_reads_a_device(tmp_path, most):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", type(tmp_path)("/dev/zero")):
        with pytest.raises(OSError, match="not an ordinary file"):
            files.read_file(path, most)
    with pytest.raises(OSError, match="a folder"):
        files.read_file(tmp_path, most)
    with pytest.raises(FileNotFoundError):
        files.read_file(tmp_path / "absent", most)


@pytest.mark.parametrize(
    ("count", "words"),
    [(7, "7 bytes"), (200_000, "200 KB"), (64_000_000, "64 MB"), (4 << 30, "4 GB")],
)
def test_sizes_are_said_in_words(count, words):
    assert files.size(count) == words
