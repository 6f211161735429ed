"""The composition root: builds every object once, and closes them in reverse.

Nothing else builds services, and nothing imports this module.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from app import log
from app.domain.ids import Clock, utc_now
from app.domain.model import FoundServer
from app.domain.profile import Profile
from app.errors import AppError
from app.jobs.operation import drive
from app.memory.index import Indexer
from app.memory.recall.compose import Recaller
from app.memory.remember import Remember
from app.paths import Paths, find
from app.providers.host import ModelHost
from app.providers.library import ModelsFolder
from app.services.background import BackgroundService
from app.services.chat import ChatService
from app.services.conversations import ConversationsService
from app.services.doctor import DoctorService
from app.services.erasure import ErasureService
from app.services.library import LibraryService, Network
from app.services.memories import MemoriesService
from app.services.preferences import PreferencesService
from app.services.profiles import AccessService, ProfilesService
from app.services.scrub import Scrubber
from app.services.services import Services
from app.services.transfer import TransferService
from app.services.watch import WatchService
from app.settings import computer
from app.store.preferences import Preferences
from app.store.profiles import Profiles
from app.store.secrets import Secrets
from app.store.vault import Vault
from app.store.vectors import Vectors

SELF = (sys.executable, "-m", "app")
TOUR_MEMORIES = 1_000


@dataclass(frozen=True, slots=True)
class Opened:
    """One open profile: what a front end uses, and what must be closed after it."""

    services: Services
    vault: Vault
    host: ModelHost

    def close(self) -> None:
        """End the models' processes and close the vault; a second call does nothing."""
        self.services.library.stop_watching()
        self.host.close()
        self.vault.close()


def build(profiles: Profiles, profile: Profile, vault: Vault, clock: Clock) -> Opened:
    """Build the services of one profile over its open vault."""
    paths = profiles.files(profile.slug)
    preferences = PreferencesService(Preferences(vault), profiles.paths.settings)
    secrets = Secrets(paths, vault, profiles.keyring)
    folder = ModelsFolder(profiles.paths.models)
    models = ModelHost(folder, preferences.values, lambda name: secrets.get(name) or "")
    indexer = Indexer(Vectors(vault), lambda: models.embedder)
    remember = Remember(vault, models, preferences.values, clock)
    recaller = Recaller(vault, lambda: models.embedder, preferences.values)
    scrubber = Scrubber(vault)
    background = BackgroundService(vault, remember, indexer, scrubber, clock)
    library = LibraryService(models, _network(), secrets, preferences, background)

    def destroy() -> Sequence[str]:
        models.close()
        vault.close()
        return profiles.delete(profile.slug)

    services = Services(
        profile=profile,
        chat=ChatService(vault, recaller, models, preferences, clock),
        conversations=ConversationsService(vault),
        memories=MemoriesService(vault, remember, recaller, indexer, background, clock),
        library=library,
        preferences=preferences,
        transfer=TransferService(vault, background, profile.name, clock),
        erasure=ErasureService(vault, paths, profile.name, scrubber, destroy),
        background=background,
        doctor=DoctorService(vault, library, indexer),
        access=AccessService(profiles, profile.slug, vault.key),
        watch=WatchService(vault, preferences),
    )
    return Opened(services, vault, models)


def _network() -> Network:
    def find_servers() -> Sequence[FoundServer]:
        from app.providers import servers

        return servers.find_servers()

    def list_models(address: str, key: str) -> Sequence[str]:
        from app.providers.endpoint import Endpoint, normal_url
        from app.providers.openai import list_models

        return list_models(Endpoint(normal_url(address), key))

    return Network(find_servers, list_models)


class Program:
    """The running program, as the front ends see it."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock

    def paths(self, data_dir: Path | None) -> Paths:
        """Return the data directory."""
        return find(data_dir)

    def profiles(self, data_dir: Path | None) -> ProfilesService:
        """Return the service that lists and makes profiles."""
        return ProfilesService(Profiles(find(data_dir), self._clock))

    def which(self, data_dir: Path | None, profile: str | None) -> Profile | None:
        """Return the profile that ``open`` would open, or None where it would make the first."""
        profiles = Profiles(find(data_dir), self._clock)
        return profiles.get(profile) if profile else _last(profiles)

    def unlock(
        self,
        paths: Paths,
        name: str | None,
        passphrase: str | None = None,
        recovery: str | None = None,
    ) -> Opened:
        """Open a profile: the one named, else the last one, else the first, which is then made."""
        profiles = Profiles(paths, self._clock)
        profiles.finish_interrupted()
        profile = _chosen(profiles, name, passphrase)
        wal = _wal(paths)
        vault = profiles.open(profile.slug, passphrase=passphrase, recovery=recovery, wal=wal)
        try:
            return build(profiles, profile, vault, self._clock)
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
    ) -> Iterator[Services]:
        """Open a profile for a command, and close it afterwards."""
        paths = find(data_dir)
        log.start(paths.logs)
        try:
            opened = self.unlock(paths, profile, passphrase, recovery)
            try:
                yield opened.services
            finally:
                opened.close()
        finally:
            log.stop()

    @contextmanager
    def temporary(self, clock: Clock) -> Iterator[tuple[Services, Vault]]:
        """Open a fresh profile in a temporary folder that is removed afterwards."""
        folder = Path(tempfile.mkdtemp(prefix="loci-bench-"))
        profiles = Profiles(Paths(folder), clock, lambda: None)
        try:
            vault, profile = profiles.create("Bench")
            opened = build(profiles, profile, vault, clock)
            try:
                yield opened.services, vault
            finally:
                opened.close()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def window(self, data_dir: Path | None, profile: str | None) -> int:
        """Open the window; where there is no display, the terminal chat."""
        if not _has_display():
            sys.stderr.write("There is no display here, so this is the chat in the terminal.\n")
            from app.cli.main import run

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
                env=os.environ | ({} if _has_display() else {"QT_QPA_PLATFORM": "offscreen"}),
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
        from app.gui.bench import take

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
            Profiles(paths, self._clock, lambda: None).create("Selftest")[0].close()
            from app.gui.selftest import take

            take(self, paths, say)
        except AppError:
            raise
        except Exception as error:
            raise AppError(f"{type(error).__name__}: {error}") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _prepare_tour(self, paths: Paths) -> None:

        profiles = Profiles(paths, self._clock, lambda: None)
        vault, profile = profiles.create("Bench")
        opened = build(profiles, profile, vault, self._clock)
        try:
            services = opened.services
            services.preferences.set("chat.model", "notebook")
            services.preferences.set("computer.welcomed", True)
            from app.services.bench_speed import fill

            fill(vault, TOUR_MEMORIES)
            drive(services.background.run(), Event())
        finally:
            opened.close()


def _chosen(profiles: Profiles, name: str | None, passphrase: str | None) -> Profile:
    if name:
        return profiles.get(name)
    return _last(profiles) or profiles.first(passphrase=passphrase)


def _last(profiles: Profiles) -> Profile | None:
    """Return the profile that was used last, else the oldest, else None."""
    last = str(computer.load(profiles.paths.settings).get("computer.last_profile", ""))
    known = {p.slug: p for p in profiles.list()}
    return known.get(last) or next(iter(known.values()), None)


def _wal(paths: Paths) -> bool:
    return bool(computer.load(paths.settings).get("memory.wal_mode", True))


def _has_display() -> bool:
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def main(arguments: list[str] | None = None) -> int:
    """Run Loci; return the exit code."""
    from app.cli.main import run

    log.quiet()
    given = sys.argv[1:] if arguments is None else arguments
    return run(Program(), given)
