import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import SettingsError
from app.settings import docs
from app.settings.spec import ColourScheme, Settings
from app.settings.table import checked, entries, get, pages, reference, replace
from app.settings.types import Level


@pytest.mark.parametrize("declared", entries(), ids=lambda e: e.key)
def test_row_is_well_formed(declared):
    assert declared.row.title
    assert declared.row.help.endswith(".")
    assert replace(Settings(), declared.key, declared.default) == Settings()
    assert get(Settings(), declared.key) == declared.default
    shown = declared.row.level in (Level.BASIC, Level.ADVANCED)
    assert (f"`{declared.key}`" in docs.render()) == shown
    assert not shown or declared.page in pages()


def test_replace_converts_and_checks():
    assert replace(Settings(), "appearance.theme", "dark").appearance.theme is ColourScheme.DARK
    assert replace(Settings(), "rag.lanes.fts.weight", "2").rag.lanes.fts.weight == 2.0
    with pytest.raises(SettingsError, match="between"):
        replace(Settings(), "rag.max_results", 999)
    with pytest.raises(SettingsError, match="no setting"):
        replace(Settings(), "rag.nope", 1)
    with pytest.raises(SettingsError, match="no setting"):
        replace(Settings(), "rag", 1)
    with pytest.raises(SettingsError, match="on or off"):
        checked("rag.enabled", "perhaps")
    with pytest.raises(SettingsError, match="a whole number"):
        checked("rag.max_results", "many")
    with pytest.raises(SettingsError, match="light"):
        checked("appearance.theme", "pink")


@pytest.mark.parametrize("text", ["2", "24:00", "02:60", "noon", ""])
def test_an_hour_is_a_time_of_day(text):
    assert checked("upkeep.review.at", "7:05") == "7:05"
    with pytest.raises(SettingsError, match="such as 02:00"):
        checked("upkeep.review.at", text)


def test_reference_preset_restores_the_published_values():
    preset = reference()
    assert preset.extraction.enabled is False
    assert preset.extraction.plain_threshold is True
    assert preset.rag.floor == 0.0
    assert preset.rag.messages is False
    assert preset.memory.compaction.enabled is True
    assert preset.memory.compaction.threshold == 1000
    assert preset.memory.compaction.target_size == 500
    assert preset.memory.compaction.delete is True
    assert preset.memory.cap.max_entries == 500


@given(st.integers(0, 50))
def test_replace_then_get(n):
    assert get(replace(Settings(), "rag.max_results", n), "rag.max_results") == n
