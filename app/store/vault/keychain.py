"""The system keyring: Keychain, Credential Manager or Secret Service, behind a time limit.

A locked or absent keyring may block for ever or fail in many ways; here it answers within a few
seconds or counts as out of reach, so that the other ways into a vault get their turn.
"""

import logging
from collections.abc import Callable
from threading import Thread
from typing import Any, Protocol, TypeVar

from app.errors import VaultLocked

SERVICE = "Loci"
LIMIT_SECONDS = 5.0
_USELESS = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")

_log = logging.getLogger(__name__)
T = TypeVar("T")


class Keyring(Protocol):
    """What is asked of a keyring; the backends of the ``keyring`` library answer to it."""

    def get_password(self, service: str, username: str) -> str | None:
        """Return what is stored, or None."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store or replace a password."""

    def delete_password(self, service: str, username: str) -> None:
        """Remove a password."""


class LimitedKeyring:
    """A keyring that answers in time or raises ``VaultLocked``.

    Args:
        backend: The keyring asked.
        seconds: How long each call may take.
    """

    def __init__(self, backend: Keyring, seconds: float = LIMIT_SECONDS) -> None:
        self._backend = backend
        self._seconds = seconds

    def get_password(self, service: str, username: str) -> str | None:
        """Return what is stored, or None."""
        return _limited(lambda: self._backend.get_password(service, username), self._seconds)

    def set_password(self, service: str, username: str, password: str) -> None:
        """Store or replace a password."""
        _limited(lambda: self._backend.set_password(service, username, password), self._seconds)

    def delete_password(self, service: str, username: str) -> None:
        """Remove a password; one that is not there counts as removed."""
        if self.get_password(service, username) is not None:
            _limited(lambda: self._backend.delete_password(service, username), self._seconds)


def system() -> Keyring | None:
    """Return the keyring of this computer, or None where there is none worth the name."""
    try:
        backend = _limited(_backend, LIMIT_SECONDS)
    except VaultLocked:
        return None
    return None if backend is None else LimitedKeyring(backend)


def _backend() -> Any | None:
    import keyring

    backend = keyring.get_keyring()
    useless = type(backend).__module__.startswith(_USELESS)
    return None if useless or float(backend.priority) <= 0 else backend


def _limited(call: Callable[[], T], seconds: float) -> T:
    """Run ``call`` on a thread of its own and wait for it, but not for ever."""
    answers: list[T] = []
    failures: list[Exception] = []

    def work() -> None:
        try:
            answers.append(call())
        except Exception as error:  # noqa: BLE001 - backends raise whatever their platform does
            failures.append(error)

    worker = Thread(target=work, name="keyring", daemon=True)
    worker.start()
    worker.join(seconds)
    if answers:
        return answers[0]
    kind = type(failures[0]).__name__ if failures else "no answer in time"
    _log.warning("The system keyring is out of reach: %s", kind)
    raise VaultLocked("The system keyring did not answer. Unlock it and try again.")
