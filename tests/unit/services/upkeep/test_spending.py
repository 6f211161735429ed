"""Account is kept of every call, by month and purpose, and background work keeps to its cap."""

from datetime import UTC, datetime

import pytest

from app.domain.model import ChatInfo
from app.providers.base import ModelUse
from app.services.upkeep.spending import SpendingService
from app.settings.spec import Settings
from app.settings.table import replace
from app.store.vault.file import Vault
from app.store.work.usage import Usage

HOME = ChatInfo("file:llama.gguf", "llama", 8192, local=True)
AWAY = ChatInfo("server:https://example.org/v1#big", "big", 8192, local=False)


class Account:
    """A service of one vault, whose clock and settings a test changes."""

    def __init__(self, folder):
        self.now = datetime(2026, 5, 30, 12, tzinfo=UTC)
        self.settings = Settings()
        folder.mkdir()
        self.vault = Vault(folder / "vault.db", bytes(32), clock=lambda: self.now)
        self.service = SpendingService(Usage(self.vault), lambda: self.settings, lambda: self.now)

    def set(self, **values):
        for name, value in values.items():
            self.settings = replace(self.settings, f"upkeep.costs.{name}", value)


@pytest.fixture
def account(tmp_path):
    account = Account(tmp_path / "ada")
    yield account
    account.vault.close()


def test_nothing_that_may_cost_money_is_used_in_the_background_by_default(account):
    assert account.service.hindrance(HOME) == ""
    assert "Settings, Upkeep allows it" in account.service.hindrance(AWAY)
    account.set(background=True, prompt_price=1.0)
    assert account.service.hindrance(AWAY) == ""


def test_a_model_elsewhere_is_not_used_before_it_is_known_what_it_charges(account):
    account.set(background=True)
    told = account.service.hindrance(AWAY)
    assert told.count(".") == 1
    assert "set what it charges in Settings, Upkeep" in told
    assert account.service.hindrance(HOME) == ""
    for price in ("prompt_price", "completion_price"):
        account.set(prompt_price=0, completion_price=0)
        assert account.service.hindrance(AWAY) == told
        account.set(**{price: 2.0})
        assert account.service.hindrance(AWAY) == ""


def test_money_is_counted_at_the_prices_of_the_moment_and_only_away(account):
    account.set(background=True, prompt_price=2.0, completion_price=10.0)
    account.service.note(True, AWAY, ModelUse(500_000, 100_000, counted=True))
    account.set(prompt_price=4.0)
    with account.service.working("review"):
        account.service.note(False, AWAY, ModelUse(500_000, 0, counted=False))
        account.service.note(False, HOME, ModelUse(500_000, 100_000, counted=False))
    account.service.note(False, HOME, ModelUse(10, 1, counted=False))
    spent = {(s.purpose, s.model): s for s in account.service.month()}
    assert spent["chat", "big"].cost == pytest.approx(2.0)
    assert spent["review", "big"].cost == pytest.approx(2.0)
    assert not spent["review", "big"].counted
    assert spent["review", "llama"].cost == 0
    assert spent["learn", "llama"].prompt_tokens == 10
    assert account.service.background_cost() == pytest.approx(2.0)


def test_the_cap_stops_background_work_until_the_next_month(account):
    account.set(background=True, prompt_price=1.0, monthly_cap=1.5)
    for _ in range(2):
        assert account.service.hindrance(AWAY) == ""
        with account.service.working("review"):
            account.service.note(False, AWAY, ModelUse(1_000_000, 0, counted=True))
    assert "this month" in account.service.hindrance(AWAY)
    assert account.service.hindrance(HOME) == ""
    account.now = datetime(2026, 6, 2, 12, tzinfo=UTC)
    assert account.service.hindrance(AWAY) == ""
    assert account.service.month() == []
    assert len(account.service.month(datetime(2026, 5, 3, tzinfo=UTC))) == 1


def test_answers_do_not_use_up_the_cap(account):
    account.set(background=True, prompt_price=1.0, monthly_cap=0.5)
    account.service.note(True, AWAY, ModelUse(1_000_000, 0, counted=True))
    assert account.service.hindrance(AWAY) == ""


def test_a_cap_of_nothing_allows_nothing(account):
    account.set(background=True, prompt_price=1.0, monthly_cap=0)
    assert "this month" in account.service.hindrance(AWAY)


def test_what_a_run_cost_is_told_by_its_kind(account):
    account.set(background=True, prompt_price=1.0)
    began = account.now
    for kind in ("dream", "review"):
        with account.service.working(kind):
            account.service.note(False, AWAY, ModelUse(1_000_000, 0, counted=True))
    assert account.service.cost_since("dream", began) == pytest.approx(1.0)
    assert account.service.first() == began


def test_what_was_once_noted_beyond_all_reason_ends_no_account(account):
    with account.vault.write() as connection:
        for _ in range(3):
            connection.execute(
                "INSERT INTO usage (at, purpose, model, local, prompt_tokens, completion_tokens,"
                " counted, cost) VALUES (?, 'learn', 'big', 0, ?, 1, 1, 1e300)",
                (int(account.now.timestamp() * 1000), 2**62),
            )
    (spent,) = account.service.month()
    assert (spent.calls, spent.completion_tokens) == (3, 3)
    assert spent.prompt_tokens > 2**62
    account.set(background=True, prompt_price=1.0)
    assert "this month" in account.service.hindrance(AWAY)
