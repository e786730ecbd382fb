import { createHash } from 'node:crypto';
import { CAPTURED, type CapturedTable } from '../../journal/captured-tables.ts';
import { imageOf, rowKeyOf } from '../../journal/images.ts';

/** Set within a transaction whose changes are recorded: the id of its entry. */
export const ENTRY_SETTING = 'switchyard.entry';

/**
 * Triggers that record the rows of an open entry as they were before it, as SQLite's `captureStatements` do; they
 * belong to the tables, and do nothing in a transaction without an entry.
 */
export function captureOfPostgres(): { text: string; hash: string } {
  const text = CAPTURED.flatMap((table) => triggersOf(table)).join(';\n');
  return { text, hash: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}

function triggersOf(table: CapturedTable): string[] {
  const { name, keys, isNamed = false, isSide = false, unless, watched = table.values } = table;
  const when = (row: string): string =>
    `current_setting('${ENTRY_SETTING}', true) <> ''${unless === undefined ? '' : ` AND NOT (${unless.replaceAll('ROW.', `${row}.`)})`}`;
  const note = (row: string, image: string): string =>
    `INSERT INTO journalRows (entryId, tableName, rowKey, before)
     VALUES (CAST(current_setting('${ENTRY_SETTING}') AS INTEGER), '${name}', ${rowKeyOf(table, row)}, ${image}) ON CONFLICT DO NOTHING;`;
  const trigger = (what: string, moment: string, row: string, body: string): string[] => [
    `CREATE OR REPLACE FUNCTION ${name}${what}() RETURNS trigger LANGUAGE plpgsql AS $capture$ BEGIN ${body}
     RETURN ${moment.startsWith('BEFORE') ? 'NEW' : 'NULL'}; END $capture$`,
    `DROP TRIGGER IF EXISTS ${name}${what} ON ${name}`,
    `CREATE TRIGGER ${name}${what} ${moment} ON ${name} FOR EACH ROW WHEN (${when(row)}) EXECUTE FUNCTION ${name}${what}()`,
  ];
  const triggers = trigger('Dropped', 'AFTER DELETE', 'OLD', note('OLD', imageOf(table, 'OLD')));
  if (isSide) return triggers;
  const present = `(SELECT ${imageOf(table, 'present')} FROM ${name} AS present
    WHERE ${keys.map((key) => `present.${key} = NEW.${key}`).join(' AND ')})`;
  triggers.push(
    ...(isNamed
      ? trigger('Added', 'BEFORE INSERT', 'NEW', note('NEW', present))
      : trigger('Added', 'AFTER INSERT', 'NEW', note('NEW', 'NULL'))),
  );
  if (watched.length > 0) {
    const renamed = keys.some((key) => watched.includes(key)) ? note('NEW', 'NULL') : '';
    triggers.push(
      ...trigger(
        'Changed',
        `AFTER UPDATE OF ${watched.join(', ')}`,
        'OLD',
        `${note('OLD', imageOf(table, 'OLD'))} ${renamed}`,
      ),
    );
  }
  return triggers;
}
