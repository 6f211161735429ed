"""The hooks before a commit run what ``make check`` runs, and fetch nothing."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")


def said(key):
    return re.findall(rf"^ +(?:- )?{key}: (.+)$", HOOKS, re.M)


def test_every_hook_is_a_program_that_is_here():
    assert said("repo") == ["local"]
    assert set(said("language")) == {"system"}
    check = re.search(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.M)[1]
    assert said("entry") == re.findall(r"^\t@(\.venv/.*)$", check, re.M)
