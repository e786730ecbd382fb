import Database from 'better-sqlite3';

/** SQLite's own quick check of a database file. @returns null when sound, else the first complaint. */
export function quickCheck(file: string): string | null {
  let db: Database.Database | undefined;
  try {
    // Writable, because a file left by a killed process may need its write-ahead log replayed first.
    db = new Database(file, { fileMustExist: true });
    db.pragma('busy_timeout = 10000');
    const result = db.pragma('quick_check(1)', { simple: true });
    return result === 'ok' ? null : String(result);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    db?.close();
  }
}
