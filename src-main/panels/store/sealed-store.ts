import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { seal, unseal } from './sealing.ts';

/** Sorts after every name with the same prefix. */
const LAST = '\uffff';
const CHECK = { panel: '', part: 'check' };

/** The last readings of all panels, each part of each panel sealed. */
export interface SealedStore {
  /** False: the disk refused its file, and it ends with this process. */
  readonly isKept: boolean;
  /** Null: nothing is stored, or it can no longer be opened. */
  read(panelId: string, part: string): unknown;
  /** Parts of a panel with this name prefix, by name. */
  parts(panelId: string, prefix: string): string[];
  /** Replaces the parts of a panel with this name prefix, all at once. */
  replace(panelId: string, prefix: string, parts: ReadonlyMap<string, unknown>): void;
  /** Replaces one part. */
  put(panelId: string, part: string, value: unknown): void;
  panels(): string[];
  forget(panelId: string): void;
  close(): void;
}

/**
 * Opens the store. A damaged file, or one that was sealed with another key, is replaced by an empty one: everything in
 * it is read from the panels again. One that cannot be opened for now, as on a full disk, is left alone.
 * @param file null = in memory @param key 32 bytes
 */
export function openSealedStore(file: string | null, key: Buffer): SealedStore {
  try {
    return open(file ?? ':memory:', key);
  } catch (error) {
    if (file === null) throw new Error('the memory cannot hold a store', { cause: error });
    if (!isLost(error)) return { ...open(':memory:', key), isKept: false };
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return open(file, key);
  }
}

/** Whether nothing in a file can be read any more. */
const isLost = (error: unknown): boolean =>
  !(error instanceof Database.SqliteError) || /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);

function open(file: string, key: Buffer): SealedStore {
  const db = new Database(file);
  try {
    return use(db, key);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** @throws {Error} for a file that is damaged or of another key */
function use(db: Database.Database, key: Buffer): SealedStore {
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  const [verdict] = db.pragma('quick_check(1)') as { quick_check: string }[];
  if (verdict?.quick_check !== 'ok') throw new Error('the store is damaged');
  db.exec(`CREATE TABLE IF NOT EXISTS sealed
    (panel TEXT NOT NULL, part TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (panel, part)) STRICT, WITHOUT ROWID`);
  const get = db.prepare<[string, string], { value: Buffer }>('SELECT value FROM sealed WHERE panel = ? AND part = ?');
  const put = db.prepare('INSERT OR REPLACE INTO sealed (panel, part, value) VALUES (?, ?, ?)');
  const names = db.prepare<[string, string, string], { part: string }>(
    'SELECT part FROM sealed WHERE panel = ? AND part >= ? AND part < ? ORDER BY part',
  );
  const remove = db.prepare<[string, string, string]>('DELETE FROM sealed WHERE panel = ? AND part >= ? AND part < ?');
  const panels = db.prepare<[], { panel: string }>(`SELECT DISTINCT panel FROM sealed WHERE panel <> ''`);

  const write = (panel: string, part: string, value: unknown): void =>
    void put.run(panel, part, seal(key, `${panel}/${part}`, value));
  const check = get.get(CHECK.panel, CHECK.part);
  if (check === undefined) write(CHECK.panel, CHECK.part, true);
  else unseal(key, `${CHECK.panel}/${CHECK.part}`, check.value);

  const replace = db.transaction((panel: string, prefix: string, parts: ReadonlyMap<string, unknown>) => {
    remove.run(panel, prefix, prefix + LAST);
    for (const [part, value] of parts) write(panel, part, value);
  });

  return {
    isKept: true,
    read(panel, part) {
      return orElse(null, () => {
        const row = get.get(panel, part);
        return row === undefined ? null : unsealOrNone(key, `${panel}/${part}`, row.value);
      });
    },
    parts: (panel, prefix) => orElse([], () => names.all(panel, prefix, prefix + LAST).map(({ part }) => part)),
    replace: (panel, prefix, parts) => orElse(undefined, () => replace(panel, prefix, parts)),
    put: (panel, part, value) => orElse(undefined, () => write(panel, part, value)),
    panels: () => orElse([], () => panels.all().map(({ panel }) => panel)),
    forget: (panel) => orElse(undefined, () => void remove.run(panel, '', LAST)),
    close: () => db.close(),
  };
}

/** A full or broken disk stores nothing: panels are still read, and the next start replaces a damaged file. */
function orElse<T>(otherwise: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Database.SqliteError) return otherwise;
    throw error;
  }
}

function unsealOrNone(key: Buffer, place: string, sealed: Buffer): unknown {
  try {
    return unseal(key, place, sealed);
  } catch {
    return null;
  }
}
