"""Where files live: the only module that knows directories.

Everything Loci keeps lies under one folder, the data directory, so that copying it moves all::

    <data>/app.json                     settings of this computer (theme, last profile); app.bak is
                                        their last good copy
    <data>/servers.json                 what was learnt of model servers, their names hashed
    <data>/models/                      GGUF files of the person's choice (watched)
    <data>/logs/loci.log                no content, only events
    <data>/profiles/<slug>/vault.db     one encrypted vault per profile
    <data>/profiles/<slug>/profile.json its name and when it was made
    <data>/profiles/<slug>/slots.json   the wrapped keys that open it (slots.bak: the same again)
    <data>/profiles/<slug>/vault.key    only where no keyring and no passphrase is to be had
                                        (vault.key.bak: the same again)
    <data>/profiles/<slug>/vault.mark   how far the vault has come, to notice what gets lost
    <data>/profiles/<slug>/backups/     encrypted copies
    <data>/profiles/<slug>/temporary/   what is being written; swept at every start
    <data>/profiles/<slug>/making.todo  a profile that is still being made
    <data>/unfinished/                  what is left of profiles that were never finished
    <data>/profiles/<slug>/erase.todo   an erasure that was begun and must be finished
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HOME_VARIABLE = "LOCI_HOME"


@dataclass(frozen=True, slots=True)
class ProfilePaths:
    """The files of one profile."""

    folder: Path

    @property
    def slug(self) -> str:
        """The folder's name, which identifies the profile."""
        return self.folder.name

    @property
    def vault(self) -> Path:
        """The encrypted database."""
        return self.folder / "vault.db"

    @property
    def mark(self) -> Path:
        """The count of what was committed."""
        return self.folder / "vault.mark"

    @property
    def slots(self) -> Path:
        """The wrapped keys."""
        return self.folder / "slots.json"

    @property
    def key_file(self) -> Path:
        """The wrapping key of last resort, mode 0600."""
        return self.folder / "vault.key"

    @property
    def key_spare(self) -> Path:
        """The second copy of the key file."""
        return self.folder / "vault.key.bak"

    @property
    def backups(self) -> Path:
        """Encrypted copies of the vault."""
        return self.folder / "backups"

    @property
    def erase_todo(self) -> Path:
        """The note that an erasure was begun."""
        return self.folder / "erase.todo"

    @property
    def making(self) -> Path:
        """The note that the profile is still being made."""
        return self.folder / "making.todo"

    @property
    def card(self) -> Path:
        """The profile's name and when it was made, as JSON."""
        return self.folder / "profile.json"

    @property
    def use_lock(self) -> Path:
        """The file whose lock is shared by all who have the vault open."""
        return self.folder / "use.lock"

    @property
    def ask_lock(self) -> Path:
        """The file whose lock is held by whoever asks all others to close the vault."""
        return self.folder / "ask.lock"

    @property
    def lock(self) -> Path:
        """The file whose lock says who may run background jobs."""
        return self.folder / "jobs.lock"

    @property
    def temporary_lock(self) -> Path:
        """The file whose lock is shared by all who have a temporary conversation open."""
        return self.folder / "temporary.lock"


@dataclass(frozen=True, slots=True)
class Paths:
    """The data directory."""

    root: Path

    @property
    def settings(self) -> Path:
        """Settings of this computer, as JSON."""
        return self.root / "app.json"

    @property
    def servers(self) -> Path:
        """What was learnt of model servers, as JSON."""
        return self.root / "servers.json"

    @property
    def models(self) -> Path:
        """The watched folder of GGUF files."""
        return self.root / "models"

    @property
    def logs(self) -> Path:
        """Log files."""
        return self.root / "logs"

    @property
    def profiles(self) -> Path:
        """One folder per profile."""
        return self.root / "profiles"

    @property
    def unfinished(self) -> Path:
        """What is left of profiles whose making was interrupted."""
        return self.root / "unfinished"

    def profile(self, slug: str) -> ProfilePaths:
        """Return the files of one profile."""
        return ProfilePaths(self.profiles / slug)


def find(data_dir: Path | None, environment: Mapping[str, str] = os.environ) -> Paths:
    """Return the data directory: the one given, else ``LOCI_HOME``, else the platform's."""
    if data_dir is not None:
        return Paths(data_dir.expanduser().absolute())
    if named := environment.get(HOME_VARIABLE):
        return Paths(Path(named).expanduser().absolute())
    from platformdirs import user_data_path

    return Paths(user_data_path("loci", appauthor=False))
