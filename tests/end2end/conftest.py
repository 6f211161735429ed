"""A real screen (Xvfb with a window manager) and the real program on it."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.end2end.program import ROOT, Program, virtual_screen


@pytest.fixture(scope="session")
def screen():
    """A virtual screen of 1280 by 820 with a window manager."""
    if not all(map(shutil.which, ("Xvfb", "openbox"))):
        pytest.skip("no Xvfb and openbox here")
    with virtual_screen() as display:
        yield display


@pytest.fixture
def program(screen, tmp_path):
    """Return a function that starts the program with its own home."""
    running = []

    def start(*arguments):
        running.append(Program(screen, tmp_path / "home" / "loci", *arguments))
        return running[-1]

    (tmp_path / "home").mkdir()
    yield start
    for each in running:
        if each.process.poll() is None:
            each.kill()
        each.errors.close()


@pytest.fixture
def loci(tmp_path):
    """Run the command line in a second process, on the same data."""

    def run(*arguments, code=0, **more):
        environment = os.environ | {
            "LOCI_HOME": str(tmp_path / "home" / "loci"),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }
        done = subprocess.run(
            [sys.executable, "-m", "app", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            cwd=ROOT,
            timeout=120,
            **more,
        )
        assert done.returncode == code, done.stderr
        return done

    return run
