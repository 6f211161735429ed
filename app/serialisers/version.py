"""Which version of the shapes this program writes."""

from typing import Any

VERSION = 1


def version(loci: str) -> dict[str, Any]:
    """Return the version of the program, and of what it prints as JSON."""
    return {"loci": loci, "json": VERSION}
