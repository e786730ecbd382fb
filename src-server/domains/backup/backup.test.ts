import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { API_TOKEN } from '../../testing/credentials.ts';
import { inFiles } from '../../testing/postgres/databases.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import { preparedFolder } from '../../testing/test-store.ts';
import { ENGLISH } from '../../texts.ts';
import { databaseFileName } from './file-name.ts';

const nowMs = new Date(2026, 0, 2, 3, 4, 5).getTime();
let panel: TestPanel;
let folder: string;

async function openWithRemains(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const dataDir = await preparedFolder();
  const backups = join(dataDir, 'backups');
  mkdirSync(backups, { recursive: true });
  writeFileSync(join(backups, '.export-old.db'), 'left by a killed panel');
  writeFileSync(join(backups, 'panel-1700000000000-daily.db.unfinished-journal'), 'half a backup');
  panel = await openPanel({ dataDir, startMs: nowMs });
}
async function close(): Promise<void> {
  await panel.close();
  rmSync(folder, { recursive: true });
}

const setRow = (key: string, value: string) =>
  panel.store.write(async (trx) => void (await trx.insertInto('settings').values({ key, value }).execute()));
async function saved(path: string): Promise<{ response: Response; file: string }> {
  const response = await fetch(new URL(`panel/api${path}`, panel.app.panel.url), {
    headers: { authorization: `Bearer ${API_TOKEN}` },
  });
  const file = join(folder, 'got');
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return { response, file };
}
const copies = () => readdirSync(panel.store.backupFolder).filter((name) => !/^panel-\d+-\w+\.db$/.test(name));

describe('getDb', () => {
  beforeEach(openWithRemains);
  afterEach(close);

  it('sends a sound database with the newest commit, logs it and keeps no copy', async () => {
    await setRow('aKey', 'newest');
    const { response, file } = await saved('/server/getDb');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=127.0.0.1_2026-01-02_030405.db');
    const db = new Database(file, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.prepare(`SELECT value FROM settings WHERE key = 'aKey'`).pluck().get()).toBe('newest');
    db.close();
    expect(panel.log.lines).toContainEqual(expect.objectContaining({ level: 'warn', event: 'backup.downloaded' }));
    await expect.poll(copies).toEqual([]);
  });

  it("answers with the interface's error text when the copy fails", async () => {
    rmSync(panel.store.backupFolder, { recursive: true });
    const response = await panel.get('/server/getDb');
    expect(response.success).toBe(false);
    expect(response.msg).toMatch(/^An error occurred while retrieving the database\. \(.+\)$/);
    mkdirSync(panel.store.backupFolder);
  });
});

// From a server it is a file: domains/import/portable.postgres.test.ts.
inFiles(describe)('getMigration', () => {
  beforeEach(openWithRemains);
  afterEach(close);

  it('sends SQL that rebuilds the same database, including big numbers, quotes and several pages', async () => {
    await setRow('quoted', `it's "odd";\nINSERT`);
    await panel.store.write(async (trx) => {
      for (let i = 0; i < 1_203; i++)
        await trx
          .insertInto('outboundTraffics')
          .values({ tag: `out-${i}`, upBytes: i, downBytes: 1 })
          .execute();
    });
    // Larger than a JavaScript number holds exactly.
    panel.write(`UPDATE outboundTraffics SET upBytes = 9007199254740993 WHERE tag = 'out-7'`);
    const copy = join(folder, 'copy.db');
    await panel.store.copyTo(copy);
    const live = new Database(copy);
    const { response, file } = await saved('/server/getMigration');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=panel.dump');
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n/);
    expect(text).toMatch(/\nCOMMIT;\n$/);
    const rebuilt = new Database(':memory:');
    rebuilt.exec(text);
    const content = (db: Database.Database) => {
      const names = db
        .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_stat_' ORDER BY name`)
        .pluck()
        .all() as string[];
      return names.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).safeIntegers().all()]);
    };
    expect(content(rebuilt)).toEqual(content(live));
    const schema = `SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat_' ORDER BY type, name`;
    expect(rebuilt.prepare(schema).all()).toEqual(live.prepare(schema).all());
    expect(rebuilt.pragma('user_version')).toEqual(live.pragma('user_version'));
    live.close();
    rebuilt.close();
    await expect.poll(copies).toEqual([]);
  });
});

describe('automatic backups', () => {
  beforeEach(openWithRemains);
  afterEach(close);

  it('are listed and can be downloaded by name; nothing else can', async () => {
    await panel.store.backup('daily');
    const { obj } = await panel.get('/server/backups');
    const name = `panel-${nowMs}-daily.db`;
    expect(obj).toEqual([
      { name, takenAt: nowMs, reason: 'daily', size: expect.any(Number) as number },
      expect.objectContaining({ reason: 'stop' }),
    ]);
    const { file } = await saved(`/server/backups/${name}/download`);
    const db = new Database(file, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
    for (const bad of ['..%2Fpanel.db', 'panel.db', '%00', `panel-${nowMs}-stop.db`]) {
      const response = await panel.get(`/server/backups/${bad}/download`);
      expect(response).toMatchObject({ success: false, msg: ENGLISH['backup.unknown'], obj: null });
    }
  });
});

describe('the name of the file', () => {
  it.each([
    ['panel.example:2053', 'panel.example'],
    ['[2001:db8::1]:443', '2001-db8--1'],
    ['2001:db8::1', '2001-db8--1'],
    [':::', 'panel'],
    ['a/../b', 'a-..-b'],
    ['', 'panel'],
  ])('%s', (host, expected) => {
    expect(databaseFileName(host, nowMs)).toBe(`${expected}_2026-01-02_030405.db`);
  });
});
