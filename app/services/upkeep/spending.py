"""Keep account of what models take, and let background work spend only what the person allows.

Nothing that may cost money is used in the background unless the person allows it, and then only up
to what they set for a month; without a price that could not be told. A model on this computer costs
nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from app.domain.ids import Clock
from app.domain.jobs.spending import Spent
from app.domain.model import ChatInfo
from app.providers.base import ModelUse
from app.settings.spec import Settings
from app.store.work.usage import Usage

CHAT, LEARN = "chat", "learn"
MILLION = 1_000_000


class SpendingService:
    """Notes every call of a chat model, and knows what is still allowed this month."""

    def __init__(self, usage: Usage, settings: Callable[[], Settings], clock: Clock) -> None:
        self._usage = usage
        self._settings = settings
        self._clock = clock
        self._work = LEARN

    @contextmanager
    def working(self, kind: str) -> Iterator[None]:
        """Put what background calls take meanwhile on the account of a kind of work."""
        before, self._work = self._work, kind
        try:
            yield
        finally:
            self._work = before

    def hindrance(self, info: ChatInfo) -> str:
        """Return in a sentence why background work may not use a model; empty where it may."""
        costs = self._settings().upkeep.costs
        if info.local:
            return ""
        if not costs.background:
            return "Background work may not use a model elsewhere; Settings, Upkeep allows it."
        if not (costs.prompt_price or costs.completion_price):
            return (
                "Background work uses a model elsewhere only once you have set what it charges"
                " in Settings, Upkeep."
            )
        if self.background_cost() >= costs.monthly_cap:
            return "Background work has reached its spending limit for this month."
        return ""

    def note(self, interactive: bool, info: ChatInfo, use: ModelUse) -> None:
        """Note what a call took."""
        costs = self._settings().upkeep.costs
        price = (
            use.prompt_tokens * costs.prompt_price + use.completion_tokens * costs.completion_price
        )
        self._usage.note(
            CHAT if interactive else self._work,
            info.name or info.id,
            (use.prompt_tokens, use.completion_tokens),
            local=info.local,
            counted=use.counted,
            cost=0.0 if info.local else price / MILLION,
        )

    def month(self, moment: datetime | None = None) -> Sequence[Spent]:
        """Return what was spent in the month of a moment, or in this one."""
        return self._usage.between(*_month((moment or self._clock()).astimezone()))

    def background_cost(self) -> float:
        """Return what background work has cost this month."""
        return sum(spent.cost for spent in self.month() if spent.purpose != CHAT)

    def cost_since(self, kind: str, since: datetime) -> float:
        """Return what a kind of work has cost since a moment."""
        spent = self._usage.between(since, _month(self._clock().astimezone())[1])
        return sum(one.cost for one in spent if one.purpose == kind)

    def first(self) -> datetime | None:
        """Return when the account begins; None where nothing was spent."""
        return self._usage.first()


def _month(moment: datetime) -> tuple[datetime, datetime]:
    first = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    year, month = divmod(first.year * 12 + first.month, 12)
    return first, first.replace(year=year, month=month + 1)
