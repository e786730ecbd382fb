import { startSqliteThread } from './sqlite/sqlite-thread.ts';

/**
 * Table of a backup, never of the panel's own database: one row, opened by the backup's passphrase. So a backup stays a
 * single file, which everyone else can use as a database.
 */
export const SEALED_TABLE = 'sealedPart';

/** Writes sealed bytes into a copy of the database. */
export async function writeSealedPart(file: string, sealed: Uint8Array): Promise<void> {
  const thread = startSqliteThread(file, 'readWrite');
  try {
    // A database restored by hand may have brought one along.
    await thread.query(`DROP TABLE IF EXISTS ${SEALED_TABLE}`, []);
    await thread.query(`CREATE TABLE ${SEALED_TABLE} (sealed BLOB NOT NULL) STRICT`, []);
    await thread.query(`INSERT INTO ${SEALED_TABLE} (sealed) VALUES (?)`, [sealed]);
    await thread.checkpoint();
  } finally {
    await thread.close();
  }
}
