"""What may leave this computer: a rule for each connection, and what models are asked through.

Models of this computer, and servers that run on it, get everything as it is unless the person says
otherwise. Nothing goes to any other server before the person was asked, once.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from secrets import token_hex

from app.domain.changes import Changes
from app.domain.model import ChatInfo
from app.domain.sharing.rule import Rules, Shared, SharingRule, rules, setting_of
from app.errors import EndpointError, Hindered, Refused, Unshared
from app.providers.remote.endpoint import Endpoint, normal_url
from app.providers.sharing import SERVER, SETTING, address_of, not_learning, rule_for
from app.providers.veil import NoVeil, Veil
from app.services.preferences import PreferencesService

ASK = "Nothing was sent: {} is not on this computer, and you have not said what may go there."


@dataclass(frozen=True, slots=True)
class Connection:
    """A server, and what may go there.

    Attributes:
        address: Where it is, as rules are kept for it.
        local: Whether it is on this computer.
        rule: What may go; None before the person was asked.
        model: The model that answers from there; empty where none does.
    """

    address: str
    local: bool
    rule: SharingRule | None
    model: str = ""

    @property
    def words(self) -> str:
        """What may go, in a sentence."""
        if self.rule is None:
            return "Nothing was sent there yet; you are asked before the first message."
        return self.rule.words


class SharingService:
    """Keeps the rules, and lets models be asked by them.

    Args:
        preferences: Where the rules are kept.
        known: Returns the names of people and places of the vault.
    """

    def __init__(
        self, preferences: PreferencesService, known: Callable[[], Collection[str]]
    ) -> None:
        self._preferences, self._known = preferences, known

    def connections(self) -> list[Connection]:
        """Return every server with a rule, and the one that answers, which comes first."""
        known, found = self._rules(), []
        if current := self.current():
            found.append(current)
        there = {one.address for one in found}
        others = (address for address in known if address not in there)
        return [*found, *(self._connection(address) for address in others)]

    def current(self) -> Connection | None:
        """Return the server that answers; None where the model that does is on none."""
        chosen = self._preferences.values().chat.model
        address = address_of(chosen)
        return self._connection(address, chosen.rpartition("#")[2]) if address else None

    def share(self, address: str, rule: SharingRule) -> Changes:
        """Let go to a server what a rule says, from now on.

        Raises:
            Refused: It is no address, or the rule names nothing.
        """
        if rule.memories is Shared.SOME and not (rule.types or rule.tags):
            raise Refused("Say which memories may go: name a type or a tag.")
        return self._save({**self._rules(), _normal(address): rule})

    def ask_again(self, address: str) -> Changes:
        """Forget what may go to a server, so that the person is asked before anything goes."""
        left = {one: rule for one, rule in self._rules().items() if one != _normal(address)}
        return self._save(left)

    def rule(self, info: ChatInfo) -> SharingRule | None:
        """Return what may go to a model; None where the person is to be asked first."""
        return rule_for(info.id, self._kept)

    def veil(
        self, info: ChatInfo, seed: str, rule: SharingRule | None, *, interactive: bool
    ) -> Veil:
        """Return what a model is asked through; see ``app.providers.veil.SharingGate``."""
        if not interactive and (why := not_learning(info.id, self._kept)):
            raise Hindered(why)
        rule = rule or self.rule(info)
        if rule is None:
            address = address_of(info.id)
            raise Unshared(ASK.format(Endpoint(address).host), address)
        if not rule.stand_ins:
            return NoVeil()
        from app.conversation.standins.standins import StandIns  # late: a start does without
        from app.conversation.standins.veil import StandInVeil

        return StandInVeil(StandIns(seed or token_hex(16), self._known()))

    def _connection(self, address: str, model: str = "") -> Connection:
        rule = rule_for(f"{SERVER}{address}#", self._kept)
        return Connection(address, Endpoint(address).local, rule, model)

    @property
    def _kept(self) -> str:
        return self._preferences.values().models.sharing

    def _rules(self) -> Rules:
        return rules(self._kept)

    def _save(self, kept: Rules) -> Changes:
        return self._preferences.set(SETTING, setting_of(kept)) | Changes(models=True)


def _normal(address: str) -> str:
    try:
        return normal_url(address)
    except EndpointError as error:
        raise Refused(str(error)) from None
