"""The words of everyday English, which ship with the program."""

from collections.abc import Mapping
from functools import cache

from app.assets import resource


@cache
def everyday() -> Mapping[str, int]:
    """Return how often each was counted, most often first."""
    lines = resource("bench/words.tsv").read_text("utf-8").splitlines()
    counted = (line.split("\t") for line in lines)
    return {word: int(number or 0) for word, number in counted}
