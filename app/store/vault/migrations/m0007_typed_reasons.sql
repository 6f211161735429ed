-- The reasons of a trace become objects with values, where they were words to be read back.
--
-- {"kind": …, "name": …, "numbers": […], "text": …}, each field but the first only where it says
-- something. What holds no value that is shown by itself keeps its words, as {"kind": "said",
-- "text": …}; what is an object already, as how a contradiction was settled, stays one. The columns
-- stay as they are: the new version number alone keeps an older Loci, which would not understand
-- the objects, from opening the vault.
CREATE TABLE old_reasons (said TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT) WITHOUT ROWID;
INSERT INTO old_reasons (said, kind, name) VALUES
  ('fused ', 'fused', NULL),
  ('words ', 'measure', 'words'),
  ('meaning ', 'measure', 'meaning'),
  ('relevance ', 'measure', 'relevance'),
  ('own words ', 'measure', 'own words'),
  ('around ', 'measure', 'around'),
  ('late interaction ', 'measure', 'late interaction'),
  ('reranked ', 'measure', 'reranked'),
  ('recency ×', 'factor', 'recency'),
  ('temporal ×', 'factor', 'temporal'),
  ('proof ×', 'factor', 'proof'),
  ('trust ×', 'factor', 'trust'),
  ('usefulness ×', 'factor', 'usefulness'),
  ('shares names with another find ', 'shared_names', NULL),
  ('cause or effect of another find ', 'cause', NULL),
  ('pinned ', 'pinned', NULL),
  ('only asks ×', 'only_asks', NULL),
  ('closes with a question ×', 'closes_asking', NULL),
  ('beside a find', 'beside', NULL),
  ('that time is all that was asked for', 'time_alone', NULL),
  ('a later line says otherwise', 'doubted', NULL),
  ('a more trusted line says otherwise', 'less_trusted', NULL),
  ('replaced since', 'replaced', NULL),
  ('preferred to a find that says otherwise', 'preferred', NULL),
  ('the message it was learnt from was found as well', 'learnt_from', NULL),
  ('matters for safety', 'safety', NULL),
  ('pinned, so it stands with the instructions', 'kept_in_mind', NULL),
  ('meant by what you asked', 'meant', NULL),
  ('perhaps meant by what you asked', 'perhaps_meant', NULL),
  ('said beside what you asked to have forgotten', 'stays', NULL),
  ('small talk asks for nothing', 'small_talk', NULL),
  ('the same words stand in another find', 'same_words', NULL),
  ('a memory made from it was found as well', 'memory_made', NULL),
  ('an observation holds it', 'observed', NULL),
  ('you said something on this yourself', 'own_word', NULL),
  ('better finds filled the room', 'no_room', NULL),
  ('more of what was replaced says more about this', 'more_history', NULL),
  ('the lines before it filled the room for memories', 'prompt_full', NULL),
  ('a newer one answers this now', 'outdated', NULL);
UPDATE recall_hits SET reasons = (
  SELECT json_group_array(json(CASE
    WHEN r.type = 'object' THEN
      CASE WHEN json_type(r.value, '$.disputed') = 'text' THEN
        json_set(r.value, '$.disputed', json(coalesce(
          (SELECT json_object('kind', o.kind) FROM old_reasons AS o
            WHERE o.said = json_extract(r.value, '$.disputed')),
          json_object('kind', 'said', 'text', json_extract(r.value, '$.disputed'))
        )))
      ELSE r.value END
    WHEN r.type <> 'text' THEN json_object('kind', 'said', 'text', CAST(r.value AS TEXT))
    WHEN o.said = r.value THEN json_object('kind', o.kind)
    WHEN o.name IS NULL AND o.said IS NOT NULL THEN json_object('kind', o.kind,
      'numbers', json_array(CAST(substr(r.value, length(o.said) + 1) AS REAL)))
    WHEN o.said IS NOT NULL THEN json_object('kind', o.kind, 'name', o.name,
      'numbers', json_array(CAST(substr(r.value, length(o.said) + 1) AS REAL)))
    WHEN r.value GLOB '?* #[1-9]*' AND r.value NOT GLOB '* * *'
      AND substr(r.value, instr(r.value, ' #') + 2) NOT GLOB '*[^0-9]*' THEN
      json_object('kind', 'place', 'name', substr(r.value, 1, instr(r.value, ' #') - 1),
        'numbers', json_array(CAST(substr(r.value, instr(r.value, ' #') + 2) AS INTEGER)))
    WHEN r.value GLOB 'within ?* ×[0-9]*' THEN
      json_object('kind', 'in_time',
        'numbers', json_array(CAST(substr(r.value, instr(r.value, ' ×') + 2) AS REAL)),
        'text', substr(r.value, 8, instr(r.value, ' ×') - 8))
    WHEN r.value GLOB '[0-9]* days from ?* ×[0-9]*' THEN
      json_object('kind', 'days_off', 'numbers', json_array(CAST(r.value AS INTEGER),
          CAST(substr(r.value, instr(r.value, ' ×') + 2) AS REAL)),
        'text', substr(r.value, instr(r.value, ' from ') + 6,
          instr(r.value, ' ×') - instr(r.value, ' from ') - 6))
    WHEN r.value GLOB '[0-9]* days from another find [0-9]*' THEN
      json_object('kind', 'days_apart', 'numbers', json_array(CAST(r.value AS INTEGER),
        CAST(substr(r.value, instr(r.value, ' find ') + 6) AS REAL)))
    WHEN r.value GLOB 'nothing is known of ?*' THEN
      json_object('kind', 'unknown', 'text', substr(r.value, 21))
    ELSE json_object('kind', 'said', 'text', r.value)
  END) ORDER BY r.key)
  FROM json_each(recall_hits.reasons) AS r
  LEFT JOIN old_reasons AS o ON o.said = rtrim(r.value, '0123456789.')
)
WHERE json_type(reasons) = 'array' AND reasons <> '[]';
DROP TABLE old_reasons;
