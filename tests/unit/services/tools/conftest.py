"""A turn of a conversation in which a model calls tools for memory."""

from dataclasses import dataclass, replace

import pytest

from app.domain.conversation import Part, PartOrigin, Role
from app.domain.memory import Scope
from app.domain.prompting.tools import ToolCall
from app.services.tools.toolbox import Toolbox, ToolScope


@dataclass
class Turn:
    """What a model may call while one message is answered."""

    tools: tuple
    scope: ToolScope

    def call(self, name, **arguments):
        """Call a tool as a model does."""
        return Toolbox(self.tools, self.scope).run(ToolCall("c", name, arguments))

    def said(self, name, **arguments):
        """Return what a model is told."""
        return self.call(name, **arguments).text


class House:
    """An open profile with agents, groups and conversations."""

    def __init__(self, opened):
        self.store, self.services = opened.store, opened.services
        self.agent = {agent.name: agent for agent in self.services.agents.list()}
        self.talk = {}

    def make(self, *names):
        for name in names:
            self.agent[name], _ = self.services.agents.create(name)

    def group(self, name, *members):
        ids = [self.agent[one].id for one in members]
        return self.services.agents.create_group(name, ids)[0]

    def turn(self, text, agent="Loci", *groups, pasted=""):
        """Say something to an agent."""
        pk = self.agent[agent].pk
        if agent not in self.talk:
            self.talk[agent] = self.store.conversations.create(pk)
        parts = [Part(text, PartOrigin.TYPED)]
        parts += [Part(pasted, PartOrigin.PASTED)] if pasted else []
        message = self.store.messages.add(self.talk[agent].id, Role.USER, parts)
        scope = ToolScope(self.talk[agent].id, message.id, Scope(pk), tuple(groups))
        return Turn(self.services.memory_tools.offered(scope).tools, scope)

    def rule(self, agent="Loci", **rules):
        old = self.services.agents.get(self.agent[agent].id).rules
        guardrails = {k: rules.pop(k) for k in list(rules) if hasattr(old.guardrails, k)}
        wanted = replace(old, guardrails=replace(old.guardrails, **guardrails), **rules)
        self.services.agents.rule(self.agent[agent].id, wanted)

    def rows(self, **fields):
        """Return all rows that have these fields, oldest first."""
        with self.store.vault.read() as connection:
            ids = [row[0] for row in connection.execute("SELECT id FROM memories ORDER BY pk")]
        found = self.store.memories.by_ids(ids)
        return [m for m in found if all(getattr(m, k) == v for k, v in fields.items())]


@pytest.fixture
def home(opened):
    return House(opened)
