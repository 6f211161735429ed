"""Workers for tests of child processes, and of what runs in them; all of this runs in a child."""

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


def build_slowly(report):
    """Make a worker, and tell how far that is; some of it twice."""
    for share in (0.0, 0.25, 0.251, 0.5, 1.0):
        report(share)
    return Scripted("works")


def build_resting(rested):
    """Make a worker that sets an event when it rests."""
    worker = Scripted("works")
    worker.rest = rested.set
    return worker


PR_GET_DUMPABLE = 3


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

    def inherited(self, argument, cancel):
        import ctypes
        import resource
        from contextlib import suppress
        from pathlib import Path

        begun_with = b""
        with suppress(PermissionError):  # nobody reads it, where this may not
            begun_with = Path("/proc/self/environ").read_bytes()
        opened = [str(Path(f"/proc/self/fd/{n}").readlink()) for n in (0, 1, 2)]
        dumped = ctypes.CDLL(None).prctl(PR_GET_DUMPABLE, 0, 0, 0, 0)
        core = resource.getrlimit(resource.RLIMIT_CORE)
        yield begun_with, dict(os.environ), opened, core, dumped

    def noise(self, argument, cancel):
        os.write(1, b"noise on stdout")
        os.write(2, b"noise on stderr")
        yield True


def build_mean(path: str):
    """Embed as llama-cpp-python does it itself, with llama.cpp's own mean."""
    return Mean(path)


class Mean:
    """The yardstick for the embedder."""

    def __init__(self, path: str) -> None:
        from llama_cpp import LLAMA_POOLING_TYPE_MEAN, Llama

        self.about = None
        sizes = {"n_ctx": 512, "n_batch": 512, "n_ubatch": 512}
        pooling = {"embedding": True, "pooling_type": LLAMA_POOLING_TYPE_MEAN}
        self._llama = Llama(path, flash_attn=True, verbose=False, **sizes, **pooling)

    def work(self, method, argument, cancel):
        yield self._llama.embed(argument, normalize=True)


def build_watched(path: str):
    """A chat model that shows what it is fed."""
    return Watched(path)


def build_saying(pieces):
    """A chat model that says what it is told to."""
    worker = Scripted("works")
    worker.answer = lambda argument, cancel: iter(pieces)
    return worker


class Watched:
    """Yields the tokens of a prompt, the text that they are of, or that of tokens drawn."""

    def __init__(self, path: str) -> None:
        from app.providers.local.contexts import Threads
        from app.providers.local.generation import GgufGeneration

        self.about = None
        self._model = GgufGeneration(path, 512, Threads(1, 1), 0)

    def work(self, method, argument, cancel):
        if method == "written":
            turns, sampling, drawn = argument
            read = self._model._prompt(turns, sampling.tools)
            yield "".join(said for _, said in self._model._written(read, sampling, iter(drawn)))
            return
        tokens = self._model._prompt(*argument)
        said = (self._model._bytes(token, special=True) for token in tokens)
        yield b"".join(said).decode() if method == "text" else tokens


def build_ranker(token_seconds: float = 0.0):
    """Judge by the length of a text."""
    return Ranker(token_seconds)


class Ranker:
    """Answers at once; asked about ``late``, only once nobody waits any more."""

    def __init__(self, token_seconds: float) -> None:
        from app.providers.local.ranking import RankingAbout

        self.about = RankingAbout(token_seconds, 512)

    def work(self, method, argument, cancel):
        query, texts = argument
        while query == "late" and not cancel.is_set():
            time.sleep(0.001)
        if query == "die":
            os._exit(3)
        yield [0.99 if query == "late" else min(1.0, len(text) / 10) for text in texts]
