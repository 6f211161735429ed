"""How often in a row the learning model failed, and whether it is given up."""

import json
from dataclasses import dataclass

from app.domain.language.foreign import whole_of
from app.domain.model import Failure
from app.store.vault import facts
from app.store.vault.file import Vault

MOST = 3
_KEY = "learner_failures"
_COUNTED = 1_000_000


@dataclass(frozen=True, slots=True)
class Failing:
    """A model that failed.

    Attributes:
        model_id: What settings call it.
        times: How often in a row.
        how: What was wrong the last time.
    """

    model_id: str
    times: int
    how: Failure


class Trials:
    """Counts the failures of the learning model in a row, whichever process asked it.

    Only the model that failed last is kept, with no word of what it was asked: another one begins
    anew, and one that works has no failures.
    """

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def failed(self, model_id: str, how: Failure) -> None:
        """Note that a model failed once more."""
        with self._vault.write() as connection:
            known = self.failing()
            times = known.times if known is not None and known.model_id == model_id else 0
            said = json.dumps({"model": model_id, "times": times + 1, "how": how})
            connection.execute(
                "INSERT INTO meta (key, value) VALUES (?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (_KEY, said.encode()),
            )

    def worked(self, model_id: str) -> None:
        """Note that a model did what it was asked."""
        known = self.failing()
        if known is not None and known.model_id == model_id:
            self.again()

    def again(self) -> None:
        """Let a model that was given up be asked again."""
        with self._vault.write() as connection:
            connection.execute("DELETE FROM meta WHERE key = ?", (_KEY,))

    def given_up(self, model_id: str) -> Failing | None:
        """Return how a model failed that is given up; None where it may be asked."""
        known = self.failing()
        is_up = known is not None and known.model_id == model_id and known.times >= MOST
        return known if is_up else None

    def failing(self) -> Failing | None:
        """Return the model that failed last; None where it has worked since."""
        with self._vault.read() as connection:
            value = facts.value_of(connection, _KEY)
        try:
            said = facts.record(value)
            times = whole_of(said["times"], 0, _COUNTED)
            return Failing(str(said["model"]), times, Failure(said["how"]))
        except (ValueError, KeyError, TypeError):
            return None
