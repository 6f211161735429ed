"""Whatever stands in a file of settings: each value is one that its setting can have."""

import json

import pytest

from app.errors import SettingsError
from app.settings import computer
from app.settings.spec import Settings
from app.settings.table import checked, entries, get, replace
from tests.fakes import nasty

NASTY = (
    *nasty.NASTY,
    '"x"',
    "2.5",
    str(10**30),
    "9" * 400,
    "-Infinity",
    "[" * 60 + "]" * 60,
    '"1e400"',
    '"' + "9" * 5_000 + '"',
    json.dumps("long " * 20_000),
)


@pytest.mark.parametrize("declared", entries(), ids=lambda e: e.key)
def test_a_spoiled_value(declared, tmp_path):
    path = tmp_path / "app.json"
    for value in NASTY:
        path.write_text(f'{{"{declared.key}": {value}, "appearance.theme": "dark"}}')
        assert computer.value(path, "appearance.theme") == (
            "dark" if declared.key != "appearance.theme" else computer.value(path, declared.key)
        )
        given = computer.load(path)[declared.key]
        settings, told = Settings(), ""
        try:
            settings = replace(settings, declared.key, given)
        except SettingsError as error:
            told = str(error)
        assert len(told) < 300
        found = get(settings, declared.key)
        assert type(found) is declared.type
        assert found == computer.value(path, declared.key)
        json.dumps(found, allow_nan=False, ensure_ascii=False).encode()


@pytest.mark.expects_warnings
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "null",
        "7",
        '{"appearance.theme": ' + "[" * 500 + "]" * 500 + "}",
        "9" * 5_000,
    ],
)
def test_a_file_that_is_no_table_means_defaults(tmp_path, text):
    (tmp_path / "app.json").write_text(text)
    assert computer.load(tmp_path / "app.json") == {}
    assert computer.value(tmp_path / "app.json", "appearance.theme") == "system"


@pytest.mark.parametrize("declared", entries(), ids=lambda e: e.key)
def test_every_number_has_bounds(declared):
    if declared.type in (int, float):
        assert declared.row.minimum is not None
        assert declared.row.maximum is not None
        for value in (10**400, -(10**400)):
            with pytest.raises(SettingsError):
                checked(declared.key, value)
