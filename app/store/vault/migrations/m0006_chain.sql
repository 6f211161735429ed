-- What another program changed shows: memories are sealed, and the journal is a chain.

-- Both are filled in by the first opening, which has the key.
ALTER TABLE memories ADD COLUMN seal BLOB;
ALTER TABLE journal ADD COLUMN link BLOB;

-- Links that an erasure took out of the chain, by their random marks, which say nothing of them.
CREATE TABLE unlinked (
  own BLOB PRIMARY KEY
) WITHOUT ROWID;
