import Database from 'better-sqlite3';
import { ImportRefusal } from './refusal.ts';
import { quoted } from '../scratch.ts';

/** A column of PostgreSQL: its name, and its type as the server writes it. */
export interface PostgresColumn {
  name: string;
  type: string;
}

type Stored = string | bigint | number | Buffer | null;

const WHOLE = /^-?\d+$/;

/** How a value of a type, which arrives as text, is stored in a file. */
function storing(type: string): { declared: string; convert: (text: string) => Stored } {
  if (/^(?:bigint|integer|smallint)\b/.test(type)) return { declared: 'INTEGER', convert: BigInt };
  if (/^boolean\b/.test(type)) return { declared: 'INTEGER', convert: (text) => (text === 't' ? 1 : 0) };
  if (/^(?:real|double precision)\b/.test(type)) return { declared: 'REAL', convert: Number };
  if (/^numeric\b/.test(type))
    return { declared: 'NUMERIC', convert: (text) => (WHOLE.test(text) ? BigInt(text) : Number(text)) };
  if (/^bytea\b/.test(type)) return { declared: 'BLOB', convert: (text) => Buffer.from(text.slice(2), 'hex') };
  return { declared: 'TEXT', convert: (text) => text };
}

/**
 * Tables of a PostgreSQL database in a SQLite file: same names, same rows, no constraints. It is then read and checked
 * like an upload.
 * @param file must not exist
 */
export function createLooseTables(file: string) {
  const db = new Database(file);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  // SQLite creates the table that remembers used ids by itself.
  db.exec('CREATE TABLE "made" (id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE "made"; BEGIN');

  return {
    /** Creates a table. An integer `id` becomes its key, so that its rows are read in that order. */
    define(table: string, columns: readonly PostgresColumn[]): void {
      const declared = columns.map(({ name, type }) => {
        const { declared: as } = storing(type);
        return `${quoted(name)} ${as}${name === 'id' && as === 'INTEGER' ? ' PRIMARY KEY' : ''}`;
      });
      db.exec(`CREATE TABLE ${quoted(table)} (${declared.join(', ')})`);
    },
    /** @returns inserts a row into a table: its values as PostgreSQL writes them, null where there is none */
    inserting(table: string, columns: readonly PostgresColumn[]): (row: readonly (string | null)[]) => void {
      const names = columns.map(({ name }) => quoted(name)).join(', ');
      const marks = columns.map(() => '?').join(', ');
      const statement = db.prepare(`INSERT INTO ${quoted(table)} (${names}) VALUES (${marks})`);
      const conversions = columns.map(({ type }) => storing(type).convert);
      return (row) => {
        if (row.length !== columns.length)
          throw new ImportRefusal(`Invalid or corrupt db file: a row of "${table}" has ${row.length} values`);
        statement.run(row.map((text, at) => (text === null ? null : conversions[at]!(text))));
      };
    },
    setLastId(table: string, id: number): void {
      db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, id);
    },
    setVersion: (version: number): void => void db.pragma(`user_version = ${version}`),
    /** Commits, and closes the file. */
    finish(): void {
      db.exec('COMMIT');
      db.close();
    },
    /** Closes the file without committing. */
    abandon: (): void => void db.close(),
  };
}
export type LooseTables = ReturnType<typeof createLooseTables>;
