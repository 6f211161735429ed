"""The bundled models in one process for all tests: loading them takes longer than most tests."""

import hashlib
import pickle
from collections.abc import Hashable
from typing import Any

from app.errors import ModelError
from app.providers.host import ModelHost
from app.providers.local.children import Child
from app.providers.local.llamacpp import LlamaEmbedder


class Borrowed:
    """A child process that others use as well: who puts it away ends no more than their own use.

    Asked the same again, by whomever, a model says the same: that is kept, and no text with it.
    """

    def __init__(self, child: Child, said: dict[bytes, bytes]) -> None:
        self.title = child.title
        self._child, self._said, self._closed = child, said, False

    @property
    def running(self) -> bool:
        return self._child.running

    @property
    def pid(self) -> int | None:
        return self._child.pid

    def about(self) -> Any:
        return self._open().about()

    def begin(self) -> None:
        self._open().begin()

    def ask(self, method: str, argument: Any, *, urgent: bool = True) -> Any:
        child = self._open()
        if method not in ("read", "judge"):
            return child.ask(method, argument, urgent=urgent)
        asked = hashlib.sha256(pickle.dumps((method, argument))).digest()
        if asked not in self._said:
            self._said[asked] = pickle.dumps(child.ask(method, argument, urgent=urgent))
        return pickle.loads(self._said[asked])

    def close(self) -> None:
        self._closed = True

    def _open(self) -> Child:
        if self._closed:
            raise ModelError(f"{self.title} was put away.")
        return self._child


class Lender:
    """Lends one child process to all who would begin a process in the very same way."""

    def __init__(self) -> None:
        self._bundled = ModelHost._bundled
        self._children: dict[Hashable, tuple[Child, dict[bytes, bytes]]] = {}

    def lend(self, host: ModelHost) -> LlamaEmbedder:
        """Return the bundled models of a host, in the process that is there already."""
        made = self._bundled(host)
        made.child = Borrowed(*self._children.setdefault(made.child._start, (made.child, {})))
        return made

    def close(self) -> None:
        """End the processes."""
        for child, _ in self._children.values():
            child.close()
