import pytest

from app.errors import SettingsError
from app.settings.rerank import Reranking
from app.settings.spec import Settings
from app.settings.table import checked, get, replace

KEY = "rag.rerank.enabled"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("unset", Reranking.UNSET),
        ("on", Reranking.ON),
        ("off", Reranking.OFF),
        (True, Reranking.ON),
        (False, Reranking.OFF),
        ("true", Reranking.ON),
        ("False", Reranking.OFF),
    ],
)
def test_unset_is_told_from_false(said, meant):
    assert get(replace(Settings(), KEY, said), KEY) is meant


@pytest.mark.parametrize("said", ["", "maybe", None, 2])
def test_anything_else_is_refused(said):
    with pytest.raises(SettingsError, match="unset, on, off"):
        checked(KEY, said)


def test_the_graphics_card_is_used_or_not():
    assert checked("rag.rerank.gpu", "off") == "off"
    with pytest.raises(SettingsError):
        checked("rag.rerank.gpu", "cuda")
