-- Summaries of conversations: each stands for a run of a branch, named by its first and last message.

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
CREATE INDEX summaries_end ON summaries (last_pk, messages DESC);
CREATE INDEX summaries_begin ON summaries (first_pk);
CREATE INDEX summaries_of_conversation ON summaries (conversation_pk, depth);

-- What a condensed node was made of; a leaf has messages alone.
CREATE TABLE summary_children (
  parent_pk INTEGER NOT NULL REFERENCES summaries ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  child_pk INTEGER NOT NULL REFERENCES summaries ON DELETE CASCADE,
  PRIMARY KEY (parent_pk, ordinal)
) WITHOUT ROWID;
CREATE INDEX summary_children_of ON summary_children (child_pk);

CREATE VIRTUAL TABLE summaries_fts USING fts5 (
  text, content = 'summaries', content_rowid = 'pk',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO summaries_fts (summaries_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER summaries_fts_insert AFTER INSERT ON summaries BEGIN
  INSERT INTO summaries_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;
CREATE TRIGGER summaries_fts_delete AFTER DELETE ON summaries BEGIN
  INSERT INTO summaries_fts (summaries_fts, rowid, text) VALUES ('delete', OLD.pk, OLD.text);
END;
CREATE TRIGGER summaries_fts_update AFTER UPDATE OF text ON summaries BEGIN
  INSERT INTO summaries_fts (summaries_fts, rowid, text) VALUES ('delete', OLD.pk, OLD.text);
  INSERT INTO summaries_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;
