-- Files that go with messages and are kept beside them, page by page, to be searched and quoted.

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
INSERT INTO document_passages_fts (document_passages_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER document_passages_fts_insert AFTER INSERT ON document_passages BEGIN
  INSERT INTO document_passages_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;
CREATE TRIGGER document_passages_fts_delete AFTER DELETE ON document_passages BEGIN
  INSERT INTO document_passages_fts (document_passages_fts, rowid, text)
    VALUES ('delete', OLD.pk, OLD.text);
END;
CREATE TRIGGER document_passages_fts_update AFTER UPDATE OF text ON document_passages BEGIN
  INSERT INTO document_passages_fts (document_passages_fts, rowid, text)
    VALUES ('delete', OLD.pk, OLD.text);
  INSERT INTO document_passages_fts (rowid, text) VALUES (NEW.pk, NEW.text);
END;

ALTER TABLE message_parts ADD COLUMN document_pk INTEGER REFERENCES documents ON DELETE SET NULL;
CREATE INDEX message_parts_of_document ON message_parts (document_pk)
  WHERE document_pk IS NOT NULL;
