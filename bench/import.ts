import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { freePort } from '../src-server/testing/free-port.ts';
import { makeToken, type PanelProcess } from '../e2e/harness/panel-process.ts';
import { figure } from './figures.ts';
import { inFolder, withPanel } from './measured-panel.ts';
import { loopProbe } from './loop/loop-probe.ts';
import { seedClients } from './seed.ts';
import { transfer } from './transfer.ts';

const LARGE = 100_000;
const OTHER_PANEL = 10_000;
const FILE_MIB = 200;

/** Backups and checks of imports: how long they take, and how long they block the event loop of a busy panel. */
export async function imports(): Promise<void> {
  await inFolder(async (dataDir) => {
    await seedClients(dataDir, LARGE, await freePort());
    await withPanel({ dataDir }, (panel) => importsInto(panel, dataDir));
  });
}

async function importsInto(panel: PanelProcess, dataDir: string): Promise<void> {
  const token = makeToken(dataDir);
  const idle = loopProbe(panel.url);
  await delay(5_000);
  figure('nothing at all: longest wait of another request', await idle.stop(), 'ms', null);
  const own = join(dataDir, 'own.db');
  await measured(panel, `${LARGE} clients: getDb`, 10_000, () => download(panel, token, 'getDb', own));
  const dump = join(dataDir, 'own.dump');
  await measured(panel, `${LARGE} clients: getMigration`, null, () => download(panel, token, 'getMigration', dump));
  await measured(panel, `${LARGE} clients: check of the database`, null, () => preview(panel, token, own));
  await measured(panel, `${LARGE} clients: check of the dump`, null, () => preview(panel, token, dump));

  const other = join(dataDir, 'other.db');
  seedOtherPanel(other, OTHER_PANEL);
  await measured(panel, `another panel, ${OTHER_PANEL} clients: check`, 10_000, () => preview(panel, token, other));

  const junk = join(dataDir, 'junk.zip');
  for (const [what, start] of [
    ['that are no database', 'PK\u0003\u0004'],
    ['damaged database', 'SQLite format 3\0'],
  ] as const) {
    await fill(junk, start);
    const name = `${FILE_MIB} MiB ${what}: refusal`;
    await measured(panel, name, 10_000, () => preview(panel, token, junk, false));
  }
}

async function measured(panel: PanelProcess, name: string, target: number | null, work: () => Promise<void>) {
  const probe = loopProbe(panel.url);
  const startedAt = performance.now();
  await work();
  figure(name, performance.now() - startedAt, 'ms', target);
  figure(`${name}: longest wait of another request`, await probe.stop(), 'ms', 50);
}

const address = (panel: PanelProcess, path: string): string =>
  `${panel.url.replace(/\/$/, '')}/panel/api/server/${path}`;

async function download(panel: PanelProcess, token: string, path: string, toFile: string): Promise<void> {
  await transfer({ address: address(panel, path), token, toFile });
}

/** @throws when the panel's response contradicts the measurement's assumptions */
async function preview(panel: PanelProcess, token: string, fromFile: string, isTaken = true): Promise<void> {
  const text = await transfer({ address: address(panel, 'importDB/preview'), token, fromFile });
  if ((JSON.parse(text) as { success: boolean }).success !== isTaken) throw new Error(text.slice(0, 500));
}

async function fill(file: string, start: string): Promise<void> {
  const handle = await open(file, 'w');
  const piece = createHash('sha512').update('bench').digest();
  const mib = Buffer.alloc(1024 * 1024, piece);
  for (let at = 0; at < FILE_MIB; at++) await handle.write(mib);
  await handle.write(start, 0, 'latin1');
  await handle.close();
}

/** The other panel's tables of clients, with one inbound and `count` of them. */
function seedOtherPanel(file: string, count: number): void {
  const db = new Database(file);
  db.exec(`
    CREATE TABLE users (id integer PRIMARY KEY, username text, password text);
    CREATE TABLE settings (id integer PRIMARY KEY, key text, value text);
    CREATE TABLE inbounds (id integer PRIMARY KEY, up integer, down integer, total integer, remark text, enable numeric,
      expiry_time integer, listen text, port integer, protocol text, settings text, stream_settings text, tag text, sniffing text);
    CREATE TABLE clients (id integer PRIMARY KEY, email text, sub_id text, uuid text, enable numeric, total_gb integer,
      expiry_time integer, created_at integer, updated_at integer);
    CREATE TABLE client_inbounds (client_id integer, inbound_id integer, flow_override text, created_at integer);
    CREATE TABLE client_traffics (id integer PRIMARY KEY, inbound_id integer, enable numeric, email text, up integer, down integer)`);
  const entries: object[] = [];
  const client = db.prepare('INSERT INTO clients VALUES (?, ?, ?, ?, 1, 1000000000000, 0, 1, 1)');
  const link = db.prepare(`INSERT INTO client_inbounds VALUES (?, 1, '', 1)`);
  const traffic = db.prepare('INSERT INTO client_traffics VALUES (?, 1, 1, ?, ?, ?)');
  db.transaction(() => {
    for (let id = 1; id <= count; id++) {
      const email = `client-${id}@example.org`;
      const uuid = randomUUID();
      entries.push({ email, id: uuid, subId: `sub-${id}`, enable: true, totalGB: 1e12, expiryTime: 0 });
      client.run(id, email, `sub-${id}`, uuid);
      link.run(id);
      traffic.run(id, email, id, 2 * id);
    }
    const settings = JSON.stringify({ decryption: 'none', clients: entries });
    db.prepare(
      `INSERT INTO inbounds VALUES (1, 0, 0, 0, 'bench', 1, 0, '', 47999, 'vless', ?, '{"network":"tcp","security":"none"}', 'in-47999-tcp', '{}')`,
    ).run(settings);
  })();
  db.close();
}
