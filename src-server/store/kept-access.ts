import Database from 'better-sqlite3';

type Row = Record<string, string | number | null>;

/** Who gets into this panel, which stays as it is when another panel's database replaces its own. */
export interface Access {
  admins: readonly Row[];
  /** Rows of settings. */
  secondFactor: readonly Row[];
  apiTokens: readonly Row[];
}

export const SECOND_FACTOR: readonly string[] = ['twoFactorEnable', 'twoFactorToken'];

/** @param all the rows of a query, which both kinds of database understand */
export async function readAccess(all: (sql: string) => Promise<unknown[]>): Promise<Access> {
  const keys = SECOND_FACTOR.map((key) => `'${key}'`).join(', ');
  return {
    admins: (await all('SELECT * FROM "admins" ORDER BY id')) as Row[],
    secondFactor: (await all(`SELECT key, value FROM "settings" WHERE key IN (${keys})`)) as Row[],
    apiTokens: (await all('SELECT * FROM "apiTokens" ORDER BY id')) as Row[],
  };
}

/**
 * Writes it into an imported database, in place of what was written there before. The tokens that the other panel
 * brought stay, under other ids, unless one of this panel has their name.
 * @param importedTokens hashes of those tokens; every other one is this panel's, and gone there if it is gone here
 */
export function keepAccess(db: Database.Database, access: Access, importedTokens: readonly string[]): void {
  const imported = new Set<unknown>(importedTokens);
  const tokens = db.prepare('SELECT * FROM apiTokens ORDER BY id').all() as Row[];
  db.exec('DELETE FROM admins; DELETE FROM apiTokens');
  const forget = db.prepare('DELETE FROM settings WHERE key = ?');
  for (const key of SECOND_FACTOR) forget.run(key);
  insertRows(db, 'admins', access.admins);
  insertRows(db, 'settings', access.secondFactor);
  insertRows(db, 'apiTokens', access.apiTokens);
  const theirs = tokens.filter(({ tokenHash }) => imported.has(tokenHash));
  // Without an id each gets the next one.
  const renumbered = theirs.map((token) => ({ ...token, id: null }));
  insertRows(db, 'apiTokens', renumbered, 'INSERT OR IGNORE');
}

/** {@link keepAccess} in a file that is flushed already: it is whole after a power cut at any moment. */
export function keepAccessIn(file: string, access: Access, importedTokens: readonly string[]): void {
  const db = new Database(file);
  try {
    db.pragma('synchronous = FULL');
    db.transaction(() => keepAccess(db, access, importedTokens))();
  } finally {
    db.close();
  }
}

export function insertRows(
  db: Database.Database,
  table: string,
  rows: readonly Row[],
  insert: 'INSERT' | 'INSERT OR IGNORE' = 'INSERT',
): void {
  for (const row of rows) {
    const columns = Object.keys(row);
    db.prepare(`${insert} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
      Object.values(row),
    );
  }
}
