"""What the composition root offers to the window."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.domain.jobs.progress import Progress
from app.paths import Paths

if TYPE_CHECKING:
    from app.services.profiles import ProfilesService
    from app.services.services import Services


class OpenProfile(Protocol):
    """An open profile."""

    @property
    def services(self) -> "Services":
        """What can be done with it."""

    @property
    def noticed(self) -> tuple[str, ...]:
        """What the person should know of the start, in sentences."""

    def close(self) -> None:
        """Close its vault and end its models; a second call does nothing."""


class WindowProgram(Protocol):
    """The running program, as the window sees it."""

    def profiles(self, data_dir: Path | None) -> "ProfilesService":
        """Return the service that lists and makes profiles."""

    def unlock(
        self,
        paths: Paths,
        name: str | None,
        passphrase: str | None = None,
        recovery: str | None = None,
    ) -> OpenProfile:
        """Open a profile: the one named, else the last one, else the first, which is then made."""

    def unlocking(
        self, paths: Paths, name: str | None, passphrase: str | None, recovery: str | None
    ) -> Generator[Progress, None, OpenProfile]:
        """Open a profile as ``unlock`` does, telling how far it is where that takes long."""
