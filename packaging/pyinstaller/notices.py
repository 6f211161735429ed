"""Write the notices of what the bundle carries of other people's: names, licences, their texts.

Called by bundle.sh: ``python packaging/pyinstaller/notices.py OUT``. What Loci needs, and what that
needs in turn, is read from the metadata of the installed packages.
"""

import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

OURS = "loci"
TEXTS = ("LICENSE", "LICENCE", "COPYING", "NOTICE")
PAGES = ("homepage", "home", "source", "repository", "github", "source code")
QT = tuple(
    Path(__file__).parents[1] / "licences" / f"{name}.txt" for name in ("LGPL-3.0", "GPL-3.0")
)
LINE = "=" * 78
# Parts that no Python package names: compiled into one, or shipped as a file.
ALSO = (
    ("Python", "PSF-2.0", "https://docs.python.org/3/license.html"),
    ("Qt 6 (in PySide6)", "LGPL-3.0-only", "https://www.qt.io/licensing"),
    ("llama.cpp and ggml (in llama-cpp-python)", "MIT", "https://github.com/ggml-org/llama.cpp"),
    ("SQLCipher and SQLite (in sqlcipher3)", "BSD-3-Clause", "https://www.zetetic.net/sqlcipher"),
    ("Phosphor Icons (in qtawesome)", "MIT", "https://phosphoricons.com"),
    ("all-MiniLM-L6-v2 (the bundled embedder)", "Apache-2.0", "resources/models/README.md"),
    ("ms-marco-MiniLM-L12-v2 (the judges)", "Apache-2.0", "resources/models/README.md"),
    ("answerai-colbert-small-v1 (late interaction)", "Apache-2.0", "resources/models/README.md"),
)


def needed(name: str) -> dict[str, Distribution]:
    """Return what a distribution needs to run, by canonical name, itself left out."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        for text in distribution(waiting.pop()).requires or ():
            requirement = Requirement(text)
            key = canonicalize_name(requirement.name)
            if key in found or (requirement.marker and not requirement.marker.evaluate()):
                continue
            try:
                found[key] = distribution(key)
            except PackageNotFoundError:
                continue  # for another system or Python
            waiting.append(key)
    return dict(sorted(found.items()))


def licence(package: Distribution) -> str:
    """Return the name of a package's licence, as its metadata has it."""
    meta = package.metadata
    if expression := meta.get("License-Expression"):
        return str(expression)
    classed = [c.split(" :: ")[-1] for c in meta.get_all("Classifier") or () if "License ::" in c]
    stated = (meta.get("License") or "").strip().splitlines()
    return " / ".join(classed) or (stated[0] if stated else "see its home page")


def home(package: Distribution) -> str:
    """Return where a package comes from."""
    pairs = (url.partition(", ") for url in package.metadata.get_all("Project-URL") or ())
    listed = {label.lower(): address for label, _, address in pairs}
    named = next((listed[label] for label in PAGES if label in listed), "")
    return named or str(package.metadata.get("Home-page") or next(iter(listed.values()), ""))


def texts(package: Distribution) -> Iterator[str]:
    """Yield the licences and notices that a package brings along."""
    for file in package.files or ():
        if file.name.upper().startswith(TEXTS) and ".dist-info" in file.parts[0]:
            yield file.read_text(encoding="utf-8").strip()


def notices() -> str:
    """Return the whole page."""
    packages = needed(OURS)
    lines = ["Loci contains the following, each under its own licence.", ""]
    lines += [f"{name}: {terms}, {where}" for name, terms, where in ALSO]
    lines += [f"{p.name} {p.version}: {licence(p)}, {home(p)}" for p in packages.values()]
    for package in packages.values():
        for text in dict.fromkeys(texts(package)):
            lines += ["", LINE, f"{package.name} {package.version}", LINE, "", text]
    for file in QT:
        lines += ["", LINE, f"Qt: {file.stem}", LINE, "", file.read_text("utf-8").strip()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(notices(), encoding="utf-8")
