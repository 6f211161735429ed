-- What was sent to a model for each answer, turn by turn; a text that was sent again is kept once. All of it goes as soon
-- as anything is erased or redacted: it may hold the same words, in whatever form they were sent.

CREATE TABLE sent_texts (
  pk INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  text TEXT NOT NULL
);
CREATE TABLE sent_turns (
  answer_pk INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  role TEXT NOT NULL,
  text_pk INTEGER NOT NULL REFERENCES sent_texts,
  PRIMARY KEY (answer_pk, ordinal)
) WITHOUT ROWID;
CREATE INDEX sent_turns_of_text ON sent_turns (text_pk);

CREATE TRIGGER sent_texts_with_turns AFTER DELETE ON sent_turns BEGIN
  DELETE FROM sent_texts WHERE pk = OLD.text_pk
    AND NOT EXISTS (SELECT 1 FROM sent_turns WHERE text_pk = OLD.text_pk);
END;
CREATE TRIGGER sent_turns_with_memories AFTER DELETE ON memories BEGIN
  DELETE FROM sent_turns;
END;
CREATE TRIGGER sent_turns_with_messages AFTER DELETE ON messages BEGIN
  DELETE FROM sent_turns;
END;
CREATE TRIGGER sent_turns_redacted AFTER UPDATE OF redacted ON messages WHEN NEW.redacted BEGIN
  DELETE FROM sent_turns;
END;
