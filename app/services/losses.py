"""What was committed and is missing: say it, and accept it."""

from collections.abc import Sequence

from app.domain.changes import Changes
from app.errors import VaultCorrupt
from app.store import mark
from app.store.vault import Vault

MISSING = (
    "{} made {} {} missing: the vault's log was lost or damaged, or an older copy of the"
    " vault lies in its place. Put back all files of the profile from a copy, restore a backup, or"
    " accept the loss with `loci doctor --accept`."
)


class LossesService:
    """Looks at what one open profile lacks."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def standing(self) -> Sequence[str]:
        """Return in a sentence what is missing and was not accepted."""
        try:
            with self._vault.read() as connection:
                lost = mark.lost(connection)
        except VaultCorrupt:  # which the doctor tells
            return []
        if lost is None:
            return []
        one = lost.changes == 1
        what = "The last change" if one else f"The last {lost.changes:,} changes"
        until = f"up to {lost.until.astimezone():%Y-%m-%d %H:%M}"
        if lost.since is not None:
            until = f"after {lost.since.astimezone():%Y-%m-%d %H:%M} and {until}"
        return [MISSING.format(what, until, "is" if one else "are")]

    def accept(self) -> Changes:
        """Take it that what is missing is gone."""
        with self._vault.write() as connection:
            mark.accept(connection)
        return Changes(profile=True)
