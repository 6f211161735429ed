"""The command line in this process: the real program, a fresh home, no model."""

import io
import json
import sys
from dataclasses import dataclass

import pytest

from app.cli.main import run
from app.main import MORE_COMMANDS
from app.main.program import Program


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def data(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def loci(capsys, monkeypatch):
    """Run a command; the embedder is the one that needs no model."""
    program = Program()

    def call(*arguments, say=b"", code=0):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(say), "utf-8"))
        capsys.readouterr()
        found = run(program, [str(argument) for argument in arguments], MORE_COMMANDS)
        printed = capsys.readouterr()
        done = Done(found, printed.out, printed.err)
        assert done.code == code, done
        assert "Traceback" not in done.err
        return done

    call("models", "--use", "hash")
    return call


@pytest.fixture
def texts(loci):
    """Return the texts of the memories of one status."""

    def found(*arguments, status="active"):
        listed = loci("memories", "list", "--status", status, "--json", *arguments).data
        return [memory["text"] for memory in listed]

    return found
