import { startSqliteThread } from './sqlite-thread.ts';

/**
 * Table of a backup, never of the panel's own database: one row, what the passphrase of the backup opens. So a backup stays one
 * file, which is a database for everybody else.
 */
export const SEALED_TABLE = 'sealedPart';

/** Puts sealed bytes into a copy of the database. */
export async function writeSealedPart(file: string, sealed: Uint8Array): Promise<void> {
  const thread = startSqliteThread(file, 'readWrite');
  try {
    // A database that was put back by hand may have brought one along.
    await thread.query(`DROP TABLE IF EXISTS ${SEALED_TABLE}`, []);
    await thread.query(`CREATE TABLE ${SEALED_TABLE} (sealed BLOB NOT NULL) STRICT`, []);
    await thread.query(`INSERT INTO ${SEALED_TABLE} (sealed) VALUES (?)`, [sealed]);
    await thread.checkpoint();
  } finally {
    await thread.close();
  }
}
