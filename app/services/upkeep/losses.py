"""What was committed and is missing: say it, and accept it."""

from collections.abc import Sequence

from app.domain.changes import Changes
from app.errors import VaultCorrupt
from app.store.store import Store
from app.store.vault.mark import Lost

MISSING = (
    "{} made {} {} missing: the vault's log was lost or damaged, or an older copy of the"
    " vault lies in its place. Put back all files of the profile from a copy, restore a backup, or"
    " accept the loss with `loci doctor --accept`."
)


class LossesService:
    """Looks at what one open profile lacks."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def standing(self) -> Sequence[str]:
        """Return in a sentence what is missing and was not accepted."""
        try:
            lost = self._store.integrity.lost()
        except VaultCorrupt:  # which the doctor tells
            return []
        if lost is None:
            return []
        one = lost.changes == 1
        what = "The last change" if one else f"The last {lost.changes:,} changes"
        return [MISSING.format(what, self._when(lost), "is" if one else "are")]

    def _when(self, lost: Lost) -> str:
        """Say when what is missing was made, as far as that can be believed."""
        if lost.until > self._store.clock():
            return "at an unknown time"
        until = f"up to {lost.until.astimezone():%Y-%m-%d %H:%M}"
        if lost.since is None or lost.since > lost.until:
            return until
        return f"after {lost.since.astimezone():%Y-%m-%d %H:%M} and {until}"

    def accept(self) -> Changes:
        """Take it that what is missing is gone."""
        self._store.integrity.accept_loss()
        return Changes(profile=True)
