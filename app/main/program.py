"""The running program, as the window and the command line are given it.

What is heavy to import is imported where it is first needed, so that the window shows at once.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import time
from typing import TYPE_CHECKING, Any

from app import garbage, log
from app.domain.ids import Clock, utc_now
from app.domain.jobs.operation import drive
from app.domain.jobs.progress import Progress, outcome
from app.errors import AppError
from app.paths import Paths, find
from app.settings import computer

if TYPE_CHECKING:
    from app.domain.profile import Profile
    from app.main.build import BuiltProfile
    from app.services.profiles import ProfilesService
    from app.services.services import Services
    from app.store.profiles import Profiles
    from app.store.store import Store

SELF = (sys.executable, "-m", "app")
TOUR_MEMORIES = 1_000
ERASED = (
    "The erasure of a profile, which had been interrupted, is finished: its key and {} other things"
    " are gone."
)
STARTED = "LOCI_TOUR_STARTED"


class Program:
    """The running program, as the front ends see it."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._untold: list[str] = []
        self._latest: tuple[Paths, BuiltProfile] | None = None

    def profiles(self, data_dir: Path | None) -> "ProfilesService":
        """Return the service that lists and makes profiles."""
        from app.services.profiles import ProfilesService

        return ProfilesService(self._profiles(find(data_dir)))

    def which(self, data_dir: Path | None, profile: str | None) -> "Profile | None":
        """Return the profile that ``open`` would open, or None where it would make the first."""
        profiles = self._profiles(find(data_dir))
        return profiles.get(profile) if profile else _last(profiles)

    def unlock(
        self,
        paths: Paths,
        name: str | None,
        passphrase: str | None = None,
        recovery: str | None = None,
    ) -> "BuiltProfile":
        """Open a profile: the one named, else the last one, else the first, which is then made."""
        return outcome(self.unlocking(paths, name, passphrase, recovery))

    def unlocking(
        self, paths: Paths, name: str | None, passphrase: str | None, recovery: str | None
    ) -> Generator[Progress, None, "BuiltProfile"]:
        """Open a profile as ``unlock`` does, telling how far it is where that takes long."""
        from app.main.build import build

        profiles = self._profiles(paths)
        self._untold += self._mended(paths, profiles)
        profile = _chosen(profiles, name, passphrase)
        wal = _wal(paths)
        vault = yield from profiles.opening(
            profile.slug, passphrase=passphrase, recovery=recovery, wal=wal
        )
        try:
            opened = build(profiles, profile, vault, self._clock)
            services = opened.services
            done = (*profiles.noticed, *opened.store.erasures.told(), *services.tampering.opened())
            told = (*self._untold, *done)
            self._untold.clear()
            return replace(opened, noticed=told)
        except BaseException:
            vault.close()
            raise

    @contextmanager
    def open(
        self,
        data_dir: Path | None,
        profile: str | None,
        passphrase: str | None = None,
        recovery: str | None = None,
    ) -> Iterator["Services"]:
        """Open a profile for a command, and close it afterwards."""
        from app.cli.program import run

        paths = find(data_dir)
        log.start(paths.logs)
        try:
            opened = run(self.unlocking(paths, profile, passphrase, recovery))
            self._latest = paths, opened
            garbage.settle()
            try:
                _begin(opened)
                yield opened.services
            finally:
                opened.close()
        finally:
            log.stop()

    @contextmanager
    def reopen(self) -> Iterator["Services"]:
        """Open what a command had open once more, for what comes after it; ask and say nothing."""
        assert self._latest is not None
        paths, opened = self._latest
        log.start(paths.logs)
        try:
            with closing(self._opened_again(paths, opened)) as again:
                yield again.services
        finally:
            log.stop()

    def _opened_again(self, paths: Paths, before: "BuiltProfile") -> "BuiltProfile":
        from app.main.build import build
        from app.store.vault.file import Vault

        profiles, was = self._profiles(paths), before.store.vault
        vault = drive(Vault.opening(was.path, was.key, self._clock, wal=_wal(paths)), Event())
        try:
            return build(profiles, before.services.profile, vault, self._clock)
        except BaseException:
            vault.close()
            raise

    @contextmanager
    def temporary(self, clock: Clock) -> Iterator[tuple["Services", "Store"]]:
        """Open a fresh profile in a temporary folder that is removed afterwards."""
        from app.main.build import build

        folder = Path(tempfile.mkdtemp(prefix="loci-bench-"))
        profiles = self._profiles(Paths(folder), keyring=False, clock=clock)
        try:
            vault, profile = profiles.create("Bench")
            opened = build(profiles, profile, vault, clock)
            garbage.settle()
            try:
                yield opened.services, opened.store
            finally:
                opened.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def window(self, data_dir: Path | None, profile: str | None) -> int:
        """Open the window; where there is no display, the terminal chat."""
        if not _has_display():
            from app.cli.main import run
            from app.cli.output import say

            say("There is no display here, so this is the chat in the terminal.", err=True)

            where = ["--data-dir", str(data_dir)] if data_dir else []
            who = ["--profile", profile] if profile else []
            return run(self, ["chat", *where, *who])
        from app.gui.application import run_window

        paths = find(data_dir)
        log.start(paths.logs)
        try:
            return run_window(self, paths, profile)
        finally:
            log.stop()

    def measure_window(self) -> dict[str, Any]:
        """Open the window in a process of its own, on a prepared profile, and time it."""
        folder = Path(tempfile.mkdtemp(prefix="loci-bench-"))
        try:
            paths = Paths(folder)
            self._prepare_tour(paths)
            command = [sys.executable] if getattr(sys, "frozen", False) else SELF
            done = subprocess.run(
                [*command, "bench", "window-tour", "--data-dir", str(folder)],
                stdout=subprocess.PIPE,
                env=_tour_environment(),
                check=False,
            )
            if done.returncode:
                raise AppError("The window could not be measured.")
            figures: dict[str, Any] = json.loads(done.stdout)
            return figures
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def tour_window(self, data_dir: Path | None) -> dict[str, Any]:
        """Take the tour in this process; ``measure_window`` starts it."""
        from app.bench.window import take

        return take(self, find(data_dir))

    def selftest(self, say: Callable[[str], None]) -> None:
        """Try everything that matters once, on a fresh profile in a temporary folder.

        Args:
            say: Told in one line what works, step after step.

        Raises:
            AppError: Something does not work; its text says what.
        """
        folder = Path(tempfile.mkdtemp(prefix="loci-selftest-"))
        try:
            paths = Paths(folder)
            self._profiles(paths, keyring=False).create("Selftest")[0].close()
            from app.bench.selftest import take

            take(self, paths, say)
        except AppError:
            raise
        except Exception as error:
            raise AppError(f"{type(error).__name__}: {error}") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _prepare_tour(self, paths: Paths) -> None:
        from app.bench.fill import fill
        from app.main.build import build

        profiles = self._profiles(paths, keyring=False)
        vault, profile = profiles.create("Bench")
        opened = build(profiles, profile, vault, self._clock)
        try:
            services = opened.services
            services.preferences.set("chat.model", "notebook")
            services.preferences.set("computer.welcomed", True)
            fill(opened.store, TOUR_MEMORIES)
            drive(services.background.run(), Event())
        finally:
            opened.close()

    def _mended(self, paths: Paths, profiles: "Profiles") -> list[str]:
        """Finish or put right what was interrupted or damaged; return sentences on it."""
        told = [
            *computer.mend(paths.settings),
            *computer.mend(paths.servers, computer.SERVERS),
        ]
        if gone := profiles.finish_interrupted():
            told.append(ERASED.format(len(gone)))
        return [*told, *profiles.set_aside_unfinished()]

    def _profiles(
        self, paths: Paths, *, keyring: bool = True, clock: Clock | None = None
    ) -> "Profiles":
        from app.store.profiles import Profiles
        from app.store.vault import keychain

        return Profiles(paths, clock or self._clock, keychain.system if keyring else lambda: None)


def _begin(opened: "BuiltProfile") -> None:
    """Finish what an erasure left to do, and tell on the terminal what is to be told."""
    from app.cli.output import say

    services = opened.services
    drive(services.background.finish_erasing(), Event())
    for sentence in (*opened.noticed, *opened.store.erasures.told()):
        say(sentence, err=True)


def _chosen(profiles: "Profiles", name: str | None, passphrase: str | None) -> "Profile":
    if name:
        return profiles.get(name)
    return _last(profiles) or profiles.first(passphrase=passphrase)


def _last(profiles: "Profiles") -> "Profile | None":
    """Return the profile that was used last, else the oldest, else None."""
    last = computer.value(profiles.paths.settings, "computer.last_profile")
    known = {p.slug: p for p in profiles.list()}
    return known.get(last) or next(iter(known.values()), None)


def _wal(paths: Paths) -> bool:
    return bool(computer.value(paths.settings, "memory.wal_mode"))


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _tour_environment() -> dict[str, str]:
    """Return what the measured process is told: when it was started, and where to draw."""
    screen = {} if _has_display() else {"QT_QPA_PLATFORM": "offscreen"}
    return os.environ | screen | {STARTED: repr(time())}
