import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecrets, KEY_BYTES } from '../../store/secrets/secrets.ts';
import { openStore, type Store } from '../../store/open-store.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { prepareImport, readOwn, type Own, type Prepared } from './prepare-import.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const unpacked = (name: string): Buffer => gunzipSync(readFileSync(join(FIXTURES, `${name}.gz`)));

interface Expected {
  inbounds: {
    id: number;
    port: number;
    tag: string;
    enable: boolean;
    settings: { clients?: Record<string, unknown>[] };
  }[];
  clients: {
    email: string;
    subId: string;
    uuid: string;
    password: string;
    auth: string;
    totalGB: number;
    expiryTime: number;
    enable: boolean;
    limitIp: number;
    tgId: number;
    group: string;
    comment: string;
    reset: number;
    inboundIds: number[] | null;
    traffic: { up: number; down: number; expiryTime: number } | null;
  }[];
}

const expected = JSON.parse(unpacked('other-panel.expected.json').toString()) as Expected;
const secrets = createSecrets(Buffer.alloc(KEY_BYTES, 7));
const nowMs = 1_795_300_000_000;
const SECOND_FACTOR = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-'));
  const store: Store = await openStore({ dataDir: folder, clock: () => nowMs, log: recordingLogger() });
  await store.write(async (trx) => {
    await trx
      .insertInto('settings')
      .values([
        { key: 'webPort', value: '1234' },
        { key: 'twoFactorEnable', value: 'true' },
        { key: 'twoFactorToken', value: secrets.seal('twoFactorToken', SECOND_FACTOR) },
      ])
      .execute();
    await trx
      .insertInto('admins')
      .values({ username: 'me', passwordHash: 'x', loginEpoch: 1, lastTotpStep: 0, createdAtMs: 1, updatedAtMs: 1 })
      .execute();
  });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function prepared(name: string, keepHostSettings = true, own?: () => Promise<Own>): Promise<Prepared> {
  const file = join(folder, name);
  writeFileSync(file, unpacked(name));
  return prepareImport({
    file,
    postgresFiles: 'all',
    dataDir: folder,
    secrets,
    keepHostSettings,
    passphrase: '',
    clock: () => nowMs,
    ...(own === undefined ? {} : { own }),
  });
}

describe.each(['other-panel.db', 'other-panel.dump'])('another panel, %s', (name) => {
  let taken: Prepared;
  let db: Database.Database;
  beforeAll(async () => {
    taken = await prepared(name);
    db = new Database(taken.database, { readonly: true });
  });
  afterAll(() => db.close());

  it('imports every client: credentials, limits, traffic and inbounds', () => {
    const rows = db
      .prepare(
        `SELECT client.email, subId, uuid, password, auth, quotaBytes AS totalGB, expiresAtMs AS expiryTime, enable, limitIp,
           tgId, groupName AS "group", comment, resetDays AS reset, upBytes AS up, downBytes AS down,
           (SELECT json_group_array(inboundId ORDER BY inboundId) FROM clientInbounds WHERE clientId = client.id) AS inboundIds
         FROM clients AS client JOIN clientStates AS state ON state.clientId = client.id ORDER BY client.id`,
      )
      .all() as Record<string, unknown>[];
    expect(rows).toHaveLength(400);
    expect(rows).toEqual(
      expected.clients.map((client) => ({
        email: client.email,
        subId: client.subId,
        uuid: client.uuid,
        password: client.password,
        auth: client.auth,
        totalGB: client.totalGB,
        // A renewal moves only the expiry in the traffic table.
        expiryTime: client.reset > 0 ? (client.traffic?.expiryTime ?? 0) : client.expiryTime,
        enable: client.enable ? 1 : 0,
        limitIp: client.limitIp,
        tgId: client.tgId,
        group: client.group,
        comment: client.comment,
        reset: client.reset,
        up: client.traffic?.up ?? 0,
        down: client.traffic?.down ?? 0,
        inboundIds: JSON.stringify((client.inboundIds ?? []).toSorted((a, b) => a - b)),
      })),
    );
  });

  it('imports every inbound, without clients in its JSON', () => {
    const rows = db.prepare('SELECT id, port, tag, enable, settings FROM inbounds ORDER BY id').all() as {
      settings: string;
    }[];
    expect(rows).toMatchObject(
      expected.inbounds.map(({ id, port, tag, enable }) => ({ id, port, tag, enable: enable ? 1 : 0 })),
    );
    for (const { settings } of rows) expect(JSON.parse(settings)).not.toHaveProperty('clients');
  });

  it('keeps a password that a client has on one inbound only', () => {
    for (const inbound of expected.inbounds)
      for (const entry of inbound.settings.clients ?? []) {
        const found = db
          .prepare(
            `SELECT password, passwordOverride FROM clientInbounds AS link JOIN clients AS client ON client.id = link.clientId
             WHERE inboundId = ? AND email = ?`,
          )
          .get(inbound.id, entry['email']) as { password: string; passwordOverride: string };
        const isByPassword = /tcpudp$|47111/.test(inbound.tag);
        if (isByPassword) expect(found.passwordOverride || found.password).toBe(entry['password']);
      }
  });

  it('accounts for its counters in the ledger', () => {
    const { sum } = db.prepare('SELECT sum(upBytes + downBytes) AS sum FROM clientStates').get() as { sum: number };
    expect(db.prepare('SELECT sum(upBytes + downBytes) AS sum FROM trafficLedger').get()).toEqual({ sum });
    expect(sum).toBeGreaterThan(0);
  });

  it('keeps the admins, their second factor and addresses of this machine, and seals secrets', () => {
    expect(db.prepare('SELECT username FROM admins').pluck().all()).toEqual(['me']);
    const setting = (key: string) => db.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key) as string;
    expect(setting('webPort')).toBe('1234');
    expect(setting('twoFactorEnable')).toBe('true');
    expect(secrets.open('twoFactorToken', setting('twoFactorToken'))).toBe(SECOND_FACTOR);
    expect(setting('subPort')).toBeUndefined();
    expect(setting('subTitle')).toBe('Nord {{SUB_ID}}');
    expect(secrets.open('smtpPassword', setting('smtpPassword'))).toBe('secret');
    expect(setting('smtpPassword')).not.toContain('secret');
  });

  it('reports what will be imported and what cannot be', () => {
    const { plan } = taken;
    expect(plan).toMatchObject({
      kind: 'otherPanel',
      counts: { inbounds: 14, clients: 400, attachments: 742, groups: 2, hosts: 4, externalLinks: 2, apiTokens: 2 },
    });
    expect(plan.cannotCome).toContainEqual(expect.objectContaining({ what: 'administrator', name: 'admin' }));
    expect(plan.cannotCome).toContainEqual(expect.objectContaining({ what: 'setting', name: 'subIncyEnableRouting' }));
    expect(plan.cannotCome.filter(({ what }) => ['client', 'inbound', 'host'].includes(what))).toEqual([]);
  });

  it('leaves no orphaned rows', () => {
    expect(db.pragma('foreign_key_check')).toEqual([]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

it('keeps a password and a second factor that were changed while the import was prepared', async () => {
  const store = await openStore({ dataDir: folder, clock: () => nowMs, log: recordingLogger() });
  let reads = 0;
  const { database } = await prepared('other-panel.db', true, async () => {
    const own = await readOwn(store.reader);
    reads += 1;
    if (reads === 1)
      await store.write(async (trx) => {
        await trx.updateTable('admins').set({ passwordHash: 'new', loginEpoch: 2 }).execute();
        await trx.deleteFrom('settings').where('key', 'in', ['twoFactorEnable', 'twoFactorToken']).execute();
      });
    return own;
  });
  await store.close();
  const db = new Database(database, { readonly: true });
  expect(db.prepare('SELECT username, passwordHash, loginEpoch FROM admins').raw().all()).toEqual([['me', 'new', 2]]);
  expect(db.prepare(`SELECT key FROM settings WHERE key LIKE 'twoFactor%'`).all()).toEqual([]);
  expect(db.pragma('foreign_key_check')).toEqual([]);
  db.close();
});
