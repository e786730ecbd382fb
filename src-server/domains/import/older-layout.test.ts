import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecrets, KEY_BYTES } from '../../store/secrets/secrets.ts';
import { MAX_TIME_MS } from '../clients/contract.ts';
import { prepareImport } from './prepare-import.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The other panel's database, changed by `work`, as uploaded. */
async function imported(work: (db: Database.Database) => void) {
  const file = join(folder, 'other.db');
  writeFileSync(file, gunzipSync(readFileSync(join(FIXTURES, 'other-panel.db.gz'))));
  const source = new Database(file);
  source.pragma('journal_mode = DELETE');
  work(source);
  source.close();
  const { plan, database } = await prepareImport({
    file,
    postgresFiles: 'none',
    dataDir: folder,
    secrets: createSecrets(Buffer.alloc(KEY_BYTES, 7)),
    keepHostSettings: true,
    passphrase: '',
    clock: () => 1_795_300_000_000,
  });
  const db = new Database(database, { readonly: true });
  const all = (query: string) => db.prepare(query).all() as Record<string, unknown>[];
  return { plan, all, close: () => db.close() };
}

const CLIENTS = `SELECT client.email, subId, uuid, password, auth, quotaBytes, expiresAtMs, enable, limitIp, tgId, comment,
    resetDays, upBytes, downBytes, (SELECT json_group_array(inboundId ORDER BY inboundId) FROM clientInbounds
      WHERE clientId = client.id) AS inboundIds
  FROM clients AS client JOIN clientStates AS state ON state.clientId = client.id ORDER BY client.email`;

describe('the layout with clients inside the JSON of inbounds', () => {
  it('yields the same clients as the layout with client tables', async () => {
    const newer = await imported(() => undefined);
    const wanted = newer.all(CLIENTS);
    newer.close();
    const older = await imported((db) => {
      for (const table of ['clients', 'client_inbounds', 'client_groups', 'client_external_links', 'hosts', 'nodes'])
        db.exec(`DROP TABLE ${table}`);
      db.exec('ALTER TABLE client_traffics DROP COLUMN last_online; ALTER TABLE inbounds DROP COLUMN sub_sort_index');
    });
    expect(wanted).toHaveLength(400);
    expect(older.all(CLIENTS)).toEqual(wanted);
    expect(older.plan.counts).toMatchObject({ clients: 400, attachments: 742, hosts: 0, groups: 0 });
    older.close();
  });
});

describe('inbounds in the words of earlier versions', () => {
  it('are stored in present ones, as if they had been saved here', async () => {
    const { plan, all, close } = await imported((db) => {
      const update = db.prepare('UPDATE inbounds SET protocol = ?, settings = ?, stream_settings = ? WHERE id = ?');
      const stream = (network: string, block: object) =>
        JSON.stringify({ network, security: 'none', [`${network}Settings`]: block });
      const kept = db.prepare('SELECT settings FROM inbounds WHERE id = ?').pluck();
      update.run('vless', kept.get(3), stream('splithttp', { path: '/x', host: 'h.example' }), 3);
      update.run('vless', kept.get(10), stream('kcp', { mtu: 1350, header: { type: 'utp' }, seed: 's' }), 10);
      update.run('socks', '{"auth":"noauth","udp":true}', '', 13);
      update.run('dokodemo-door', '{"address":"192.0.2.1","port":53,"network":"tcp,udp"}', '', 14);
    });
    expect(plan.cannotCome.filter(({ what }) => what === 'inbound')).toEqual([]);
    const rows = all('SELECT id, protocol, settings, streamSettings FROM inbounds WHERE id IN (3, 10, 13, 14)');
    const [xhttp, kcp, mixed, tunnel] = rows.map((row) => ({
      protocol: row['protocol'],
      settings: JSON.parse(String(row['settings'])) as object,
      stream: JSON.parse(String(row['streamSettings']) || 'null') as object | null,
    }));
    expect(xhttp?.stream).toMatchObject({ network: 'xhttp', xhttpSettings: { path: '/x', host: 'h.example' } });
    expect(kcp?.stream).toMatchObject({
      finalmask: {
        udp: [
          { type: 'mkcp-legacy', settings: { header: 'utp' } },
          { type: 'mkcp-legacy', settings: { value: 's' } },
        ],
      },
    });
    expect(mixed).toMatchObject({ protocol: 'mixed', stream: null });
    expect(tunnel).toMatchObject({ protocol: 'tunnel', settings: { rewriteAddress: '192.0.2.1', rewritePort: 53 } });
    close();
  });
});

describe('what cannot be imported', () => {
  it('is listed with its reason, and the rest is imported', async () => {
    const { plan, all, close } = await imported((db) => {
      db.exec(`UPDATE inbounds SET protocol = 'wireguard', settings = '{"mtu":1420,"secretKey":"x","peers":[]}' WHERE id = 11;
        UPDATE inbounds SET protocol = 'mtproto' WHERE id = 12;
        UPDATE inbounds SET node_id = 3 WHERE id = 13;
        UPDATE clients SET email = 'a b/c' WHERE id = 1;
        UPDATE clients SET limit_hwid = 2 WHERE id = 3;
        UPDATE hosts SET sni = char(97, 10, 98) WHERE id = 4;
        UPDATE settings SET value = 'many' WHERE key = 'pageSize'`);
    });
    const reasons = Object.fromEntries(plan.cannotCome.map(({ what, name, reason }) => [`${what} ${name}`, reason]));
    expect(reasons).toMatchObject({
      'client a b/c': expect.stringContaining('e-mail') as string,
      'setting pageSize': expect.any(String) as string,
      'host relay': expect.stringContaining('sni') as string,
    });
    const said = plan.cannotCome.map(({ reason }) => reason).join('\n');
    for (const part of ['no protocol "mtproto"', 'belongs to a node', 'wireguard have no clients', 'limits addresses'])
      expect(said).toContain(part);
    expect(plan.counts).toMatchObject({ inbounds: 12, clients: 399, hosts: 3 });
    expect(all('SELECT 1 FROM clientInbounds WHERE inboundId = 11')).toEqual([]);
    expect(all('SELECT id FROM inbounds WHERE id IN (11, 12, 13)')).toEqual([{ id: 11 }]);
    expect(all(`SELECT value FROM settings WHERE key = 'pageSize'`)).toEqual([]);
    close();
  });
});

describe('limits of renewals and resets of their own, which this panel does not have', () => {
  it('are listed; a client whose renewals are used up renews no more', async () => {
    const { plan, all, close } = await imported((db) => {
      db.exec(`UPDATE clients SET reset = 30, reset_max = 3, expiry_time = 1795000000000 WHERE id IN (1, 3);
        UPDATE client_traffics SET reset_count = 3, expiry_time = 1795400000000
          WHERE email = (SELECT email FROM clients WHERE id = 1);
        UPDATE client_traffics SET reset_count = 1 WHERE email = (SELECT email FROM clients WHERE id = 3);
        UPDATE clients SET reset = 0, reset_day = 5, reset_max = 1, expiry_time = 1795000000000 WHERE id = 4;
        UPDATE client_traffics SET reset_count = 2, expiry_time = 1795400000000
          WHERE email = (SELECT email FROM clients WHERE id = 4);
        UPDATE clients SET reset = 0, reset_max = 3 WHERE id = 5;
        UPDATE clients SET traffic_reset = 'weekly' WHERE id = 6;
        UPDATE inbounds SET remark = 'fifteenth', traffic_reset = 'monthly', traffic_reset_day = 15 WHERE id = 3;
        UPDATE inbounds SET traffic_reset = 'daily', traffic_reset_day = 15 WHERE id = 2`);
    });
    const emails = new Map(all('SELECT id, email FROM clients').map(({ id, email }) => [id, email]));
    const listed = plan.cannotCome.filter(({ kind }) => kind === 'renewals' || kind === 'trafficReset');
    expect(listed.map(({ name, code, params }) => [name, code, params])).toEqual([
      ['fifteenth', 'leftOut.resetDay', { day: 15 }],
      [emails.get(1), 'leftOut.renewalsUsed', {}],
      [emails.get(3), 'leftOut.renewalsLeft', { left: 2 }],
      [emails.get(4), 'leftOut.renewalsUsed', {}],
      [emails.get(6), 'leftOut.clientReset', {}],
    ]);
    expect(
      all(
        'SELECT clientId, resetDays, resetDay, expiresAtMs FROM clientStates WHERE clientId IN (1, 3, 4) ORDER BY clientId',
      ),
    ).toMatchObject([
      { resetDays: 0, resetDay: 0, expiresAtMs: 1_795_400_000_000 },
      { resetDays: 30, resetDay: 0 },
      { resetDays: 0, resetDay: 0, expiresAtMs: 1_795_400_000_000 },
    ]);
    close();
  });
});

describe('hundreds of clients that lose something', () => {
  it('hide nothing else that cannot come', async () => {
    const { plan, close } = await imported((db) => {
      db.exec(`UPDATE clients SET reset = 30, reset_max = 3, traffic_reset = 'weekly';
        UPDATE hosts SET remark = '' WHERE id = 1`);
    });
    const kinds = new Set(plan.cannotCome.map(({ kind }) => kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['renewals', 'trafficReset', 'host', 'administrator']));
    close();
  });
});

describe('external links that end or have a prefix', () => {
  it('are listed, and one that has ended does not come', async () => {
    const { plan, all, close } = await imported((db) => {
      db.exec(`UPDATE client_external_links SET remark = 'ended', expiry_time = 1795200000000 WHERE id = 1;
        UPDATE client_external_links SET remark = 'ends', expiry_time = 1795400000000, name_prefix = 'DE ' WHERE id = 2`);
    });
    expect(plan.cannotCome.filter(({ kind }) => kind === 'externalLink')).toMatchObject([
      { name: 'ended', code: 'leftOut.linkEnded' },
      { name: 'ends', code: 'leftOut.linkEnds' },
      { name: 'ends', code: 'leftOut.namePrefix', params: { prefix: 'DE ' } },
    ]);
    expect(all('SELECT remark FROM clientExternalLinks')).toEqual([{ remark: 'ends' }]);
    expect(plan.counts.externalLinks).toBe(1);
    close();
  });
});

describe('entries of one e-mail in the JSON of inbounds', () => {
  it('are listed when their credentials differ', async () => {
    const { plan, all, close } = await imported((db) => {
      db.exec('DROP TABLE clients; DROP TABLE client_inbounds; DROP TABLE hosts');
      const update = db.prepare('UPDATE inbounds SET settings = ? WHERE id = ?');
      const entry = (email: string, rest: object) => ({ email, enable: true, subId: 's', ...rest });
      for (const id of Array.from({ length: 14 }, (_, index) => index + 1)) update.run('{"clients":[]}', id);
      const first = [entry('ann', { id: 'u-1' }), entry('bob', { id: 'u-2' }), entry('cat', { auth: 'a-1' })];
      const second = [
        entry('Ann', { id: 'u-9' }),
        entry('bob', { id: 'u-2', auth: 'a-2' }),
        entry('cat', { auth: 'a-9' }),
      ];
      update.run(JSON.stringify({ decryption: 'none', clients: first }), 1);
      update.run(JSON.stringify({ decryption: 'none', clients: second }), 2);
    });
    expect(plan.cannotCome.filter(({ kind }) => kind === 'client')).toMatchObject([
      { name: 'Ann', code: 'leftOut.credentials' },
      { name: 'cat', code: 'leftOut.credentials' },
    ]);
    expect(all('SELECT email, uuid, auth FROM clients ORDER BY email')).toEqual([
      { email: 'ann', uuid: 'u-1', auth: '' },
      { email: 'bob', uuid: 'u-2', auth: 'a-2' },
      { email: 'cat', uuid: '', auth: 'a-1' },
    ]);
    close();
  });
});

describe('hosts without a group', () => {
  it('get a group each, by which they can be changed', async () => {
    const { all, close } = await imported((db) => {
      db.exec(`UPDATE hosts SET group_id = '' WHERE id = 1; UPDATE hosts SET group_id = NULL WHERE id = 2`);
    });
    const groups = all('SELECT groupId FROM hosts ORDER BY id').map(({ groupId }) => groupId);
    for (const group of groups) expect(group).toMatch(/^[a-z0-9]{16}$/);
    expect(new Set(groups).size).toBe(3);
    close();
  });
});

describe('an entry in the JSON of an inbound', () => {
  it('is enabled unless it says otherwise', async () => {
    const { all, close } = await imported((db) => {
      db.exec('DROP TABLE clients; DROP TABLE client_inbounds');
      const clients = [{ email: 'silent' }, { email: 'off', enable: false }, { email: 'on', enable: true }];
      db.prepare('UPDATE inbounds SET settings = ? WHERE id = 1').run(JSON.stringify({ decryption: 'none', clients }));
    });
    expect(
      all(`SELECT email, enable FROM clients JOIN clientStates ON clientId = id
        WHERE email IN ('silent', 'off', 'on') ORDER BY email`),
    ).toEqual([
      { email: 'off', enable: 0 },
      { email: 'on', enable: 1 },
      { email: 'silent', enable: 1 },
    ]);
    close();
  });
});

describe('ends beyond the greatest date', () => {
  it('are that date, which texts of links can name', async () => {
    const { all, close } = await imported((db) => {
      db.exec(`UPDATE clients SET expiry_time = 9000000000000000, reset = 0 WHERE id = 1;
        UPDATE clients SET expiry_time = 1795000000000, reset = 30 WHERE id = 3;
        UPDATE client_traffics SET expiry_time = 9000000000000000 WHERE email = (SELECT email FROM clients WHERE id = 3);
        UPDATE clients SET expiry_time = -9000000000000000, reset = 0 WHERE id = 4;
        UPDATE inbounds SET expiry_time = 9000000000000000 WHERE id = 1`);
    });
    expect(all('SELECT expiresAtMs FROM clientStates WHERE clientId IN (1, 3, 4) ORDER BY clientId')).toEqual([
      { expiresAtMs: MAX_TIME_MS },
      { expiresAtMs: MAX_TIME_MS },
      { expiresAtMs: -MAX_TIME_MS },
    ]);
    expect(all('SELECT expiresAtMs FROM inbounds WHERE id = 1')).toEqual([{ expiresAtMs: MAX_TIME_MS }]);
    close();
  });
});
