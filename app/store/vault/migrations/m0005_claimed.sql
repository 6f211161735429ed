-- What a file claims that this vault did not sign has a step of trust of its own.

-- No table is written anew for a longer list of values: its rows and all that refers to them stay.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = replace(sql, 'trust IN (''system'', ''learned'', ''external'')',
  'trust IN (''system'', ''learned'', ''claimed'', ''external'')')
WHERE type = 'table' AND name = 'memories';
PRAGMA writable_schema = RESET;

-- Trust falls freely; it rises only after the same batch journalled "elevate" for this memory.
DROP TRIGGER memories_trust;
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
