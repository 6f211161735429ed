"""The list of models that Loci offers to download: read from the program's own files and checked.

It ships with the program and is taken only as it was made: its checksum stands here. Files are
fetched by ``download.py`` and not by ``huggingface_hub``, which has no stop within a file, compares
no checksum of what came, tells the hub what it runs beside, and would bring further packages for
the one kind of request that is needed.
"""

import hashlib
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.assets import resource
from app.domain.catalogue import Offered
from app.domain.model import ModelRole
from app.errors import ModelFileError
from app.providers.local.download import HUB, Offer

LIST = "models/catalogue.toml"
SHA256 = "fba7bf9d320c3783f40dcf50e08d3a15a9097b820dcc34a132ef2d3fc4f1023f"
_REFUSED = "The list of models was changed since Loci was installed, so nothing of it is offered."
_FORMS = {
    "id": r"[a-z0-9][a-z0-9.-]*",
    "licence_url": r"https://\S+",
    "repository": r"[\w.-]+/[\w.-]+",
    "revision": r"[0-9a-f]{40}",
    "file": r"[\w-][\w.-]*\.gguf",
    "sha256": r"[0-9a-f]{64}",
}
_NUMBERS = ("parameters", "bytes", "context_length")


def read(path: Path | None = None, sha256: str = SHA256) -> tuple[Offered, ...]:
    """Return the models of the list, those that answer better before the others.

    Raises:
        ModelFileError: The list is not the one that the program was made with.
    """
    try:
        raw = (path or resource(LIST)).read_bytes().replace(b"\r\n", b"\n")
    except OSError as error:
        raise ModelFileError("The list of models that comes with Loci is missing.") from error
    return _read(raw, sha256)


@lru_cache(maxsize=4)
def _read(raw: bytes, sha256: str) -> tuple[Offered, ...]:
    if hashlib.sha256(raw).hexdigest() != sha256:
        raise ModelFileError(_REFUSED)
    try:
        found = tuple(_offered(row) for row in tomllib.loads(raw.decode())["model"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelFileError(_REFUSED) from error
    if len({one.id for one in found} | {one.file for one in found}) != 2 * len(found):
        raise ModelFileError(_REFUSED)
    return found


def _offered(row: dict[str, Any]) -> Offered:
    """Return one model; ValueError, KeyError or TypeError where a figure is none."""
    for name, form in _FORMS.items():
        if not re.fullmatch(form, row[name]):
            raise ValueError(f"{name} has not the form it should have")
    if any(type(row[name]) is not int or row[name] <= 0 for name in _NUMBERS):
        raise ValueError("a size is none")
    role, uses = ModelRole(row["role"]), tuple(map(str, row["good_for"]))
    return Offered(**{**row, "role": role, "good_for": uses})


def offers(role: ModelRole) -> dict[str, Offer]:
    """Return what can be downloaded for a purpose, by the name of the file.

    Raises:
        ModelFileError: The list is not the one that the program was made with.
    """
    return {one.file: offer(one) for one in read() if one.role is role}


def offer(one: Offered) -> Offer:
    """Return where a model lies on the hub, at a revision that does not change."""
    url = f"{HUB}/{one.repository}/resolve/{one.revision}/{one.file}"
    return Offer(url, one.sha256, one.bytes)
