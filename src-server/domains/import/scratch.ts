import { Kysely } from 'kysely';
import Database from 'better-sqlite3';
import { migrate, LATEST_VERSION } from '../../store/migrate.ts';
import { openSqlite } from '../../store/sqlite/sqlite-connection.ts';
import { sqliteDialect } from '../../store/sqlite/sqlite-dialect.ts';

/** Creates a database file with a version of this panel's schema, or migrates one to it. */
export async function migrateFile(file: string, upTo = LATEST_VERSION): Promise<void> {
  const connection = openSqlite(file, 'readWrite');
  const db = new Kysely<unknown>({ dialect: sqliteDialect(connection, 'serial') });
  try {
    await migrate(db, { upTo });
  } finally {
    connection.close();
  }
}

/**
 * Opens a scratch database for inserting rows. It is not in use yet, so it needs no journal; the rows already include
 * what the triggers would maintain, so the triggers are removed until `finish`.
 */
export function openScratch(file: string): { db: Database.Database; finish: () => void } {
  const db = new Database(file);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.pragma('foreign_keys = OFF');
  // Rows go into a dozen indexes in random order; 64 MiB hold those of 100,000 clients.
  db.pragma('cache_size = -65536');
  const triggers = db.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`).all() as {
    name: string;
    sql: string;
  }[];
  db.exec('BEGIN');
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${quoted(name)}`);
  return {
    db,
    finish() {
      for (const { sql } of triggers) db.exec(sql);
      db.exec('COMMIT');
    },
  };
}

/** A schema name quoted for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Real tables of a database: no views, no virtual tables, no internal ones of SQLite. */
export function tablesOf(db: Database.Database): Set<string> {
  const rows = db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .pluck()
    .all() as string[];
  return new Set(rows);
}

export function columnsOf(db: Database.Database, table: string): string[] {
  const rows = db.pragma(`table_info(${quoted(table)})`) as { name: string }[];
  return rows.map(({ name }) => name);
}
