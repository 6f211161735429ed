-- What a model called: by which id the result is paired, the arguments word for word, and where in
-- the answer it stood.

ALTER TABLE tool_calls ADD COLUMN call_id TEXT NOT NULL DEFAULT '';
ALTER TABLE tool_calls ADD COLUMN raw TEXT NOT NULL DEFAULT '';
ALTER TABLE tool_calls ADD COLUMN letters INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tool_calls ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
