import type Database from 'better-sqlite3';
import { plainText } from '../reading/tolerant.ts';
import type { BackupFacts } from './backup-files.ts';
import { openDatabase, TooLarge } from './open-database.ts';

/** Identity of a panel; `tags` of its inbounds at the time. */
export interface Expected {
  guid: string;
  tags: readonly string[];
}

/**
 * Opens a backup and checks it: unchanged since its arrival, intact by SQLite's own check, and this panel's.
 * @param expected absent: the panel's identity is not checked again
 */
export async function checkedFacts(
  file: string,
  identity: string,
  facts: BackupFacts,
  nowMs: number,
  expected?: Expected,
): Promise<BackupFacts> {
  const damaged = (words: string): BackupFacts => ({
    ...facts,
    state: 'damaged',
    checkedAtMs: nowMs,
    words: plainText(words),
  });
  let opened;
  try {
    opened = await openDatabase(file, identity, facts.contentBytes);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    if (error instanceof TooLarge) return { ...facts, state: 'unchecked', checkedAtMs: nowMs, words };
    return damaged(`it cannot be opened: ${words}`);
  }
  const { db, sha256, bytes } = opened;
  try {
    if (facts.sha256 !== '' && sha256 !== facts.sha256) return damaged('it is not what came from the panel');
    const verdict = db.pragma('integrity_check(1)', { simple: true });
    if (verdict !== 'ok') return damaged(`SQLite finds it damaged: ${String(verdict)}`);
    const foreign = expected === undefined ? '' : foreignWords(db, expected);
    if (foreign !== '') return damaged(foreign);
    return {
      ...facts,
      sha256,
      contentBytes: bytes,
      state: 'good',
      checkedAtMs: nowMs,
      words: '',
      inbounds: countOf(db, 'inbounds'),
      clients: countOf(db, 'clients') ?? countOf(db, 'client_traffics'),
    };
  } catch (error) {
    return damaged(error instanceof Error ? error.message : String(error));
  } finally {
    db.close();
  }
}

/** Why it is not this panel's database; empty when it is, or when that is unknown. */
function foreignWords(db: Database.Database, { guid, tags }: Expected): string {
  if (!hasTable(db, 'inbounds') || !hasTable(db, 'settings')) return 'it is no database of a panel';
  const stored = db.prepare(`SELECT value FROM settings WHERE key = 'panelGuid'`).pluck().get();
  const own = typeof stored === 'string' ? stored.replaceAll('"', '') : '';
  if (guid !== '' && own !== '') return own === guid ? '' : 'it is the database of another panel';
  const kept = new Set(db.prepare('SELECT tag FROM inbounds').pluck().all() as string[]);
  const isNone = tags.length > 0 && !tags.some((tag) => kept.has(tag));
  return isNone ? 'it is the database of another panel: none of the inbounds is in it' : '';
}

const hasTable = (db: Database.Database, name: string): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined;

function countOf(db: Database.Database, table: string): number | null {
  return hasTable(db, table) ? (db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() as number) : null;
}
