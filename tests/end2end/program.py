"""The running program, as a person at its keyboard sees it."""

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PATIENCE = 30


def wait_for(condition, what="something", patience=PATIENCE):
    """Return the first true answer; polling stands in for events of another process."""
    end = time.monotonic() + patience
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"waited {patience} s for {what}")
        time.sleep(0.05)


@contextmanager
def virtual_screen():
    """A screen of 1280 by 860 that nobody sees, with a window manager; yields its name."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x860x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        display = f":{pipe.readline().strip()}"
    manager = subprocess.Popen(
        ["openbox"], env=os.environ | {"DISPLAY": display}, stderr=subprocess.DEVNULL
    )
    try:
        yield display
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(10)


class Program:
    """The running program, as a person at its keyboard sees it."""

    def __init__(self, display, home, *arguments):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(PATIENCE)
        environment = os.environ | {
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "LOCI_HOME": str(home),
            "HOME": str(home.parent),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }
        port = self._listener.getsockname()[1]
        self.errors = (home.parent / "stderr.txt").open("a+")
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "driver.py"), str(port), *arguments],
            env=environment,
            cwd=ROOT,
            stderr=self.errors,
        )
        self._line, _ = self._listener.accept()
        self._line.settimeout(PATIENCE)
        self._talk = self._line.makefile("rw", encoding="utf-8")

    def do(self, what, **more):
        self._talk.write(json.dumps({"do": what, **more}) + "\n")
        self._talk.flush()
        answer = json.loads(self._talk.readline())
        if isinstance(answer, dict) and "error" in answer:
            raise AssertionError(answer["error"])
        return answer

    def wait(self, name):
        try:
            wait_for(lambda: self.do("exists", name=name), name)
        except AssertionError:
            raise AssertionError(f"never saw {name}; saw {self.do('names')}") from None
        return name

    def click(self, name, number=0):
        self.wait(name)
        wait_for(lambda: self.do("enabled", name=name), f"{name} to be enabled")
        self.do("click", name=name, number=number)

    def type(self, name, text):
        self.do("type", name=self.wait(name), text=text)

    def replace(self, name, text):
        self.do("clear", name=self.wait(name))
        self.type(name, text)

    def click_row(self, name, text):
        self.wait(name)
        wait_for(lambda: any(text in r for r in self.do("rows", name=name)), f"a row with {text}")
        self.do("click_row", name=name, text=text)

    def key(self, keys, name=None):
        self.do("key", keys=keys, name=name)

    def text(self, name):
        return self.do("text", name=self.wait(name))

    def sees(self, text):
        """Wait until a text can be seen anywhere."""
        try:
            wait_for(lambda: any(text in t for t in self.do("texts")), f"the text {text!r}")
        except AssertionError:
            raise AssertionError(f"never saw {text!r}; saw {self.do('texts')}") from None

    def does_not_see(self, text):
        wait_for(lambda: all(text not in t for t in self.do("texts")), f"no text {text!r}")

    def picture(self, path):
        self.do("picture", path=str(path))

    def kill(self):
        self.process.kill()
        self.process.wait(10)
        self._end()

    def close(self):
        if self.process.poll() is None:
            self.do("close")
            self.process.wait(30)
        self._end()
        return self.process.returncode

    def said_on_stderr(self):
        self.errors.seek(0)
        return self.errors.read()

    def _end(self):
        for thing in (self._talk, self._line, self._listener):
            thing.close()
