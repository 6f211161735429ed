import pytest

from app.errors import SettingsError
from app.settings import computer


def test_what_is_saved_is_loaded_and_private(tmp_path):
    path = tmp_path / "new" / "app.json"
    computer.save(path, {"a": 1})
    assert computer.load(path) == {"a": 1}
    assert path.stat().st_mode & 0o777 == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["app.json"]


def test_absent_file_means_defaults(tmp_path):
    assert computer.load(tmp_path / "none.json") == {}


@pytest.mark.expects_warnings
@pytest.mark.parametrize("text", ["{", "[1]", "\x00"])
def test_damaged_file_means_defaults(tmp_path, text):
    (tmp_path / "app.json").write_text(text)
    assert computer.load(tmp_path / "app.json") == {}


def test_unwritable_folder_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="could not be saved"):
        computer.save(tmp_path / "file" / "app.json", {})
