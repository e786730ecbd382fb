import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../store/open-store.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { startSqliteThread } from '../../store/sqlite/sqlite-thread.ts';
import { compareRows } from '../../store/transfer/copy-rows.ts';
import { serverToFile } from '../../store/transfer/migrate-database.ts';
import { fileSide } from '../../store/transfer/sides.ts';
import { tablesOf } from '../../store/transfer/tables.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { copyDatabase, databaseOf, dropDatabase } from '../../testing/postgres/databases.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { createBackupService } from '../backup/service.ts';
import { createCertificateStore } from '../certificates/certificate-store.ts';
import { readOwn } from './prepare-import.ts';
import { createImportService } from './service.ts';

type Kind = 'file' | 'server';
const log = recordingLogger();
const clock = Date.now;
/** Bound to a panel process or a session, and so not portable; also leftovers of a migration. */
const LEFT_HERE = [
  'sessions',
  'deliveries',
  'webhookAttempts',
  'counterBaselines',
  'counterPages',
  'changedOwners',
  'panelServers',
];

/** The data folder of the panel whose database is moved; it also holds a file with the same rows. */
let home: string;
let secrets: Secrets;
const folders: string[] = [];

beforeAll(async () => {
  const panel = await openPanel();
  home = panel.dataDir;
  const inboundId = await panel.inbound(20_443);
  const other = await panel.inbound(20_444, { protocol: 'trojan', settings: {} });
  await panel.add({ email: 'İstanbul@x', comment: `a "quote", it's\na line; \t\\N \u2028`, totalGB: 5_000 }, [
    inboundId,
    other,
  ]);
  await panel.add({ email: 'gone@x' }, [inboundId]);
  await panel.done('/clients/del/gone@x');
  await panel.done('/clients/updateTraffic/İstanbul@x', { upload: 1_000, download: 9_007_199_254_000_000 });
  await panel.set({ subTitle: 'Ours', smtpHost: 'mail.example', smtpPassword: 'sealed word' });
  await panel.done('/clients/groups/create', { name: 'a group' });
  await panel.done('/hosts/add', { inboundId, remark: 'host', address: 'h.example', port: 443 });
  await panel.done('/plans/add', { name: 'a plan', quotaBytes: 5, inboundIds: [inboundId] });
  await panel.done('/setting/apiTokens/create', { name: 'a token' });
  await panel.tick();
  await panel.app.close();
  await rm(join(home, 'panel.db'), { force: true });
  await serverToFile(databaseOf(home)!, join(home, 'panel.db'), log);
  // Which process counted last means nothing to the next one.
  const db = new Database(join(home, 'panel.db'));
  db.exec(`UPDATE trafficSources SET bootId = ''`);
  db.close();
  secrets = await openSecrets({ dataDir: home, log, clock });
});
afterAll(async () => {
  for (const folder of [home, ...folders]) {
    await dropDatabase(folder);
    await rm(folder, { recursive: true, force: true });
  }
});

const open = (dataDir: string, kind: Kind): Promise<Store> =>
  openStore({ dataDir, clock, log, isPanel: true, ...(kind === 'server' && { database: databaseOf(dataDir)! }) });

/** The output of `getMigration`. */
async function migrationOf(kind: Kind): Promise<{ name: string; content: Buffer }> {
  const store = await open(home, kind);
  try {
    const backups = await createBackupService({
      store,
      sealKeys: () => Promise.reject(new Error()),
      clock,
      log,
      publish: () => {},
    });
    const { fileName, body } = await backups.migration();
    return { name: fileName, content: await buffer(body) };
  } finally {
    await store.close();
  }
}

/** Runs `importDB` on a new panel, with its restart. @returns its database as a file */
async function importInto(kind: Kind, file: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  folders.push(dataDir);
  await copyFile(join(home, 'secret.key'), join(dataDir, 'secret.key'));
  await copyDatabase('template0', dataDir);
  const store = await open(dataDir, kind);
  const imports = createImportService({
    files: createCertificateStore(join(dataDir, 'cert')),
    dataDir,
    backupFolder: store.backupFolder,
    postgresFiles: kind === 'server' ? 'archives' : 'none',
    secrets,
    own: () => readOwn(store.reader),
    runningJobs: () => [],
    restartPanel: () => undefined,
    publish: () => undefined,
    clock,
    log,
  });
  expect((await imports.import(file, { keepHostSettings: false, passphrase: '' })).cannotCome).toEqual([]);
  await store.close();
  const again = await open(dataDir, kind);
  const copy = join(dataDir, 'copy.db');
  await again.copyTo(copy);
  await again.close();
  return copy;
}

async function differences(one: string, other: string) {
  const [a, b] = [startSqliteThread(one, 'readOnly'), startSqliteThread(other, 'readOnly')];
  try {
    const tables = (await tablesOf(a)).filter(({ name }) => !LEFT_HERE.includes(name));
    const counted = await Promise.all(tables.map((table) => fileSide(a).page(table, null, 1)));
    expect(counted.filter((rows) => rows.length > 0).length).toBeGreaterThan(15);
    return await compareRows(fileSide(a), fileSide(b), tables);
  } finally {
    await a.close();
    await b.close();
  }
}

describe.each([
  ['file', 'panel.dump', 'PRAGMA foreign_keys=OFF;'],
  ['server', 'panel.db', 'SQLite format 3'],
] as const)('getMigration of a database in a %s', (from, name, head) => {
  let file: string;
  beforeAll(async () => {
    const migration = await migrationOf(from);
    expect([migration.name, migration.content.toString('latin1', 0, head.length)]).toEqual([name, head]);
    file = join(home, `sent-${from}`);
    await writeFile(file, migration.content);
  });

  it.each(['file', 'server'] as const)('is imported by importDB of one in a %s, row by row', async (to) => {
    const there = await importInto(to, file);
    const rows = await differences(join(home, 'panel.db'), there);
    expect(rows).toEqual([]);
  });
});
