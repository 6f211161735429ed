"""Keep agents and the groups in which they talk."""

import json
from collections.abc import Collection, Sequence

from app.domain.ids import new_id, to_ms
from app.domain.language.foreign import storable
from app.domain.language.text import counted
from app.domain.prompting.agent import DEFAULT_AGENT, Agent, AgentGroup, MemoryRules, rules_of
from app.errors import NotFound, Refused
from app.store.dialect import gathered, listed
from app.store.vault import rows
from app.store.vault.connection import Row
from app.store.vault.file import Vault

_STAYS = "Loci itself stays; only agents that you made can be deleted."
_IN_USE = "“{}” still has {} and {}, so it stays."
_SHARED = "“{}” still shares {}, so it stays."
_GROUP = (
    f"SELECT g.*, (SELECT {gathered('a.id')} FROM agent_groups AS m JOIN agents AS a"
    " ON a.pk = m.agent_pk WHERE m.group_pk = g.pk) AS members FROM groups AS g"
)
AgentList = list[Agent]


class Agents:
    """The agents of a vault; the default one is always there."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def create(self, name: str, instructions: str = "", model: str = "") -> Agent:
        """Make an agent with the usual rules."""
        now = self._vault.clock()
        agent_id = new_id(now)
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO agents (id, name, instructions, model, created_at, updated_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    agent_id,
                    storable(name),
                    storable(instructions),
                    storable(model),
                    to_ms(now),
                    to_ms(now),
                ),
            )
        return self.get(agent_id)

    def list(self) -> AgentList:
        """Return all agents, the default one first."""
        return [_agent(row) for row in self._vault.rows("SELECT * FROM agents ORDER BY pk")]

    def get(self, agent_id: str) -> Agent:
        """Return an agent.

        Raises:
            NotFound: It does not exist.
        """
        return self._one("id = ?", agent_id)

    def of_row(self, agent_pk: int) -> Agent:
        """Return the agent of a row.

        Raises:
            NotFound: It does not exist.
        """
        return self._one("pk = ?", agent_pk)

    def rules(self, agent_pk: int) -> MemoryRules:
        """Return what an agent may do with memory."""
        return self.of_row(agent_pk).rules

    def rename(self, agent_id: str, name: str) -> None:
        """Give it another name."""
        self._set(agent_id, "name", storable(name))

    def instruct(self, agent_id: str, instructions: str) -> None:
        """Give it other instructions."""
        self._set(agent_id, "instructions", storable(instructions))

    def choose_model(self, agent_id: str, model: str) -> None:
        """Say which model it answers with; empty for the one of the settings."""
        self._set(agent_id, "model", storable(model))

    def rule(self, agent_id: str, rules: MemoryRules) -> None:
        """Say what it may do with memory."""
        self._set(agent_id, "memory_rules", rows.dumps(rules.as_json()))

    def delete(self, agent_id: str) -> None:
        """Remove an agent that has no conversation and no memory.

        Raises:
            NotFound: It does not exist.
            Refused: It is the default one, or something is left of it.
        """
        with self._vault.write() as connection:
            agent = self.get(agent_id)
            if agent.pk == DEFAULT_AGENT:
                raise Refused(_STAYS)
            talks, memories = connection.execute(
                "SELECT (SELECT count(*) FROM conversations WHERE agent_pk = ?1),"
                " (SELECT count(*) FROM memories WHERE agent_pk = ?1)",
                (agent.pk,),
            ).fetchone()
            if talks or memories:
                told = counted(talks, "conversation"), counted(memories, "memory")
                raise Refused(_IN_USE.format(agent.name, *told))
            connection.execute("DELETE FROM agents WHERE pk = ?", (agent.pk,))

    def _one(self, condition: str, value: str | int) -> Agent:
        row = self._vault.row(f"SELECT * FROM agents WHERE {condition}", (value,))
        if row is None:
            raise NotFound("This agent no longer exists.")
        return _agent(row)

    def _set(self, agent_id: str, column: str, value: str) -> None:
        with self._vault.write() as connection:
            changed = connection.execute(
                f"UPDATE agents SET {column} = ?, updated_at = ?, revision = revision + 1"
                " WHERE id = ?",
                (value, to_ms(self._vault.clock()), agent_id),
            )
            if not changed.rowcount:
                raise NotFound("This agent no longer exists.")


class AgentGroups:
    """The groups of a vault's agents."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def create(self, name: str, members: Collection[str]) -> AgentGroup:
        """Make a group of agents, which are named by their ids."""
        now = self._vault.clock()
        group_id = new_id(now)
        with self._vault.write() as connection:
            connection.execute(
                "INSERT INTO groups (id, name, created_at) VALUES (?, ?, ?)",
                (group_id, storable(name), to_ms(now)),
            )
            self.set_members(group_id, members)
        return self.get(group_id)

    def list(self) -> Sequence[AgentGroup]:
        """Return all groups, in the order in which they were made."""
        return [_group(row) for row in self._vault.rows(f"{_GROUP} ORDER BY g.pk")]

    def get(self, group_id: str) -> AgentGroup:
        """Return a group.

        Raises:
            NotFound: It does not exist.
        """
        row = self._vault.row(f"{_GROUP} WHERE g.id = ?", (group_id,))
        if row is None:
            raise NotFound("This group no longer exists.")
        return _group(row)

    def rows_of(self, agent_pk: int, group_ids: Collection[str]) -> tuple[int, ...]:
        """Return the rows of those of some groups that an agent belongs to."""
        found = self._vault.rows(
            "SELECT g.pk FROM groups AS g JOIN agent_groups AS m ON m.group_pk = g.pk"
            f" WHERE m.agent_pk = ? AND g.id IN {listed()} ORDER BY g.pk",
            (agent_pk, rows.dumps(sorted(group_ids))),
        )
        return tuple(row["pk"] for row in found)

    def rename(self, group_id: str, name: str) -> None:
        """Give it another name."""
        with self._vault.write() as connection:
            group = self.get(group_id)
            connection.execute(
                "UPDATE groups SET name = ? WHERE pk = ?", (storable(name), group.pk)
            )

    def set_members(self, group_id: str, members: Collection[str]) -> None:
        """Say which agents belong to it.

        Raises:
            NotFound: The group or one of the agents does not exist.
        """
        with self._vault.write() as connection:
            group = self.get(group_id)
            connection.execute("DELETE FROM agent_groups WHERE group_pk = ?", (group.pk,))
            added = connection.execute(
                "INSERT INTO agent_groups (agent_pk, group_pk)"
                f" SELECT pk, ? FROM agents WHERE id IN {listed()}",
                (group.pk, rows.dumps(sorted(set(members)))),
            )
            if added.rowcount != len(set(members)):
                raise NotFound("This agent no longer exists.")

    def delete(self, group_id: str) -> None:
        """Remove a group in which nothing is shared.

        Raises:
            NotFound: It does not exist.
            Refused: Memories are shared in it; nobody would see them any more.
        """
        with self._vault.write() as connection:
            group = self.get(group_id)
            (shared,) = connection.execute(
                "SELECT count(*) FROM memory_groups WHERE group_pk = ?", (group.pk,)
            ).fetchone()
            if shared:
                raise Refused(_SHARED.format(group.name, counted(shared, "memory")))
            connection.execute("DELETE FROM groups WHERE pk = ?", (group.pk,))


def _agent(row: Row) -> Agent:
    told = json.loads(row["memory_rules"])
    return Agent(
        id=row["id"],
        name=rows.words(row["name"]),
        created_at=rows.near(row["created_at"]),
        updated_at=rows.near(row["updated_at"]),
        pk=row["pk"],
        instructions=rows.words(row["instructions"]),
        model=rows.words(row["model"]),
        rules=rules_of(told if isinstance(told, dict) else {}),
        revision=row["revision"],
    )


def _group(row: Row) -> AgentGroup:
    members = tuple(sorted(json.loads(row["members"])))
    return AgentGroup(
        row["id"], rows.words(row["name"]), rows.near(row["created_at"]), row["pk"], members
    )
