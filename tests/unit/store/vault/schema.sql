CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
CREATE TABLE agent_groups (
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  group_pk INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  PRIMARY KEY (agent_pk, group_pk)
) WITHOUT ROWID;
CREATE TABLE agents (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  instructions TEXT NOT NULL DEFAULT '',
  model TEXT NOT NULL DEFAULT '',
  memory_rules TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(memory_rules)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE causal_edges (
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  source_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  target_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  confidence REAL NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (agent_pk, source_pk, target_pk)
) WITHOUT ROWID;
CREATE INDEX causal_edges_source ON causal_edges (source_pk);
CREATE INDEX causal_edges_target ON causal_edges (target_pk);
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
CREATE TABLE conversations (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  title TEXT NOT NULL DEFAULT '',
  title_by_user INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT 'remembers'
    CHECK (mode IN ('remembers', 'reads_only', 'writes_only', 'off', 'temporary')),
  pinned INTEGER NOT NULL DEFAULT 0,
  archived INTEGER NOT NULL DEFAULT 0,
  tip_pk INTEGER REFERENCES messages ON DELETE SET NULL,
  draft TEXT NOT NULL DEFAULT '',
  source_key TEXT UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX conversations_recent ON conversations (agent_pk, archived, updated_at DESC);
CREATE TABLE document_passages (
  pk INTEGER PRIMARY KEY,
  document_pk INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  page INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (document_pk, ordinal)
);
CREATE VIRTUAL TABLE document_passages_fts USING fts5 (
  text, content = 'document_passages', content_rowid = 'pk',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE 'document_passages_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'document_passages_fts_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TRIGGER document_passages_fts_delete AFTER DELETE ON document_passages BEGIN
  INSERT INTO document_passages_fts (document_passages_fts, rowid, text)
    VALUES ('delete', OLD.pk, OLD.text);
END;
CREATE TABLE 'document_passages_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'document_passages_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TRIGGER document_passages_fts_insert AFTER INSERT ON document_passages BEGIN
  INSERT INTO document_passages_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;
CREATE TRIGGER document_passages_fts_update AFTER UPDATE OF text ON document_passages BEGIN
  INSERT INTO document_passages_fts (document_passages_fts, rowid, text)
    VALUES ('delete', OLD.pk, OLD.text);
  INSERT INTO document_passages_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;
CREATE TABLE documents (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_pk INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('text', 'pdf', 'docx')),
  size INTEGER NOT NULL,
  digest TEXT NOT NULL,
  pages INTEGER NOT NULL,
  paged INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE INDEX documents_of_conversation ON documents (conversation_pk);
CREATE TABLE embedders (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  dims INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE TABLE entities (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  name TEXT NOT NULL,
  canonical_key TEXT NOT NULL,
  mention_count INTEGER NOT NULL DEFAULT 0,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL, merged_into_pk INTEGER REFERENCES entities ON DELETE SET NULL,
  UNIQUE (agent_pk, canonical_key)
);
CREATE TRIGGER entities_heir BEFORE DELETE ON entities BEGIN
  UPDATE entities
  SET merged_into_pk = (SELECT min(pk) FROM entities WHERE merged_into_pk = OLD.pk)
  WHERE merged_into_pk = OLD.pk
    AND pk <> (SELECT min(pk) FROM entities WHERE merged_into_pk = OLD.pk);
END;
CREATE INDEX entities_merged ON entities (merged_into_pk) WHERE merged_into_pk IS NOT NULL;
CREATE TABLE entity_links (
  memory_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  entity_pk INTEGER NOT NULL REFERENCES entities ON DELETE CASCADE,
  PRIMARY KEY (memory_pk, entity_pk)
) WITHOUT ROWID;
CREATE INDEX entity_links_of ON entity_links (entity_pk);
CREATE TABLE evidence (
  pk INTEGER PRIMARY KEY,
  memory_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  message_pk INTEGER REFERENCES messages ON DELETE SET NULL,
  quote TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX evidence_of_message ON evidence (message_pk);
CREATE UNIQUE INDEX evidence_once ON evidence (memory_pk, message_pk, quote);
CREATE TABLE exports (
  pk INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE TABLE groups (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE TABLE jobs (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  unique_key TEXT NOT NULL UNIQUE,
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  checkpoint TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(checkpoint)),
  state TEXT NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  attempts INTEGER NOT NULL DEFAULT 0,
  run_after INTEGER NOT NULL,
  error TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX jobs_next ON jobs (state, run_after, pk);
CREATE TABLE journal (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  batch TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  op TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  before TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(before)),
  after TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(after)),
  reason TEXT NOT NULL DEFAULT '',
  message_pk INTEGER REFERENCES messages ON DELETE SET NULL,
  undoes TEXT
, link BLOB);
CREATE INDEX journal_by_time ON journal (at);
CREATE INDEX journal_of_batch ON journal (batch);
CREATE INDEX journal_of_memory ON journal (memory_id, pk);
CREATE INDEX journal_of_message ON journal (message_pk) WHERE message_pk IS NOT NULL;
CREATE INDEX journal_undoing ON journal (batch, undoes) WHERE undoes IS NOT NULL;
CREATE TABLE memories (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  type TEXT NOT NULL DEFAULT 'semantic'
    CHECK (type IN ('working', 'episodic', 'semantic', 'procedural')),
  trust TEXT NOT NULL CHECK (trust IN ('system', 'learned', 'claimed', 'external')),
  origin TEXT NOT NULL CHECK (origin IN ('user_typed', 'user_edited', 'conversation', 'review',
    'consolidation', 'dream', 'tool', 'document', 'web', 'client', 'import', 'migration')),
  actor TEXT NOT NULL,
  source_id TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'proposed', 'quarantined',
    'superseded', 'out_of_window', 'forgotten')),
  status_reason TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL CHECK (text <> ''),
  content_hash BLOB NOT NULL,
  key TEXT CHECK (key IS NULL OR key <> ''),
  value TEXT CHECK (value IS NULL OR json_valid(value)),
  category TEXT,
  visibility TEXT NOT NULL DEFAULT 'self' CHECK (visibility IN ('self', 'group', 'global')),
  scope INTEGER NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  pinned INTEGER NOT NULL DEFAULT 0,
  occurred_at INTEGER,
  valid_to INTEGER,
  expires_at INTEGER,
  superseded_by TEXT,
  conflicted INTEGER NOT NULL DEFAULT 0,
  proof_count INTEGER CHECK (proof_count IS NULL OR proof_count >= 1),
  source_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(source_ids)),
  confidence REAL CHECK (confidence IS NULL OR confidence BETWEEN 0 AND 1),
  consolidated_at INTEGER,
  seen_count INTEGER NOT NULL DEFAULT 1,
  access_count INTEGER NOT NULL DEFAULT 0,
  last_accessed_at INTEGER,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
, seal BLOB);
CREATE INDEX memories_apart ON memories (agent_pk, updated_at, pk)
  WHERE status = 'active' AND consolidated_at IS NULL AND proof_count IS NULL;
CREATE INDEX memories_archived ON memories (agent_pk, key)
  WHERE status = 'out_of_window' AND key IS NOT NULL;
CREATE VIRTUAL TABLE memories_fts USING fts5 (
  text, key, tags, content = 'memories', content_rowid = 'pk',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE 'memories_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'memories_fts_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, text, key, tags)
    VALUES ('delete', OLD.pk, OLD.text, OLD.key, OLD.tags);
END;
CREATE TABLE 'memories_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'memories_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
  INSERT INTO memories_fts (rowid, text, key, tags) VALUES (NEW.pk, NEW.text, NEW.key, NEW.tags);
END;
CREATE TRIGGER memories_fts_update AFTER UPDATE OF text, key, tags ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, text, key, tags)
    VALUES ('delete', OLD.pk, OLD.text, OLD.key, OLD.tags);
  INSERT INTO memories_fts (rowid, text, key, tags) VALUES (NEW.pk, NEW.text, NEW.key, NEW.tags);
END;
CREATE INDEX memories_hash ON memories (content_hash);
CREATE UNIQUE INDEX memories_key ON memories (agent_pk, key)
  WHERE status = 'active' AND key IS NOT NULL AND visibility <> 'global';
CREATE UNIQUE INDEX memories_key_global ON memories (key)
  WHERE status = 'active' AND key IS NOT NULL AND visibility = 'global';
CREATE INDEX memories_listed ON memories (created_at, pk, scope, status, type, trust, origin,
  pinned, key, last_accessed_at);
CREATE INDEX memories_observed ON memories (agent_pk, pk) WHERE proof_count IS NOT NULL;
CREATE INDEX memories_occurred ON memories (scope, occurred_at) WHERE occurred_at IS NOT NULL;
CREATE INDEX memories_pinned ON memories (scope) WHERE pinned = 1;
CREATE TRIGGER memories_provenance BEFORE UPDATE OF origin, actor, source_id ON memories
WHEN OLD.origin IS NOT NEW.origin OR OLD.actor IS NOT NEW.actor
  OR OLD.source_id IS NOT NEW.source_id
BEGIN
  SELECT RAISE(ABORT, 'provenance never changes');
END;
CREATE INDEX memories_scope ON memories (scope, status, trust);
CREATE INDEX memories_summing ON memories (agent_pk, pk)
  WHERE source_ids <> '[]' AND proof_count IS NULL;
CREATE INDEX memories_superseding ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE UNIQUE INDEX memories_text ON memories (agent_pk, visibility, content_hash)
  WHERE status IN ('active', 'proposed', 'quarantined') AND key IS NULL AND proof_count IS NULL;
CREATE TRIGGER memories_trust BEFORE UPDATE OF trust ON memories
WHEN (NEW.trust = 'system' AND OLD.trust <> 'system')
  OR (NEW.trust = 'learned' AND OLD.trust IN ('claimed', 'external'))
  OR (NEW.trust = 'claimed' AND OLD.trust = 'external')
BEGIN
  SELECT RAISE(ABORT, 'trust rises only by the person')
  WHERE NOT EXISTS (
    SELECT 1 FROM journal
    WHERE memory_id = OLD.id AND op = 'elevate' AND actor = 'user'
      AND json_extract(after, '$.trust') = NEW.trust
      AND json_extract(before, '$.revision') = OLD.revision
  );
END;
CREATE TABLE memory_groups (
  memory_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  group_pk INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  PRIMARY KEY (memory_pk, group_pk)
) WITHOUT ROWID;
CREATE TABLE memory_vectors (
  pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  embedder_pk INTEGER NOT NULL REFERENCES embedders ON DELETE CASCADE,
  f32 BLOB NOT NULL,
  token_bits BLOB,
  token_ids BLOB,
  PRIMARY KEY (embedder_pk, pk)
);
CREATE INDEX memory_vectors_of ON memory_vectors (pk);
CREATE TABLE message_parts (
  message_pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('typed', 'pasted', 'attached', 'tool', 'model')),
  name TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL, document_pk INTEGER REFERENCES documents ON DELETE SET NULL,
  PRIMARY KEY (message_pk, ordinal)
) WITHOUT ROWID;
CREATE INDEX message_parts_of_document ON message_parts (document_pk)
  WHERE document_pk IS NOT NULL;
CREATE TABLE message_vectors (
  pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  embedder_pk INTEGER NOT NULL REFERENCES embedders ON DELETE CASCADE,
  f32 BLOB NOT NULL,
  token_bits BLOB,
  token_ids BLOB,
  PRIMARY KEY (embedder_pk, pk)
);
CREATE INDEX message_vectors_of ON message_vectors (pk);
CREATE TABLE messages (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_pk INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  parent_pk INTEGER REFERENCES messages ON DELETE SET NULL,
  role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
  speaker TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL DEFAULT '',
  model TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL DEFAULT 'complete' CHECK (state IN ('complete', 'partial', 'failed')),
  error TEXT NOT NULL DEFAULT '',
  redacted INTEGER NOT NULL DEFAULT 0,
  recallable INTEGER NOT NULL DEFAULT 1,
  source_key TEXT UNIQUE,
  created_at INTEGER NOT NULL
);
CREATE INDEX messages_by_time ON messages (agent_pk, created_at);
CREATE INDEX messages_children ON messages (parent_pk);
CREATE VIRTUAL TABLE messages_fts USING fts5 (
  text, speaker, content = 'messages', content_rowid = 'pk',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE 'messages_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'messages_fts_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
  INSERT INTO messages_fts (messages_fts, rowid, text, speaker)
    VALUES ('delete', OLD.pk, OLD.text, OLD.speaker);
END;
CREATE TABLE 'messages_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'messages_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
  INSERT INTO messages_fts (rowid, text, speaker) VALUES (NEW.pk, NEW.text, NEW.speaker);
END;
CREATE TRIGGER messages_fts_update AFTER UPDATE OF text, speaker ON messages BEGIN
  INSERT INTO messages_fts (messages_fts, rowid, text, speaker)
    VALUES ('delete', OLD.pk, OLD.text, OLD.speaker);
  INSERT INTO messages_fts (rowid, text, speaker) VALUES (NEW.pk, NEW.text, NEW.speaker);
END;
CREATE INDEX messages_of_conversation ON messages (conversation_pk, pk);
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE recall_hits (
  recall_pk INTEGER NOT NULL REFERENCES recalls ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('memory', 'message')),
  memory_pk INTEGER REFERENCES memories ON DELETE CASCADE,
  message_pk INTEGER REFERENCES messages ON DELETE CASCADE,
  number INTEGER,
  cited INTEGER NOT NULL DEFAULT 0,
  score REAL NOT NULL,
  base REAL NOT NULL,
  relevance REAL,
  lanes TEXT NOT NULL CHECK (json_valid(lanes)),
  factors TEXT NOT NULL CHECK (json_valid(factors)),
  reasons TEXT NOT NULL CHECK (json_valid(reasons)),
  dropped TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (recall_pk, ordinal)
) WITHOUT ROWID;
CREATE INDEX recall_hits_memory ON recall_hits (memory_pk);
CREATE INDEX recall_hits_message ON recall_hits (message_pk);
CREATE TABLE recalls (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  answer_pk INTEGER NOT NULL UNIQUE REFERENCES messages ON DELETE CASCADE,
  steps TEXT NOT NULL CHECK (json_valid(steps)),
  degraded TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(degraded)),
  milliseconds REAL NOT NULL,
  created_at INTEGER NOT NULL
);
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
CREATE TABLE scores (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  message_pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  judge TEXT NOT NULL,
  judge_model TEXT NOT NULL DEFAULT '',
  criterion TEXT NOT NULL,
  score REAL NOT NULL CHECK (score BETWEEN 0 AND 10),
  reasoning TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL
);
CREATE INDEX scores_of_message ON scores (message_pk);
CREATE TABLE sent_texts (
  pk INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  text TEXT NOT NULL
);
CREATE TRIGGER sent_texts_with_turns AFTER DELETE ON sent_turns BEGIN
  DELETE FROM sent_texts WHERE pk = OLD.text_pk
    AND NOT EXISTS (SELECT 1 FROM sent_turns WHERE text_pk = OLD.text_pk);
END;
CREATE TABLE sent_turns (
  answer_pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  role TEXT NOT NULL,
  text_pk INTEGER NOT NULL REFERENCES sent_texts,
  PRIMARY KEY (answer_pk, ordinal)
) WITHOUT ROWID;
CREATE INDEX sent_turns_of_text ON sent_turns (text_pk);
CREATE TRIGGER sent_turns_redacted AFTER UPDATE OF redacted ON messages WHEN NEW.redacted BEGIN
  DELETE FROM sent_turns;
END;
CREATE TRIGGER sent_turns_with_memories AFTER DELETE ON memories BEGIN
  DELETE FROM sent_turns;
END;
CREATE TRIGGER sent_turns_with_messages AFTER DELETE ON messages BEGIN
  DELETE FROM sent_turns;
END;
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value)),
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE summaries (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  conversation_pk INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
  depth INTEGER NOT NULL CHECK (depth >= 0),
  first_pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  last_pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  messages INTEGER NOT NULL CHECK (messages > 0),
  tokens INTEGER NOT NULL,
  source_tokens INTEGER NOT NULL CHECK (tokens < source_tokens),
  text TEXT NOT NULL CHECK (text <> ''),
  rung INTEGER NOT NULL CHECK (rung BETWEEN 1 AND 3),
  untrusted INTEGER NOT NULL DEFAULT 0,
  earliest_at INTEGER NOT NULL,
  latest_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX summaries_begin ON summaries (first_pk);
CREATE INDEX summaries_end ON summaries (last_pk, messages DESC);
CREATE VIRTUAL TABLE summaries_fts USING fts5 (
  text, content = 'summaries', content_rowid = 'pk',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE 'summaries_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'summaries_fts_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TRIGGER summaries_fts_delete AFTER DELETE ON summaries BEGIN
  INSERT INTO summaries_fts (summaries_fts, rowid, text) VALUES ('delete', OLD.pk, OLD.text);
END;
CREATE TABLE 'summaries_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB);
CREATE TABLE 'summaries_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE TRIGGER summaries_fts_insert AFTER INSERT ON summaries BEGIN
  INSERT INTO summaries_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;
CREATE TRIGGER summaries_fts_update AFTER UPDATE OF text ON summaries BEGIN
  INSERT INTO summaries_fts (summaries_fts, rowid, text) VALUES ('delete', OLD.pk, OLD.text);
  INSERT INTO summaries_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;
CREATE INDEX summaries_of_conversation ON summaries (conversation_pk, depth);
CREATE TABLE summary_children (
  parent_pk INTEGER NOT NULL REFERENCES summaries ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  child_pk INTEGER NOT NULL REFERENCES summaries ON DELETE CASCADE,
  PRIMARY KEY (parent_pk, ordinal)
) WITHOUT ROWID;
CREATE INDEX summary_children_of ON summary_children (child_pk);
CREATE TABLE tombstones (
  pk INTEGER PRIMARY KEY,
  hmac BLOB NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  message_id TEXT,
  span_start INTEGER,
  span_end INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX tombstones_of_message ON tombstones (message_id) WHERE message_id IS NOT NULL;
CREATE TABLE tool_calls (
  pk INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  message_pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  arguments TEXT NOT NULL CHECK (json_valid(arguments)),
  result TEXT,
  error TEXT,
  created_at INTEGER NOT NULL, call_id TEXT NOT NULL DEFAULT '', raw TEXT NOT NULL DEFAULT '', letters INTEGER NOT NULL DEFAULT 0, round INTEGER NOT NULL DEFAULT 0,
  UNIQUE (message_pk, ordinal)
);
CREATE TABLE unlinked (
  own BLOB PRIMARY KEY
) WITHOUT ROWID;
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
CREATE TABLE "usefulness" (
  memory_pk INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE,
  agent_pk INTEGER NOT NULL REFERENCES agents ON DELETE CASCADE,
  used_count INTEGER NOT NULL DEFAULT 0,
  ignored_count INTEGER NOT NULL DEFAULT 0,
  last_useful_at INTEGER,
  PRIMARY KEY (memory_pk, agent_pk)
) WITHOUT ROWID;
CREATE INDEX usefulness_of_agent ON usefulness (agent_pk);
CREATE TABLE watermarks (
  conversation_pk INTEGER PRIMARY KEY REFERENCES conversations ON DELETE CASCADE,
  message_pk INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
