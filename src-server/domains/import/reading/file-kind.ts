import { ImportRefusal } from './refusal.ts';

const HEAD_BYTES = 64;

/**
 * What a file is by its first bytes, never by its name.
 * @throws {ImportRefusal} for everything that is neither a SQLite file nor a SQL dump of one.
 */
export function kindOfFile(head: Buffer): 'sqlite' | 'dump' {
  const bytes = head.subarray(0, HEAD_BYTES);
  if (bytes.subarray(0, 5).toString('latin1') === 'PGDMP')
    throw new ImportRefusal('This file is a PostgreSQL backup; it can only be restored on a panel running PostgreSQL');
  if (bytes.subarray(0, 16).toString('latin1') === 'SQLite format 3\0') return 'sqlite';
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^(?:PRAGMA|BEGIN TRANSACTION)\b/i.test(text)) return 'dump';
  throw new ImportRefusal(
    'Invalid file: expected a SQLite database (.db) from Back Up or a SQLite migration dump (.dump)',
  );
}
