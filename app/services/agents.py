"""Agents and their groups, as the person makes and changes them."""

from collections.abc import Collection, Sequence

from app.domain.changes import Changes
from app.domain.prompting.agent import Agent, AgentGroup, MemoryRules
from app.domain.prompting.judge import AnswerJudge
from app.errors import Refused
from app.store.store import Store

_LONGEST_NAME = 80
_LONGEST_INSTRUCTIONS = 20_000
CHANGED = Changes(settings=frozenset({"agents"}))


class AgentsService:
    """Makes, changes and removes agents and groups; every profile begins with one agent."""

    def __init__(self, store: Store) -> None:
        self._agents = store.agents
        self._groups = store.groups

    def list(self) -> Sequence[Agent]:
        """Return all agents, the one that every profile has first."""
        return self._agents.list()

    def get(self, agent_id: str) -> Agent:
        """Return an agent.

        Raises:
            NotFound: It does not exist.
        """
        return self._agents.get(agent_id)

    def create(self, name: str, instructions: str = "", model: str = "") -> tuple[Agent, Changes]:
        """Make an agent.

        Raises:
            Refused: It has no name, or one that another has, or the instructions are too long.
        """
        agent = self._agents.create(self._named(name), _instructions(instructions), model.strip())
        return agent, CHANGED

    def rename(self, agent_id: str, name: str) -> Changes:
        """Give it another name.

        Raises:
            Refused: There is none, or another has it.
        """
        self._agents.rename(agent_id, self._named(name, agent_id))
        return CHANGED

    def instruct(self, agent_id: str, instructions: str) -> Changes:
        """Give it other instructions.

        Raises:
            Refused: They are too long.
        """
        self._agents.instruct(agent_id, _instructions(instructions))
        return CHANGED

    def choose_model(self, agent_id: str, model: str) -> Changes:
        """Say which model it answers with; empty for the one of the settings."""
        self._agents.choose_model(agent_id, model.strip())
        return CHANGED

    def rule(self, agent_id: str, rules: MemoryRules) -> Changes:
        """Say what it may do with memory.

        Raises:
            Refused: A number makes no sense.
        """
        guardrails = rules.guardrails
        lengths = guardrails.max_key_length, guardrails.max_value_length, rules.max_entries
        if min(lengths) < 1 or guardrails.max_writes_per_turn < 0:
            raise Refused("Lengths and the number of memories begin at 1, writes at 0.")
        if len({judge.name for judge in rules.judges}) < len(rules.judges):
            raise Refused("Two judges of an agent cannot have the same name.")
        for judge in rules.judges:
            _expect_sound(judge)
        self._agents.rule(agent_id, rules)
        return CHANGED

    def delete(self, agent_id: str) -> Changes:
        """Remove an agent of which nothing is left.

        Raises:
            Refused: It is the one that every profile has, or has conversations or memories.
        """
        self._agents.delete(agent_id)
        return CHANGED

    def groups(self) -> Sequence[AgentGroup]:
        """Return all groups."""
        return self._groups.list()

    def create_group(self, name: str, members: Collection[str]) -> tuple[AgentGroup, Changes]:
        """Make a group of agents, which are named by their ids.

        Raises:
            Refused: It has no name.
            NotFound: One of them does not exist.
        """
        return self._groups.create(_name(name), members), CHANGED

    def rename_group(self, group_id: str, name: str) -> Changes:
        """Give a group another name.

        Raises:
            Refused: There is none.
        """
        self._groups.rename(group_id, _name(name))
        return CHANGED

    def set_members(self, group_id: str, members: Collection[str]) -> Changes:
        """Say which agents belong to a group.

        Raises:
            NotFound: It, or one of them, does not exist.
        """
        self._groups.set_members(group_id, members)
        return CHANGED

    def delete_group(self, group_id: str) -> Changes:
        """Remove a group.

        Raises:
            Refused: Memories are shared in it.
        """
        self._groups.delete(group_id)
        return CHANGED

    def _named(self, name: str, agent_id: str = "") -> str:
        """Return a name as it is kept, which no other agent has."""
        wanted = _name(name)
        for agent in self._agents.list():
            if agent.id != agent_id and agent.name.casefold() == wanted.casefold():
                raise Refused(f"There is an agent called “{agent.name}” already.")
        return wanted


def _name(name: str) -> str:
    wanted = " ".join(name.split())
    if not wanted:
        raise Refused("It needs a name.")
    if len(wanted) > _LONGEST_NAME:
        raise Refused(f"A name has at most {_LONGEST_NAME} characters.")
    return wanted


def _expect_sound(judge: AnswerJudge) -> None:
    """Go on only with a judge that has a name, criteria, and a share of answers.

    Raises:
        Refused: It has not.
    """
    if not judge.name.strip() or not judge.criteria:
        raise Refused("A judge needs a name and at least one criterion.")
    if not 0 <= judge.sampling_rate <= 1:
        raise Refused("The share of answers that a judge looks at lies between 0 and 1.")


def _instructions(text: str) -> str:
    if len(text) > _LONGEST_INSTRUCTIONS:
        raise Refused(f"Instructions have at most {_LONGEST_INSTRUCTIONS:,} characters.")
    return text.strip()
