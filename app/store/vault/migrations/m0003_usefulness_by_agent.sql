-- What helped is counted for each agent by itself, also where several agents see a memory.

CREATE TABLE usefulness_by_agent (
  memory_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  used_count INTEGER NOT NULL DEFAULT 0,
  ignored_count INTEGER NOT NULL DEFAULT 0,
  last_useful_at INTEGER,
  PRIMARY KEY (memory_pk, agent_pk)
) WITHOUT ROWID;

-- Until now nobody noted whose answer it was; most memories are seen by their own agent alone.
INSERT INTO usefulness_by_agent
SELECT u.memory_pk, m.agent_pk, u.used_count, u.ignored_count, u.last_useful_at
FROM usefulness AS u JOIN memories AS m ON m.pk = u.memory_pk;

DROP TABLE usefulness;
ALTER TABLE usefulness_by_agent RENAME TO usefulness;
CREATE INDEX usefulness_of_agent ON usefulness (agent_pk);
