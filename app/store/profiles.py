"""Profiles: find, create, open, rename and delete the vaults in a data directory."""

import json
import logging
import re
import unicodedata
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from app.domain.ids import Clock, from_ms, to_ms, utc_now
from app.domain.jobs.progress import Progress, outcome
from app.domain.language.foreign import number_of, read_json, text_of
from app.domain.language.text import shown
from app.domain.profile import Profile
from app.errors import NotFound, Refused, StoreError, VaultBusy, VaultCorrupt, VaultLocked
from app.paths import Paths, ProfilePaths
from app.store.vault import backup, keychain, keys, unfinished, wipe
from app.store.vault.file import Vault
from app.store.vault.files import private_folder
from app.store.vault.keychain import Keyring
from app.store.vault.locks import CLOSING_SECONDS, FileLock, alone, asked
from app.store.vault.scratch import left, sweep, write_private

FIRST = "Personal"
UNSEEN = "What is left of profiles that were never finished is passed over: {}"
LAST = 253_402_300_799_000  # ms: the end of the year 9999
_NAME_LENGTH, _SLUG_LENGTH = 80, 40
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
_log = logging.getLogger(__name__)


class Profiles:
    """The profiles of one data directory.

    Args:
        paths: The data directory.
        find_keyring: Returns the system keyring, or None; asked only when it is needed.

    Attributes:
        noticed: What was put right on opening one, in sentences.
    """

    def __init__(
        self,
        paths: Paths,
        clock: Clock = utc_now,
        find_keyring: Callable[[], Keyring | None] = keychain.system,
    ) -> None:
        self.paths = paths
        self._clock = clock
        self._find_keyring = find_keyring
        self._keyring: Keyring | None = None
        self.noticed: list[str] = []

    def list(self) -> list[Profile]:
        """Return all profiles, oldest first."""
        folder = self.paths.profiles
        folders = [ProfilePaths(f) for f in folder.iterdir()] if folder.is_dir() else []
        found = [self._read(paths) for paths in folders if _is_profile(paths)]
        undated = from_ms(LAST)  # what lost its card is never taken for the oldest
        return sorted(found, key=lambda profile: (profile.created_at or undated, profile.slug))

    def get(self, name: str) -> Profile:
        """Return the profile with that slug or, in any case, that name.

        Raises:
            NotFound: There is none.
        """
        profiles = self.list()
        for profile in profiles:
            if profile.slug == name:
                return profile
        for profile in profiles:
            if _same(profile.name, name):
                return profile
        raise NotFound(f"There is no profile called {name!r}.")

    def first(self, *, passphrase: str | None = None) -> Profile:
        """Return the oldest profile; where there is none, make one called Personal."""
        if not (profiles := self.list()):
            with self._making():
                if not (profiles := self.list()):
                    self._create(FIRST, passphrase, wal=True)[0].close()
                    profiles = self.list()
        return profiles[0]

    def create(
        self, name: str, *, passphrase: str | None = None, wal: bool = True
    ) -> tuple[Vault, Profile]:
        """Make a profile and open its vault.

        Args:
            name: What the person calls it; any text of one line.
            passphrase: A way in; without one the system keyring keeps the key, or a key file.
            wal: Whether to use the write-ahead log.

        Raises:
            Refused: The name is empty, too long or taken.
            VaultReadOnly: The data directory cannot be written.
        """
        with self._making():
            return self._create(name, passphrase, wal)

    def open(
        self,
        name: str,
        *,
        passphrase: str | None = None,
        recovery: str | None = None,
        wal: bool = True,
    ) -> Vault:
        """Open a profile's vault; others may have it open too.

        Args:
            name: Slug or name.
            passphrase: Tried if the profile has such a way in.
            recovery: A recovery code, tried first.
            wal: Whether to use the write-ahead log.

        Raises:
            NotFound: There is no such profile.
            VaultLocked: No way in works.
            VaultCorrupt: The file is damaged, missing or another profile's.
            StoreError: In its other forms.
        """
        return outcome(self.opening(name, passphrase=passphrase, recovery=recovery, wal=wal))

    def opening(
        self, name: str, *, passphrase: str | None, recovery: str | None, wal: bool
    ) -> Generator[Progress, None, Vault]:
        """Open a profile's vault as ``open`` does, telling how far it is where that takes long."""
        paths, key = self._unlocked(name, passphrase, recovery)
        sweep(paths.folder)
        self.noticed += left(paths.folder).to_do()
        try:
            return (yield from Vault.opening(paths.vault, key, self._clock, wal=wal))
        except VaultCorrupt as error:
            if error.__cause__ is None:
                raise
            raise VaultCorrupt(
                f"The file {paths.vault} is damaged, or not this profile's. Restore a backup."
            ) from error

    def restore(
        self,
        name: str,
        copy: Path,
        *,
        passphrase: str | None = None,
        recovery: str | None = None,
    ) -> Path | None:
        """Put a backup in the vault's place, also where the vault is too damaged to open.

        Returns:
            Where the replaced vault is kept now, if there was one.

        Raises:
            VaultBusy: Somebody has it open.
            VaultCorrupt: The backup is damaged; nothing was changed.
        """
        paths, key = self._unlocked(name, passphrase, recovery)
        return backup.restore(paths, copy, key, self._clock)

    def rename(self, name: str, new: str) -> Profile:
        """Give a profile another name; its folder keeps its own.

        Raises:
            Refused: The name is empty, too long or taken by another profile.
        """
        with self._making():
            profile = self.get(name)
            others = [p.name for p in self.list() if p.slug != profile.slug]
            made = profile.created_at or self._clock()  # it may have lost its card
            renamed = replace(profile, name=_checked(new, others), created_at=made)
            self._write(renamed)
        return renamed

    def delete(
        self,
        name: str,
        *,
        seconds: float = CLOSING_SECONDS,
        asking: FileLock | None = None,
    ) -> Sequence[str]:
        """Remove a profile for good; others who have it open are asked to close it.

        Args:
            name: Slug or name.
            seconds: How long the others are given.
            asking: The lock that asks them, where they were asked before; it is closed.

        Returns:
            One line for each thing that is gone.

        Raises:
            VaultBusy: Somebody, perhaps this process, kept it open; nothing was removed.
        """
        paths = self.files(self.get(name).slug)
        return wipe.destroy(paths, keyring=self.keyring(), seconds=seconds, asking=asking)

    def finish_interrupted(self) -> Sequence[str]:
        """Finish erasures that were interrupted; asked at every start."""
        if not any(self.paths.profiles.glob("*/erase.todo")):
            return []
        return wipe.finish_interrupted(self.paths, keyring=self.keyring())

    def set_aside_unfinished(self) -> Sequence[str]:
        """Move away what is left of profiles whose making was interrupted; asked at every start.

        Nothing was ever kept in them. Another program may be making one right now, which is waited
        for. Whatever stands in the way of that, the other profiles open all the same.

        Returns:
            A sentence for each.
        """
        try:
            if not unfinished.remains(self.paths):
                return []
            with self._making():
                found = unfinished.remains(self.paths)
                return [unfinished.set_aside(one, self.paths, self._clock) for one in found]
        except VaultBusy:
            return []  # another program is making one; the next start looks again
        except StoreError as error:
            _log.warning("Unfinished profiles could not be set aside: %s", type(error).__name__)
            return [UNSEEN.format(error)]

    def files(self, slug: str) -> ProfilePaths:
        """Return the files of a profile."""
        return self.paths.profile(slug)

    def keyring(self) -> Keyring | None:
        """Return the system keyring, or None where there is none within reach."""
        if self._keyring is None:
            self._keyring = self._find_keyring()
        return self._keyring

    def is_asked_for(self, slug: str) -> bool:
        """Say whether somebody asks that a profile be closed, to have it alone."""
        return asked(self.files(slug).ask_lock)

    def _unlocked(
        self, name: str, passphrase: str | None, recovery: str | None
    ) -> tuple[ProfilePaths, bytes]:
        paths = self.files(self.get(name).slug)
        keyring = self.keyring() if keys.wants_keyring(paths) else None
        key = keys.unlock(
            paths,
            passphrase=passphrase,
            recovery=recovery,
            keyring=keyring,
            tell=self.noticed.append,
        )
        return paths, key

    @contextmanager
    def _making(self) -> Iterator[None]:
        private_folder(self.paths.root)
        private_folder(self.paths.profiles)
        with alone(self.paths.profiles / ".lock"):
            yield

    def _create(self, name: str, passphrase: str | None, wal: bool) -> tuple[Vault, Profile]:
        name = _checked(name, [profile.name for profile in self.list()])
        paths = self.files(self._free_slug(name))
        private_folder(paths.folder)
        write_private(paths.making, b"")
        key = keys.new_key()
        keyring = self.keyring() if passphrase is None else None
        now = self._clock()
        slots = keys.create_slots(
            paths, key, passphrase=passphrase, keyring=keyring, clock=self._clock
        )
        vault = Vault(paths.vault, key, self._clock, wal=wal)
        try:
            self._write(Profile(paths.slug, name, slots, created_at=now))
            paths.making.unlink()
        except BaseException:
            vault.close()
            raise
        _log.info("Profile %s was made, opened by %s", paths.slug, slots[0])
        return vault, self._read(paths)

    def _free_slug(self, name: str) -> str:
        """Return a folder name that is not taken, not even by what a crash left behind."""
        slug = start = slug_of(name)
        number = 1
        while self.files(slug).folder.exists():
            number += 1
            slug = f"{start}-{number}"
        return slug

    def _read(self, paths: ProfilePaths) -> Profile:
        name, created_at = paths.slug, None
        try:
            card = read_json(paths.card.read_text("utf-8"))
            name = _checked(text_of(card["name"]), [])
            created_at = _moment(card.get("created_at"))
        except (OSError, ValueError, KeyError, TypeError, Refused) as error:
            _log.warning("The card of a profile cannot be read: %s", type(error).__name__)
        try:
            slots = keys.list_slots(paths)
        except VaultLocked:
            slots = ()
        files = (paths.vault, paths.vault.with_name(paths.vault.name + "-wal"))
        size = sum(file.stat().st_size for file in files if file.exists())
        return Profile(paths.slug, name, slots, size, created_at)

    def _write(self, profile: Profile) -> None:
        made = None if profile.created_at is None else to_ms(profile.created_at)
        card = {"name": profile.name, "created_at": made}
        data = json.dumps(card, ensure_ascii=False).encode()
        write_private(self.files(profile.slug).card, data)


def slug_of(name: str) -> str:
    """Return a name for a folder on any file system: lower case letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_LENGTH].rstrip("-")
    return f"profile-{slug}".rstrip("-") if not slug or _RESERVED.fullmatch(slug) else slug


def _checked(name: str, taken: list[str]) -> str:
    """Return the name, trimmed, or say why it cannot be."""
    trimmed = unicodedata.normalize("NFC", name).strip()
    if not trimmed:
        raise Refused("A profile needs a name.")
    if len(trimmed) > _NAME_LENGTH or any(unicodedata.category(c) == "Cc" for c in trimmed):
        raise Refused(f"A profile's name is one line of at most {_NAME_LENGTH} characters.")
    if shown(trimmed) != trimmed:
        raise Refused("A profile's name cannot have characters that nobody sees.")
    if any(_same(trimmed, other) for other in taken):
        raise Refused(f"There is already a profile called {trimmed!r}.")
    return trimmed


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFKC", one).casefold() == (
        unicodedata.normalize("NFKC", other).casefold()
    )


def _is_profile(paths: ProfilePaths) -> bool:
    """Tell a profile from a creation that never finished and from one half erased.

    What has lost its card counts, and with that its vault, too: losing files must hide neither the
    rows nor the backups.
    """
    if paths.erase_todo.exists() or paths.making.exists():
        return False
    if paths.card.exists() or paths.mark.exists() or any(paths.backups.glob("*.db")):
        return True
    return paths.vault.exists() and paths.vault.stat().st_size > 0


def _moment(ms: Any) -> datetime | None:
    return None if ms is None else from_ms(int(number_of(ms)))
