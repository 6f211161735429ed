"""Settings and their values."""

from collections.abc import Iterable, Mapping
from typing import Any


def settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by their keys."""
    return dict(values)


def setting(key: str, value: Any) -> dict[str, Any]:
    """Return one setting."""
    return {"key": key, "value": value}


def setting_changed(key: str, value: Any, warnings: Iterable[str]) -> dict[str, Any]:
    """Return a setting that was changed, with what speaks against that."""
    told = list(warnings)
    return setting(key, value) | ({"warnings": told} if told else {})
