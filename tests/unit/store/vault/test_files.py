import errno
import os

import pytest

from app.errors import DiskFull, StoreError, VaultReadOnly
from app.store.vault.files import file_errors, private_file, private_folder, shred


def test_modes_are_mended(tmp_path):
    folder, file = tmp_path / "profile", tmp_path / "profile" / "vault.db"
    folder.mkdir(mode=0o755)
    private_folder(folder)
    file.touch(mode=0o644)
    private_file(file)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o444)
    private_file(file)
    assert file.stat().st_mode & 0o777 == 0o400


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, DiskFull),
        (errno.EACCES, VaultReadOnly),
        (errno.EROFS, VaultReadOnly),
        (errno.EIO, StoreError),
    ],
)
def test_what_the_system_refuses_becomes_a_sentence(tmp_path, number, kind):
    with pytest.raises(kind) as caught, file_errors(tmp_path):
        raise OSError(number, os.strerror(number))
    assert str(caught.value).endswith(".")
    assert "Errno" not in str(caught.value)


def test_a_shredded_file_is_overwritten_before_it_goes(tmp_path):
    path, link = tmp_path / "vault.key", tmp_path / "same bytes"
    path.write_bytes(b"k" * 64)
    os.link(path, link)
    assert shred(path)
    assert not path.exists()
    assert len(link.read_bytes()) == 64
    assert link.read_bytes() != b"k" * 64
    assert not shred(path)
