-- Names that the person says are one: each keeps its own row and links, so it can be taken back.

ALTER TABLE entities ADD COLUMN merged_into_pk INTEGER REFERENCES entities ON DELETE SET NULL;
CREATE INDEX entities_merged ON entities (merged_into_pk) WHERE merged_into_pk IS NOT NULL;

-- When the name that others were merged into goes, the oldest of the others takes its place.
CREATE TRIGGER entities_heir BEFORE DELETE ON entities BEGIN
  UPDATE entities
  SET merged_into_pk = (SELECT min(pk) FROM entities WHERE merged_into_pk = OLD.pk)
  WHERE merged_into_pk = OLD.pk
    AND pk <> (SELECT min(pk) FROM entities WHERE merged_into_pk = OLD.pk);
END;
