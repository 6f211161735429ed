import os
from pathlib import Path

import pytest

from app.errors import SettingsError
from app.settings import computer


def test_what_is_saved_is_loaded_and_private(tmp_path):
    path = tmp_path / "new" / "app.json"
    computer.save(path, {"a": 1})
    assert computer.load(path) == {"a": 1}
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in path.parent.iterdir()) == ["app.bak", "app.json"]


def test_absent_file_means_defaults(tmp_path):
    assert computer.load(tmp_path / "none.json") == {}


@pytest.mark.parametrize("text", ["{", "[1]", "\x00"])
def test_damaged_file_without_a_copy_means_defaults(tmp_path, text):
    (tmp_path / "app.json").write_text(text)
    assert computer.load(tmp_path / "app.json") == {}


@pytest.mark.expects_warnings
@pytest.mark.parametrize("data", [b"{", b"[1]", b"\x00", b"", b"\xff" * 99, b"[" * 9999])
def test_a_damaged_file_gives_way_to_its_last_good_copy_once_and_is_kept(tmp_path, data):
    path = tmp_path / "app.json"
    computer.save(path, {"appearance.theme": "dark"})
    path.write_bytes(data)
    assert computer.value(path, "appearance.theme") == "dark"
    (sentence,) = computer.mend(path)
    assert "app.json" in sentence
    assert "was damaged: its last good copy is used." in sentence
    assert computer.set_aside(path).read_bytes() == data
    assert str(computer.set_aside(path)) in sentence
    assert computer.mend(path) == []
    assert computer.load(path) == {"appearance.theme": "dark"}


@pytest.mark.expects_warnings
def test_without_a_copy_the_defaults_are_said(tmp_path):
    path = tmp_path / "app.json"
    path.write_text("{")
    (sentence,) = computer.mend(path)
    assert "every setting in it has its default." in sentence
    assert computer.mend(path) == []


@pytest.mark.expects_warnings
def test_a_missing_file_comes_back(tmp_path):
    path = tmp_path / "app.json"
    assert computer.mend(path) == []
    computer.save(path, {"appearance.theme": "dark"})
    path.unlink()
    assert "was missing" in computer.mend(path)[0]
    assert computer.value(path, "appearance.theme") == "dark"
    assert path.exists()


@pytest.mark.expects_warnings
@pytest.mark.parametrize("damage", [Path.unlink, lambda copy: copy.write_text("{")])
def test_a_copy_that_would_be_missed_one_day_is_written_anew_and_said_once(tmp_path, damage):
    path = tmp_path / "app.json"
    computer.save(path, {"appearance.theme": "dark"})
    damage(computer.spare(path))
    assert computer.mend(path) == [computer.COPY_MENDED.format(computer.SETTINGS)]
    assert computer.mend(path) == []
    path.unlink()
    assert computer.load(path) == {"appearance.theme": "dark"}


def test_a_file_that_cannot_be_read_is_said_at_every_start(tmp_path):
    path = tmp_path / "app.json"
    computer.save(path, {"appearance.theme": "dark"})
    path.unlink()
    path.mkdir()
    for _ in range(2):
        (sentence,) = computer.mend(path)
        assert "cannot be read" in sentence
    assert computer.value(path, "appearance.theme") == "dark"


def test_values_that_no_setting_can_have_are_said_once_and_the_others_stay(tmp_path):
    path = tmp_path / "app.json"
    computer.save(path, {"appearance.theme": 7, "computer.last_profile": "ada", "of.tomorrow": 1})
    (sentence,) = computer.mend(path)
    assert "appearance.theme" in sentence
    assert computer.load(path) == {"computer.last_profile": "ada", "of.tomorrow": 1}
    assert computer.mend(path) == []


@pytest.mark.expects_warnings
def test_a_damaged_file_is_kept_when_a_setting_is_changed_meanwhile(tmp_path):
    path = tmp_path / "app.json"
    path.write_text("{")
    computer.save(path, {"a": 1})
    assert computer.set_aside(path).read_text() == "{"


def test_what_killed_programs_left_is_swept_and_what_is_being_written_is_not(tmp_path):
    path = tmp_path / "app.json"
    left, written = tmp_path / "app.json.1.new", tmp_path / "app.json.2.new"
    for draft in (left, written):
        draft.write_text("{")
    os.utime(left, (0, 0))
    computer.mend(path)
    assert [p.name for p in tmp_path.iterdir()] == [written.name]


def test_unwritable_folder_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="could not be saved"):
        computer.save(tmp_path / "file" / "app.json", {})
