import Database from 'better-sqlite3';

/**
 * Result codes that say nothing about the content of a file: it may not be opened, another program has locked it, the
 * disk is full.
 */
const NO_DAMAGE =
  /^SQLITE_(?:CANTOPEN|PERM|AUTH|READONLY|BUSY|LOCKED|PROTOCOL|FULL|NOMEM|IOERR_(?!READ|SHORT_READ|CORRUPTFS|DATA))/;

/**
 * SQLite's own quick check of a database file. Throws SQLite's error when the file cannot be checked.
 * @returns null when sound, else the first complaint.
 */
export function quickCheck(file: string): string | null {
  let db: Database.Database | undefined;
  try {
    // Writable, because a file left by a killed process may need its write-ahead log replayed first.
    db = new Database(file, { fileMustExist: true });
    db.pragma('busy_timeout = 10000');
    const result = db.pragma('quick_check(1)', { simple: true });
    return result === 'ok' ? null : String(result);
  } catch (error) {
    if (error instanceof Database.SqliteError && NO_DAMAGE.test(error.code)) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    db?.close();
  }
}
