import { ImportRefusal } from './refusal.ts';

/** Number of leading bytes that identify a file. */
export const HEAD_BYTES = 64;

/** `archive`: from `pg_dump --format=custom`; `postgresText`: from `pg_dump` without a format option. */
export type FileKind = 'sqlite' | 'dump' | 'archive' | 'postgresText';

/** Accepted PostgreSQL files: the interface accepts archives, the command accepts both. */
export type PostgresFiles = 'none' | 'archives' | 'all';

/**
 * Detects a file by its first bytes, never by its name.
 * @throws {ImportRefusal} if it is not a database or a dump of one, or is not accepted here
 */
export function kindOfFile(head: Buffer, postgresFiles: PostgresFiles): FileKind {
  const bytes = head.subarray(0, HEAD_BYTES);
  if (bytes.subarray(0, 5).toString('latin1') === 'PGDMP') {
    if (postgresFiles !== 'none') return 'archive';
    throw new ImportRefusal(
      'This file is a PostgreSQL backup; it can only be restored on a panel running PostgreSQL, or here by the command: npm run admin -- restore FILE',
    );
  }
  if (bytes.subarray(0, 16).toString('latin1') === 'SQLite format 3\0') return 'sqlite';
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^(?:PRAGMA|BEGIN TRANSACTION)\b/i.test(text)) return 'dump';
  if (postgresFiles === 'all' && /^--\s+-- PostgreSQL database dump/.test(text)) return 'postgresText';
  throw new ImportRefusal(
    'Invalid file: expected a SQLite database (.db) from Back Up or a SQLite migration dump (.dump)',
  );
}
