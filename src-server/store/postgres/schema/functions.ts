import { LEDGER_MONTHS } from './ledger-months.ts';

/** Functions that the panel's statements call besides PostgreSQL's own; see docs/database.md. */
export const FUNCTIONS: readonly string[] = [
  // An escaped NUL in JSON cannot become text.
  String.raw`CREATE OR REPLACE FUNCTION without_nul(content text) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE WHEN strpos(content, '\u0000') = 0 THEN content
      ELSE regexp_replace(content, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g') END $$`,
  `CREATE OR REPLACE FUNCTION each_number(list text) RETURNS TABLE (key bigint, value bigint) LANGUAGE sql STABLE AS
    $$ SELECT ordinality - 1, element::bigint FROM json_array_elements_text(list::json) WITH ORDINALITY AS t(element, ordinality) $$`,
  `CREATE OR REPLACE FUNCTION each_text(list text) RETURNS TABLE (key bigint, value text) LANGUAGE sql STABLE AS
    $$ SELECT ordinality - 1, element COLLATE "C" FROM json_array_elements_text(without_nul(list)::json) WITH ORDINALITY AS t(element, ordinality) $$`,
  `CREATE OR REPLACE FUNCTION each_object(list text) RETURNS TABLE (key bigint, value json) LANGUAGE sql STABLE AS
    $$ SELECT ordinality - 1, element FROM json_array_elements(without_nul(list)::json) WITH ORDINALITY AS t(element, ordinality) $$`,
  // Kinds have SQLite's names.
  `CREATE OR REPLACE FUNCTION json_kind(content json) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT CASE json_typeof(content) WHEN 'string' THEN 'text' WHEN 'boolean' THEN CAST(content AS text)
      WHEN 'number' THEN CASE WHEN CAST(content AS text) ~ '^-?[0-9]+$' THEN 'integer' ELSE 'real' END
      ELSE json_typeof(content) END $$`,
  `CREATE OR REPLACE FUNCTION json_valid(content text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN PERFORM content::json; RETURN true; EXCEPTION WHEN OTHERS THEN RETURN false; END $$`,
  ...LEDGER_MONTHS,
];
