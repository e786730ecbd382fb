import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Envelope } from '../../contract/envelope.ts';
import type { PanelEvent } from '../../contract/events.ts';
import { LATEST_VERSION } from '../../store/migrate.ts';
import { openStore } from '../../store/open-store.ts';
import { createSecrets, KEY_BYTES } from '../../store/secrets/secrets.ts';
import { importFolder, isImportWaiting } from '../../store/waiting-import.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import { openTestStore, recordingLogger } from '../../testing/test-store.ts';
import { ENGLISH } from '../../texts.ts';
import { createCertificateStore } from '../certificates/certificate-store.ts';
import { masterKeySeal } from '../nodes/masters/repository.ts';
import { tokenSeal } from '../nodes/registry.ts';
import { sealOf } from '../webhooks/sender.ts';
import { sqlDump } from '../backup/sql-dump.ts';
import type { ImportPlan } from './contract.ts';
import { importRoutes } from './routes.ts';
import { openSource } from './reading/open-source.ts';
import { ImportRefusal } from './reading/refusal.ts';
import { migrateFile } from './scratch.ts';
import { readOwn } from './prepare-import.ts';
import { createImportService } from './service.ts';

const BASE = '/panel/api/server';
const nowMs = 1_795_300_000_000;
/** Files that the tests upload, created once. */
let made: string;
let opened: Awaited<ReturnType<typeof openTestStore>>;
let panel: ServedRoutes;
let restarts: number;
let running: string[];
let events: PanelEvent[];

const certificate = (name: string) => ({
  fileId: name,
  name,
  nameKey: name,
  wanted: '{}',
  eabHmacKey: '',
  isObtained: 1 as const,
  revokedPin: '',
  failures: 0,
  nextTryAtMs: 0,
  lastFailure: '',
  createdAtMs: 1,
  updatedAtMs: 1,
});
const certificatesIn = (db: Database.Database): unknown[] =>
  db.prepare('SELECT fileId FROM certificates').pluck().all();

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'import-files-'));
  const other = await openTestStore(() => nowMs);
  await other.store.write(async (trx) => {
    await trx
      .insertInto('settings')
      .values([
        { key: 'subTitle', value: 'from the file' },
        { key: 'webPort', value: '9999' },
        { key: 'subURI', value: 'https://elsewhere.example/sub/' },
        { key: 'panelGuid', value: 'theirs' },
      ])
      .execute();
    await trx
      .insertInto('admins')
      .values({ username: 'theirs', passwordHash: 'x', loginEpoch: 1, lastTotpStep: 0, createdAtMs: 1, updatedAtMs: 1 })
      .execute();
  });
  await other.store.write((trx) => trx.insertInto('certificates').values(certificate('theirs')).execute());
  await other.store.copyTo(join(made, 'own.db'));
  await other.dispose();
  let text = '';
  for await (const part of sqlDump(join(made, 'own.db'))) text += part;
  writeFileSync(join(made, 'own.dump'), `\uFEFF\n${text}`);
});
afterAll(() => rmSync(made, { recursive: true }));

beforeEach(async () => {
  opened = await openTestStore(() => nowMs);
  await opened.store.write(async (trx) => {
    await trx
      .insertInto('settings')
      .values([
        { key: 'webPort', value: '1234' },
        { key: 'panelGuid', value: 'ours' },
        { key: 'subTitle', value: 'before' },
      ])
      .execute();
    await trx.insertInto('certificates').values(certificate('ours')).execute();
  });
  restarts = 0;
  running = [];
  events = [];
  const imports = createImportService({
    files: createCertificateStore(join(opened.dataDir, 'cert')),
    dataDir: opened.dataDir,
    backupFolder: opened.store.backupFolder,
    postgresFiles: 'none',
    secrets: createSecrets(Buffer.alloc(KEY_BYTES, 7)),
    own: () => readOwn(opened.store.reader),
    runningJobs: () => running,
    restartPanel: () => void (restarts += 1),
    publish: (event) => void events.push(event),
    clock: () => nowMs,
    log: recordingLogger(),
  });
  panel = await serveRoutes((ctx) => importRoutes(ctx, imports), ENGLISH);
});
afterEach(async () => {
  await panel.close();
  await opened.dispose();
});

async function send(path: string, content: Buffer | string | null, fields: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  if (content !== null) body.append('db', new Blob([new Uint8Array(Buffer.from(content))]), 'whatever.zip');
  const response = await fetch(panel.origin + path, { method: 'POST', body });
  return (await response.json()) as Envelope<ImportPlan | null>;
}
const fileOf = (name: string): Buffer => readFileSync(join(made, name));
/** A copy of the valid file, changed by `work`. */
function altered(work: (db: Database.Database) => void): Buffer {
  const file = join(made, 'altered.db');
  copyFileSync(join(made, 'own.db'), file);
  const db = new Database(file);
  db.pragma('journal_mode = DELETE');
  work(db);
  db.close();
  const bytes = readFileSync(file);
  rmSync(file);
  return bytes;
}
/** Inserts a row whose other columns hold anything. */
function fill(db: Database.Database, table: string, given: Record<string, string | number>): void {
  const columns = db.prepare('SELECT name, type FROM pragma_table_info(?)').all(table) as {
    name: string;
    type: string;
  }[];
  const values = columns.map(({ name, type }) => given[name] ?? (type.toUpperCase() === 'TEXT' ? 'a' : 0));
  db.prepare(
    `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join()}) VALUES (${columns.map(() => '?').join()})`,
  ).run(values);
}
/** Hash of the whole database. */
async function liveHash(): Promise<string> {
  const copy = join(made, 'live.db');
  rmSync(copy, { force: true });
  await opened.store.copyTo(copy);
  const hash = createHash('sha256');
  for await (const part of sqlDump(copy)) hash.update(part);
  return hash.digest('hex');
}
const leftInFolder = (): string[] =>
  existsSync(importFolder(opened.dataDir)) ? readdirSync(importFolder(opened.dataDir)) : [];

/** The settings and schema after the restart that the import requests. */
async function afterRestart<T>(look: (db: Database.Database) => T): Promise<T> {
  await opened.store.close();
  const store = await openStore({ dataDir: opened.dataDir, clock: () => nowMs, log: recordingLogger(), isPanel: true });
  await store.close();
  const db = new Database(join(opened.dataDir, 'panel.db'), { readonly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}
const settingsIn = (db: Database.Database): Record<string, string> =>
  Object.fromEntries(db.prepare('SELECT key, value FROM settings').raw().all() as [string, string][]);

describe('importDB', () => {
  it.each(['own.db', 'own.dump'])(
    'takes %s, keeps what is this machine’s own, and asks for a restart',
    async (name) => {
      const { success, msg, obj } = await send(`${BASE}/importDB`, fileOf(name));
      expect([success, msg]).toEqual([true, 'The database has been successfully imported.']);
      expect(obj).toMatchObject({
        kind: 'own',
        settingsKept: expect.arrayContaining(['webPort', 'panelGuid']) as string[],
      });
      expect(restarts).toBe(1);
      expect(events).toContainEqual(expect.objectContaining({ type: 'notification', severity: 'warning' }));
      await afterRestart((db) => {
        expect(settingsIn(db)).toEqual({ subTitle: 'from the file', webPort: '1234', panelGuid: 'ours' });
        expect(db.prepare('SELECT username FROM admins').pluck().all()).toEqual(['theirs']);
        expect(certificatesIn(db)).toEqual(['ours']);
      });
    },
  );

  it('makes a clone only for the exact text "false"', async () => {
    const { obj } = await send(`${BASE}/importDB/preview`, fileOf('own.db'), { keepHostSettings: 'False' });
    expect(obj?.settingsKept).toContain('webPort');
    await send(`${BASE}/importDB`, fileOf('own.db'), { keepHostSettings: 'false' });
    await afterRestart((db) => {
      expect(settingsIn(db)).toMatchObject({ webPort: '9999', subURI: 'https://elsewhere.example/sub/' });
      expect(certificatesIn(db)).toEqual(['theirs']);
    });
  });

  it('imports rows only: triggers, views and tables of the file are ignored', async () => {
    const hostile = altered((db) => {
      db.exec(`CREATE TABLE extra (x); CREATE VIEW look AS SELECT * FROM admins;
        CREATE TRIGGER steal AFTER UPDATE ON settings BEGIN DELETE FROM admins; END`);
    });
    const { success, obj } = await send(`${BASE}/importDB`, hostile);
    expect(success).toBe(true);
    expect(obj?.cannotCome).toContainEqual(expect.objectContaining({ what: 'table', name: 'extra' }));
    await afterRestart((db) => {
      const names = db.prepare('SELECT name FROM sqlite_master').pluck().all();
      for (const name of ['extra', 'look', 'steal']) expect(names).not.toContain(name);
      expect(names).toContain('clientAttached');
    });
  });

  it('never gives the id of a deleted client to a new one', async () => {
    const used = altered((db) => db.exec(`INSERT INTO sqlite_sequence (name, seq) VALUES ('clients', 41)`));
    await send(`${BASE}/importDB`, used);
    const last = `SELECT seq FROM sqlite_sequence WHERE name = 'clients'`;
    await afterRestart((db) => expect(db.prepare(last).pluck().all()).toEqual([41]));
  });

  it('leaves impossible inbounds out with what belongs to them, and lifts negative counters to 0', async () => {
    const columns = `tag, protocol, port, settings, streamSettings, upBytes, remark, enable, disabledBy, listen, sniffing,
      expiresAtMs, quotaBytes, downBytes, trafficReset, lastTrafficResetAtMs, originNodeGuid, createdAtMs, updatedAtMs`;
    const rest = `'', 1, '', '', '', 0, 0, 0, 'never', 0, '', 0, 0`;
    const damaged = altered((db) => {
      db.exec(`INSERT INTO inbounds (id, ${columns}) VALUES (1, 'port', 'vless', 99999, '{}', '', 0, ${rest}),
          (2, 'protocol', 'foo', 1, '{}', '', 0, ${rest}), (3, 'settings', 'vless', 1, '{bad', '', 0, ${rest}),
          (4, 'stream', 'vless', 1, '{}', '[]', 0, ${rest}), (5, 'kept', 'vless', 1, '', '{}', -7, ${rest}),
          (6, 'shown', 'tun', 0, '{}', '', 0, ${rest});
        INSERT INTO hosts (groupId, inboundId, sortOrder, enable, address, port, content, createdAtMs, updatedAtMs)
          VALUES ('g', 1, 0, 1, 'a', 1, '{"remark":"its host"}', 0, 0),
            ('h', 5, 0, 1, 'a', 1, '{"remark":"kept"}', 0, 0), ('i', 5, 0, 1, 'a', 1, '{bad', 0, 0);
        INSERT INTO inboundFallbacks (masterId, childId, name, alpn, path, dest, xver, sortOrder)
          VALUES (5, 2, 'its rule', '', '', '', 0, 0);
        INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse, limitIp, tgId,
          groupName, comment, createdAtMs, updatedAtMs, searchKey)
          VALUES (8, 'a', 'a', 's', 'u', '', '', '', '', '', 0, 0, '', '', 1, 1, '');
        INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays, upBytes, downBytes,
          lastOnlineAtMs) VALUES (8, 1, '', -1, -5, 0, -5, 6, 0);
        INSERT INTO trafficSources (id, kind, guid, bootId) VALUES (9, 'manual', '', '');
        INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
          VALUES (300, 0, 8, 9, -5, 6);
        INSERT INTO clientInbounds VALUES (8, 1, '', '', 0), (8, 5, '', '', 0)`);
    });
    const { success, obj } = await send(`${BASE}/importDB`, damaged);
    expect(success).toBe(true);
    expect(obj?.counts).toMatchObject({ inbounds: 2, clients: 1, attachments: 1, hosts: 1 });
    expect(obj?.cannotCome.map(({ kind, name, reason }) => [kind, name, reason])).toEqual([
      ['inbound', 'port', 'port 99999 does not exist'],
      ['host', 'its host', 'its inbound does not come'],
      ['inbound', 'protocol', 'this panel has no protocol "foo"'],
      ['fallback', 'its rule', 'its inbound does not come'],
      ['inbound', 'settings', 'its settings are no JSON object'],
      ['inbound', 'stream', 'its transport settings are no JSON object'],
      ['host', '', 'its settings are no JSON object'],
      expect.arrayContaining(['certificate', 'theirs']),
    ]);
    await afterRestart((db) => {
      const all = (query: string): unknown[] => db.prepare(query).raw().all();
      expect(all('SELECT tag, upBytes FROM inbounds ORDER BY id')).toEqual([
        ['kept', 0],
        ['shown', 0],
      ]);
      expect(all('SELECT quotaBytes, expiresAtMs, upBytes, downBytes, inboundCount FROM clientStates')).toEqual([
        [0, -5, 0, 6, 1],
      ]);
      expect(all('SELECT sum(upBytes), sum(downBytes) FROM trafficLedger')).toEqual([[0, 6]]);
    });
  });

  it('migrates an older version to the current one', async () => {
    const older = join(opened.dataDir, 'older.db');
    await migrateFile(older, 20);
    const source = new Database(older);
    source.pragma('journal_mode = DELETE');
    source.exec(`INSERT INTO settings VALUES ('subTitle', 'of an older panel');
      INSERT INTO clients VALUES (5, 'a', 'a', 's', 'u', '', '', '', '', '', 0, 0, '', '', 1, 1, '');
      INSERT INTO clientStates VALUES (5, 1, '', 0, 0, 0, 7, 8, 0)`);
    source.close();
    const { success, obj } = await send(`${BASE}/importDB`, readFileSync(older));
    expect([success, obj?.version, obj?.counts.clients]).toEqual([true, 20, 1]);
    await afterRestart((db) => {
      expect(db.pragma('user_version', { simple: true })).toBe(LATEST_VERSION);
      expect(db.prepare('SELECT upBytes, downBytes, inboundCount FROM clientStates').get()).toEqual({
        upBytes: 7,
        downBytes: 8,
        inboundCount: 0,
      });
    });
  });

  it('accepts one at a time, and none while one waits for the restart', async () => {
    const responses = await Promise.all([1, 2].map(() => send(`${BASE}/importDB`, fileOf('own.db'))));
    expect(responses.filter(({ success }) => success)).toHaveLength(1);
    expect(responses.find(({ success }) => !success)?.msg).toMatch(/An import is under way/);
    expect((await send(`${BASE}/importDB`, fileOf('own.db'))).msg).toMatch(/An import is under way/);
    expect(leftInFolder().toSorted()).toEqual(['staged.db', 'waiting.json']);
  });
});

describe('what is changed on this panel between the staging and the restart', () => {
  const token = (name: string) => ({ name, tokenHash: name.padEnd(64, '0'), enabled: 1 as const, createdAtMs: 1 });
  const tokensIn = (db: Database.Database): unknown[] =>
    db.prepare(`SELECT name, enabled FROM apiTokens WHERE name LIKE 'own-%' ORDER BY name`).raw().all();
  const adminsIn = (db: Database.Database): unknown[] =>
    db.prepare('SELECT username, passwordHash, loginEpoch FROM admins').raw().all();
  const theirTokens = (db: Database.Database): unknown =>
    db.prepare(`SELECT count(*) FROM apiTokens WHERE name NOT LIKE 'own-%'`).pluck().get();

  beforeEach(async () => {
    await opened.store.write(async (trx) => {
      await trx.insertInto('apiTokens').values(['own-kept', 'own-revoked', 'own-off'].map(token)).execute();
      await trx
        .insertInto('admins')
        .values({ username: 'me', passwordHash: 'old', loginEpoch: 1, lastTotpStep: 0, createdAtMs: 1, updatedAtMs: 1 })
        .execute();
    });
  });
  const change = () =>
    opened.store.write(async (trx) => {
      await trx.deleteFrom('apiTokens').where('name', '=', 'own-revoked').execute();
      await trx.updateTable('apiTokens').set({ enabled: 0 }).where('name', '=', 'own-off').execute();
      await trx.insertInto('apiTokens').values(token('own-new')).execute();
      await trx.updateTable('admins').set({ passwordHash: 'new', loginEpoch: 2 }).execute();
      await trx.insertInto('settings').values({ key: 'twoFactorEnable', value: 'true' }).execute();
    });

  it('counts in an import from another panel: passwords, second factor and API tokens', async () => {
    const other = gunzipSync(readFileSync(join(import.meta.dirname, 'fixtures', 'other-panel.db.gz')));
    const { success, obj } = await send(`${BASE}/importDB`, other);
    expect([success, obj?.kind]).toEqual([true, 'otherPanel']);
    await change();
    await afterRestart((db) => {
      expect(tokensIn(db)).toEqual([
        ['own-kept', 1],
        ['own-new', 1],
        ['own-off', 0],
      ]);
      expect(theirTokens(db)).toBe(obj?.counts.apiTokens);
      expect(theirTokens(db)).toBeGreaterThan(0);
      expect(adminsIn(db)).toEqual([['me', 'new', 2]]);
      expect(settingsIn(db)['twoFactorEnable']).toBe('true');
      expect([db.pragma('foreign_key_check'), db.pragma('integrity_check', { simple: true })]).toEqual([[], 'ok']);
    });
  });

  it('does not count where a database of this panel is restored: the earlier state was asked for', async () => {
    await opened.store.copyTo(join(made, 'earlier.db'));
    expect((await send(`${BASE}/importDB`, fileOf('earlier.db'))).success).toBe(true);
    rmSync(join(made, 'earlier.db'));
    await change();
    await afterRestart((db) => {
      expect(tokensIn(db)).toEqual(['own-kept', 'own-off', 'own-revoked'].map((name) => [name, 1]));
      expect(adminsIn(db)).toEqual([['me', 'old', 1]]);
      expect(settingsIn(db)['twoFactorEnable']).toBeUndefined();
    });
  });
});

describe('while another job runs', () => {
  it('names the job and changes nothing', async () => {
    running = ['Installing core 26.1.1'];
    const response = await send(`${BASE}/importDB`, fileOf('own.db'));
    expect(response).toMatchObject({
      success: false,
      msg: expect.stringContaining('"Installing core 26.1.1"') as string,
    });
    expect([restarts, isImportWaiting(opened.dataDir)]).toEqual([0, false]);
  });
});

const INVALID = /Invalid file: expected a SQLite database \(\.db\) from Back Up or a SQLite migration dump \(\.dump\)/;
const dumpWith = (statement: string): string =>
  fileOf('own.dump').toString().replace('COMMIT;', `${statement}\nCOMMIT;`);
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(4000, 7)]);

describe('refused, leaving everything unchanged', () => {
  const files: [what: string, make: () => Buffer | string | null, msg: RegExp][] = [
    ['no file', () => null, /An error occurred while reading the database/],
    ['a text', () => 'hello', INVALID],
    [
      'a file without the tables',
      () => altered((db) => db.exec('DROP TABLE admins')),
      /required table "users" is missing/,
    ],
    [
      'a file of a running panel without its log',
      () =>
        altered((db) => {
          const tables = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).pluck().all() as string[];
          db.pragma('foreign_keys = OFF');
          for (const name of tables.filter((each) => !each.startsWith('sqlite_'))) db.exec(`DROP TABLE "${name}"`);
        }),
      /holds no tables.*-wal/,
    ],
    ['a newer version', () => altered((db) => db.pragma('user_version = 99999')), /newer panel/],
    ['a version that never was', () => altered((db) => db.pragma('user_version = 33')), /schema version 33/],
    ['a half of a file', () => fileOf('own.db').subarray(0, 20_000), /Invalid or corrupt db file/],
    ['ATTACH', () => dumpWith(`ATTACH DATABASE '/tmp/attached.db' AS a;`), /must not contain "ATTACH/],
    [
      'rows of nothing',
      () =>
        altered((db) => {
          db.pragma('foreign_keys = OFF');
          db.exec(`INSERT INTO clientInbounds VALUES (7, 8, '', '', 0)`);
        }),
      /clientInbounds/,
    ],
  ];
  it.each(files)('%s', async (_what, make, msg) => {
    const before = await liveHash();
    const response = await send(`${BASE}/importDB`, make());
    expect(response.success).toBe(false);
    expect(response.msg).toMatch(/^An error occurred while importing the database\. \(/);
    expect(response.msg).toMatch(msg);
    expect(leftInFolder()).toEqual([]);
    expect([isImportWaiting(opened.dataDir), restarts, await liveHash()]).toEqual([false, 0, before]);
    expect(existsSync('/tmp/attached.db')).toBe(false);
  });

  /** Refused when opened, like the text and the dump above: no thread is needed. */
  const unread: [what: string, make: () => Buffer | string, msg: RegExp][] = [
    ['a picture', () => png, INVALID],
    ['a zip', () => zip, INVALID],
    ['nothing', () => '', INVALID],
    ['a plain dump of another server', () => '--\n-- PostgreSQL database dump\n--\n', INVALID],
    [
      'an archive of another server',
      () => 'PGDMP\u0001\u000e',
      /PostgreSQL backup; it can only be restored on a panel/,
    ],
    ['writable_schema', () => dumpWith('PRAGMA writable_schema=ON;'), /must not contain "PRAGMA writable_schema/],
    ['a virtual table', () => dumpWith('CREATE VIRTUAL TABLE v USING fts5(x);'), /must not contain "CREATE VIRTUAL/],
    [
      'a table from a query',
      () => dumpWith('CREATE TABLE q AS SELECT * FROM admins;'),
      /must not contain "CREATE TABLE q/,
    ],
    [
      'a function in a row',
      () => dumpWith(`INSERT INTO "settings" VALUES('x',load_extension('y'));`),
      /must not contain "INSERT/,
    ],
    [
      'a row from a query',
      () => dumpWith(`INSERT INTO settings SELECT key, value FROM settings;`),
      /must not contain "INSERT/,
    ],
    ['an update', () => dumpWith(`UPDATE admins SET username='x';`), /must not contain "UPDATE/],
    ['a text without an end', () => dumpWith(`INSERT INTO "settings" VALUES('x','`), /does not end|within a statement/],
    // As a download that broke off between two statements: each rows' page ends with one.
    [
      'a dump without its end',
      () =>
        fileOf('own.dump')
          .toString()
          .replace(/CREATE (?:UNIQUE )?INDEX[^]*/, ''),
      /its end is missing/,
    ],
    ['a table twice', () => dumpWith('CREATE TABLE settings (key, value);'), /already exists/],
  ];
  it.each(unread)('%s', async (_what, make, msg) => {
    const file = join(opened.dataDir, 'sent');
    writeFileSync(file, make());
    await expect(openSource(file, `${file}.source`, 'none')).rejects.toThrow(msg);
    await expect(openSource(file, `${file}.again`, 'none')).rejects.toThrow(ImportRefusal);
  });

  it('SQL behind a comment that begins within a word', async () => {
    const file = join(opened.dataDir, 'sent');
    const attached = join(opened.dataDir, 'attached.db');
    const hidden = `COMMIT; ATTACH DATABASE "${attached}" AS y; CREATE TABLE y.z (a); BEGIN;`;
    writeFileSync(file, dumpWith(`CREATE TABLE t (a INT--'\n); ${hidden} --'\n;`));
    await expect(openSource(file, `${file}.source`, 'none')).rejects.toThrow(/must not contain "ATTACH/);
    expect(existsSync(attached)).toBe(false);
  });

  it('no dump of many rows: none of them leaves a statement in memory until the end', async () => {
    const file = join(opened.dataDir, 'sent');
    const rows = Array.from({ length: 1_000 }, (_, at) => `INSERT INTO "settings" VALUES('key-${at}','');`);
    writeFileSync(file, dumpWith(rows.join('\n')));
    const prepare = vi.spyOn(Database.prototype, 'prepare');
    const source = await openSource(file, `${file}.source`, 'none');
    expect(prepare.mock.calls.length).toBeLessThan(500);
    prepare.mockRestore();
    source.close();
  });

  it('a dump that is too large, before it is read', async () => {
    const file = join(opened.dataDir, 'sent');
    writeFileSync(file, 'PRAGMA foreign_keys=OFF;\n');
    // Its end takes no room on the disk.
    truncateSync(file, 501 * 2 ** 20);
    await expect(openSource(file, `${file}.source`, 'none')).rejects.toThrow(/500 MiB at most. Take the database file/);
  });

  it('a page that was overwritten', async () => {
    const bytes = altered((db) => {
      const row = db.prepare(`INSERT INTO settings VALUES (?, ?)`);
      db.transaction(() => {
        for (let i = 0; i < 2000; i++) row.run(`filler-${i}`, 'x'.repeat(100));
      })();
    });
    bytes.fill(0xee, bytes.length - 3 * 4096, bytes.length - 4096);
    expect((await send(`${BASE}/importDB`, bytes)).msg).toMatch(/Invalid or corrupt db file/);
    expect(leftInFolder()).toEqual([]);
  });
});

describe('previews', () => {
  it('count every group, whether stored or only a label of clients', async () => {
    const grouped = altered((db) => {
      db.exec(
        `INSERT INTO clientGroups (name, upBaselineBytes, downBaselineBytes, createdAtMs, updatedAtMs) VALUES ('stored', 0, 0, 0, 0)`,
      );
      fill(db, 'clients', { id: 7, groupName: 'carried' });
    });
    const { obj } = await send(`${BASE}/importDB/preview`, grouped);
    expect(obj?.counts).toMatchObject({ clients: 1, groups: 2 });
  });

  it('list the secrets that another data folder has sealed, also those of nodes, masters and webhooks', async () => {
    const theirs = createSecrets(Buffer.alloc(KEY_BYTES, 8));
    const ours = createSecrets(Buffer.alloc(KEY_BYTES, 7));
    const sealed = altered((db) => {
      db.prepare('INSERT INTO settings VALUES (?, ?)').run('smtpPassword', theirs.seal('smtpPassword', 'x'));
      fill(db, 'nodes', { id: 3, name: 'node', apiToken: theirs.seal(tokenSeal(3), 'x') });
      fill(db, 'nodes', { id: 4, name: 'ours', apiToken: ours.seal(tokenSeal(4), 'x') });
      fill(db, 'nodes', { id: 5, name: 'enrolled', apiToken: '' });
      fill(db, 'masters', { trunkId: 't', name: 'master', key: theirs.seal(masterKeySeal('t'), 'x') });
      fill(db, 'webhooks', { id: 6, name: 'webhook', secret: theirs.seal(sealOf(6), 'x') });
    });
    const { obj } = await send(`${BASE}/importDB/preview`, sealed);
    expect(obj?.cannotCome.filter(({ kind }) => kind === 'secret').map(({ name }) => name)).toEqual([
      'smtpPassword',
      'nodes: node',
      'masters: master',
      'webhooks: webhook',
    ]);
  });

  it('show what would be imported and leave nothing behind', async () => {
    const { success, obj } = await send(`${BASE}/importDB/preview`, fileOf('own.db'));
    expect(success).toBe(true);
    expect(obj).toMatchObject({ kind: 'own', counts: { settings: 4, clients: 0 } });
    expect([leftInFolder(), restarts]).toEqual([[], 0]);
    expect(await send(`${BASE}/importDB/preview`, 'hello')).toMatchObject({
      success: false,
      msg: expect.stringMatching(INVALID) as string,
    });
  });
});

describe('restoring an automatic backup', () => {
  const backupName = `panel-${nowMs}-daily.db`;
  beforeEach(async () => {
    await opened.store.backup('daily');
    await opened.store.write(
      async (trx) =>
        void (await trx.updateTable('settings').set({ value: 'after' }).where('key', '=', 'subTitle').execute()),
    );
  });

  it('requires its name to be typed, then restores it', async () => {
    const path = `${BASE}/backups/${backupName}/restore`;
    expect(await panel.post(path, { confirm: 'yes' })).toMatchObject({
      success: false,
      msg: `Type the name of the backup to confirm: ${backupName}`,
    });
    expect(restarts).toBe(0);
    expect((await panel.post(`${BASE}/backups/${backupName}/preview`)).obj).toMatchObject({ kind: 'own' });
    expect(await panel.post(path, { confirm: backupName })).toMatchObject({ success: true });
    // Opening a backup for reading must not create files next to it.
    expect(readdirSync(opened.store.backupFolder)).toEqual([backupName]);
    await afterRestart((db) => expect(settingsIn(db)).toMatchObject({ subTitle: 'before', webPort: '1234' }));
    expect(await panel.get(`${BASE}/importDB/outcome`)).toMatchObject({ success: true, obj: null });
  });

  it.each(['..%2Fpanel.db', 'panel.db', `panel-${nowMs}-stop.db`])('does not accept %s', async (name) => {
    const response = await panel.post(`${BASE}/backups/${name}/restore`, { confirm: decodeURIComponent(name) });
    expect(response).toMatchObject({ success: false, msg: ENGLISH['backup.unknown'] });
    expect(restarts).toBe(0);
  });

  it('reports how much free space a file needs when the disk has too little', async () => {
    const large = `panel-${nowMs + 1}-daily.db`;
    const file = join(opened.store.backupFolder, large);
    copyFileSync(join(opened.store.backupFolder, backupName), file);
    // Sparse: it takes no space itself.
    truncateSync(file, 8 * 2 ** 40);
    const response = await panel.post(`${BASE}/backups/${large}/restore`, { confirm: large });
    expect(response.msg).toMatch(/too little room; 25165824 MiB are needed/);
    expect([leftInFolder(), restarts]).toEqual([[], 0]);
  });
});
