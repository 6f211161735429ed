"""Workers without weights for tests of the child process machinery; they run inside a child."""

import os
import time

from app.errors import ModelFileError


def build(kind: str):
    """Make a worker, fail in an orderly way, or die."""
    if kind == "unloadable":
        raise ModelFileError("The file is no use.")
    if kind == "broken":
        raise KeyError("internal detail")
    if kind == "dead":
        os._exit(3)
    return Scripted(kind)


class Scripted:
    """Does what the method's name says."""

    def __init__(self, kind: str) -> None:
        self.about = {"kind": kind, "omp": os.environ.get("OMP_WAIT_POLICY")}

    def work(self, method, argument, cancel):
        yield from getattr(self, method)(argument, cancel)

    def echo(self, argument, cancel):
        yield from argument

    def forever(self, argument, cancel):
        number = 0
        while not cancel.is_set():
            yield number
            number += 1

    def deaf(self, argument, cancel):
        yield "begun"
        time.sleep(600)

    def die(self, argument, cancel):
        yield "last words"
        os._exit(3)

    def fail(self, argument, cancel):
        yield "first"
        raise ValueError("internal detail")

    def pid(self, argument, cancel):
        yield os.getpid()

    def noise(self, argument, cancel):
        os.write(1, b"noise on stdout")
        os.write(2, b"noise on stderr")
        yield True
