-- What Loci does by itself can be seen: every run of a job, how far each conversation was reviewed,
-- which memories contradict each other, and what models were used and what that cost.

CREATE TABLE runs (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  begun_by TEXT NOT NULL CHECK (begun_by IN ('schedule', 'missed', 'now', 'event')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT NOT NULL DEFAULT 'running'
    CHECK (outcome IN ('running', 'done', 'nothing', 'stopped', 'failed')),
  figures TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(figures)),
  batch TEXT NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT ''
);
CREATE INDEX runs_of_kind ON runs (kind, pk);

CREATE TABLE watermarks (
  conversation_pk INTEGER PRIMARY KEY REFERENCES conversations ON DELETE CASCADE,
  message_pk INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);

CREATE TABLE contradictions (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  older_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  newer_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('key', 'slot', 'closing')),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'settled')),
  settled_as TEXT NOT NULL DEFAULT '',
  batch TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  UNIQUE (older_pk, newer_pk)
);
CREATE INDEX contradictions_newer ON contradictions (newer_pk);
CREATE INDEX contradictions_state ON contradictions (state, pk);

CREATE TABLE usage (
  pk INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  local INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  cost REAL NOT NULL DEFAULT 0
);
CREATE INDEX usage_at ON usage (at);

-- The journal in the order of time, for the timeline; and what was undone, for undo and redo.
CREATE INDEX journal_by_time ON journal (at);
CREATE INDEX journal_undoing ON journal (batch, undoes) WHERE undoes IS NOT NULL;

-- An observation may be worded like one of the statements that it was drawn from, which stays.
DROP INDEX memories_text;
CREATE UNIQUE INDEX memories_text ON memories (agent_pk, visibility, content_hash)
  WHERE status IN ('active', 'proposed', 'quarantined') AND key IS NULL AND proof_count IS NULL;
CREATE INDEX memories_observed ON memories (agent_pk, pk) WHERE proof_count IS NOT NULL;
CREATE INDEX memories_summing ON memories (agent_pk, pk)
  WHERE source_ids <> '[]' AND proof_count IS NULL;
CREATE INDEX memories_archived ON memories (agent_pk, key)
  WHERE status = 'out_of_window' AND key IS NOT NULL;
CREATE INDEX memories_apart ON memories (agent_pk, updated_at, pk)
  WHERE status = 'active' AND consolidated_at IS NULL AND proof_count IS NULL;
